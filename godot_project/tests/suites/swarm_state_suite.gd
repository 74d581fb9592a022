extends "res://tests/test_suite.gd"
## EnemySwarm: groups, states, scripted motion, teleport and impulses.

var manager: FlowFieldManager
var swarm: EnemySwarm


func _open_field() -> void:
	manager = new_manager(Vector2i(60, 20))
	swarm = new_swarm(manager, new_goal(manager, Vector2i(59, 10)))


func _row(count: int, x := 100.0) -> PackedInt64Array:
	var places := PackedVector2Array()
	for i in count:
		places.append(Vector2(x, 40.0 + 30.0 * i))
	return swarm.spawn_many(places)


func test_each_group_has_its_own_goal() -> void:
	_open_field()
	var left := new_goal(manager, Vector2i(0, 10))
	check_eq(swarm.set_group_goal(3, left), OK, "set")
	check_eq(swarm.get_group_goal(3), left, "get")
	check_eq(swarm.get_group_goal(9), 0, "a group without a goal")
	var right_id := swarm.spawn(Vector2(480.0, 160.0), 0, 0)
	var left_id := swarm.spawn(Vector2(480.0, 100.0), 0, 3)
	var idle_id := swarm.spawn(Vector2(480.0, 60.0), 0, 9)
	steps(swarm, 60)
	check(swarm.get_agent_velocity(right_id).x > 30.0, "group 0 goes right")
	check(swarm.get_agent_velocity(left_id).x < -30.0, "group 3 goes left")
	check_near_vector(swarm.get_agent_position(idle_id), Vector2(480.0, 60.0), 0.5, "group 9 stays")
	check_eq(swarm.set_group_goal(3, 0), OK, "goal 0 takes it away")
	steps(swarm, 60)
	check(swarm.get_agent_velocity(left_id).length() < 1.0, "and it stops")


func test_group_goals_refuse_bad_arguments() -> void:
	_open_field()
	for group: int in [-1, 256]:
		var result: int = expect_error(
			["EnemySwarm.set_group_goal", "group", str(group)],
			func() -> int: return swarm.set_group_goal(group, 0)
		)
		check_eq(result, ERR_INVALID_PARAMETER, "result")
		expect_error(
			["EnemySwarm.get_group_goal", "group", str(group)],
			func() -> int: return swarm.get_group_goal(group)
		)
	for goal: int in [-1, 4711]:
		expect_error(
			["EnemySwarm.set_group_goal", "goal", str(goal)],
			func() -> int: return swarm.set_group_goal(0, goal)
		)
	check(swarm.get_group_goal(0) > 0, "unchanged")


func test_a_released_goal_leaves_its_group_without_one() -> void:
	_open_field()
	var ids := _row(2)
	steps(swarm, 30)
	var goal := swarm.get_group_goal(0)
	manager.release_goal(goal)
	expect_error(["EnemySwarm.step", "goal %d" % goal], func() -> void: steps(swarm, 1))
	check_eq(swarm.get_group_goal(0), 0, "it has no goal")
	for i in 120:
		# Each call makes a step report anew what is still wrong.
		swarm.set_group_goal(1, 0)
		steps(swarm, 1)
	check(swarm.get_agent_velocity(ids[0]).length() < 1.0, "they stop")


func test_idle_agents_stand_until_they_follow_again() -> void:
	_open_field()
	var ids := _row(3)
	check_eq(swarm.set_agent_state(ids.slice(0, 1), EnemySwarm.AGENT_IDLE), OK, "set_agent_state")
	check_eq(swarm.get_agent_state(ids[0]), EnemySwarm.AGENT_IDLE, "state")
	steps(swarm, 60)
	check_near_vector(swarm.get_agent_position(ids[0]), Vector2(100.0, 40.0), 0.5, "stands")
	check(swarm.get_agent_position(ids[1]).x > 130.0, "the others walk")
	var stats := swarm.get_stats()
	check_eq(stats["idle"], 1, "idle count")
	check_eq(stats["following"], 2, "following count")
	swarm.set_agent_state(ids.slice(0, 1), EnemySwarm.AGENT_FOLLOWING)
	steps(swarm, 60)
	check(swarm.get_agent_position(ids[0]).x > 130.0, "walks again")


func test_states_array_matches() -> void:
	_open_field()
	var ids := _row(4)
	swarm.set_agent_state(ids.slice(1, 2), EnemySwarm.AGENT_IDLE)
	swarm.set_agent_state(ids.slice(2, 3), EnemySwarm.AGENT_SCRIPTED)
	var states := swarm.get_states()
	var listed := swarm.get_ids()
	for i in listed.size():
		check_eq(states[i], swarm.get_agent_state(listed[i]), "agent %d" % i)
	check_eq(swarm.get_stats()["scripted"], 1, "scripted count")


func test_scripted_agents_move_as_told() -> void:
	_open_field()
	var ids := _row(2)
	swarm.set_agent_state(ids.slice(0, 1), EnemySwarm.AGENT_SCRIPTED)
	check_eq(
		swarm.set_scripted_velocities(ids.slice(0, 1), PackedVector2Array([Vector2(0.0, 30.0)])),
		OK,
		"set velocities"
	)
	steps(swarm, 120)
	var moved := swarm.get_agent_position(ids[0]) - Vector2(100.0, 40.0)
	check_near(moved.x, 0.0, 1.0, "not sideways")
	check(moved.y > 45.0 and moved.y <= 60.5, "down by about two seconds: %f" % moved.y)


func test_scripted_agents_do_not_pass_walls() -> void:
	_open_field()
	manager.set_terrain_rect(Rect2i(0, 8, 60, 1), WALL)
	var ids := _row(1)
	swarm.set_agent_state(ids, EnemySwarm.AGENT_SCRIPTED)
	swarm.set_scripted_velocities(ids, PackedVector2Array([Vector2(0.0, 60.0)]))
	steps(swarm, 240)
	check_near(swarm.get_agent_position(ids[0]).y, 8.0 * 16.0 - 4.0, 0.1, "it stands at the wall")


func test_state_calls_refuse_bad_arguments() -> void:
	_open_field()
	var ids := _row(2)
	var stale := PackedInt64Array([ids[0], 123456789])
	var two := PackedVector2Array([Vector2.ONE, Vector2.ONE])
	var nan_pair := PackedVector2Array([Vector2.ONE, Vector2(NAN, 0.0)])
	var calls: Array[Array] = [
		["set_agent_state", "state", func() -> int: return swarm.set_agent_state(ids, 4)],
		[
			"set_agent_state",
			"agent 123456789",
			func() -> int: return swarm.set_agent_state(stale, EnemySwarm.AGENT_IDLE)
		],
		[
			"set_scripted_velocities",
			"agent 123456789",
			func() -> int: return swarm.set_scripted_velocities(stale, two)
		],
		[
			"set_scripted_velocities",
			"velocities",
			func() -> int: return swarm.set_scripted_velocities(ids, two.slice(0, 1))
		],
		[
			"set_scripted_velocities",
			"velocities",
			func() -> int: return swarm.set_scripted_velocities(ids, nan_pair)
		],
		[
			"set_agent_positions",
			"agent 123456789",
			func() -> int: return swarm.set_agent_positions(stale, two)
		],
		[
			"set_agent_positions",
			"positions",
			func() -> int: return swarm.set_agent_positions(ids, two.slice(0, 1))
		],
		[
			"set_agent_positions",
			"positions",
			func() -> int: return swarm.set_agent_positions(ids, nan_pair)
		],
		[
			"apply_impulse",
			"agent 123456789",
			func() -> int: return swarm.apply_impulse(stale, Vector2.ONE)
		],
		[
			"apply_impulse",
			"impulse",
			func() -> int: return swarm.apply_impulse(ids, Vector2(INF, 0.0))
		],
	]
	for entry: Array in calls:
		var action: Callable = entry[2]
		var result: int = expect_error(["EnemySwarm.%s" % entry[0], entry[1] as String], action)
		check(result != OK, "%s returns an error" % entry[0])
	check_eq(swarm.get_agent_state(ids[0]), EnemySwarm.AGENT_FOLLOWING, "state unchanged")
	check_eq(swarm.get_agent_position(ids[0]), Vector2(100.0, 40.0), "position unchanged")


func test_agents_can_be_put_elsewhere() -> void:
	_open_field()
	var ids := _row(3)
	var places := PackedVector2Array([Vector2(300.0, 200.0), Vector2(320.0, 240.0)])
	check_eq(swarm.set_agent_positions(ids.slice(0, 2), places), OK, "set")
	check_eq(swarm.get_agent_position(ids[1]), Vector2(320.0, 240.0), "there")
	steps(swarm, 1)
	check_near_vector(swarm.get_agent_position(ids[0]), Vector2(300.0, 200.0), 2.0, "after a step")
	check_near_vector(swarm.get_agent_position(ids[2]), Vector2(100.0, 100.0), 2.0, "the third")


func test_an_impulse_changes_the_velocity() -> void:
	_open_field()
	var ids := _row(2)
	check_eq(swarm.apply_impulse(ids.slice(0, 1), Vector2(0.0, 50.0)), OK, "apply")
	steps(swarm, 3)
	var pushed := swarm.get_agent_velocity(ids[0])
	check(pushed.y > 20.0, "pushed down: %s" % pushed)
	check(absf(swarm.get_agent_velocity(ids[1]).y) < 15.0, "the other is not")


func test_a_radial_impulse_pushes_outwards() -> void:
	_open_field()
	var center := Vector2(400.0, 160.0)
	var places := PackedVector2Array(
		[center + Vector2(20.0, 0.0), center - Vector2(20.0, 0.0), center + Vector2(0.0, 90.0)]
	)
	var ids := swarm.spawn_many(places)
	swarm.set_agent_state(ids, EnemySwarm.AGENT_IDLE)
	check_eq(swarm.apply_radial_impulse(center, 50.0, 55.0), 2, "two are near")
	swarm.step(1.0 / 60.0)
	check(swarm.get_agent_velocity(ids[0]).x > 5.0, "right one to the right")
	check(swarm.get_agent_velocity(ids[1]).x < -5.0, "left one to the left")
	check_eq(swarm.get_agent_velocity(ids[2]), Vector2.ZERO, "far one stays")


func test_a_radial_impulse_refuses_bad_numbers() -> void:
	_open_field()
	_row(1)
	var calls: Dictionary[String, Callable] = {
		"center": func() -> int: return swarm.apply_radial_impulse(Vector2(NAN, 0.0), 5.0, 5.0),
		"radius": func() -> int: return swarm.apply_radial_impulse(Vector2.ZERO, -5.0, 5.0),
		"strength": func() -> int: return swarm.apply_radial_impulse(Vector2.ZERO, 5.0, INF),
	}
	for argument: String in calls:
		check_eq(
			expect_error(["EnemySwarm.apply_radial_impulse", argument], calls[argument]),
			0,
			"bad %s" % argument
		)


func test_goals_of_another_manager_are_taken_with_a_warning() -> void:
	var one := new_manager(Vector2i(20, 20))
	var two := new_manager(Vector2i(20, 20))
	var swarm := new_swarm(one, new_goal(one, Vector2i(18, 10)))
	check_eq(new_goal(two, Vector2i(1, 1)), swarm.get_group_goal(0), "both have a goal of this id")
	var id := swarm.spawn(Vector2(160.0, 160.0))
	swarm.manager = null
	swarm.manager = one
	check(swarm.get_group_goal(0) != 0, "its own manager's goals stay")
	swarm.manager = two
	check_eq(swarm.get_group_goal(0), 0, "another manager's do not")
	steps(swarm, 10)
	check_near_vector(swarm.get_agent_position(id), Vector2(160.0, 160.0), 0.01, "stands")
	swarm.set_group_goal(0, 1)
	steps(swarm, 10)
	check(swarm.get_agent_position(id).x < 159.0, "goes where it is sent")
