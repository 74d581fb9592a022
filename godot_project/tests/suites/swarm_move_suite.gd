extends "res://tests/test_suite.gd"
## EnemySwarm: everyone arrives, and no one ever overlaps a wall.

const DELTA := 1.0 / 60.0
## What single precision leaves open, in pixels.
const TOLERANCE := 0.001
const RULES: Array[int] = [
	FlowFieldManager.DIRECTION_BEST_NEIGHBOUR,
	FlowFieldManager.DIRECTION_NEGATIVE_GRADIENT,
	FlowFieldManager.DIRECTION_PREDECESSOR,
	FlowFieldManager.DIRECTION_CHARACTERISTIC,
]


## Steps until everyone has arrived; returns the deepest wall overlap seen at any tick.
func _run_until_empty(swarm: EnemySwarm, radius: float, limit: int) -> float:
	var deepest := 0.0
	for i in limit:
		swarm.step(DELTA)
		deepest = maxf(deepest, deepest_overlap(swarm.manager, swarm.get_positions(), radius))
		if swarm.get_agent_count() == 0:
			break
	return deepest


func _crowd_in_rooms(rule: int, penalty: int, smoothing: float) -> EnemySwarm:
	var manager := new_manager(Vector2i(40, 30))
	manager.set_terrain_rect(Rect2i(13, 0, 1, 30), WALL)
	manager.set_terrain_rect(Rect2i(26, 0, 1, 30), WALL)
	manager.set_terrain_rect(Rect2i(13, 4, 1, 3), 1)
	manager.set_terrain_rect(Rect2i(26, 22, 1, 3), 1)
	manager.set_terrain_rect(Rect2i(18, 12, 4, 5), WALL)
	var movement := FlowMovementType.new()
	movement.wall_penalty = penalty
	manager.movement_types = [movement]
	manager.direction_rule = rule
	var goal := new_goal(manager, Vector2i(37, 5))
	var swarm := new_swarm(manager, goal)
	swarm.arrival_action = EnemySwarm.ARRIVAL_DESPAWN
	var type := SwarmAgentType.new()
	type.position_smoothing = smoothing
	swarm.agent_types = [type]
	var places := PackedVector2Array()
	for i in 300:
		places.append(Vector2(20.0 + 9.0 * (i % 18), 120.0 + 9.0 * (i / 18)))
	swarm.spawn_many(places)
	return swarm


func test_a_crowd_passes_narrow_doors_and_all_arrive() -> void:
	for rule: int in RULES:
		for penalty: int in [0, 20]:
			var swarm := _crowd_in_rooms(rule, penalty, 1.0)
			var deepest := _run_until_empty(swarm, 4.0, 6000)
			var what := "rule %d, penalty %d" % [rule, penalty]
			check_eq(swarm.get_agent_count(), 0, "%s: all arrive" % what)
			check_eq(swarm.get_stats()["arrived"], 300, "%s: counted" % what)
			check(deepest <= TOLERANCE, "%s: wall overlap %f" % [what, deepest])
			swarm.manager.free()
			swarm.free()


func test_smoothing_keeps_out_of_walls_too() -> void:
	var swarm := _crowd_in_rooms(0, 20, 0.8)
	var deepest := _run_until_empty(swarm, 4.0, 7000)
	check_eq(swarm.get_agent_count(), 0, "all arrive")
	check(deepest <= TOLERANCE, "wall overlap %f" % deepest)


func test_a_crowd_crosses_odd_maps() -> void:
	for size: Vector2i in [Vector2i(1, 40), Vector2i(40, 1), Vector2i(37, 91), Vector2i(91, 37)]:
		var manager := new_manager(size)
		var goal := new_goal(manager, size - Vector2i.ONE)
		var swarm := new_swarm(manager, goal)
		swarm.arrival_action = EnemySwarm.ARRIVAL_DESPAWN
		var type := SwarmAgentType.new()
		type.max_speed = 120.0
		swarm.agent_types = [type]
		var places := PackedVector2Array()
		for i in 20:
			places.append(Vector2(8.0, 8.0) + Vector2(0.05 * i, 0.03 * i))
		swarm.spawn_many(places)
		var deepest := _run_until_empty(swarm, 4.0, 4000)
		check_eq(swarm.get_agent_count(), 0, "%s: all arrive" % size)
		check(deepest <= TOLERANCE, "%s: outside by %f" % [size, deepest])
		manager.free()
		swarm.free()


func test_a_map_of_one_cell() -> void:
	var manager := new_manager(Vector2i(1, 1))
	var goal := new_goal(manager, Vector2i.ZERO)
	var swarm := new_swarm(manager, goal)
	swarm.spawn(Vector2(3.0, 3.0))
	steps(swarm, 120)
	check_eq(swarm.get_stats()["arrived"], 1, "arrived")
	check(manager.get_bounds().has_point(swarm.get_positions()[0]), "stays inside")


func test_agents_in_a_new_wall_are_moved_out() -> void:
	var manager := new_manager(Vector2i(20, 10))
	var goal := new_goal(manager, Vector2i(19, 5))
	var swarm := new_swarm(manager, goal)
	swarm.arrival_action = EnemySwarm.ARRIVAL_DESPAWN
	var places := PackedVector2Array()
	for i in 25:
		places.append(Vector2(84.0 + 9.0 * (i % 5), 64.0 + 9.0 * (i / 5)))
	swarm.spawn_many(places)
	steps(swarm, 5)
	manager.set_terrain_rect(Rect2i(5, 4, 3, 3), WALL)
	steps(swarm, 120)
	check(
		deepest_overlap(manager, swarm.get_positions(), 4.0) <= TOLERANCE,
		"everyone is out after two seconds"
	)
	_run_until_empty(swarm, 4.0, 2000)
	check_eq(swarm.get_agent_count(), 0, "all arrive")


func test_agents_without_a_route_stop_and_are_reported() -> void:
	var manager := new_manager(Vector2i(20, 3))
	manager.set_terrain_rect(Rect2i(10, 0, 1, 3), WALL)
	var goal := new_goal(manager, Vector2i(19, 1))
	var swarm := new_swarm(manager, goal)
	var lost := PackedInt64Array()
	swarm.agents_lost.connect(func(ids: PackedInt64Array) -> void: lost.append_array(ids))
	var ids := swarm.spawn_many(PackedVector2Array([Vector2(20.0, 20.0), Vector2(60.0, 20.0)]))
	steps(swarm, 60)
	lost.sort()
	check_eq(lost, ids, "agents_lost names each once")
	check_eq(swarm.get_stats()["lost"], 2, "counted")
	check_near_vector(swarm.get_agent_position(ids[0]), Vector2(20.0, 20.0), 0.5, "it stands")
	manager.set_terrain(Vector2i(10, 1), 1)
	steps(swarm, 400)
	check_eq(swarm.get_stats()["lost"], 0, "the way is open again")
	check(swarm.get_agent_position(ids[1]).x > 200.0, "and they go on")


func test_agents_are_lost_if_their_goal_is_in_a_wall() -> void:
	var manager := new_manager(Vector2i(10, 10))
	manager.set_terrain(Vector2i(8, 8), WALL)
	var goal := new_goal(manager, Vector2i(8, 8))
	var swarm := new_swarm(manager, goal)
	swarm.spawn_many(PackedVector2Array([Vector2(20.0, 20.0), Vector2(60.0, 20.0)]))
	steps(swarm, 30)
	check_eq(swarm.get_stats()["lost"], 2, "no route")


func test_a_dragged_goal_is_followed() -> void:
	var manager := new_manager(Vector2i(30, 30))
	var goal := new_goal(manager, Vector2i(28, 28))
	var swarm := new_swarm(manager, goal)
	var id := swarm.spawn(manager.get_cell_center(Vector2i(15, 15)))
	steps(swarm, 60)
	check(swarm.get_agent_velocity(id).dot(Vector2.ONE) > 0.0, "towards the first place")
	manager.move_goal(goal, PackedVector2Array([manager.get_cell_center(Vector2i(1, 1))]))
	steps(swarm, 90)
	check(swarm.get_agent_velocity(id).dot(Vector2.ONE) < 0.0, "towards the second")


func test_separation_spreads_a_crowd() -> void:
	for avoidance: int in [SwarmAgentType.AVOIDANCE_CONTACT, SwarmAgentType.AVOIDANCE_SEPARATION]:
		var on := _closest_of_a_crowd(avoidance, true)
		check(on > 3.0, "with separation, avoidance %d: %f apart" % [avoidance, on])
		var off := _closest_of_a_crowd(avoidance, false)
		check(off < 1.0, "without, avoidance %d: %f apart" % [avoidance, off])


## The least distance of any two of a crowd that starts in a heap, with the separation on or off.
func _closest_of_a_crowd(avoidance: int, separation: bool) -> float:
	var manager := new_manager(Vector2i(40, 40))
	var goal := new_goal(manager, Vector2i(39, 20))
	var swarm := new_swarm(manager, goal)
	swarm.separation = separation
	var type := SwarmAgentType.new()
	type.avoidance = avoidance
	swarm.agent_types = [type]
	var places := PackedVector2Array()
	for i in 30:
		places.append(Vector2(100.0 + 0.5 * (i % 6), 300.0 + 0.5 * (i / 6)))
	swarm.spawn_many(places)
	steps(swarm, 180)
	var spots := swarm.get_positions()
	var least := INF
	for i in spots.size():
		for j in i:
			least = minf(least, spots[i].distance_to(spots[j]))
	return least


func test_agents_on_one_spot_come_apart() -> void:
	var manager := new_manager(Vector2i(20, 20))
	var goal := new_goal(manager, Vector2i(19, 10))
	var swarm := new_swarm(manager, goal)
	var spot := Vector2(100.0, 160.0)
	var ids := swarm.spawn_many(PackedVector2Array([spot, spot, spot, spot]))
	steps(swarm, 90)
	for i in ids.size():
		for j in i:
			var apart := swarm.get_agent_position(ids[i]).distance_to(
				swarm.get_agent_position(ids[j])
			)
			check(apart > 2.0, "%d and %d are %f apart" % [i, j, apart])


## A wall with a near door one cell wide and a far one three cells wide, for a small and a large
## type.
func _two_doors() -> EnemySwarm:
	var manager := new_manager(Vector2i(25, 15))
	manager.set_terrain_rect(Rect2i(12, 0, 1, 15), WALL)
	manager.set_terrain(Vector2i(12, 4), 1)
	manager.set_terrain_rect(Rect2i(12, 10, 1, 3), 1)
	var room := FlowMovementType.new()
	room.clearance_radius = 20.0
	manager.movement_types = [null, room]
	var swarm := new_swarm(manager, new_goal(manager, Vector2i(20, 4)))
	var small := SwarmAgentType.new()
	var large := SwarmAgentType.new()
	large.radius = 20.0
	large.movement_type = 1
	swarm.agent_types = [small, large]
	return swarm


func test_large_agents_go_where_they_fit() -> void:
	var swarm := _two_doors()
	var id := swarm.spawn(Vector2(88, 72), 1)
	var deepest := 0.0
	for i in 900:
		swarm.step(1.0 / 60.0)
		var places := swarm.get_positions()
		deepest = maxf(deepest, deepest_overlap(swarm.manager, places, 20.0))
	check_eq(swarm.get_stats()["arrived"], 1, "agent %d has arrived" % id)
	check(deepest <= TOLERANCE, "wall overlap %f" % deepest)


func test_a_group_that_shares_a_field_takes_one_way() -> void:
	for shares: bool in [false, true]:
		var swarm := _two_doors()
		check_eq(swarm.set_group_shares_field(0, shares), OK, "set")
		check_eq(swarm.get_group_shares_field(0), shares, "get")
		var small := swarm.spawn(Vector2(88, 72), 0)
		swarm.spawn(Vector2(40, 72), 1)
		var crossing := 0.0
		for i in 900:
			swarm.step(1.0 / 60.0)
			var place := swarm.get_positions()[swarm.get_ids().find(small)]
			if crossing == 0.0 and place.x > 13.0 * 16.0:
				crossing = place.y
		var far := crossing > 9.0 * 16.0
		check(crossing > 0.0 and far == shares, "shares %s: crossed at %f" % [shares, crossing])
		swarm.manager.free()
		swarm.free()


func test_groups_out_of_range_share_nothing() -> void:
	var swarm := new_swarm(new_manager())
	for group: int in [-1, 256]:
		expect_error(
			["EnemySwarm.set_group_shares_field", "group", str(group)],
			func() -> int: return swarm.set_group_shares_field(group, true)
		)
		expect_error(
			["EnemySwarm.get_group_shares_field", "group", str(group)],
			func() -> bool: return swarm.get_group_shares_field(group)
		)
