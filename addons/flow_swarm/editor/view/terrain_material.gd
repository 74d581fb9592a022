@tool
extends RefCounted
## What the overlays in 2D and 3D show: the terrain of a layer in the colours of the terrain set, as
## parameters of a material.

const Colors := preload("terrain_colors.gd")
const LayerTerrain := preload("../paint/layer_terrain.gd")
const TerrainTexture := preload("terrain_texture.gd")

var material := ShaderMaterial.new()
var bounds := Rect2()

var _ids := TerrainTexture.new()
var _colors := Colors.new()


func _init(shader: Shader) -> void:
	material.shader = shader


## Reads what has changed. Returns whether there is a terrain that fits the grid.
func update(manager: FlowFieldManager, layer: int) -> bool:
	var terrain := LayerTerrain.of(manager, layer)
	if terrain == null or terrain.size != manager.grid_size:
		_ids.terrain = null
		return false
	bounds = Rect2(manager.origin, Vector2(manager.grid_size) * manager.cell_size)
	_ids.terrain = terrain
	_colors.terrain_set = manager.terrain_set
	var before := _ids.texture
	_ids.update()
	if _ids.texture != before:
		material.set_shader_parameter(&"ids", _ids.texture)
		material.set_shader_parameter(&"chunk_edge", _ids.edge)
		material.set_shader_parameter(&"chunk_columns", _ids.columns)
		material.set_shader_parameter(&"colors", _colors.texture)
		material.set_shader_parameter(&"grid_size", Vector2(terrain.size))
	return true
