@tool
extends "background_bake.gd"
## Portal graphs of all movement types, and the tiles of routes from all spawners of a scene to its
## tiled goals, as a file. Plain tiles are those of all sectors instead.

const Floors := preload("../../../nodes/shared/floors.gd")
const PlacedGoal := preload("../../../nodes/goal/placed_goal.gd")
const Plane2D := preload("../../../nodes/shared/plane.gd")
## Where the tiles of all sectors are before they are saved.
const BAKED := "user://flow_swarm_bake.tiles"

## How many routes and tiles wait, and how many have waited at most.
var _waiting := 0
var _most_waiting := 1


func _init() -> void:
	name = &"tiles"
	title = "Tiles and portals"
	tip = (
		"A file with the portal graphs, and the tiles from all spawners to all FlowGoals whose "
		+ "mode is tiled; if tiles are plain, those of all sectors"
	)


func find_sources(root: Node, _settings: Settings) -> Array[Node]:
	var nodes := SceneNodes.of_classes(root, [&"Marker2D", &"Marker3D"])
	return nodes.filter(func(node: Node) -> bool: return _is_tiled_goal(node) or _is_spawner(node))


func inputs(manager: FlowFieldManager, _settings: Settings) -> Array:
	var terrains := []
	for layer in manager.layer_count:
		terrains.append(manager.get_terrain_bytes(layer))
	var links := []
	for link in manager.get_links():
		links.append(manager.get_link_cells(link))
	return [
		terrains,
		links,
		manager.movement_types,
		manager.terrain_set,
		manager.solver,
		manager.sector_size,
		manager.tile_variant,
	]


func begin(copy: FlowFieldManager, root: Node, settings: Settings) -> Error:
	if _is_whole(copy):
		return _wait_for(copy, copy.bake_tiles_async(BAKED))
	var starts: PackedVector2Array = []
	var goals: PackedInt64Array = []
	for node in find_sources(root, settings):
		if _is_spawner(node):
			var place := _place(copy, node)
			if copy.is_in_grid(copy.get_cell(place)):
				starts.append(place)
			continue
		var targets := _targets(copy, node)
		if not targets.is_empty():
			goals.append(copy.create_goal(targets, FlowFieldManager.GOAL_MODE_TILED))
	for type in maxi(copy.movement_types.size(), 1):
		copy.get_portals(type)
		for goal in goals:
			for place in starts:
				copy.request_route(goal, place, type)
	_most_waiting = 1
	_count(copy)
	return OK


## Whether the tiles of all sectors are baked.
static func _is_whole(manager: FlowFieldManager) -> bool:
	var is_plain := manager.tile_variant == FlowFieldManager.TILES_PLAIN
	return is_plain and manager.get_links().is_empty()


func advance(copy: FlowFieldManager) -> Error:
	if _is_whole(copy):
		return super(copy)
	copy.update()
	_count(copy)
	return OK


func progress(copy: FlowFieldManager) -> float:
	if _is_whole(copy):
		return super(copy)
	return 1.0 - float(_waiting) / _most_waiting


func result(copy: FlowFieldManager, _settings: Settings) -> Result:
	var found := Result.new()
	found.save_tiles = _move_to if _is_whole(copy) else copy.save_tiles
	return found


## Moves the tiles of all sectors to a file. A file that is in use there is not written over, but
## replaced.
static func _move_to(file: String) -> Error:
	var beside := file + ".unfinished"
	var error := DirAccess.copy_absolute(BAKED, beside)
	if error == OK:
		error = DirAccess.rename_absolute(beside, file)
	DirAccess.remove_absolute(BAKED)
	return error


func _count(copy: FlowFieldManager) -> void:
	var stats := copy.get_tile_stats()
	_waiting = stats["routes_waiting"] + stats["tiles_waiting"]
	_most_waiting = maxi(_most_waiting, _waiting)


static func _is_tiled_goal(node: Node) -> bool:
	return (
		(node is FlowGoal2D or node is FlowGoal3D)
		and node.get(&"mode") == FlowFieldManager.GOAL_MODE_TILED
	)


static func _is_spawner(node: Node) -> bool:
	return node is SwarmSpawner2D or node is SwarmSpawner3D


## The place of a node on the floor below it.
static func _place(manager: FlowFieldManager, node: Node) -> Vector2:
	if node is Node3D:
		return manager.get_place((node as Node3D).global_position)
	return manager.on_layer((node as Node2D).global_position, node.get(&"layer"))


## The targets that a FlowGoal has in the game.
static func _targets(manager: FlowFieldManager, node: Node) -> PackedVector2Array:
	var goal: PlacedGoal = node.get(&"_goal")
	if node is FlowGoal2D:
		return goal.find_targets(manager, (node as Node2D).global_transform, node.get(&"layer"))
	var frame := (node as Node3D).global_transform
	var height := frame.origin.y
	var layer := Floors.find_layer(manager, null, Plane2D.flat(frame.origin), height)
	return goal.find_targets(manager, Plane2D.flatten(frame), layer)
