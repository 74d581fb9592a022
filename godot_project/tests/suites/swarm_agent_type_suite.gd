extends "res://tests/test_suite.gd"
## SwarmAgentType: the numbers of one kind of agent.

const NUMBERS: Array[StringName] = [
	&"radius", &"max_speed", &"acceleration", &"position_smoothing", &"mass"
]


func test_defaults() -> void:
	var type := SwarmAgentType.new()
	check_eq(type.radius, 4.0, "radius")
	check_eq(type.max_speed, 60.0, "max_speed")
	check_eq(type.acceleration, 240.0, "acceleration")
	check_eq(type.movement_type, 0, "movement_type")
	check_eq(type.mass, 1.0, "mass")
	check_eq(type.separation_weight, 16.0, "separation_weight")
	check_eq(type.position_smoothing, 1.0, "position_smoothing")


func test_numbers_must_be_positive_and_finite() -> void:
	var type := SwarmAgentType.new()
	for property: StringName in NUMBERS:
		var before: float = type.get(property)
		for value: float in [0.0, -1.0, NAN, INF]:
			expect_error(["SwarmAgentType", property], func() -> void: type.set(property, value))
			check_eq(type.get(property), before, "%s after %f" % [property, value])


func test_separation_weight_may_be_zero_but_not_less() -> void:
	var type := SwarmAgentType.new()
	type.separation_weight = 0.0
	check_eq(type.separation_weight, 0.0, "zero is allowed")
	for value: float in [-0.5, NAN, INF]:
		expect_error(
			["SwarmAgentType", "separation_weight"],
			func() -> void: type.set(&"separation_weight", value)
		)
	check_eq(type.separation_weight, 0.0, "unchanged")


func test_smoothing_above_one_is_refused() -> void:
	var type := SwarmAgentType.new()
	expect_error(
		["SwarmAgentType", "position_smoothing", "1.5"],
		func() -> void: type.set(&"position_smoothing", 1.5)
	)
	check_eq(type.position_smoothing, 1.0, "unchanged")


func test_a_negative_movement_type_is_refused() -> void:
	var type := SwarmAgentType.new()
	expect_error(
		["SwarmAgentType", "movement_type", "-1"], func() -> void: type.set(&"movement_type", -1)
	)
	check_eq(type.movement_type, 0, "unchanged")


func test_each_type_moves_by_its_own_numbers() -> void:
	var manager := new_manager(Vector2i(64, 8))
	var goal := new_goal(manager, Vector2i(63, 4))
	var swarm := new_swarm(manager, goal)
	var slow := SwarmAgentType.new()
	slow.max_speed = 20.0
	var fast := SwarmAgentType.new()
	fast.max_speed = 100.0
	swarm.agent_types = [slow, fast]
	var at := manager.get_cell_center(Vector2i(1, 1))
	var first := swarm.spawn(at, 0)
	var second := swarm.spawn(at + Vector2(0.0, 64.0), 1)
	steps(swarm, 120)
	check_near(swarm.get_agent_velocity(first).length(), 20.0, 0.5, "slow one")
	check_near(swarm.get_agent_velocity(second).length(), 100.0, 0.5, "fast one")


func test_the_heavier_of_two_is_moved_less() -> void:
	var swarm := new_swarm(new_manager())
	var giant := SwarmAgentType.new()
	giant.mass = 9.0
	giant.acceleration = 100000.0
	var tank := SwarmAgentType.new()
	tank.acceleration = 100000.0
	swarm.agent_types = [tank, giant]
	var at := Vector2(100.0, 100.0)
	var light := swarm.spawn(at, 0)
	var heavy := swarm.spawn(at + Vector2(7.5, 0.0), 1)
	swarm.step(1.0 / 60.0)
	var moved := absf(swarm.get_agent_velocity(heavy).x)
	check(moved > 0.0, "moved by %f" % moved)
	check(swarm.get_agent_velocity(light).x < -2.0 * moved, "the light one is moved more")
	swarm.apply_impulse(PackedInt64Array([heavy]), Vector2(0.0, 90.0))
	check_near(swarm.get_agent_velocity(heavy).y, 10.0, 0.01, "knocks are divided by mass")


func test_a_changed_type_changes_living_agents() -> void:
	var manager := new_manager(Vector2i(64, 8))
	var goal := new_goal(manager, Vector2i(63, 4))
	var swarm := new_swarm(manager, goal)
	var type := SwarmAgentType.new()
	type.max_speed = 20.0
	swarm.agent_types = [type]
	var id := swarm.spawn(manager.get_cell_center(Vector2i(1, 1)))
	steps(swarm, 60)
	type.max_speed = 80.0
	steps(swarm, 60)
	check_near(swarm.get_agent_velocity(id).length(), 80.0, 0.5, "new speed")


func test_acceleration_limits_the_change_of_velocity() -> void:
	var manager := new_manager(Vector2i(64, 8))
	var goal := new_goal(manager, Vector2i(63, 4))
	var swarm := new_swarm(manager, goal)
	var type := SwarmAgentType.new()
	type.acceleration = 60.0
	swarm.agent_types = [type]
	var id := swarm.spawn(manager.get_cell_center(Vector2i(1, 4)))
	var before := Vector2.ZERO
	for i in 40:
		swarm.step(1.0 / 60.0)
		var now := swarm.get_agent_velocity(id)
		check(now.distance_to(before) <= 1.0 + 1e-3, "change in step %d" % i)
		before = now
	check_near(before.length(), 40.0, 1.0, "speed after 40 steps of 1")


func test_smoothing_takes_a_share_of_each_step() -> void:
	var covered: Array[float] = []
	for share: float in [1.0, 0.8]:
		var manager := new_manager(Vector2i(64, 8))
		var goal := new_goal(manager, Vector2i(63, 4))
		var swarm := new_swarm(manager, goal)
		var type := SwarmAgentType.new()
		type.position_smoothing = share
		swarm.agent_types = [type]
		var start := manager.get_cell_center(Vector2i(1, 4))
		var id := swarm.spawn(start)
		steps(swarm, 60)
		covered.append(swarm.get_agent_position(id).distance_to(start))
	check_near(covered[1] / covered[0], 0.8, 0.02, "distance covered with smoothing 0.8")


func test_the_color_reaches_the_instances() -> void:
	var manager := new_manager()
	var swarm := new_swarm(manager)
	var output := MultiMeshInstance2D.new()
	scene.add_child(output)
	swarm.output = output
	var type := SwarmAgentType.new()
	type.color = Color(0.25, 0.5, 0.75, 1.0)
	swarm.agent_types = [type]
	swarm.spawn(Vector2(40.0, 40.0))
	swarm.step(0.0)
	var buffer := output.multimesh.buffer
	check(output.multimesh.use_colors, "the multimesh has colours")
	check_near(buffer[8], 0.25, 0.01, "red")
	check_near(buffer[9], 0.5, 0.01, "green")
	check_near(buffer[10], 0.75, 0.01, "blue")
