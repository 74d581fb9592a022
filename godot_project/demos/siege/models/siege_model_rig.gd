class_name SiegeModelRig
extends RefCounted
## The bones of a model: names, parents and joints in model space. No bone is turned at rest, so
## that poses are plain rotations about the axes of the model, which looks along +Z.

var names: Array[StringName] = []
var parents := PackedInt32Array()
var joints := PackedVector3Array()


## Adds a bone below a bone that was added before. An empty parent makes a root.
func add(bone: StringName, parent: StringName, joint: Vector3) -> void:
	names.append(bone)
	parents.append(names.find(parent) if parent != &"" else -1)
	joints.append(joint)


## Adds a bone with the suffix `_l` at a joint, and one with `_r` at the mirrored joint. A parent
## that has sides is named without the suffix.
func add_pair(bone: String, parent: String, joint: Vector3) -> void:
	for side: String in ["_l", "_r"]:
		var above := parent if names.has(StringName(parent)) else parent + side
		var mirror := Vector3(1.0 if side == "_l" else -1.0, 1.0, 1.0)
		add(StringName(bone + side), StringName(above), joint * mirror)


func index_of(bone: StringName) -> int:
	var index := names.find(bone)
	assert(index >= 0, "the model has no bone %s" % bone)
	return index


## The joint of a bone, seen from the joint of its parent.
func offset_of(index: int) -> Vector3:
	var parent := parents[index]
	return joints[index] if parent < 0 else joints[index] - joints[parent]


func build_skeleton() -> Skeleton3D:
	var skeleton := Skeleton3D.new()
	skeleton.name = "Skeleton3D"
	for i in names.size():
		skeleton.add_bone(names[i])
		skeleton.set_bone_parent(i, parents[i])
		skeleton.set_bone_rest(i, Transform3D(Basis.IDENTITY, offset_of(i)))
	skeleton.reset_bone_poses()
	return skeleton
