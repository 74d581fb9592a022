extends "res://tests/test_suite.gd"
## Crowds that behave: they go round those that stand, lean to sides of their own and keep together.

const CELL := 16.0


## Agents that stand still, eight to a row, from a cell's corner on.
func _stand(swarm: EnemySwarm, corner: Vector2i, count: int) -> PackedInt64Array:
	var places := PackedVector2Array()
	for i in count:
		@warning_ignore("integer_division")
		var row := i / 8
		places.append(Vector2(corner) * CELL + Vector2(i % 8, row) * 9.0)
	var ids := swarm.spawn_many(places, 0, 9)
	swarm.set_agent_state(ids, EnemySwarm.AGENT_IDLE)
	return ids


func _two_doors(penalty: int) -> FlowFieldManager:
	var manager := new_manager(Vector2i(30, 24), CELL)
	var type := FlowMovementType.new()
	type.crowd_penalty = penalty
	manager.movement_types = [type]
	manager.set_terrain_rect(Rect2i(18, 0, 1, 24), WALL)
	manager.set_terrain_rect(Rect2i(18, 4, 1, 3), 1)
	manager.set_terrain_rect(Rect2i(18, 17, 1, 3), 1)
	return manager


## How many of 40 late comers leave by the second door, the first of which others stand across.
func _by_the_other_door(penalty: int) -> int:
	var manager := _two_doors(penalty)
	var swarm := new_swarm(manager, new_goal(manager, Vector2i(27, 7)))
	swarm.arrival_action = EnemySwarm.ARRIVAL_DESPAWN
	_stand(swarm, Vector2i(15, 4), 48)
	steps(swarm, 60, 0.05)
	var places := PackedVector2Array()
	for i in 40:
		@warning_ignore("integer_division")
		var row := i / 8
		places.append(Vector2(20.0 + (i % 8) * 10.0, 60.0 + row * 10.0))
	var late := swarm.spawn_many(places)
	var other: Dictionary[int, bool] = {}
	for i in 500:
		swarm.step(0.05)
		for id: int in late:
			if not swarm.has_agent(id):
				continue
			var at := swarm.get_agent_position(id)
			if at.x > 18.0 * CELL and at.y > 12.0 * CELL:
				other[id] = true
	return other.size()


func test_late_comers_take_the_other_door() -> void:
	check(_by_the_other_door(0) < 4, "without a penalty hardly any agent does")
	var count := _by_the_other_door(12)
	check(count >= 16, "at least two fifths do, %d of 40" % count)


func test_crowding_is_measured_only_where_a_movement_type_uses_it() -> void:
	for penalty: int in [0, 12]:
		var manager := _two_doors(penalty)
		var swarm := new_swarm(manager, new_goal(manager, Vector2i(27, 7)))
		var ids := _stand(swarm, Vector2i(4, 4), 48)
		steps(swarm, 80, 0.05)
		var at := Vector2(5.5, 5.5) * CELL
		if penalty == 0:
			check_eq(manager.get_crowding(at), 0.0, "no agent minds")
			continue
		check(manager.get_crowding(at) >= 0.5, "crowded: %f" % manager.get_crowding(at))
		check_eq(manager.get_crowding(Vector2(400.0, 300.0)), 0.0, "no agent is there")
		swarm.crowd_fading = 0.2
		swarm.despawn(ids)
		steps(swarm, 100, 0.05)
		check_eq(manager.get_crowding(at), 0.0, "it has faded")


func test_a_freed_swarm_leaves_no_crowd() -> void:
	var manager := _two_doors(12)
	var swarm := new_swarm(manager, new_goal(manager, Vector2i(27, 7)))
	_stand(swarm, Vector2i(4, 4), 48)
	steps(swarm, 80, 0.05)
	swarm.free()
	manager.update()
	check_eq(manager.get_crowding(Vector2(5.5, 5.5) * CELL), 0.0, "gone with it")


func test_get_crowding_refuses_places_outside() -> void:
	var manager := _two_doors(12)
	for place: Vector2 in [Vector2(-1.0, 5.0), Vector2(NAN, 5.0), Vector2(5.0, 1e9)]:
		var crowding: float = expect_error(
			["FlowFieldManager.get_crowding", "position"],
			func() -> float: return manager.get_crowding(place)
		)
		check_eq(crowding, 0.0, "nothing there")


func test_runs_with_crowds_repeat_after_loading() -> void:
	var swarms: Array[EnemySwarm] = []
	for i in 2:
		var manager := _two_doors(12)
		var swarm := new_swarm(manager, new_goal(manager, Vector2i(27, 7)))
		_stand(swarm, Vector2i(15, 4), 48)
		swarms.append(swarm)
	steps(swarms[0], 70, 0.05)
	swarms[1].load_state(swarms[0].save_state())
	for swarm: EnemySwarm in swarms:
		steps(swarm, 50, 0.05)
	check_eq(swarms[0].state_hash(), swarms[1].state_hash(), "the same state")


func _spread(bias: float) -> float:
	var manager := new_manager(Vector2i(60, 31), CELL)
	var swarm := new_swarm(manager, new_goal(manager, Vector2i(58, 15)))
	var type := SwarmAgentType.new()
	type.lateral_bias = bias
	swarm.agent_types = [type]
	var places := PackedVector2Array()
	for i in 30:
		places.append(Vector2(20.0 + i * 10.0, 248.0))
	swarm.spawn_many(places)
	var widest := 0.0
	for i in 120:
		swarm.step(0.05)
		for at: Vector2 in swarm.get_positions():
			widest = maxf(widest, absf(at.y - 248.0))
	return widest


func test_lateral_bias_spreads_a_file() -> void:
	check(_spread(0.0) < CELL, "without it they go in file")
	var wide := _spread(1.0)
	check(wide > 1.5 * CELL, "with it they spread: %f" % wide)


func test_cohesion_keeps_a_group_with_its_leader() -> void:
	var lengths := PackedFloat32Array()
	for cohesion: float in [0.0, 1.0]:
		var manager := new_manager(Vector2i(80, 20), CELL)
		var swarm := new_swarm(manager, new_goal(manager, Vector2i(78, 10)))
		var type := SwarmAgentType.new()
		type.speed_variation = 0.4
		type.cohesion = cohesion
		swarm.agent_types = [type]
		var places := PackedVector2Array()
		for i in 25:
			@warning_ignore("integer_division")
			var row := i / 5
			places.append(Vector2(60.0 + (i % 5) * 12.0, 130.0 + row * 12.0))
		var ids := swarm.spawn_many(places)
		check_eq(swarm.set_group_leader(0, ids[12]), OK, "a living leader")
		check_eq(swarm.get_group_leader(0), ids[12], "is the leader")
		steps(swarm, 240, 0.05)
		var low := INF
		var high := 0.0
		for at: Vector2 in swarm.get_positions():
			low = minf(low, at.x)
			high = maxf(high, at.x)
		lengths.append(high - low)
	check(lengths[1] < 0.75 * lengths[0], "shorter with cohesion: %s" % lengths)


func test_leaders_are_checked_and_given_up() -> void:
	var manager := new_manager()
	var swarm := new_swarm(manager)
	var id := swarm.spawn(Vector2(40.0, 40.0))
	swarm.set_group_leader(3, id)
	check_eq(swarm.get_group_leader(3), id, "set")
	swarm.set_group_leader(3, 0)
	check_eq(swarm.get_group_leader(3), 0, "none again")
	for bad: Array in [[3, 12345], [-1, id], [256, id]]:
		expect_error(
			["EnemySwarm.set_group_leader"],
			func() -> void: swarm.set_group_leader(bad[0] as int, bad[1] as int)
		)
	expect_error(
		["EnemySwarm.get_group_leader", "256"], func() -> int: return swarm.get_group_leader(256)
	)
	swarm.set_group_leader(3, id)
	swarm.despawn(PackedInt64Array([id]))
	check_eq(swarm.get_group_leader(3), 0, "no more")


func test_bad_numbers_are_refused() -> void:
	var type := FlowMovementType.new()
	check_eq(type.crowd_penalty, 0, "off")
	for value: int in [-1, 254]:
		expect_error(
			["FlowMovementType.crowd_penalty", str(value)],
			func() -> void: type.set(&"crowd_penalty", value)
		)
	check_eq(type.crowd_penalty, 0, "unchanged")
	var kind := SwarmAgentType.new()
	for property: StringName in [&"lateral_bias", &"cohesion"]:
		check_eq(kind.get(property), 0.0, "off")
		for value: float in [-0.1, 1.1, NAN]:
			expect_error(["SwarmAgentType", property], func() -> void: kind.set(property, value))
		check_eq(kind.get(property), 0.0, "unchanged")
	var swarm := new_swarm(new_manager())
	for value: float in [0.0, -1.0, NAN, INF]:
		expect_error(["EnemySwarm.crowd_fading"], func() -> void: swarm.set(&"crowd_fading", value))
	check_eq(swarm.crowd_fading, 2.0, "unchanged")
