@tool
extends RefCounted
## What moves the vertices of a character: bones with their bind poses, and parts without bones.
##
## Vertices lie in the space of the model as the scene has it at first, turned to face -z. The
## matrix of a joint takes them to where they are in a pose.


## A bone with the bind pose of a skin, or a part.
class Joint:
	extends RefCounted
	## The mesh that it moves, by its node.
	var part: Node3D
	## null for a part without bones.
	var skeleton: Skeleton3D
	var bone := -1
	## From the space of the model at rest to that of the bone.
	var bind := Transform3D.IDENTITY
	## The vertices that it moves, at rest: their bounds, and the sum of their positions by weight.
	var bounds := AABB()
	var sum := Vector3.ZERO
	var weight := 0.0

	func add_vertex(at: Vector3, share: float) -> void:
		bounds = AABB(at, Vector3.ZERO) if weight == 0.0 else bounds.expand(at)
		sum += at * share
		weight += share


## The bounds of all poses that were sampled.
var bounds := AABB()
## Whether any pose was scaled by different factors along its axes.
var is_sheared := false
var _joints: Array[Joint] = []
var _by_key := {}
var _root: Node
var _turn: Transform3D


func _init(root: Node, turn: Basis) -> void:
	_root = root
	_turn = Transform3D(turn, Vector3.ZERO)


func size() -> int:
	return _joints.size()


func joint(index: int) -> Joint:
	return _joints[index]


## From the space of a part's mesh to that of the model, in the present pose of the nodes.
func placed(part: Node3D) -> Transform3D:
	return _turn * _relative(part)


## The index of the joint of a bone with a bind pose, for a part that is placed so at rest.
func of_bone(
	part: Node3D, skeleton: Skeleton3D, bone: int, bind: Transform3D, rest: Transform3D
) -> int:
	var from_rest := bind * rest.affine_inverse()
	var key := [skeleton, bone, from_rest, _relative(part)]
	return _add(key, part, skeleton, bone, from_rest)


## The index of the joint of a part without bones.
func of_part(part: Node3D, rest: Transform3D) -> int:
	return _add([part], part, null, -1, rest.affine_inverse())


## A point in the middle of the vertices of each joint, at rest.
func origins() -> PackedVector3Array:
	var points := PackedVector3Array()
	for joint: Joint in _joints:
		points.append(joint.sum / maxf(joint.weight, 1e-9))
	return points


## The matrices of all joints in the present pose, moved by an offset.
func matrices(offset: Vector3) -> Array[Transform3D]:
	var found: Array[Transform3D] = []
	for joint: Joint in _joints:
		var matrix := _turn * _relative(joint.part)
		if joint.skeleton != null:
			matrix *= _posed(joint.skeleton, joint.bone)
		matrix *= joint.bind
		matrix.origin += offset
		found.append(matrix)
		var box := matrix * joint.bounds
		bounds = box if bounds == AABB() else bounds.merge(box)
		var scale := matrix.basis.get_scale().abs()
		var least := minf(scale.x, minf(scale.y, scale.z))
		var most := maxf(scale.x, maxf(scale.y, scale.z))
		is_sheared = is_sheared or most - least > 0.01 * most
	return found


## The positions of all bones in the present pose.
func bone_positions() -> PackedVector3Array:
	var found := PackedVector3Array()
	var seen := {}
	for joint: Joint in _joints:
		var skeleton := joint.skeleton
		if skeleton == null or seen.has(skeleton):
			continue
		seen[skeleton] = true
		var placed_skeleton := placed(skeleton)
		for bone in skeleton.get_bone_count():
			found.append(placed_skeleton * _posed(skeleton, bone).origin)
	return found


func _add(key: Array, part: Node3D, skeleton: Skeleton3D, bone: int, bind: Transform3D) -> int:
	if not _by_key.has(key):
		var joint := Joint.new()
		joint.part = part
		joint.skeleton = skeleton
		joint.bone = bone
		joint.bind = bind
		_by_key[key] = _joints.size()
		_joints.append(joint)
	return _by_key[key]


## The transform of a node in the space of the root. An attachment to a bone is reckoned from the
## skeleton, because the engine moves it only later.
func _relative(node: Node) -> Transform3D:
	if node == _root or node == null:
		return Transform3D.IDENTITY
	var attachment := node as BoneAttachment3D
	if attachment != null:
		var skeleton := _skeleton_of(attachment)
		if skeleton != null and attachment.bone_idx >= 0:
			return _relative(skeleton) * _posed(skeleton, attachment.bone_idx)
	var above := _relative(node.get_parent())
	var node_3d := node as Node3D
	return above * node_3d.transform if node_3d != null else above


func _skeleton_of(attachment: BoneAttachment3D) -> Skeleton3D:
	if attachment.use_external_skeleton:
		return attachment.get_node_or_null(attachment.external_skeleton) as Skeleton3D
	return attachment.get_parent() as Skeleton3D


## The pose of a bone in the space of its skeleton. Outside of a tree the engine does not update it.
static func _posed(skeleton: Skeleton3D, bone: int) -> Transform3D:
	var pose := skeleton.get_bone_pose(bone)
	var parent := skeleton.get_bone_parent(bone)
	while parent >= 0:
		pose = skeleton.get_bone_pose(parent) * pose
		parent = skeleton.get_bone_parent(parent)
	return pose
