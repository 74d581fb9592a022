extends "res://tests/test_suite.gd"
## FlowFieldManager: what scripts can ask about a goal's field.

var map: FlowFieldManager
var goal: int


func _make_map() -> void:
	map = new_manager(Vector2i(9, 5))
	draw_map(map, [".........", "..#######", "..#...#..", "..#...#..", "..#####.."])
	goal = new_goal(map, Vector2i(8, 0))


func test_cost_to_goal_counts_straight_and_diagonal_steps() -> void:
	var manager := new_manager(Vector2i(12, 12))
	manager.solver = FlowFieldManager.SOLVER_OCTILE
	var center := new_goal(manager, Vector2i(5, 5))
	for offset: Vector2i in [Vector2i(3, 0), Vector2i(0, -4), Vector2i(3, 3), Vector2i(-2, 5)]:
		var low := mini(absi(offset.x), absi(offset.y))
		var high := maxi(absi(offset.x), absi(offset.y))
		var place := manager.get_cell_center(Vector2i(5, 5) + offset)
		check_near(
			manager.get_cost_to_goal(center, place),
			high - low + low * sqrt(2.0),
			0.01,
			"cost at %s" % offset
		)


func test_flow_vectors_are_unit_vectors_or_zero() -> void:
	_make_map()
	var places := PackedVector2Array()
	for y in 5:
		for x in 9:
			places.append(map.get_cell_center(Vector2i(x, y)) + Vector2(3.1, -2.7))
	var vectors := map.get_flow_vectors(goal, places)
	check_eq(vectors.size(), places.size(), "count")
	for i in vectors.size():
		check_near_vector(vectors[i], map.get_flow_vector(goal, places[i]), 0.0, "same answer")
		var length := vectors[i].length()
		check(length == 0.0 or absf(length - 1.0) < 1e-3, "length %f" % length)
	check(vectors[0] != Vector2.ZERO, "open ground has a direction")


func test_flow_is_zero_where_there_is_no_route() -> void:
	_make_map()
	check_eq(map.get_flow_vector(goal, map.get_cell_center(Vector2i(4, 3))), Vector2.ZERO, "pocket")
	check_eq(map.get_cost_to_goal(goal, map.get_cell_center(Vector2i(4, 3))), INF, "pocket cost")
	check_eq(map.get_cost_to_goal(goal, map.get_cell_center(Vector2i(2, 2))), INF, "wall cost")


func test_flow_points_along_a_corridor() -> void:
	var manager := new_manager(Vector2i(30, 1))
	var end := new_goal(manager, Vector2i(29, 0))
	for x in 29:
		var place := manager.get_cell_center(Vector2i(x, 0))
		check_near_vector(manager.get_flow_vector(end, place), Vector2.RIGHT, 1e-3, "at %d" % x)


func test_walls_take_no_part_in_the_blend() -> void:
	_make_map()
	map.direction_rule = FlowFieldManager.DIRECTION_BEST_NEIGHBOUR
	# Just below the wall's upper neighbour row: a naive blend would mix in the wall's zero.
	for y: float in [8.0, 12.0, 15.9]:
		var vector := map.get_flow_vector(goal, Vector2(5.0 * 16.0 + 8.0, y))
		check_near_vector(vector, Vector2.RIGHT, 0.02, "at y %f" % y)


func test_path_runs_from_the_start_cell_to_the_goal_cell() -> void:
	_make_map()
	var from := map.get_cell_center(Vector2i(0, 4)) + Vector2(3.0, 3.0)
	var path := map.get_path_from(goal, from)
	check(path.size() > 8, "long enough: %d" % path.size())
	check_eq(path[0], map.get_cell_center(Vector2i(0, 4)), "first")
	check_eq(path[path.size() - 1], map.get_cell_center(Vector2i(8, 0)), "last")
	for i in range(1, path.size()):
		var step := Vector2i(((path[i] - path[i - 1]) / 16.0).round())
		check(maxi(absi(step.x), absi(step.y)) == 1, "step %d is one cell: %s" % [i, step])
		var cell := map.get_cell(path[i])
		check(map.get_terrain_at(cell) != WALL, "cell %s is open" % cell)
		if step.x != 0 and step.y != 0:
			check(map.get_terrain_at(cell - Vector2i(step.x, 0)) != WALL, "no cut corner (x)")
			check(map.get_terrain_at(cell - Vector2i(0, step.y)) != WALL, "no cut corner (y)")


func test_a_smooth_path_has_only_the_corners() -> void:
	var manager := new_manager(Vector2i(30, 20))
	var end := new_goal(manager, Vector2i(28, 17))
	var from := manager.get_cell_center(Vector2i(2, 3))
	var straight := PackedVector2Array([from, manager.get_cell_center(Vector2i(28, 17))])
	check_eq(manager.get_path_from(end, from, 0, true), straight, "in the open")
	check(manager.get_path_from(end, from).size() > 20, "cell by cell")
	manager.set_terrain_rect(Rect2i(14, 0, 2, 18), WALL)
	manager.set_terrain_rect(Rect2i(14, 19, 2, 1), WALL)
	var path := manager.get_path_from(end, from, 0, true)
	check(path.size() > 2 and path.size() < 7, "around a wall: %s" % path)
	for i in range(1, path.size()):
		check(manager.is_in_sight(path[i - 1], path[i]), "leg %d crosses no wall" % i)


func test_path_has_no_length_limit() -> void:
	var manager := new_manager(Vector2i(2000, 1))
	var end := new_goal(manager, Vector2i(1999, 0))
	check_eq(manager.get_path_from(end, Vector2(8.0, 8.0)).size(), 2000, "cells")


func test_path_is_empty_without_a_route() -> void:
	_make_map()
	check(map.get_path_from(goal, map.get_cell_center(Vector2i(4, 2))).is_empty(), "pocket")
	check_eq(map.get_path_from(goal, map.get_cell_center(Vector2i(8, 0))).size(), 1, "at the goal")


func test_query_status_tells_why() -> void:
	_make_map()
	check_eq(
		map.get_query_status(goal, map.get_cell_center(Vector2i(0, 4))),
		FlowFieldManager.QUERY_OK,
		"OK"
	)
	check_eq(
		map.get_query_status(goal, map.get_cell_center(Vector2i(2, 2))),
		FlowFieldManager.QUERY_START_BLOCKED,
		"on a wall"
	)
	check_eq(
		map.get_query_status(goal, map.get_cell_center(Vector2i(4, 3))),
		FlowFieldManager.QUERY_DISCONNECTED,
		"in a pocket"
	)
	check_eq(
		map.get_query_status(goal, Vector2(-5.0, 8.0)),
		FlowFieldManager.QUERY_OUT_OF_BOUNDS,
		"outside"
	)


func test_is_reachable_between_two_places() -> void:
	_make_map()
	var left := map.get_cell_center(Vector2i(0, 4))
	check(map.is_reachable(left, map.get_cell_center(Vector2i(8, 0))), "around the wall")
	check(not map.is_reachable(left, map.get_cell_center(Vector2i(4, 3))), "into the pocket")
	check(not map.is_reachable(left, map.get_cell_center(Vector2i(3, 1))), "into a wall")
	check(map.is_reachable(left, left), "to itself")


func test_reachable_cells_are_counted() -> void:
	_make_map()
	var finite := 0
	for value: float in map.get_integration(goal):
		finite += 1 if value < INF else 0
	check_eq(map.get_reachable_cell_count(goal), finite, "same as the finite cells")
	check_eq(finite, 9 + 2 * 4, "first row and left columns")


func test_arrays_have_one_entry_per_cell() -> void:
	_make_map()
	var integration := map.get_integration(goal)
	var directions := map.get_directions(goal)
	check_eq(integration.size(), 45, "integration")
	check_eq(directions.size(), 45, "directions")
	check_eq(integration[8], 0.0, "goal cell")
	check_eq(integration[1 * 9 + 3], INF, "wall")
	check_eq(directions[1 * 9 + 3], Vector2.ZERO, "wall direction")
	check_near(
		integration[4 * 9 + 1],
		map.get_cost_to_goal(goal, map.get_cell_center(Vector2i(1, 4))),
		1e-3,
		"as get_cost_to_goal"
	)


func test_field_time_is_measured() -> void:
	var manager := new_manager(Vector2i(400, 400))
	var end := new_goal(manager, Vector2i(0, 0))
	manager.get_cost_to_goal(end, Vector2(800.0, 800.0))
	var spent := manager.get_last_field_ms()
	check(spent > 0.0 and spent < 10000.0, "a time in milliseconds: %f" % spent)


func test_positions_outside_are_refused() -> void:
	_make_map()
	var away := Vector2(-50.0, 8.0)
	var some := PackedVector2Array([away])
	var calls: Dictionary[String, Callable] = {
		"get_flow_vector": func() -> Variant: return map.get_flow_vector(goal, away),
		"get_flow_vectors": func() -> Variant: return map.get_flow_vectors(goal, some),
		"get_cost_to_goal": func() -> Variant: return map.get_cost_to_goal(goal, away),
		"get_path_from": func() -> Variant: return map.get_path_from(goal, away),
		"is_reachable": func() -> Variant: return map.is_reachable(Vector2(8.0, 8.0), away),
	}
	for method: String in calls:
		expect_error(["FlowFieldManager.%s" % method, "outside", "(-50"], calls[method])


func test_positions_that_are_not_finite_are_refused() -> void:
	_make_map()
	var bad := Vector2(NAN, 3.0)
	var some := PackedVector2Array([Vector2.ZERO, bad])
	var calls: Dictionary[String, Callable] = {
		"get_flow_vector": func() -> Variant: return map.get_flow_vector(goal, bad),
		"get_flow_vectors": func() -> Variant: return map.get_flow_vectors(goal, some),
		"get_cost_to_goal": func() -> Variant: return map.get_cost_to_goal(goal, bad),
		"get_path_from": func() -> Variant: return map.get_path_from(goal, bad),
		"get_query_status": func() -> Variant: return map.get_query_status(goal, bad),
		"is_reachable": func() -> Variant: return map.is_reachable(bad, Vector2.ZERO),
	}
	for method: String in calls:
		expect_error(["FlowFieldManager.%s" % method], calls[method])


func test_an_unknown_movement_type_is_refused() -> void:
	_make_map()
	var at := Vector2(8.0, 8.0)
	var places := PackedVector2Array([at])
	var calls: Dictionary[String, Callable] = {
		"get_flow_vector": func() -> Variant: return map.get_flow_vector(goal, at, 4),
		"get_flow_vectors": func() -> Variant: return map.get_flow_vectors(goal, places, 4),
		"get_cost_to_goal": func() -> Variant: return map.get_cost_to_goal(goal, at, 4),
		"get_path_from": func() -> Variant: return map.get_path_from(goal, at, 4),
		"get_integration": func() -> Variant: return map.get_integration(goal, 4),
		"get_directions": func() -> Variant: return map.get_directions(goal, 4),
		"get_query_status": func() -> Variant: return map.get_query_status(goal, at, 4),
		"get_reachable_cell_count": func() -> Variant: return map.get_reachable_cell_count(goal, 4),
		"is_reachable": func() -> Variant: return map.is_reachable(at, at, 4),
	}
	for method: String in calls:
		expect_error(["FlowFieldManager.%s" % method, "movement_type", "4"], calls[method])
