extends SceneTree
## One field against three path queries of AStarGrid2D across the same map, in turn, headless.
##
## A field serves every agent from every cell; a query one agent from one. The field takes one
## thread, is built anew each time and answers at all three starts. AStarGrid2D gives cell paths by
## the same rules: octile distances, no diagonal past a wall. The last line is JSON. After `--`:
## `--size=N`, `--rounds=N`, `--seed=N`.

const WALL := 255
const CLEAR := 1
const MAPS: PackedStringArray = ["open", "random-15%", "rooms"]
const ROOM := 32
const DOOR := 3
const CELL := 16.0

var _size := 1024
var _seed := 1


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	_size = _option("size", _size)
	_seed = _option("seed", _seed)
	var rounds := _option("rounds", 5)
	var rows: Array[Dictionary] = []
	print(
		(
			"%-12s%12s%16s%16s%14s%14s"
			% [
				"%d x %d" % [_size, _size],
				"field [ms]",
				"3 queries [ms]",
				"jumping [ms]",
				"queries/field",
				"jumping/field",
			]
		)
	)
	for map in MAPS:
		var row := _race(map, rounds)
		rows.append(row)
		print(
			(
				"%-12s%12.2f%16.2f%16.2f%14.2f%14.2f"
				% [
					map,
					row["field_ms"],
					row["queries_ms"],
					row["jumping_ms"],
					row["queries_per_field"],
					row["jumping_per_field"],
				]
			)
		)
	print(
		JSON.stringify(
			{
				"benchmark": "astar_grid",
				"size": _size,
				"rounds": rounds,
				"seed": _seed,
				"maps": rows
			}
		)
	)
	quit()


## Medians of field, queries and queries that jump, all in turn, after one round to warm up.
func _race(map: String, rounds: int) -> Dictionary:
	var goal := Vector2i(_size - 5, _size * 7 / 10)
	var starts: Array[Vector2i] = [
		Vector2i(4, _size / 10), Vector2i(4, _size * 45 / 100), Vector2i(4, _size * 9 / 10)
	]
	var places := starts.duplicate()
	places.append(goal)
	var cells := _build(map, places)
	var manager := _manager_on(cells)
	var grid := _grid_on(cells)
	var times: Array[PackedFloat64Array] = [[], [], []]
	for turn in rounds + 1:
		var spent: Array[float] = [
			_time_field(manager, goal, starts), _time_queries(grid, goal, starts, false)
		]
		spent.append(_time_queries(grid, goal, starts, true))
		if turn > 0:
			for index in 3:
				times[index].append(spent[index])
	manager.free()
	for list in times:
		list.sort()
	var field := times[0][rounds / 2]
	var queries := times[1][rounds / 2]
	var jumping := times[2][rounds / 2]
	return {
		"map": map,
		"field_ms": snappedf(field, 0.001),
		"queries_ms": snappedf(queries, 0.001),
		"jumping_ms": snappedf(jumping, 0.001),
		"queries_per_field": snappedf(queries / field, 0.01),
		"jumping_per_field": snappedf(jumping / field, 0.01),
	}


func _time_field(manager: FlowFieldManager, cell: Vector2i, starts: Array[Vector2i]) -> float:
	var target := PackedVector2Array([manager.get_cell_center(cell)])
	var begin := Time.get_ticks_usec()
	var goal := manager.create_goal(target)
	for start in starts:
		if manager.get_flow_vector(goal, manager.get_cell_center(start)) == Vector2.ZERO:
			push_error("the field does not lead from %s to %s" % [start, cell])
	var spent := (Time.get_ticks_usec() - begin) / 1000.0
	manager.release_goal(goal)
	return spent


func _time_queries(
	grid: AStarGrid2D, goal: Vector2i, starts: Array[Vector2i], jumping: bool
) -> float:
	grid.jumping_enabled = jumping
	var begin := Time.get_ticks_usec()
	for start in starts:
		if grid.get_id_path(start, goal).is_empty():
			push_error("AStarGrid2D finds no path from %s to %s" % [start, goal])
	return (Time.get_ticks_usec() - begin) / 1000.0


func _manager_on(cells: PackedByteArray) -> FlowFieldManager:
	var manager := FlowFieldManager.new()
	manager.grid_size = Vector2i(_size, _size)
	manager.cell_size = CELL
	manager.worker_threads = 1
	manager.set_terrain_bytes(cells)
	manager.update()
	return manager


func _grid_on(cells: PackedByteArray) -> AStarGrid2D:
	var grid := AStarGrid2D.new()
	grid.region = Rect2i(0, 0, _size, _size)
	grid.diagonal_mode = AStarGrid2D.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES
	grid.default_compute_heuristic = AStarGrid2D.HEURISTIC_OCTILE
	grid.default_estimate_heuristic = AStarGrid2D.HEURISTIC_OCTILE
	grid.update()
	for index in cells.size():
		if cells[index] == WALL:
			grid.set_point_solid(Vector2i(index % _size, index / _size))
	return grid


## The terrain of a map, with open ground around the `places`.
func _build(map: String, places: Array[Vector2i]) -> PackedByteArray:
	var cells := PackedByteArray()
	cells.resize(_size * _size)
	cells.fill(CLEAR)
	var random := RandomNumberGenerator.new()
	random.seed = _seed
	match map:
		"random-15%":
			for index in cells.size():
				if random.randf() < 0.15:
					cells[index] = WALL
		"rooms":
			_wall_in_rooms(cells, random)
	for place in places:
		for y in range(maxi(place.y - 2, 0), mini(place.y + 3, _size)):
			for x in range(maxi(place.x - 2, 0), mini(place.x + 3, _size)):
				cells[y * _size + x] = CLEAR
	return cells


## Square rooms, with one door in every wall between two of them.
func _wall_in_rooms(cells: PackedByteArray, random: RandomNumberGenerator) -> void:
	for line in range(ROOM, _size, ROOM):
		for along in _size:
			cells[line * _size + along] = WALL
			cells[along * _size + line] = WALL
	for line in range(ROOM, _size, ROOM):
		for room in range(0, _size, ROOM):
			var across := room + random.randi_range(1, ROOM - 1 - DOOR)
			var upright := room + random.randi_range(1, ROOM - 1 - DOOR)
			for along in DOOR:
				if across + along < _size:
					cells[line * _size + across + along] = CLEAR
				if upright + along < _size:
					cells[(upright + along) * _size + line] = CLEAR


func _option(name: String, fallback: int) -> int:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--%s=" % name):
			return argument.get_slice("=", 1).to_int()
	return fallback
