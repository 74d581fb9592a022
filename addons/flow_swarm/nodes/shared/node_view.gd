@tool
extends RefCounted
## What is shown of a node: its gizmo, and in the editor its warnings. The gizmo is drawn in the
## editor, and in a game where Debug > Visible Navigation is on.

const Strokes := preload("strokes.gd")
## The seconds between two looks at what has changed.
const PAUSE := 0.2

var strokes := Strokes.new()
var warnings: PackedStringArray = []

var _pause := 0.0
## The mesh of the gizmo in 3D; an internal child, which is not saved with the scene.
var _mesh_instance: MeshInstance3D


## Has the node looked at again and again, if anything of it is to be shown.
func start(node: Node) -> void:
	_pause = 0.0
	node.set_process_internal(is_shown(node))


static func is_shown(node: Node) -> bool:
	return Engine.is_editor_hint() or node.get_tree().debug_navigation_hint


## Whether it is time to look at the node again.
func is_due(delta: float) -> bool:
	_pause -= delta
	if _pause > 0.0:
		return false
	_pause = PAUSE
	return true


func show_warnings(node: Node, current: PackedStringArray) -> void:
	if current != warnings:
		warnings = current
		node.update_configuration_warnings()


func show_in_2d(node: Node2D, current: Strokes) -> void:
	if not current.is_same(strokes):
		strokes = current
		node.queue_redraw()


func show_in_3d(node: Node3D, current: Strokes) -> void:
	if not is_instance_valid(_mesh_instance):
		_mesh_instance = _make_mesh_instance()
		node.add_child(_mesh_instance, false, Node.INTERNAL_MODE_BACK)
	_mesh_instance.global_transform = Transform3D.IDENTITY
	if not current.is_same(strokes):
		strokes = current
		strokes.put_into(_mesh_instance.mesh as ImmediateMesh)


static func _make_mesh_instance() -> MeshInstance3D:
	var material := StandardMaterial3D.new()
	material.shading_mode = BaseMaterial3D.SHADING_MODE_UNSHADED
	material.vertex_color_use_as_albedo = true
	material.vertex_color_is_srgb = true
	material.no_depth_test = true
	var instance := MeshInstance3D.new()
	instance.top_level = true
	instance.mesh = ImmediateMesh.new()
	instance.material_override = material
	instance.cast_shadow = GeometryInstance3D.SHADOW_CASTING_SETTING_OFF
	return instance
