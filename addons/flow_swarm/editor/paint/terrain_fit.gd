@tool
extends RefCounted
## Compares the terrain of a FlowFieldManager with its grid, and changes the size of either to that
## of the other. A terrain of another size is not used, so painting on it has no effect.


static func is_fit(manager: FlowFieldManager) -> bool:
	return manager.terrain == null or manager.terrain.size == manager.grid_size


static func question(manager: FlowFieldManager) -> String:
	return (
		"The terrain has %s cells, the grid %s. A terrain of another size than the grid is not used."
		% [manager.terrain.size, manager.grid_size]
	)


## Gives the terrain the size of the grid, as one undoable step. New cells are clear ground.
static func resize_terrain(manager: FlowFieldManager, undo: Object) -> void:
	var terrain := manager.terrain
	undo.call(&"create_action", "Resize flow terrain")
	undo.call(&"add_do_property", terrain, &"size", manager.grid_size)
	undo.call(&"add_undo_property", terrain, &"size", terrain.size)
	# Undoing restores the cells that a smaller size has cut off.
	undo.call(&"add_undo_property", terrain, &"cells", terrain.cells.duplicate())
	undo.call(&"commit_action")


## Gives the grid the size of the terrain, as one undoable step.
static func resize_grid(manager: FlowFieldManager, undo: Object) -> void:
	undo.call(&"create_action", "Resize flow grid")
	undo.call(&"add_do_property", manager, &"grid_size", manager.terrain.size)
	undo.call(&"add_undo_property", manager, &"grid_size", manager.grid_size)
	undo.call(&"commit_action")
