@tool
extends RefCounted
## The terrain of a layer of a manager: which it is, whether it can be painted, and a new one.

## The permissions of a file that nobody may write.
const WRITABLE := 0b010_010_010


## The terrain of a layer, or null.
static func of(manager: FlowFieldManager, layer: int) -> FlowTerrain:
	if layer == 0:
		return manager.terrain
	var terrains := manager.layer_terrains
	return terrains[layer - 1] if layer <= terrains.size() else null


## Why strokes on a terrain would be lost when a scene is saved; empty if they would not.
static func refusal(terrain: FlowTerrain, scene_path: String) -> String:
	var path := terrain.resource_path
	var file := path.get_slice("::", 0)
	if file.is_empty() or (file == scene_path and path != file):
		return ""
	var remedy := "Make the terrain unique in the inspector to paint it here."
	if FileAccess.file_exists(file + ".import"):
		return (
			"The terrain is part of the imported file %s, which cannot be saved. %s"
			% [file, remedy]
		)
	if path != file:
		return "The terrain is part of %s: open that to paint it. %s" % [file, remedy]
	if _is_read_only(file):
		return "The file of the terrain, %s, is read-only. %s" % [file, remedy]
	return ""


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


static func _is_read_only(file: String) -> bool:
	if not FileAccess.file_exists(file):
		return false
	# Where there are no such permissions, this is 0.
	var permissions := FileAccess.get_unix_permissions(file)
	if permissions != 0 and permissions & WRITABLE == 0:
		return true
	return FileAccess.open(file, FileAccess.READ_WRITE) == null
