@tool
extends Node2D
## The painted terrain of a layer in the 2D view of the editor. It is a child of the manager that is
## not saved.

const SHADER: Shader = preload("terrain_overlay_2d.gdshader")
const TerrainMaterial := preload("terrain_material.gd")

var manager: FlowFieldManager
var layer := 0

var _source := TerrainMaterial.new(SHADER)
## What is stretched over the grid.
var _texture := PlaceholderTexture2D.new()


func _init() -> void:
	material = _source.material
	top_level = true
	z_index = RenderingServer.CANVAS_ITEM_Z_MAX


func _process(_delta: float) -> void:
	var before := _source.bounds
	visible = is_instance_valid(manager) and _source.update(manager, layer)
	if _source.bounds != before:
		queue_redraw()


func _draw() -> void:
	draw_texture_rect(_texture, _source.bounds, false)
