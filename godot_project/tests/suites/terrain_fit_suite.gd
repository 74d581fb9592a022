extends "res://tests/test_suite.gd"
## The addon's TerrainFit: what the editor's brush does where terrain and grid have different sizes.

const TerrainFit := preload("res://addons/flow_swarm/editor/paint/terrain_fit.gd")


func _manager() -> FlowFieldManager:
	var manager := new_manager(Vector2i(6, 4))
	manager.terrain = FlowTerrain.new()
	manager.terrain.size = Vector2i(8, 2)
	manager.terrain.set_terrain(Vector2i(7, 1), WALL)
	return manager


func test_sizes_that_differ_are_noticed() -> void:
	var manager := _manager()
	check(not TerrainFit.is_fit(manager, manager.terrain), "they differ")
	for word: String in ["(8, 2)", "(6, 4)", "cuts off 1 cells"]:
		check(TerrainFit.question(manager, manager.terrain).contains(word), word)
	manager.grid_size = Vector2i(9, 4)
	check(TerrainFit.question(manager, manager.terrain).contains("loses no"), "larger")
	manager.grid_size = Vector2i(8, 2)
	check(TerrainFit.is_fit(manager, manager.terrain), "the same")
	manager.terrain = null
	check(TerrainFit.is_fit(manager, manager.terrain), "no terrain is no misfit")


func test_the_terrain_is_resized_and_back() -> void:
	var manager := _manager()
	var before := manager.terrain.cells
	var undo := UndoRedo.new()
	TerrainFit.resize_terrain(manager, manager.terrain, undo)
	check(TerrainFit.is_fit(manager, manager.terrain), "fits")
	check_eq(manager.grid_size, Vector2i(6, 4), "the grid stays")
	undo.undo()
	check_eq(manager.terrain.size, Vector2i(8, 2), "size again")
	check_eq(manager.terrain.cells, before, "what was cut off is back")
	undo.free()


func test_the_grid_is_resized_and_back() -> void:
	var manager := _manager()
	var before := manager.terrain.cells
	var undo := UndoRedo.new()
	TerrainFit.resize_grid(manager, manager.terrain, undo)
	check(TerrainFit.is_fit(manager, manager.terrain), "fits")
	check_eq(manager.terrain.cells, before, "the terrain stays")
	undo.undo()
	check_eq(manager.grid_size, Vector2i(6, 4), "the grid again")
	undo.free()
