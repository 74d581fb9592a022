@tool
extends "bake_kind.gd"
## Heights, and terrain by slope, from height maps and the nodes of the Terrain3D addon.

const TERRAIN_3D := &"Terrain3D"
## The cost of ground of the steepest slope.
const SLOPE_COST := 8


func _init() -> void:
	name = &"heights"
	title = "Heights"
	tip = "Heights, and costs of slopes, from HeightMapShape3Ds or a Terrain3D"
	nothing = "no HeightMapShape3D and no Terrain3D in the scene"
	fills_layer = true


func find_sources(root: Node, _settings: Settings) -> Array[Node]:
	var shapes := SceneNodes.of_classes(root, [&"CollisionShape3D", TERRAIN_3D])
	return shapes.filter(
		func(node: Node) -> bool:
			return node.is_class(TERRAIN_3D) or node.get(&"shape") is HeightMapShape3D
	)


func inputs(_manager: FlowFieldManager, settings: Settings) -> Array:
	return [settings.max_slope, settings.keeps_terrain]


func begin(copy: FlowFieldManager, root: Node, settings: Settings) -> Error:
	for node in find_sources(root, settings):
		var error: Error
		if node is CollisionShape3D:
			error = copy.load_height_shape(
				node,
				Transform3D.IDENTITY,
				settings.max_slope,
				SLOPE_COST,
				settings.layer,
				settings.keeps_terrain
			)
		else:
			error = copy.load_terrain_3d(
				node, settings.max_slope, SLOPE_COST, settings.layer, settings.keeps_terrain
			)
		if error != OK:
			return error
	return OK


func result(copy: FlowFieldManager, settings: Settings) -> Result:
	var found := Result.new()
	found.take_layer(copy, settings.layer, true)
	return found
