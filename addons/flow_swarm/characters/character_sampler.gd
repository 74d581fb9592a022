@tool
extends RefCounted
## Shows the poses of clips on a scene that is in no tree, where an AnimationPlayer does nothing:
## the tracks that move bones and nodes, as the player would show them.


## A track with what it moves.
class Track:
	extends RefCounted
	var index: int
	var node: Node3D
	var bone := -1
	## The property that a track of values changes.
	var property: NodePath


var _scene: Node
var _player: AnimationPlayer
var _animation: Animation
var _tracks: Array[Track] = []
var _rests := {}


func _init(scene: Node, player: AnimationPlayer) -> void:
	_scene = scene
	_player = player
	for node: Node in scene.find_children("*", "Node3D", true, false):
		_rests[node] = (node as Node3D).transform


## Takes a clip, and puts all nodes and bones to rest, as tracks of other clips may have moved them.
func take(clip: String) -> void:
	_animation = _player.get_animation(clip)
	_tracks.clear()
	for index in _animation.get_track_count():
		var track := _track(index)
		if track != null:
			_tracks.append(track)
	for node: Node3D in _rests:
		node.transform = _rests[node]
		var skeleton := node as Skeleton3D
		if skeleton != null:
			skeleton.reset_bone_poses()


## Shows the pose of the clip at a time.
func show(seconds: float) -> void:
	for track: Track in _tracks:
		match _animation.track_get_type(track.index):
			Animation.TYPE_POSITION_3D:
				_show_position(track, _animation.position_track_interpolate(track.index, seconds))
			Animation.TYPE_ROTATION_3D:
				_show_rotation(track, _animation.rotation_track_interpolate(track.index, seconds))
			Animation.TYPE_SCALE_3D:
				_show_scale(track, _animation.scale_track_interpolate(track.index, seconds))
			Animation.TYPE_VALUE:
				var value: Variant = _animation.value_track_interpolate(track.index, seconds)
				track.node.set_indexed(track.property, value)
			Animation.TYPE_BEZIER:
				var number := _animation.bezier_track_interpolate(track.index, seconds)
				track.node.set_indexed(track.property, number)


## What a track moves; null if that is no bone and no node in 3D.
func _track(index: int) -> Track:
	var path := _animation.track_get_path(index)
	var is_root_motion := path == _player.root_motion_track and not path.is_empty()
	if is_root_motion or not _animation.track_is_enabled(index):
		return null
	var root := _player.get_node_or_null(_player.root_node)
	var track := Track.new()
	track.index = index
	track.node = root.get_node_or_null(NodePath(path.get_concatenated_names())) as Node3D
	if track.node == null or not _rests.has(track.node):
		return null
	var type := _animation.track_get_type(index)
	if type == Animation.TYPE_VALUE or type == Animation.TYPE_BEZIER:
		track.property = NodePath(path.get_concatenated_subnames())
		# Of other properties, such as a light's energy, nothing is baked.
		var name := String(path.get_subname(0)) if path.get_subname_count() > 0 else ""
		return (
			track if name in ["position", "rotation", "scale", "transform", "quaternion"] else null
		)
	if path.get_subname_count() > 0:
		var skeleton := track.node as Skeleton3D
		track.bone = skeleton.find_bone(path.get_subname(0)) if skeleton != null else -1
		return track if track.bone >= 0 else null
	return track


func _show_position(track: Track, at: Vector3) -> void:
	if track.bone < 0:
		track.node.position = at
		return
	var skeleton := track.node as Skeleton3D
	skeleton.set_bone_pose_position(track.bone, at * skeleton.motion_scale)


func _show_rotation(track: Track, turn: Quaternion) -> void:
	if track.bone < 0:
		track.node.quaternion = turn
	else:
		(track.node as Skeleton3D).set_bone_pose_rotation(track.bone, turn)


func _show_scale(track: Track, scale: Vector3) -> void:
	if track.bone < 0:
		track.node.scale = scale
	else:
		(track.node as Skeleton3D).set_bone_pose_scale(track.bone, scale)
