extends "res://tests/test_suite.gd"
## How agents keep from running into each other, targets of their own, and rarer steering.

const RADIUS := 4.0
const PROPERTIES: Dictionary[StringName, Array] = {
	&"neighbour_radius": [0.0, -1.0, NAN, INF],
	&"time_horizon": [0.0, -1.0, NAN, 1001.0],
	&"time_horizon_walls": [0.0, -1.0, NAN, 1001.0],
	&"priority": [-0.1, 1.1, NAN],
	&"speed_variation": [-0.1, 0.91, NAN],
}

var manager: FlowFieldManager
var swarm: EnemySwarm


## A walker that comes from the left and one that comes from the right, on one line.
func _meet(avoidance: int) -> PackedInt64Array:
	manager = new_manager(Vector2i(40, 20))
	swarm = new_swarm(manager)
	var type := SwarmAgentType.new()
	type.avoidance = avoidance
	swarm.agent_types = [type]
	var ids := swarm.spawn_many(PackedVector2Array([Vector2(120.0, 160.0), Vector2(320.0, 160.0)]))
	var targets := PackedVector2Array([Vector2(320.0, 160.0), Vector2(120.0, 160.0)])
	check_eq(swarm.set_agent_targets(ids, targets), OK, "set_agent_targets")
	return ids


## The least distance of the two while they walk past each other.
func _closest(ids: PackedInt64Array, count: int) -> float:
	var closest := INF
	for i in count:
		steps(swarm, 1)
		var way := swarm.get_agent_position(ids[0]) - swarm.get_agent_position(ids[1])
		closest = minf(closest, way.length())
	return closest


func test_defaults() -> void:
	var type := SwarmAgentType.new()
	check_eq(type.avoidance, SwarmAgentType.AVOIDANCE_CONTACT, "avoidance")
	check_eq(type.neighbour_radius, 40.0, "neighbour_radius")
	check_eq(type.max_neighbours, 10, "max_neighbours")
	check_eq(type.time_horizon, 2.0, "time_horizon")
	check_eq(type.time_horizon_walls, 0.5, "time_horizon_walls")
	check_eq(type.priority, 0.5, "priority")
	check_eq(type.speed_variation, 0.0, "speed_variation")


func test_bad_numbers_are_refused() -> void:
	var type := SwarmAgentType.new()
	for property: StringName in PROPERTIES:
		var before: float = type.get(property)
		for value: float in PROPERTIES[property]:
			expect_error(["SwarmAgentType", property], func() -> void: type.set(property, value))
			check_eq(type.get(property), before, "%s after %f" % [property, value])
	for value: int in [-1, 33]:
		expect_error(
			["SwarmAgentType", "max_neighbours", str(value)],
			func() -> void: type.set(&"max_neighbours", value)
		)
	check_eq(type.max_neighbours, 10, "max_neighbours")
	for value: int in [-1, 4]:
		expect_error(
			["SwarmAgentType", "avoidance", str(value)],
			func() -> void: type.set(&"avoidance", value)
		)
	check_eq(type.avoidance, SwarmAgentType.AVOIDANCE_CONTACT, "avoidance")


func test_those_that_look_ahead_pass_each_other_without_a_touch() -> void:
	var ids := _meet(SwarmAgentType.AVOIDANCE_ORCA)
	check(_closest(ids, 420) > 1.9 * RADIUS, "they do not overlap")
	check_near_vector(swarm.get_agent_position(ids[0]), Vector2(320.0, 160.0), 2.0, "one is there")
	check_near_vector(swarm.get_agent_position(ids[1]), Vector2(120.0, 160.0), 2.0, "both are")


func test_agents_without_avoidance_walk_through_each_other() -> void:
	var ids := _meet(SwarmAgentType.AVOIDANCE_NONE)
	check(_closest(ids, 420) < RADIUS, "they overlap")
	check_near_vector(swarm.get_agent_position(ids[0]), Vector2(320.0, 160.0), 2.0, "and arrive")


func test_own_targets_can_be_taken_back() -> void:
	var ids := _meet(SwarmAgentType.AVOIDANCE_NONE)
	steps(swarm, 60)
	check(swarm.get_agent_velocity(ids[0]).x > 30.0, "on its way")
	check_eq(swarm.clear_agent_targets(ids), OK, "clear_agent_targets")
	steps(swarm, 60)
	check(swarm.get_agent_velocity(ids[0]).length() < 1.0, "without a goal it stops")


func test_own_targets_refuse_bad_arguments() -> void:
	var ids := _meet(SwarmAgentType.AVOIDANCE_NONE)
	expect_error(
		["EnemySwarm.set_agent_targets", "targets"],
		func() -> int: return swarm.set_agent_targets(ids, PackedVector2Array([Vector2.ONE]))
	)
	expect_error(
		["EnemySwarm.clear_agent_targets", "4711"],
		func() -> int: return swarm.clear_agent_targets(PackedInt64Array([4711]))
	)


func test_paces_vary() -> void:
	manager = new_manager(Vector2i(60, 20))
	swarm = new_swarm(manager, new_goal(manager, Vector2i(59, 10)))
	var type := SwarmAgentType.new()
	type.speed_variation = 0.5
	swarm.agent_types = [type]
	var places := PackedVector2Array()
	for i in 8:
		places.append(Vector2(40.0, 30.0 + 34.0 * i))
	var ids := swarm.spawn_many(places)
	steps(swarm, 60)
	var speeds: Array[float] = []
	for id in ids:
		speeds.append(swarm.get_agent_velocity(id).length())
	check(speeds.min() > 25.0 and speeds.max() < 61.0, "between half and full: %s" % [speeds])
	check(speeds.max() - speeds.min() > 5.0, "not all alike: %s" % [speeds])


func test_a_crowd_settles_around_its_goal() -> void:
	for settles: bool in [false, true]:
		manager = new_manager(Vector2i(40, 40))
		swarm = new_swarm(manager, new_goal(manager, Vector2i(20, 20)))
		swarm.settle_in_crowds = settles
		var places := PackedVector2Array()
		for i in 60:
			places.append(Vector2(200.0 + 12.0 * (i % 10), 200.0 + 12.0 * floorf(i / 10.0)))
		swarm.spawn_many(places)
		steps(swarm, 600)
		var arrived: int = swarm.get_stats()["arrived"]
		if settles:
			check(arrived > 50, "nearly all have arrived: %d" % arrived)
		else:
			check(arrived < 50, "one cell is not enough for so many: %d" % arrived)


func test_far_agents_steer_less_often() -> void:
	manager = new_manager(Vector2i(60, 20))
	swarm = new_swarm(manager, new_goal(manager, Vector2i(59, 10)))
	swarm.far_agents_every = 4
	swarm.focus_rect = Rect2(0.0, 0.0, 960.0, 120.0)
	var near := swarm.spawn(Vector2(40.0, 60.0))
	var far := swarm.spawn(Vector2(40.0, 260.0))
	var changes := {near: 0, far: 0}
	for i in 12:
		var before := {near: swarm.get_agent_velocity(near), far: swarm.get_agent_velocity(far)}
		steps(swarm, 1)
		for id: int in changes:
			changes[id] += 1 if swarm.get_agent_velocity(id) != before[id] else 0
	check_eq(changes[near], 12, "the near one gathers speed in every step")
	check_eq(changes[far], 3, "the far one in every fourth")
	check_eq(swarm.far_agents_every, 4, "far_agents_every")
	check_eq(swarm.focus_rect, Rect2(0.0, 0.0, 960.0, 120.0), "focus_rect")
	expect_error(
		["EnemySwarm", "far_agents_every", "0"], func() -> void: swarm.set(&"far_agents_every", 0)
	)


## How far each of two overlapping agents of some types is moved in a step.
func _parted(types: Array[SwarmAgentType]) -> PackedFloat32Array:
	manager = new_manager(Vector2i(40, 40))
	swarm = new_swarm(manager)
	swarm.agent_types = types
	var ways := PackedFloat32Array()
	var places: Array[Vector2] = [Vector2(160.0, 160.0), Vector2(160.0 + RADIUS, 160.0)]
	var ids := PackedInt64Array()
	for kind in 2:
		ids.append_array(swarm.spawn_many(PackedVector2Array([places[kind]]), kind, 0))
	steps(swarm, 1)
	for kind in 2:
		ways.append(swarm.get_agent_position(ids[kind]).distance_to(places[kind]))
	return ways


func _contact(layer: int, mask: int) -> SwarmAgentType:
	var type := SwarmAgentType.new()
	type.radius = RADIUS
	type.avoidance = SwarmAgentType.AVOIDANCE_CONTACT
	type.collision_layer = layer
	type.collision_mask = mask
	return type


func test_contacts_move_those_whose_mask_has_the_others_layer() -> void:
	var ways := _parted([_contact(1, 1), _contact(1, 1)])
	check(ways[0] > 0.05 * RADIUS, "one moves: %f" % ways[0])
	check(ways[1] > 0.05 * RADIUS, "the other moves: %f" % ways[1])
	ways = _parted([_contact(2, 1), _contact(1, 4)])
	check(ways[0] > 0.05 * RADIUS, "the one that sees the other moves: %f" % ways[0])
	check_eq(ways[1], 0.0, "the other does not")
	ways = _parted([_contact(1 << 31, 0), _contact(1, 1)])
	check_eq(ways, PackedFloat32Array([0.0, 0.0]), "a ghost")


func test_collision_bits_are_checked() -> void:
	var type := SwarmAgentType.new()
	check_eq(type.collision_layer, 1, "collision_layer")
	check_eq(type.collision_mask, 1, "collision_mask")
	for property: StringName in [&"collision_layer", &"collision_mask"]:
		type.set(property, 0xFFFFFFFF)
		for value: int in [-1, 1 << 32]:
			expect_error(
				["SwarmAgentType", property, str(value)], func() -> void: type.set(property, value)
			)
			check_eq(type.get(property), 0xFFFFFFFF, "%s after %d" % [property, value])


## Swarms of an agent each, by name, added in an order: the agents walk into each other.
func _two_swarms(order: Array[StringName], mask := 1) -> Dictionary:
	manager = new_manager(Vector2i(40, 20))
	var swarms: Dictionary[StringName, EnemySwarm] = {}
	for own in order:
		swarm = EnemySwarm.new()
		swarm.name = own
		swarm.manager = manager
		swarm.auto_step = false
		scene.add_child(swarm)
		swarm.agent_types = [_contact(1, mask)]
		var left := own == &"Left"
		var places := PackedVector2Array([Vector2(260.0 if left else 340.0, 160.0)])
		var targets := PackedVector2Array([Vector2(340.0 if left else 260.0, 161.0)])
		check_eq(swarm.set_agent_targets(swarm.spawn_many(places), targets), OK, "targets")
		swarms[own] = swarm
	return swarms


## Where the agents of swarms are after each of some rounds of steps in an order.
func _rounds(swarms: Dictionary, order: Array[StringName], count: int) -> PackedVector2Array:
	var places := PackedVector2Array()
	for i in count:
		for own in order:
			swarms[own].step(1.0 / 60.0)
		places.append(swarms[&"Left"].get_positions()[0])
		places.append(swarms[&"Right"].get_positions()[0])
	return places


func _closest_of(places: PackedVector2Array) -> float:
	var closest := INF
	for i in range(0, places.size(), 2):
		closest = minf(closest, places[i].distance_to(places[i + 1]))
	return closest


func test_swarms_of_a_manager_keep_out_of_each_other() -> void:
	var order: Array[StringName] = [&"Left", &"Right"]
	var back: Array[StringName] = [&"Right", &"Left"]
	var places := _rounds(_two_swarms(order), order, 180)
	check(_closest_of(places) > 1.7 * RADIUS, "they touch at most: %f" % _closest_of(places))
	check(places[-1].x < 300.0 and places[-2].x > 300.0, "and pass: %s" % [places.slice(-2)])
	for other: StringName in order:
		scene.get_node(NodePath(other)).free()
	check_eq(_rounds(_two_swarms(back), back, 180), places, "added and stepped the other way round")
	for other: StringName in order:
		scene.get_node(NodePath(other)).free()
	var ghosts := _rounds(_two_swarms(order, 2), order, 180)
	check(_closest_of(ghosts) < 0.5 * RADIUS, "without a common layer they pass through each other")


func test_a_swarm_is_solid_while_it_rests_and_not_after_it_has_left() -> void:
	var order: Array[StringName] = [&"Left", &"Right"]
	var swarms := _two_swarms(order)
	_rounds(swarms, order, 2)
	var right: EnemySwarm = swarms[&"Right"]
	var left: EnemySwarm = swarms[&"Left"]
	var ids := left.get_ids()
	var stands := right.get_positions()[0]
	left.set_agent_targets(ids, PackedVector2Array([stands]))
	steps(left, 180)
	var way := left.get_positions()[0].distance_to(stands)
	check(way > 1.7 * RADIUS, "it keeps out of the swarm that rests: %f" % way)
	right.manager = null
	steps(left, 60)
	way = left.get_positions()[0].distance_to(stands)
	check(way < RADIUS, "it goes where the other is no more: %f" % way)
	right.manager = manager
	_rounds(swarms, order, 60)
	way = left.get_positions()[0].distance_to(right.get_positions()[0])
	check(way > 1.7 * RADIUS, "it makes room when the other is back: %f" % way)
	right.free()
	steps(left, 120)
	way = left.get_positions()[0].distance_to(stands)
	check(way < RADIUS, "a freed swarm is not solid: %f" % way)
