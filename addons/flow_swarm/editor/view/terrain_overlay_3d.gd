@tool
extends Node3D
## The painted terrain of a layer in the 3D view of the editor, draped over the ground. It is a
## child of the manager that is not saved.

const SHADER: Shader = preload("terrain_overlay_3d.gdshader")
const LayerHeight := preload("../../debug/layer_height.gd")
const TerrainMaterial := preload("terrain_material.gd")
## The edge length in cells of the meshes over ground with heights.
const PATCH := 64
## The most heights that are read to find the lowest and the highest.
const MOST_SAMPLES := 65536

var manager: FlowFieldManager
var layer := 0:
	set(value):
		layer = value
		_has_old_heights = true

var _source := TerrainMaterial.new(SHADER)
var _laid: Array = []
var _has_old_heights := true
var _height_range := Vector2.ZERO
var _has_heights := false


func _init() -> void:
	top_level = true


func _process(_delta: float) -> void:
	visible = is_instance_valid(manager) and _source.update(manager, layer)
	if not visible:
		return
	global_transform = Transform3D.IDENTITY
	if _has_old_heights:
		_load_heights()
	var wanted: Array = [_source.bounds, manager.cell_size, _has_heights, _height_range]
	if wanted != _laid:
		_laid = wanted
		_lay()


## Reads the heights of the ground again with the next frame.
func refresh_heights() -> void:
	_has_old_heights = true


func _load_heights() -> void:
	_has_old_heights = false
	var heights := manager.get_heights(layer)
	_has_heights = not heights.is_empty()
	var base := LayerHeight.of(manager, layer)
	_height_range = Vector2(base, base)
	_source.material.set_shader_parameter(&"base_height", base)
	_source.material.set_shader_parameter(&"has_heights", _has_heights)
	if not _has_heights:
		return
	# Samples on large maps. An odd stride does not repeat the same columns.
	for i in range(0, heights.size(), maxi(1, heights.size() / MOST_SAMPLES) | 1):
		if is_finite(heights[i]):
			_height_range.x = minf(_height_range.x, heights[i])
			_height_range.y = maxf(_height_range.y, heights[i])
	var size := manager.grid_size + Vector2i.ONE
	var image := Image.create_from_data(
		size.x, size.y, false, Image.FORMAT_RF, heights.to_byte_array()
	)
	_source.material.set_shader_parameter(&"height_map", ImageTexture.create_from_image(image))


## Covers the grid with one quad or, over heights, with meshes that have a vertex at each corner of
## cells.
func _lay() -> void:
	for child: Node in get_children(true):
		child.queue_free()
	var bounds := _source.bounds
	_source.material.set_shader_parameter(&"grid_origin", bounds.position)
	_source.material.set_shader_parameter(&"cell_size", manager.cell_size)
	var mesh := PlaneMesh.new()
	mesh.size = bounds.size
	if _has_heights:
		mesh.size = Vector2.ONE * PATCH * manager.cell_size
		mesh.subdivide_width = PATCH - 1
		mesh.subdivide_depth = PATCH - 1
	var room := manager.cell_size + _height_range.y - _height_range.x
	mesh.custom_aabb = AABB(
		Vector3(-0.5 * mesh.size.x, _height_range.x - room, -0.5 * mesh.size.y),
		Vector3(mesh.size.x, _height_range.y - _height_range.x + 2.0 * room, mesh.size.y)
	)
	for y in ceili(bounds.size.y / mesh.size.y - 0.001):
		for x in ceili(bounds.size.x / mesh.size.x - 0.001):
			var patch := MeshInstance3D.new()
			patch.mesh = mesh
			patch.material_override = _source.material
			patch.cast_shadow = GeometryInstance3D.SHADOW_CASTING_SETTING_OFF
			var middle := bounds.position + (Vector2(x, y) + Vector2(0.5, 0.5)) * mesh.size
			patch.position = Vector3(middle.x, 0.0, middle.y)
			add_child(patch, false, Node.INTERNAL_MODE_BACK)
