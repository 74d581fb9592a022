@tool
extends RefCounted
## The clips of a scene: which there are, which play by themselves, their frames and strides.

const Joints := preload("character_joints.gd")
const Poses := preload("character_poses.gd")
const Report := preload("character_report.gd")
const Sampler := preload("character_sampler.gd")

const MOST_CLIPS := 63
const LEAST_SECONDS := 0.001
## Words in the names of the clips that play by themselves, the most telling first.
const ROLES: Dictionary[String, PackedStringArray] = {
	"idle": ["idle", "stand"],
	"walk": ["walk"],
	"run": ["run", "sprint", "gallop"],
	"attack": ["attack", "slash", "bite", "punch"],
	"death": ["death", "die", "dead"],
}
const REPEATED: PackedStringArray = ["idle", "walk", "run"]
const MOVING: PackedStringArray = ["walk", "run"]
## A clip of walking that moves the model by more than this share of its height is kept in place.
const LEAST_DRIFT := 0.05
## Feet on the ground are within this share of the height above the lowest place of any bone.
const NEAR_GROUND := 0.15

var names := PackedStringArray()
var _player: AnimationPlayer
var _frame_rate: float
var _roles := {}
var _strides := {}
var _first_frames := PackedInt32Array()
var _frame_counts := PackedInt32Array()
var _lengths := PackedFloat32Array()
var _loops := PackedByteArray()
var _scene: Node
var _sampler: Sampler


func _init(scene: Node, options: Dictionary, report: Report) -> void:
	_scene = scene
	_frame_rate = options["frame_rate"]
	_strides = (options["strides"] as Dictionary).duplicate()
	_player = _find_player(report)
	if _player == null:
		return
	var found := _clips_of(_player)
	var wanted: PackedStringArray = options["clips"]
	for name: String in wanted:
		if not found.has(name):
			report.refuse('there is no clip "%s"' % name)
			return
	if not wanted.is_empty():
		found = wanted
	if found.size() > MOST_CLIPS:
		var text := 'the scene has %d clips; name at most %d in the option "clips"'
		report.refuse(text % [found.size(), MOST_CLIPS])
		return
	if _take_roles(found, options["roles"], report):
		names = found


## The index of the clip of a role; -1 if there is none.
func index_of_role(role: String) -> int:
	return names.find(_roles.get(role, ""))


## What the shader knows of each clip.
func spans() -> PackedInt32Array:
	var numbers := PackedInt32Array()
	for i in MOST_CLIPS:
		if i < names.size():
			numbers.append_array([_first_frames[i], _frame_counts[i], _loops[i], 0])
		else:
			numbers.append_array([0, 1, 0, 0])
	return numbers


func resource() -> SwarmClips:
	var clips := SwarmClips.new()
	clips.names = names
	clips.first_frames = _first_frames
	clips.frame_counts = _frame_counts
	clips.lengths = _lengths
	clips.loops = _loops
	for role: String in _roles:
		clips.set(role + "_clip", _roles[role])
	for role: String in MOVING:
		clips.set(role + "_stride", _strides.get(_roles.get(role, ""), 0.0))
	return clips


## Plays all clips and adds the poses of all their frames.
func sample(joints: Joints, poses: Poses) -> void:
	_sampler = Sampler.new(_scene, _player)
	for i in names.size():
		_sample_clip(i, joints, poses)


func _sample_clip(index: int, joints: Joints, poses: Poses) -> void:
	var name := names[index]
	var animation := _player.get_animation(name)
	var moves := _has_role(name, MOVING)
	var is_loop := animation.loop_mode != Animation.LOOP_NONE or _has_role(name, REPEATED)
	var swings := animation.loop_mode == Animation.LOOP_PINGPONG
	var seconds := maxf(animation.length * (2.0 if swings else 1.0), LEAST_SECONDS)
	var steps := maxi(1, roundi(seconds * _frame_rate))
	_sampler.take(name)
	var drift := Vector3.ZERO
	if moves and not swings:
		drift = _drift(joints, animation.length)
	_first_frames.append(poses.frame_count())
	var tracks: Array[PackedVector3Array] = []
	for step in steps + (0 if is_loop else 1):
		var at := float(step) / steps
		_sampler.show(pingpong(at * seconds, animation.length) if swings else at * seconds)
		poses.add_frame(joints.matrices(-drift * at))
		if moves:
			tracks.append(joints.bone_positions())
	_frame_counts.append(poses.frame_count() - _first_frames[index])
	_lengths.append(seconds)
	_loops.append(int(is_loop))
	if moves and not _strides.has(name):
		_strides[name] = drift.length() if drift != Vector3.ZERO else _stride(tracks)


## How far the whole model moves over the ground in a clip; zero if it stays in place.
func _drift(joints: Joints, seconds: float) -> Vector3:
	_sampler.show(0.0)
	var before := joints.bone_positions()
	_sampler.show(seconds)
	var after := joints.bone_positions()
	var sum := Vector3.ZERO
	for i in before.size():
		sum += after[i] - before[i]
	sum.y = 0.0
	var mean := sum / maxf(before.size(), 1.0)
	return mean if mean.length() > LEAST_DRIFT * _height(before) else Vector3.ZERO


## The distance that a character covers in a clip that stays in place: how far the bones near the
## ground go back, which are those of the foot that stands.
func _stride(tracks: Array[PackedVector3Array]) -> float:
	var moving := _moving_bones(tracks)
	var ground := INF
	for frame: PackedVector3Array in tracks:
		for bone: int in moving:
			ground = minf(ground, frame[bone].y)
	var near := ground + NEAR_GROUND * _height(tracks[0])
	var distance := 0.0
	for frame in tracks.size():
		var now := tracks[frame]
		var next := tracks[(frame + 1) % tracks.size()]
		var farthest := 0.0
		for bone: int in moving:
			if now[bone].y < near and next[bone].y < near:
				# The model faces -z.
				farthest = maxf(farthest, next[bone].z - now[bone].z)
		distance += farthest
	return distance


## The bones that move to and fro; others, such as one on the ground, do not tell the stride.
func _moving_bones(tracks: Array[PackedVector3Array]) -> PackedInt32Array:
	var moving := PackedInt32Array()
	for bone in tracks[0].size():
		var least := INF
		var most := -INF
		for frame: PackedVector3Array in tracks:
			least = minf(least, frame[bone].z)
			most = maxf(most, frame[bone].z)
		if most - least > LEAST_DRIFT * _height(tracks[0]):
			moving.append(bone)
	return moving


static func _height(points: PackedVector3Array) -> float:
	var box := AABB(points[0], Vector3.ZERO) if not points.is_empty() else AABB()
	for point: Vector3 in points:
		box = box.expand(point)
	return box.size.y


## The first player that moves a skeleton.
func _find_player(report: Report) -> AnimationPlayer:
	var fitting: Array[AnimationPlayer] = []
	for node: Node in _scene.find_children("*", "AnimationPlayer", true, false):
		var player := node as AnimationPlayer
		if _moves_skeleton(player):
			fitting.append(player)
	if fitting.is_empty():
		report.refuse("the scene has no AnimationPlayer with a clip that moves a Skeleton3D")
		return null
	if fitting.size() > 1:
		var text := "%d AnimationPlayers move a Skeleton3D; only the clips of %s are baked"
		report.warn(text % [fitting.size(), fitting[0].name])
	return fitting[0]


func _moves_skeleton(player: AnimationPlayer) -> bool:
	var root := player.get_node_or_null(player.root_node)
	if root == null:
		return false
	for name: String in _clips_of(player):
		var animation := player.get_animation(name)
		for track in animation.get_track_count():
			var path := NodePath(animation.track_get_path(track).get_concatenated_names())
			if root.get_node_or_null(path) is Skeleton3D:
				return true
	return false


func _has_role(name: String, roles: PackedStringArray) -> bool:
	for role: String in roles:
		if _roles.get(role, "") == name:
			return true
	return false


## Finds the clip of each role. Returns false, after an error, if the options name one that is
## missing.
func _take_roles(found: PackedStringArray, given: Dictionary, report: Report) -> bool:
	for role: Variant in given:
		if not ROLES.has(str(role)):
			report.refuse('there is no role "%s"' % role)
			return false
		if not found.has(str(given[role])):
			report.refuse('there is no clip "%s" for the role "%s"' % [given[role], role])
			return false
		_roles[str(role)] = str(given[role])
	for role: String in ROLES:
		if not _roles.has(role):
			var name := _by_word(found, ROLES[role])
			if name != "":
				_roles[role] = name
	return true


## The shortest name that contains a word; the first word that any name contains counts.
static func _by_word(found: PackedStringArray, words: PackedStringArray) -> String:
	for word: String in words:
		var best := ""
		for name: String in found:
			if name.to_lower().contains(word) and (best == "" or name.length() < best.length()):
				best = name
		if best != "":
			return best
	return ""


static func _clips_of(player: AnimationPlayer) -> PackedStringArray:
	var found := PackedStringArray()
	for name: String in player.get_animation_list():
		if name.get_file() != "RESET":
			found.append(name)
	return found
