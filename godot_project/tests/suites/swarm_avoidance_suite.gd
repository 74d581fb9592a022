extends "res://tests/test_suite.gd"
## How agents keep from running into each other, targets of their own, and who steers less often.

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
	check_eq(type.avoidance, SwarmAgentType.SEPARATION, "avoidance")
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
	for value: int in [-1, 3]:
		expect_error(
			["SwarmAgentType", "avoidance", str(value)],
			func() -> void: type.set(&"avoidance", value)
		)
	check_eq(type.avoidance, SwarmAgentType.SEPARATION, "avoidance")


func test_those_that_look_ahead_pass_each_other_without_a_touch() -> void:
	var ids := _meet(SwarmAgentType.ORCA)
	check(_closest(ids, 420) > 1.9 * RADIUS, "they do not overlap")
	check_near_vector(swarm.get_agent_position(ids[0]), Vector2(320.0, 160.0), 2.0, "one is there")
	check_near_vector(swarm.get_agent_position(ids[1]), Vector2(120.0, 160.0), 2.0, "both are")


func test_those_that_avoid_nobody_walk_through_each_other() -> void:
	var ids := _meet(SwarmAgentType.NONE)
	check(_closest(ids, 420) < RADIUS, "they overlap")
	check_near_vector(swarm.get_agent_position(ids[0]), Vector2(320.0, 160.0), 2.0, "and arrive")


func test_own_targets_can_be_taken_back() -> void:
	var ids := _meet(SwarmAgentType.NONE)
	steps(swarm, 60)
	check(swarm.get_agent_velocity(ids[0]).x > 30.0, "on its way")
	check_eq(swarm.clear_agent_targets(ids), OK, "clear_agent_targets")
	steps(swarm, 60)
	check(swarm.get_agent_velocity(ids[0]).length() < 1.0, "without a goal it stops")


func test_own_targets_refuse_bad_arguments() -> void:
	var ids := _meet(SwarmAgentType.NONE)
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
