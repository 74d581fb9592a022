extends "res://tests/test_suite.gd"
## EnemySwarm: types, groups and statuses of agents, and what is known of given ones.

const SLOW := 1

var manager: FlowFieldManager
var swarm: EnemySwarm
var ids: PackedInt64Array


## Ten agents on open ground, in a group that goes to the right. There is a slow type besides.
func _open_field() -> void:
	manager = new_manager(Vector2i(80, 40))
	swarm = new_swarm(manager)
	var slow := SwarmAgentType.new()
	slow.max_speed = 20.0
	swarm.agent_types = [SwarmAgentType.new(), slow]
	var goal := manager.create_goal(PackedVector2Array([manager.get_cell_center(Vector2i(40, 20))]))
	swarm.set_group_goal(0, goal)
	var places := PackedVector2Array()
	for i in 10:
		places.append(Vector2(200.0, 100.0 + 40.0 * i))
	ids = swarm.spawn_many(places)


func _run(count: int) -> void:
	for i in count:
		manager.update()
		swarm.step(1.0 / 60.0)


func test_agents_change_their_type() -> void:
	_open_field()
	_run(60)
	check(swarm.get_agent_velocity(ids[0]).length() > 50.0, "fast")
	check_eq(swarm.set_agent_type(ids.slice(0, 4), SLOW), OK, "set")
	check_eq(swarm.get_agent_type(ids[0]), SLOW, "the first")
	check_eq(swarm.get_agent_type(ids[9]), 0, "the last")
	check_eq(swarm.get_types().count(SLOW), 4, "all of them")
	_run(60)
	for i in ids.size():
		var is_slow := swarm.get_agent_velocity(ids[i]).length() < 21.0
		check_eq(is_slow, i < 4, "agent %d is slow" % i)
	# A type that was added after the last step.
	swarm.agent_types = [swarm.agent_types[0], swarm.agent_types[1], SwarmAgentType.new()]
	check_eq(swarm.set_agent_type(ids, 2), OK, "a new type")
	check_eq(swarm.get_types().count(2), 10, "all have it")


func test_bad_types_and_ids_are_refused() -> void:
	_open_field()
	for type: int in [-1, 2, 1 << 40]:
		var result: int = expect_error(
			["EnemySwarm.set_agent_type", "type", str(type)],
			func() -> int: return swarm.set_agent_type(ids, type)
		)
		check_eq(result, ERR_INVALID_PARAMETER, "result")
	swarm.despawn(PackedInt64Array([ids[4]]))
	expect_error(
		["EnemySwarm.set_agent_type", "agent", str(ids[4])],
		func() -> int: return swarm.set_agent_type(ids, SLOW)
	)
	check_eq(swarm.get_types().count(SLOW), 0, "none has changed")
	for method: String in ["get_agent_type", "get_agent_group", "get_agent_status"]:
		var found: int = expect_error(
			["EnemySwarm." + method, "agent", str(ids[4])],
			func() -> int: return swarm.call(method, ids[4])
		)
		check_eq(found, -1, method)
	for method: String in ["get_positions_of", "get_velocities_of"]:
		var found: PackedVector2Array = expect_error(
			["EnemySwarm." + method, "agent", str(ids[4])],
			func() -> PackedVector2Array: return swarm.call(method, ids)
		)
		check_eq(found.size(), 0, method)
	for group: int in [-1, 256]:
		var found: PackedInt64Array = expect_error(
			["EnemySwarm.get_group_agents", "group", str(group)],
			func() -> PackedInt64Array: return swarm.get_group_agents(group)
		)
		check_eq(found.size(), 0, "no group")


func test_agents_are_found_by_group_and_status() -> void:
	_open_field()
	swarm.set_agent_group(ids.slice(7), 9)
	swarm.set_agent_state(ids.slice(7, 8), EnemySwarm.AGENT_IDLE)
	check_eq(swarm.get_group_agents(9), ids.slice(7), "of the group")
	check_eq(swarm.get_group_agents(3).size(), 0, "of another")
	check_eq(swarm.get_agent_group(ids[8]), 9, "its group")
	check_eq(swarm.get_agent_status(ids[7]), EnemySwarm.AGENT_IDLE, "idle")
	check_eq(swarm.get_arrived().size(), 0, "none is there")
	_run(900)
	var arrived := swarm.get_arrived()
	check(arrived.size() > 0, "some are there")
	check_eq(
		swarm.get_statuses().count(EnemySwarm.AGENT_ARRIVED), arrived.size(), "as many by status"
	)
	check_eq(swarm.get_agent_status(arrived[0]), EnemySwarm.AGENT_ARRIVED, "the first of them")
	check_eq(swarm.get_stats()["arrived_now"], arrived.size(), "as the statistics say")
	check_eq(swarm.get_lost().size(), 0, "none is lost")


func test_agents_without_a_route_are_lost() -> void:
	_open_field()
	for y in 40:
		manager.set_terrain(Vector2i(30, y), 255)
	_run(10)
	check_eq(swarm.get_lost(), ids, "all are lost")
	check_eq(swarm.get_agent_status(ids[0]), EnemySwarm.AGENT_LOST, "the first")
	check_eq(swarm.get_stuck().size(), 0, "which is not to be stuck")
	for status: int in [EnemySwarm.AGENT_STUCK, EnemySwarm.AGENT_QUARANTINED]:
		check_eq(swarm.get_statuses().count(status), 0, "status %d" % status)


func test_what_is_known_of_given_agents_comes_in_their_order() -> void:
	_open_field()
	_run(30)
	var some := PackedInt64Array([ids[7], ids[2], ids[7]])
	var positions := swarm.get_positions_of(some)
	var velocities := swarm.get_velocities_of(some)
	for i in some.size():
		check_eq(positions[i], swarm.get_agent_position(some[i]), "position %d" % i)
		check_eq(velocities[i], swarm.get_agent_velocity(some[i]), "velocity %d" % i)
	check_eq(swarm.get_positions_of(PackedInt64Array()).size(), 0, "none asked for")
