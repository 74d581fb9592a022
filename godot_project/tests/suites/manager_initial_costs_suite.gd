extends "res://tests/test_suite.gd"
## FlowFieldManager: targets of one goal that differ in what it costs to end there.

const FULL := FlowFieldManager.GOAL_MODE_FULL

var map: FlowFieldManager
var ends: PackedVector2Array


func _make_map() -> void:
	map = new_manager(Vector2i(21, 1))
	ends = PackedVector2Array([_at(0), _at(20)])


func _at(x: int) -> Vector2:
	return map.get_cell_center(Vector2i(x, 0))


func test_costs_and_ways_are_weighed_together() -> void:
	_make_map()
	var costs := PackedFloat32Array([6.0, 0.0])
	var goal := map.create_goal(ends, FULL, costs)
	check_eq(map.get_goal_initial_costs(goal), costs, "kept")
	check_near(map.get_cost_to_goal(goal, _at(0)), 6.0, 1e-3, "at the dear one")
	check_near_vector(map.get_flow_vector(goal, _at(6)), Vector2.LEFT, 1e-3, "near it")
	check_near_vector(map.get_flow_vector(goal, _at(8)), Vector2.RIGHT, 1e-3, "past the middle")
	check_near(map.get_cost_to_goal(goal, _at(8)), 12.0, 1e-3, "by the other's way")


func test_a_target_from_which_another_is_cheaper_is_passed_by() -> void:
	_make_map()
	for solver: int in [FlowFieldManager.SOLVER_OCTILE, FlowFieldManager.SOLVER_EIKONAL]:
		for rule in 4:
			map.solver = solver
			map.direction_rule = rule
			var goal := map.create_goal(ends, FULL, PackedFloat32Array([0.0, 50.0]))
			var what := "solver %d, rule %d" % [solver, rule]
			check_near(map.get_cost_to_goal(goal, _at(20)), 20.0, 1e-3, what)
			check_near_vector(map.get_flow_vector(goal, _at(20)), Vector2.LEFT, 1e-3, what)
			map.set_terrain(Vector2i(10, 0), WALL)
			check_near(map.get_cost_to_goal(goal, _at(15)), 55.0, 1e-3, "%s: cut off" % what)
			map.set_terrain(Vector2i(10, 0), 1)


func test_agents_choose_by_cost() -> void:
	_make_map()
	var swarm := new_swarm(map, map.create_goal(ends, FULL, PackedFloat32Array([0.0, 9.0])))
	swarm.arrival_action = EnemySwarm.ARRIVAL_DESPAWN
	swarm.separation = false
	var places := PackedVector2Array()
	for x in range(1, 20):
		places.append(_at(x))
	swarm.spawn_many(places)
	steps(swarm, 30)
	for position: Vector2 in swarm.get_positions():
		var x := map.get_cell(position).x
		var velocity := map.get_flow_vector(swarm.get_group_goal(0), position).x
		check(velocity > 0.0 if x > 14 else velocity < 0.0, "the cheaper way from %d" % x)
	for i in 2400:
		swarm.step(1.0 / 60.0)
		if swarm.get_agent_count() == 0:
			break
	check_eq(swarm.get_agent_count(), 0, "all arrive")
	check_eq(swarm.get_stats()["arrived"], 19, "counted")


func test_moving_sets_new_costs() -> void:
	_make_map()
	var goal := map.create_goal(ends, FULL, PackedFloat32Array([6.0, 0.0]))
	check_eq(map.move_goal(goal, ends, PackedFloat32Array([0.0, 3.0])), OK, "the same places")
	check_near(map.get_cost_to_goal(goal, _at(20)), 3.0, 1e-3, "other costs")
	check_eq(map.move_goal(goal, ends), OK, "no costs")
	check_near(map.get_cost_to_goal(goal, _at(20)), 0.0, 1e-3, "none")
	check_eq(map.get_goal_initial_costs(goal), PackedFloat32Array([0.0, 0.0]), "zeros")


func test_bad_costs_are_refused() -> void:
	_make_map()
	var goal := map.create_goal(ends)
	for costs: PackedFloat32Array in [
		PackedFloat32Array([1.0]),
		PackedFloat32Array([1.0, 2.0, 3.0]),
		PackedFloat32Array([1.0, -0.5]),
		PackedFloat32Array([NAN, 1.0]),
		PackedFloat32Array([1.0, INF]),
		PackedFloat32Array([1.0, 2.0e6]),
	]:
		var made: int = expect_error(
			["FlowFieldManager.create_goal", "initial"],
			func() -> int: return map.create_goal(ends, FULL, costs)
		)
		check_eq(made, 0, "no goal with %s" % costs)
		var moved: int = expect_error(
			["FlowFieldManager.move_goal", "initial"],
			func() -> int: return map.move_goal(goal, ends, costs)
		)
		check_eq(moved, ERR_INVALID_PARAMETER, "not moved to %s" % costs)
	check_eq(map.get_goals().size(), 1, "none was made")
	check_eq(map.get_goal_initial_costs(goal), PackedFloat32Array([0.0, 0.0]), "unchanged")
	expect_error(
		["FlowFieldManager.create_goal", "targets"],
		func() -> int: return map.create_goal(PackedVector2Array(), FULL, PackedFloat32Array([1.0]))
	)
