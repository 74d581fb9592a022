extends "res://tests/test_suite.gd"
## FlowFieldManager: maps, goals and costs at and beyond the edge of what makes sense.


func _type(clearance: float) -> FlowMovementType:
	var type := FlowMovementType.new()
	type.clearance_radius = clearance
	return type


func test_a_goal_in_a_pocket_that_is_too_narrow() -> void:
	var manager := new_manager(Vector2i(14, 9))
	draw_map(manager, ["", "", "", "", "########", "........", "########", "", ""])
	var types: Array[FlowMovementType] = [_type(0.0), _type(16.0 * 1.2)]
	manager.movement_types = types
	var goal := new_goal(manager, Vector2i(1, 5))
	var place := manager.get_cell_center(Vector2i(11, 5))
	check_eq(manager.get_query_status(goal, place), FlowFieldManager.QUERY_OK, "one that fits")
	check_eq(
		manager.get_query_status(goal, place, 1), FlowFieldManager.QUERY_TOO_NARROW, "too wide"
	)
	check_eq(manager.get_cost_to_goal(goal, place, 1), INF, "no cost")
	check_eq(manager.get_flow_vector(goal, place, 1), Vector2.ZERO, "no direction")
	check_eq(manager.get_reachable_cell_count(goal, 1), 0, "no cell leads there")
	check(not manager.has_line_of_sight(goal, place, 1), "no sight")
	check(manager.has_line_of_sight(goal, place), "sight for one that fits")
	manager.set_terrain_rect(Rect2i(0, 4, 8, 1), 1)
	manager.update()
	check_eq(
		manager.get_query_status(goal, place, 1), FlowFieldManager.QUERY_TOO_NARROW, "still beside"
	)
	manager.set_terrain_rect(Rect2i(0, 6, 8, 1), 1)
	manager.update()
	check_eq(manager.get_query_status(goal, place, 1), FlowFieldManager.QUERY_OK, "room enough")


func test_goals_in_walls_have_a_status_by_every_solver() -> void:
	for solver: int in [FlowFieldManager.SOLVER_OCTILE, FlowFieldManager.SOLVER_EIKONAL]:
		for rule in 4:
			var manager := new_manager(Vector2i(9, 6))
			manager.solver = solver
			manager.direction_rule = rule
			manager.set_terrain(Vector2i(4, 3), WALL)
			var goal := new_goal(manager, Vector2i(4, 3))
			var what := "solver %d, rule %d" % [solver, rule]
			var place := manager.get_cell_center(Vector2i(1, 1))
			var status := manager.get_query_status(goal, place)
			check_eq(status, FlowFieldManager.QUERY_GOAL_BLOCKED, what)
			check_eq(manager.get_directions(goal).count(Vector2.ZERO), 54, "%s: directions" % what)
			check_eq(manager.get_line_of_sight(goal).count(1), 0, "%s: sight" % what)
			manager.set_terrain(Vector2i(4, 3), 7)
			status = manager.get_query_status(goal, place)
			check_eq(status, FlowFieldManager.QUERY_OK, "%s, when it is gone" % what)
			manager.free()


func test_grids_of_one_cell_and_one_row() -> void:
	for size: Vector2i in [Vector2i(1, 1), Vector2i(1, 40), Vector2i(40, 1)]:
		for solver: int in [FlowFieldManager.SOLVER_OCTILE, FlowFieldManager.SOLVER_EIKONAL]:
			for rule in 4:
				var manager := new_manager(size)
				manager.solver = solver
				manager.direction_rule = rule
				var goal := new_goal(manager, size - Vector2i.ONE)
				var place := manager.get_cell_center(Vector2i.ZERO)
				var away := float(size.x + size.y - 2)
				var what := "%s, solver %d, rule %d" % [size, solver, rule]
				check_near(manager.get_cost_to_goal(goal, place), away, 0.01, what)
				check_eq(manager.get_query_status(goal, place), FlowFieldManager.QUERY_OK, what)
				check_eq(manager.get_reachable_cell_count(goal), size.x * size.y, what)
				check(manager.has_line_of_sight(goal, place), "%s: in sight" % what)
				check_eq(manager.get_line_of_sight(goal).count(1), size.x * size.y, what)
				var way := Vector2(size - Vector2i.ONE).normalized()
				check_near_vector(manager.get_flow_vector(goal, place), way, 1e-3, what)
				manager.set_terrain(Vector2i.ZERO, WALL)
				var status := manager.get_query_status(goal, place)
				check_eq(status, FlowFieldManager.QUERY_START_BLOCKED, what)
				manager.free()


func test_costs_out_of_range_are_refused() -> void:
	var manager := new_manager(Vector2i(6, 6))
	for cost: int in [-1, 256, 100000]:
		var result: int = expect_error(
			["FlowFieldManager.set_terrain", str(cost)],
			func() -> int: return manager.set_terrain(Vector2i(2, 2), cost)
		)
		check_eq(result, ERR_INVALID_PARAMETER, "%d" % cost)
	check_eq(manager.get_terrain_at(Vector2i(2, 2)), 1, "unchanged")


func test_the_dearest_ground_has_a_way() -> void:
	for solver: int in [FlowFieldManager.SOLVER_OCTILE, FlowFieldManager.SOLVER_EIKONAL]:
		var manager := new_manager(Vector2i(30, 30))
		manager.solver = solver
		manager.set_terrain_rect(Rect2i(0, 0, 30, 30), 254)
		var goal := new_goal(manager, Vector2i(29, 0))
		var place := manager.get_cell_center(Vector2i.ZERO)
		check_near(manager.get_cost_to_goal(goal, place), 29.0 * 254.0, 10.0, "solver %d" % solver)
		check_eq(
			manager.get_query_status(goal, place), FlowFieldManager.QUERY_OK, "solver %d" % solver
		)
