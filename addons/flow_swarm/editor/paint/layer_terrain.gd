@tool
extends RefCounted
## The terrain of a layer of a manager: which it is, whether it can be painted, and a new one.

const SavedResource := preload("../saved_resource.gd")


## The terrain of a layer, or null.
static func of(manager: FlowFieldManager, layer: int) -> FlowTerrain:
	if layer == 0:
		return manager.terrain
	var terrains := manager.layer_terrains
	return terrains[layer - 1] if layer <= terrains.size() else null


## Why strokes on a terrain would be lost when a scene is saved; empty if they would not.
static func refusal(terrain: FlowTerrain, scene_path: String) -> String:
	return SavedResource.refusal(terrain, "terrain", scene_path)


## Gives a layer a terrain of clear ground, of the size of the grid, as one undoable step.
static func give(manager: FlowFieldManager, layer: int, undo: Object) -> void:
	var terrain := FlowTerrain.new()
	terrain.size = manager.grid_size
	undo.call(&"create_action", "Create flow terrain")
	if layer == 0:
		undo.call(&"add_do_property", manager, &"terrain", terrain)
		undo.call(&"add_undo_property", manager, &"terrain", null)
	else:
		var terrains := manager.layer_terrains.duplicate()
		undo.call(
			&"add_undo_property", manager, &"layer_terrains", manager.layer_terrains.duplicate()
		)
		terrains.resize(maxi(terrains.size(), layer))
		terrains[layer - 1] = terrain
		undo.call(&"add_do_property", manager, &"layer_terrains", terrains)
	undo.call(&"commit_action")
