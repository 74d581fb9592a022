extends "res://tests/test_suite.gd"
## FlowFieldManager: creating, moving and releasing goals.


func test_goals_have_positive_distinct_ids() -> void:
	var manager := new_manager()
	var first := new_goal(manager, Vector2i(1, 1))
	var second := new_goal(manager, Vector2i(5, 5))
	var full := PackedVector2Array([Vector2(90.0, 90.0)])
	check(
		manager.create_goal(full, FlowFieldManager.GOAL_MODE_FULL) > second,
		"the default mode by name"
	)
	check(first > 0 and second > 0 and first != second, "ids %d and %d" % [first, second])
	check(manager.has_goal(first) and manager.has_goal(second), "both exist")
	var goals := manager.get_goals()
	check_eq(goals.size(), 3, "three goals")
	check(goals.has(first) and goals.has(second), "listed")


func test_targets_are_kept() -> void:
	var manager := new_manager()
	var targets := PackedVector2Array([Vector2(8.0, 8.0), Vector2(100.0, 90.0)])
	var goal := manager.create_goal(targets)
	check_eq(manager.get_goal_targets(goal), targets, "targets")


func test_the_nearest_of_several_targets_counts() -> void:
	var manager := new_manager(Vector2i(21, 1))
	var ends := PackedVector2Array(
		[manager.get_cell_center(Vector2i(0, 0)), manager.get_cell_center(Vector2i(20, 0))]
	)
	var goal := manager.create_goal(ends)
	manager.update()
	check_near(
		manager.get_cost_to_goal(goal, manager.get_cell_center(Vector2i(4, 0))), 4.0, 1e-3, "left"
	)
	check_near(
		manager.get_cost_to_goal(goal, manager.get_cell_center(Vector2i(17, 0))), 3.0, 1e-3, "right"
	)


func test_moving_a_goal_moves_its_field() -> void:
	var manager := new_manager(Vector2i(10, 1))
	var goal := new_goal(manager, Vector2i(0, 0))
	var place := manager.get_cell_center(Vector2i(2, 0))
	check_near(manager.get_cost_to_goal(goal, place), 2.0, 1e-3, "before")
	var moved := PackedVector2Array([manager.get_cell_center(Vector2i(9, 0))])
	check_eq(manager.move_goal(goal, moved), OK, "move")
	manager.update()
	check_near(manager.get_cost_to_goal(goal, place), 7.0, 1e-3, "after")
	check_eq(manager.get_goal_targets(goal), moved, "targets")
	check_near_vector(manager.get_flow_vector(goal, place), Vector2.RIGHT, 1e-3, "direction")


func test_a_released_goal_is_gone_for_good() -> void:
	var manager := new_manager()
	var goal := new_goal(manager, Vector2i(1, 1))
	check_eq(manager.release_goal(goal), OK, "release")
	check(not manager.has_goal(goal), "gone")
	check(manager.get_goals().is_empty(), "not listed")
	var next := new_goal(manager, Vector2i(2, 2))
	check(next != goal, "its id is not used again")
	expect_error(
		["FlowFieldManager.get_cost_to_goal", "goal", str(goal)],
		func() -> float: return manager.get_cost_to_goal(goal, Vector2(8.0, 8.0))
	)


func test_a_goal_needs_targets_that_are_finite_and_inside() -> void:
	var manager := new_manager(Vector2i(4, 4))
	for targets: PackedVector2Array in [
		PackedVector2Array(),
		PackedVector2Array([Vector2(NAN, 1.0)]),
		PackedVector2Array([Vector2(8.0, 8.0), Vector2(INF, 8.0)]),
		PackedVector2Array([Vector2(64.5, 8.0)]),
		PackedVector2Array([Vector2(-0.5, 8.0)]),
	]:
		var goal: int = expect_error(
			["FlowFieldManager.create_goal", "target"],
			func() -> int: return manager.create_goal(targets)
		)
		check_eq(goal, 0, "no goal for %s" % targets)
	check(manager.get_goals().is_empty(), "none exists")


func test_move_goal_refuses_bad_targets_and_keeps_the_old() -> void:
	var manager := new_manager(Vector2i(8, 1))
	var goal := new_goal(manager, Vector2i(7, 0))
	var before := manager.get_goal_targets(goal)
	for targets: PackedVector2Array in [
		PackedVector2Array(),
		PackedVector2Array([Vector2(NAN, 1.0)]),
		PackedVector2Array([Vector2(1000.0, 8.0)]),
	]:
		var result: int = expect_error(
			["FlowFieldManager.move_goal", "target"],
			func() -> int: return manager.move_goal(goal, targets)
		)
		check_eq(result, ERR_INVALID_PARAMETER, "result")
	check_eq(manager.get_goal_targets(goal), before, "targets")
	manager.update()
	check_near(manager.get_cost_to_goal(goal, Vector2(8.0, 8.0)), 7.0, 1e-3, "field")


func test_an_unknown_mode_is_refused() -> void:
	var manager := new_manager()
	var goal: int = expect_error(
		["FlowFieldManager.create_goal", "mode", "9"],
		func() -> int: return manager.create_goal(PackedVector2Array([Vector2(8.0, 8.0)]), 9)
	)
	check_eq(goal, 0, "no goal")


func test_every_method_refuses_an_unknown_goal() -> void:
	var manager := new_manager()
	var at := Vector2(8.0, 8.0)
	var here := PackedVector2Array([at])
	check(not manager.has_goal(77), "has_goal only answers")
	var calls: Dictionary[String, Callable] = {
		"move_goal": func() -> Variant: return manager.move_goal(77, here),
		"release_goal": func() -> Variant: return manager.release_goal(77),
		"get_goal_targets": func() -> Variant: return manager.get_goal_targets(77),
		"get_goal_initial_costs": func() -> Variant: return manager.get_goal_initial_costs(77),
		"get_flow_vector": func() -> Variant: return manager.get_flow_vector(77, at),
		"get_flow_vectors": func() -> Variant: return manager.get_flow_vectors(77, here),
		"get_cost_to_goal": func() -> Variant: return manager.get_cost_to_goal(77, at),
		"get_path_from": func() -> Variant: return manager.get_path_from(77, at),
		"get_integration": func() -> Variant: return manager.get_integration(77),
		"get_directions": func() -> Variant: return manager.get_directions(77),
		"get_query_status": func() -> Variant: return manager.get_query_status(77, at),
		"get_reachable_cell_count": func() -> Variant: return manager.get_reachable_cell_count(77),
	}
	for method: String in calls:
		expect_error(["FlowFieldManager.%s" % method, "goal", "77"], calls[method])


func test_a_goal_with_one_target_on_a_wall_uses_the_other() -> void:
	var manager := new_manager(Vector2i(10, 1))
	manager.set_terrain(Vector2i(9, 0), WALL)
	var goal := manager.create_goal(
		PackedVector2Array(
			[manager.get_cell_center(Vector2i(9, 0)), manager.get_cell_center(Vector2i(0, 0))]
		)
	)
	manager.update()
	var place := manager.get_cell_center(Vector2i(8, 0))
	check_near(manager.get_cost_to_goal(goal, place), 8.0, 1e-3, "the open target")
	check_eq(manager.get_query_status(goal, place), FlowFieldManager.QUERY_OK, "status OK")


func test_a_goal_inside_a_wall_is_blocked_until_the_wall_goes() -> void:
	var manager := new_manager(Vector2i(10, 1))
	manager.set_terrain(Vector2i(9, 0), WALL)
	var goal := new_goal(manager, Vector2i(9, 0))
	var place := manager.get_cell_center(Vector2i(2, 0))
	check(goal > 0, "the goal exists")
	check_eq(manager.get_query_status(goal, place), FlowFieldManager.QUERY_GOAL_BLOCKED, "blocked")
	check_eq(manager.get_cost_to_goal(goal, place), INF, "no cost")
	check_eq(manager.get_flow_vector(goal, place), Vector2.ZERO, "no direction")
	check_eq(manager.get_reachable_cell_count(goal), 0, "nothing reaches it")
	manager.set_terrain(Vector2i(9, 0), 1)
	manager.update()
	check_near(manager.get_cost_to_goal(goal, place), 7.0, 1e-3, "open")
	check_eq(manager.get_query_status(goal, place), FlowFieldManager.QUERY_OK, "status OK")


func test_a_map_of_walls_only() -> void:
	var manager := new_manager(Vector2i(5, 4))
	manager.set_terrain_rect(Rect2i(0, 0, 5, 4), WALL)
	var goal := new_goal(manager, Vector2i(2, 2))
	check_eq(manager.get_reachable_cell_count(goal), 0, "reachable")
	check_eq(manager.get_integration(goal).count(INF), 20, "integration")
	check_eq(manager.get_directions(goal).count(Vector2.ZERO), 20, "directions")
	check(manager.get_path_from(goal, Vector2(8.0, 8.0)).is_empty(), "no path")


func test_a_goal_that_follows_something_out_of_the_grid_is_told_once() -> void:
	var manager := new_manager(Vector2i(8, 4))
	var goals: Array[int] = [new_goal(manager, Vector2i(7, 0)), new_goal(manager, Vector2i(1, 1))]
	var follow := func(goal: int, first: float) -> void:
		for i in 5:
			var target := PackedVector2Array([Vector2(first + i, 8.0)])
			check_eq(manager.move_goal(goals[goal], target), ERR_INVALID_PARAMETER, "refused")
	var words: Array[String] = ["FlowFieldManager.move_goal", "outside"]
	expect_error(words, follow.bind(0, 200.0))
	expect_error(words, follow.bind(1, 200.0))
	follow.call(0, 300.0)
	check_eq(manager.get_goal_targets(goals[0])[0], Vector2(120.0, 8.0), "it stays")
	check_eq(manager.move_goal(goals[0], [Vector2(100.0, 8.0)]), OK, "back")
	expect_error(words, follow.bind(0, 200.0))
	# Other mistakes are told every time.
	for i in 2:
		expect_error(
			["FlowFieldManager.move_goal", "target"],
			manager.move_goal.bind(goals[0], PackedVector2Array([Vector2(NAN, 1.0)]))
		)
