@tool
class_name SwarmCharacterBaker
extends RefCounted
## Makes a character for crowds of an animated scene: a [SwarmLook] whose mesh plays all clips of
## the scene on the instances of a MultiMesh, without a skeleton, in all renderers.
##
## The meshes of the scene are merged by material. The poses of their bones in all frames of all
## clips are written to a texture, from which the shader of the materials moves the vertices. Set
## [member EnemySwarm.custom_data_preset] to CUSTOM_CHARACTER to play the clips.
##
## One unit of the mesh is one unit of the scene. With an agent type of radius 0.5 and an
## [member EnemySwarm.instance_size] of 1 the character has the size that it has in the scene.

const Clips := preload("character_clips.gd")
const Joints := preload("character_joints.gd")
const Poses := preload("character_poses.gd")
const Surfaces := preload("character_surfaces.gd")
const Materials := preload("character_materials.gd")
const Report := preload("character_report.gd")

const MOST_JOINTS := 256
const OPTIONS: Dictionary[String, int] = {
	"frame_rate": TYPE_FLOAT,
	"clips": TYPE_PACKED_STRING_ARRAY,
	"roles": TYPE_DICTIONARY,
	"strides": TYPE_DICTIONARY,
	"front": TYPE_VECTOR3,
}


## Makes a look of a scene, which is not changed. Returns [code]null[/code], after an error, if the
## scene has no Skeleton3D, no AnimationPlayer with clips, no mesh, or more than 256 bones with
## vertices. The options are
## [br]- [code]frame_rate[/code]: the frames of poses a second, 1 to 240; 30 by default,
## [br]- [code]clips[/code]: the names of the clips to bake; all by default, at most 63,
## [br]- [code]roles[/code]: the clips that play by themselves, by "idle", "walk", "run", "attack"
## and "death"; by default those whose names contain such a word,
## [br]- [code]strides[/code]: by clip, the distance that the character covers while it plays once;
## by default measured from the feet,
## [br]- [code]front[/code]: the direction that the character faces; by default
## [constant Vector3.MODEL_FRONT], as in glTF files.
static func bake(scene_root: Node, options := {}) -> SwarmLook:
	var report := Report.new("SwarmCharacterBaker.bake")
	if scene_root == null:
		return report.refuse("scene_root must not be null")
	var known := _checked(options, report)
	if known.is_empty():
		return null
	# The poses of the scene itself stay as they are.
	var scene := scene_root.duplicate(0)
	var look := _bake(scene, known, report)
	scene.free()
	return look


## Bakes a scene file and saves the look as a .res or .tres file.
static func bake_file(scene_path: String, look_path: String, options := {}) -> Error:
	var report := Report.new("SwarmCharacterBaker.bake_file")
	var packed: PackedScene = null
	if ResourceLoader.exists(scene_path):
		packed = load(scene_path) as PackedScene
	if packed == null:
		report.refuse("%s is not a scene" % scene_path)
		return ERR_FILE_UNRECOGNIZED
	var scene := packed.instantiate()
	var look := bake(scene, options)
	scene.free()
	if look == null:
		return ERR_INVALID_DATA
	var error := ResourceSaver.save(look, look_path)
	if error != OK:
		report.refuse("%s cannot be saved: %s" % [look_path, error_string(error)])
	return error


static func _bake(scene: Node, options: Dictionary, report: Report) -> SwarmLook:
	var skeletons := scene.find_children("*", "Skeleton3D", true, false)
	if skeletons.is_empty() and not scene is Skeleton3D:
		return report.refuse("the scene has no Skeleton3D")
	var clips := Clips.new(scene, options, report)
	if clips.names.is_empty():
		return null
	var turn := Basis.looking_at(options["front"] as Vector3).inverse()
	var joints := Joints.new(scene, turn)
	var surfaces := Surfaces.new(joints, report)
	surfaces.collect(scene)
	if report.has_failed:
		return null
	if surfaces.is_empty():
		return report.refuse("the scene has no mesh with triangles")
	if joints.size() > MOST_JOINTS:
		return report.refuse(
			"%d bones have vertices; at most %d can" % [joints.size(), MOST_JOINTS]
		)
	var poses := Poses.new(joints.origins())
	clips.sample(joints, poses)
	if joints.is_sheared:
		report.warn(
			"bones are scaled by different factors along their axes; normals are approximate"
		)
	return _look(clips, poses, surfaces, joints.bounds, report)


static func _look(
	clips: Clips, poses: Poses, surfaces: Surfaces, bounds: AABB, report: Report
) -> SwarmLook:
	var materials := Materials.new(report)
	materials.shared = {
		&"poses": ImageTexture.create_from_image(poses.image()),
		&"bones": poses.joint_count(),
		&"clips": clips.spans(),
		&"idle_clip": clips.index_of_role("idle"),
		&"walk_clip": clips.index_of_role("walk"),
		&"run_clip": clips.index_of_role("run"),
	}
	var look := SwarmLook.new()
	look.mesh = surfaces.mesh(materials, bounds)
	look.clips = clips.resource()
	return look


## The options with defaults for those that are missing; empty after an error.
static func _checked(options: Dictionary, report: Report) -> Dictionary:
	var known := {
		"frame_rate": 30.0,
		"clips": PackedStringArray(),
		"roles": {},
		"strides": {},
		"front": Vector3.MODEL_FRONT,
	}
	for key: Variant in options:
		if not OPTIONS.has(str(key)):
			report.refuse('there is no option "%s"' % key)
			return {}
		var type := OPTIONS[str(key)]
		var value: Variant = options[key]
		if typeof(value) != type and not type_convertible(typeof(value), type):
			var wanted := type_string(type)
			report.refuse('option "%s" must be a %s, not %s' % [key, wanted, value])
			return {}
		known[str(key)] = type_convert(value, type)
	var rate: float = known["frame_rate"]
	if not (rate >= 1.0 and rate <= 240.0):
		report.refuse('option "frame_rate" must be from 1 to 240, not %s' % rate)
		return {}
	var front: Vector3 = known["front"]
	if not front.is_finite() or Vector2(front.x, front.z).length() < 1e-3:
		report.refuse('option "front" must point sideways, not %s' % front)
		return {}
	for stride: Variant in (known["strides"] as Dictionary).values():
		if not (stride is float or stride is int) or not (stride >= 0.0 and stride <= 1e6):
			report.refuse('option "strides" must have numbers from 0 to 1000000, not %s' % stride)
			return {}
	return known


## Whether a value of a type can stand for one of another type.
static func type_convertible(from: int, to: int) -> bool:
	match to:
		TYPE_FLOAT:
			return from == TYPE_INT
		TYPE_PACKED_STRING_ARRAY:
			return from == TYPE_ARRAY
	return false
