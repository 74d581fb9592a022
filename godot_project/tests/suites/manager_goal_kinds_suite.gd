extends "res://tests/test_suite.gd"
## FlowFieldManager: goals of the kinds FLEE and RANGE.

const MAP: PackedStringArray = [
	"########################",
	"#......................#",
	"#......................#",
	"#.......#######........#",
	"#.............#........#",
	"#.............#........#",
	"#.......#######........#",
	"#......................#",
	"#......................#",
	"########################",
]

var map: FlowFieldManager


func _make_map() -> void:
	map = new_manager(Vector2i(24, 10))
	draw_map(map, MAP)


func _at(x: int, y: int) -> Vector2:
	return map.get_cell_center(Vector2i(x, y))


func _here(x: int, y: int) -> PackedVector2Array:
	return PackedVector2Array([_at(x, y)])


func _last(path: PackedVector2Array) -> Vector2:
	return path[path.size() - 1] if path.size() > 0 else Vector2.INF


func test_kinds_of_goals() -> void:
	_make_map()
	var seek := map.create_goal(_here(2, 2))
	var flee := map.create_flee_goal(_here(2, 2), 64.0)
	var ranged := map.create_range_goal(_here(2, 2), 32.0, 64.0)
	check(seek > 0 and flee > seek and ranged > flee, "ids")
	check_eq(map.get_goal_kind(seek), FlowFieldManager.GOAL_KIND_SEEK, "SEEK")
	check_eq(map.get_goal_kind(flee), FlowFieldManager.GOAL_KIND_FLEE, "FLEE")
	check_eq(map.get_goal_kind(ranged), FlowFieldManager.GOAL_KIND_RANGE, "RANGE")
	check_eq(map.get_goal_mode(flee), FlowFieldManager.GOAL_MODE_FULL, "mode")
	check_eq(map.get_goal_targets(flee), _here(2, 2), "targets")
	expect_error(
		["FlowFieldManager.get_goal_kind", "goal 77"], func() -> int: return map.get_goal_kind(77)
	)
	for goal: int in [flee, ranged]:
		check_eq(map.release_goal(goal), OK, "release")
		check(not map.has_goal(goal), "gone")


func test_archers_beyond_a_river_come_to_the_bank() -> void:
	var manager := new_manager(Vector2i(80, 30))
	manager.set_terrain_rect(Rect2i(38, 0, 3, 30), WALL)
	var target := Vector2(30.0 * 16.0, 15.0 * 16.0)
	var goal := manager.create_range_goal([target], 40.0, 14.0 * 16.0)
	var swarm := new_swarm(manager, goal)
	var id := swarm.spawn(Vector2(75.0 * 16.0, 40.0))
	for i in 20:
		steps(swarm, 60)
	var place := swarm.get_agent_position(id)
	check(place.distance_to(target) < 15.0 * 16.0, "in range: %s" % place)
	check(place.x > 41.0 * 16.0, "on its own bank")
	check_eq(swarm.get_arrived(), PackedInt64Array([id]), "arrived")


func test_agents_leave_a_dead_end_and_the_reach() -> void:
	_make_map()
	# The threat is left of the dead end's mouth, at (8, 4).
	var goal := map.create_flee_goal(_here(4, 4), 11.0 * 16.0)
	var path := map.get_path_from(goal, _at(11, 4))
	var end := map.get_cell(_last(path))
	check(end.y < 3 or end.y > 6, "out of the dead end, to %s" % end)
	check(_last(path).distance_to(_at(4, 4)) > 10.0 * 16.0, "and away, to %s" % end)
	for place in path:
		check(place.distance_to(_at(4, 4)) > 2.0 * 16.0, "not past the threat: %s" % place)
	check_eq(map.get_cost_to_goal(goal, _at(20, 2)), 0.0, "safe")
	check_eq(map.get_flow_vector(goal, _at(20, 2)), Vector2.ZERO, "safe")
	check_eq(map.get_query_status(goal, _at(11, 4)), FlowFieldManager.QUERY_OK, "status")
	check_eq(map.get_cost_to_goal(goal, _at(0, 0)), INF, "a wall")
	check_eq(map.get_integration(goal).size(), 240, "costs of all cells")
	check_eq(
		map.get_reachable_cell_count(goal), map.get_integration(goal).size() - 80, "open cells"
	)


func test_a_moved_threat_and_an_edit_count_at_once() -> void:
	_make_map()
	var goal := map.create_flee_goal(_here(2, 8), 5.0 * 16.0)
	check_eq(map.get_cost_to_goal(goal, _at(20, 8)), 0.0, "far away")
	map.move_goal(goal, _here(19, 8))
	check(map.get_cost_to_goal(goal, _at(20, 8)) > 3.0, "near")
	check(map.get_flow_vector(goal, _at(21, 7)).y < 0.0, "up along the wall")
	map.set_terrain_rect(Rect2i(15, 6, 8, 1), WALL)
	var end := _last(map.get_path_from(goal, _at(20, 8)))
	check(end.x < 16.0 * 16.0, "the other way: %s" % end)


func test_archers_go_to_where_they_see_the_target() -> void:
	_make_map()
	# The target is in the dead end, and its walls hide it.
	var goal := map.create_range_goal(_here(12, 4), 3.0 * 16.0, 7.0 * 16.0)
	for start: Vector2 in [_at(12, 2), _at(20, 5), _at(2, 8), _at(8, 5)]:
		var end := _last(map.get_path_from(goal, start))
		var distance := end.distance_to(_at(12, 4)) / 16.0
		check(distance >= 3.0 and distance <= 7.0, "%s is in range of the target" % end)
		check(map.has_line_of_sight(goal, end), "and in sight")
	check_eq(map.get_cost_to_goal(goal, _at(8, 4)), 0.0, "there")


func test_agents_stop_beyond_the_reach_and_flee_again() -> void:
	_make_map()
	var goal := map.create_flee_goal(_here(3, 8), 6.0 * 16.0)
	var swarm := new_swarm(map, goal)
	var id := swarm.spawn(_at(5, 8))
	steps(swarm, 200)
	var first := swarm.get_agent_position(id)
	check(first.distance_to(_at(3, 8)) > 5.4 * 16.0, "away at %s" % first)
	check_eq(swarm.get_agent_status(id), EnemySwarm.AGENT_ARRIVED, "arrived")
	map.move_goal(goal, PackedVector2Array([first - Vector2(32.0, 0.0)]))
	steps(swarm, 200)
	check(swarm.get_agent_position(id).x > first.x + 32.0, "away again")
	check_eq(swarm.get_agent_status(id), EnemySwarm.AGENT_ARRIVED, "arrived again")


func test_bad_input_is_refused_by_name() -> void:
	_make_map()
	var none := PackedVector2Array()
	var outside := PackedVector2Array([Vector2(-5.0, 8.0)])
	for reach: float in [0.0, -1.0, NAN, INF, 2e6]:
		expect_error(
			["FlowFieldManager.create_flee_goal", "reach"],
			func() -> int: return map.create_flee_goal(_here(2, 2), reach)
		)
	for pair: Vector2 in [Vector2(-1, 5), Vector2(NAN, 5), Vector2(INF, 5)]:
		expect_error(
			["FlowFieldManager.create_range_goal", "least"],
			func() -> int: return map.create_range_goal(_here(2, 2), pair.x, pair.y)
		)
	for pair: Vector2 in [Vector2(5, 4), Vector2(0, 0), Vector2(0, NAN), Vector2(0, INF)]:
		expect_error(
			["FlowFieldManager.create_range_goal", "most"],
			func() -> int: return map.create_range_goal(_here(2, 2), pair.x, pair.y)
		)
	for targets: PackedVector2Array in [none, outside]:
		var flee: int = expect_error(
			["FlowFieldManager.create_flee_goal", "target"],
			func() -> int: return map.create_flee_goal(targets, 50.0)
		)
		var ranged: int = expect_error(
			["FlowFieldManager.create_range_goal", "target"],
			func() -> int: return map.create_range_goal(targets, 20.0, 50.0)
		)
		check(flee == 0 and ranged == 0, "no goals")
	check(map.get_goals().is_empty(), "none exists")
	var goal := map.create_flee_goal(_here(2, 2), 50.0)
	var costs := PackedFloat32Array([3.0])
	var result: int = expect_error(
		["FlowFieldManager.move_goal", "goal %d" % goal, "FLEE", "initial costs"],
		func() -> int: return map.move_goal(goal, _here(4, 4), costs)
	)
	check_eq(result, ERR_INVALID_PARAMETER, "result")
	check_eq(map.get_goal_targets(goal), _here(2, 2), "targets")
