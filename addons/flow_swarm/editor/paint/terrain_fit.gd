@tool
extends RefCounted
## Compares a terrain of a FlowFieldManager with its grid, and changes the size of either to that
## of the other. A terrain of another size is not used, so painting on it has no effect.

const UndoSteps := preload("undo_steps.gd")


static func is_fit(manager: FlowFieldManager, terrain: FlowTerrain) -> bool:
	return terrain == null or terrain.size == manager.grid_size


static func question(manager: FlowFieldManager, terrain: FlowTerrain) -> String:
	var text := (
		"The terrain has %s cells, the grid %s. A terrain of another size than the grid is not used."
		% [terrain.size, manager.grid_size]
	)
	var lost := _painted_beyond(terrain, manager.grid_size)
	if lost > 0:
		text += "\nTo resize the terrain cuts off %d cells that are not clear ground." % lost
	else:
		text += "\nTo resize the terrain loses no painted cells; new cells are clear ground."
	return text


## Gives the terrain the size of the grid, as one undoable step. New cells are clear ground.
static func resize_terrain(manager: FlowFieldManager, terrain: FlowTerrain, undo: Object) -> void:
	undo.call(&"create_action", "Resize flow terrain")
	undo.call(&"add_do_property", terrain, &"size", manager.grid_size)
	undo.call(&"add_undo_property", terrain, &"size", terrain.size)
	# Undoing restores the cells that a smaller size has cut off.
	for part: Rect2i in _parts_beyond(terrain.size, manager.grid_size):
		UndoSteps.add_undo(undo, terrain, &"set_region", [part, terrain.get_region(part)])
	undo.call(&"commit_action")


## Gives the grid the size of the terrain, as one undoable step.
static func resize_grid(manager: FlowFieldManager, terrain: FlowTerrain, undo: Object) -> void:
	undo.call(&"create_action", "Resize flow grid")
	undo.call(&"add_do_property", manager, &"grid_size", terrain.size)
	undo.call(&"add_undo_property", manager, &"grid_size", manager.grid_size)
	undo.call(&"commit_action")


## The rectangles, to the right and below, in which a new size has no cells.
static func _parts_beyond(size: Vector2i, new_size: Vector2i) -> Array[Rect2i]:
	var kept := size.min(new_size)
	var right := Rect2i(kept.x, 0, size.x - kept.x, size.y)
	var below := Rect2i(0, kept.y, kept.x, size.y - kept.y)
	var parts: Array[Rect2i] = [right, below]
	return parts.filter(func(part: Rect2i) -> bool: return part.has_area())


static func _painted_beyond(terrain: FlowTerrain, new_size: Vector2i) -> int:
	var count := 0
	for part: Rect2i in _parts_beyond(terrain.size, new_size):
		count += part.get_area() - terrain.get_region(part).count(1)
	return count
