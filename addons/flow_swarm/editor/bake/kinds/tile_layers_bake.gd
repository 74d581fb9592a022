@tool
extends "bake_kind.gd"
## Terrain from all TileMapLayers of a scene.


func _init() -> void:
	name = &"tile_layers"
	title = "Tile layers"
	tip = "Terrain from the TileMapLayers of the scene: their custom data layer, or collisions"
	nothing = "no TileMapLayer in the scene"
	fills_layer = true


func find_sources(root: Node, _settings: Settings) -> Array[Node]:
	return SceneNodes.of_classes(root, [&"TileMapLayer"])


func inputs(_manager: FlowFieldManager, settings: Settings) -> Array:
	return [settings.data_layer]


func begin(copy: FlowFieldManager, root: Node, settings: Settings) -> Error:
	var layers: Array[TileMapLayer] = []
	for node in find_sources(root, settings):
		layers.append(node as TileMapLayer)
	return copy.load_tile_map_layers(layers, settings.data_layer, Rect2i(), settings.layer)
