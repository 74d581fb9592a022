extends "res://tests/test_suite.gd"
## FlowMovementType: how one kind of agent prices terrain.


func test_a_new_type_is_the_identity() -> void:
	var type := FlowMovementType.new()
	check_eq(type.wall_penalty, 0, "wall penalty")
	check_eq(type.wall_penalty_radius, 1, "radius")
	check_eq(type.wall_penalty_falloff, false, "falloff")
	check_eq(type.clearance_radius, 0.0, "clearance")
	check_eq(type.cost_slows, true, "cost slows")
	check_eq(type.speed_factors.size(), 0, "speed factors")
	check_eq(type.get_cost(0), 1, "id 0 costs as much as clear ground")
	for id: int in [1, 2, 100, 254, 255]:
		check_eq(type.get_cost(id), id, "cost of %d" % id)


func test_a_table_maps_terrain_to_cost() -> void:
	var manager := new_manager(Vector2i(4, 1))
	var swimmer := FlowMovementType.new()
	swimmer.set_cost(10, 1)
	swimmer.set_cost(1, WALL)
	manager.movement_types = [FlowMovementType.new(), swimmer]
	manager.set_terrain(Vector2i(2, 0), 10)
	manager.update()
	check_eq(manager.get_costs(0), PackedByteArray([1, 1, 10, 1]), "walker")
	check_eq(manager.get_costs(1), PackedByteArray([255, 255, 1, 255]), "swimmer")
	check_eq(swimmer.get_cost(10), 1, "get_cost")
	check_eq(swimmer.cost_table.size(), 256, "table")


func test_a_table_set_later_changes_the_field() -> void:
	var manager := new_manager(Vector2i(5, 1))
	var type := FlowMovementType.new()
	manager.movement_types = [type]
	manager.set_terrain(Vector2i(2, 0), 10)
	var goal := new_goal(manager, Vector2i(4, 0))
	var place := manager.get_cell_center(Vector2i(0, 0))
	var before := manager.get_cost_to_goal(goal, place)
	type.set_cost(10, 100)
	manager.update()
	check(manager.get_cost_to_goal(goal, place) > before + 50.0, "dearer terrain costs more")
	type.set_cost(10, WALL)
	manager.update()
	check_eq(manager.get_cost_to_goal(goal, place), INF, "blocked")


func test_wall_penalty_is_added_next_to_walls() -> void:
	var manager := new_manager(Vector2i(9, 9))
	var type := FlowMovementType.new()
	type.wall_penalty = 20
	manager.movement_types = [type]
	manager.set_terrain(Vector2i(4, 4), WALL)
	manager.update()
	for y in 9:
		for x in 9:
			var away := maxi(absi(x - 4), absi(y - 4))
			var expected := 255 if away == 0 else (21 if away == 1 else 1)
			check_eq(manager.get_cost(Vector2i(x, y)), expected, "cost at (%d, %d)" % [x, y])


func test_wall_penalty_radius_and_falloff() -> void:
	var manager := new_manager(Vector2i(11, 1))
	var type := FlowMovementType.new()
	type.wall_penalty = 30
	type.wall_penalty_radius = 3
	manager.movement_types = [type]
	manager.set_terrain(Vector2i(0, 0), WALL)
	manager.update()
	check_eq(manager.get_costs().slice(0, 5), PackedByteArray([255, 31, 31, 31, 1]), "flat")
	type.wall_penalty_falloff = true
	manager.update()
	var faded := manager.get_costs()
	check_eq(faded[1], 31, "full next to the wall")
	check(faded[2] < faded[1] and faded[3] < faded[2], "fades: %s" % [faded])
	check(faded[3] > 1, "still there at the radius: %s" % [faded])
	check_eq(faded[4], 1, "nothing beyond the radius")


func test_wall_penalty_never_makes_a_wall() -> void:
	var manager := new_manager(Vector2i(3, 1))
	var type := FlowMovementType.new()
	type.wall_penalty = 253
	manager.movement_types = [type]
	manager.set_terrain_bytes(PackedByteArray([255, 200, 1]))
	manager.update()
	check_eq(manager.get_costs(), PackedByteArray([255, 254, 1]), "saturates at 254")


func test_clearance_closes_what_is_too_narrow() -> void:
	var manager := new_manager(Vector2i(9, 7))
	var type := FlowMovementType.new()
	manager.movement_types = [type]
	manager.set_terrain_rect(Rect2i(4, 0, 1, 7), WALL)
	manager.set_terrain_rect(Rect2i(4, 2, 1, 3), 1)
	var left := manager.get_cell_center(Vector2i(2, 3))
	var right := manager.get_cell_center(Vector2i(6, 3))
	# The door is 48 wide.
	for radius: float in [0.0, 8.0, 23.0, 24.0]:
		type.clearance_radius = radius
		check(manager.is_reachable(left, right), "a radius of %f fits" % radius)
	check_eq(manager.get_cost(Vector2i(4, 2)), WALL, "closed for it")
	check_eq(manager.get_terrain_at(Vector2i(4, 2)), 1, "but no wall")
	type.clearance_radius = 24.1
	check(not manager.is_reachable(left, right), "a little wider does not")
	# In world units: with larger cells there is room for more.
	manager.cell_size = 32.0
	left = manager.get_cell_center(Vector2i(2, 3))
	right = manager.get_cell_center(Vector2i(6, 3))
	check(manager.is_reachable(left, right), "twice the room")


func test_clearance_leaves_walls_where_they_are() -> void:
	var manager := new_manager(Vector2i(9, 9))
	var type := FlowMovementType.new()
	type.clearance_radius = 30.0
	manager.movement_types = [type]
	manager.set_terrain(Vector2i(4, 4), WALL)
	var beside := manager.get_cell_center(Vector2i(5, 4))
	var walls := manager.get_closest_walls(beside, 12.0)
	check_eq(walls, PackedVector2Array([Vector2(80, 72)]), "the wall itself")


func test_a_clearance_of_too_many_cells_is_reported() -> void:
	var manager := new_manager(Vector2i(50, 50))
	var type := FlowMovementType.new()
	type.clearance_radius = 300.0
	manager.movement_types = [type]
	expect_error(["clearance", "16", "18.75"], func() -> void: manager.update())
	manager.update()
	check_eq(manager.get_cost(Vector2i(15, 25)), WALL, "16 cells are kept clear")
	check_eq(manager.get_cost(Vector2i(16, 25)), 1, "as far as it goes")


func test_it_is_saved_and_loaded() -> void:
	var type := FlowMovementType.new()
	type.clearance_radius = 20.5
	type.set_cost(7, 99)
	type.wall_penalty = 12
	type.wall_penalty_radius = 2
	type.wall_penalty_falloff = true
	type.cost_slows = false
	type.set_speed_factor(9, 1.5)
	var path := "user://movement_test.tres"
	check_eq(ResourceSaver.save(type, path), OK, "save")
	var loaded := (
		ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE) as FlowMovementType
	)
	check_eq(loaded.get_cost(7), 99, "cost")
	check_eq(loaded.wall_penalty, 12, "wall penalty")
	check_eq(loaded.wall_penalty_radius, 2, "radius")
	check_eq(loaded.wall_penalty_falloff, true, "falloff")
	check_eq(loaded.clearance_radius, 20.5, "clearance")
	check_eq(loaded.cost_slows, false, "cost slows")
	check_eq(loaded.speed_factors, {9: 1.5} as Dictionary[int, float], "speed factors")
	DirAccess.remove_absolute(path)


func test_bad_tables_are_refused() -> void:
	var type := FlowMovementType.new()
	var short := PackedByteArray()
	short.resize(255)
	short.fill(1)
	expect_error(
		["FlowMovementType", "cost_table", "255"], func() -> void: type.set(&"cost_table", short)
	)
	var with_zero := PackedByteArray()
	with_zero.resize(256)
	with_zero.fill(1)
	with_zero[17] = 0
	expect_error(
		["FlowMovementType", "cost_table", "17"], func() -> void: type.set(&"cost_table", with_zero)
	)
	check_eq(type.get_cost(17), 17, "unchanged")


func test_bad_costs_and_ids_are_refused() -> void:
	var type := FlowMovementType.new()
	for cost: int in [0, -1, 256]:
		expect_error(
			["FlowMovementType.set_cost", "cost", str(cost)], func() -> void: type.set_cost(5, cost)
		)
	for id: int in [-1, 256]:
		expect_error(
			["FlowMovementType.set_cost", "id", str(id)], func() -> void: type.set_cost(id, 5)
		)
		expect_error(
			["FlowMovementType.get_cost", "id", str(id)], func() -> int: return type.get_cost(id)
		)
	check_eq(type.get_cost(5), 5, "unchanged")


func test_bad_penalties_are_refused() -> void:
	var type := FlowMovementType.new()
	for penalty: int in [-1, 254, 1000]:
		expect_error(
			["FlowMovementType", "wall_penalty", str(penalty)],
			func() -> void: type.set(&"wall_penalty", penalty)
		)
	check_eq(type.wall_penalty, 0, "penalty unchanged")
	expect_error(
		["FlowMovementType", "wall_penalty_radius", "-1"],
		func() -> void: type.set(&"wall_penalty_radius", -1)
	)
	check_eq(type.wall_penalty_radius, 1, "radius unchanged")


func test_bad_clearances_are_refused() -> void:
	var type := FlowMovementType.new()
	for radius: float in [-1.0, NAN, INF]:
		expect_error(
			["FlowMovementType", "clearance_radius"],
			func() -> void: type.set(&"clearance_radius", radius)
		)
	check_eq(type.clearance_radius, 0.0, "unchanged")


func test_speed_follows_cost_unless_told_otherwise() -> void:
	var type := FlowMovementType.new()
	for pair: Array in [[0, 1.0], [1, 1.0], [5, 0.2], [10, 0.1], [200, 0.1], [WALL, 1.0]]:
		check(is_equal_approx(type.get_speed_factor(pair[0]), pair[1]), "terrain %d" % [pair[0]])
	check_eq(type.set_speed_factor(5, 2.0), OK, "set")
	check_eq(type.get_speed_factor(5), 2.0, "its own")
	check_eq(type.get_cost(5), 5, "costs what it did")
	type.cost_slows = false
	check_eq(type.get_speed_factor(200), 1.0, "no cost slows")
	check_eq(type.get_speed_factor(5), 2.0, "but factors hold")
	type.speed_factors = {7: 0.5, 8: 2}
	check_eq(type.get_speed_factor(5), 1.0, "replaced")
	check_eq(type.get_speed_factor(7), 0.5, "by a literal")
	check_eq(type.get_speed_factor(8), 2.0, "with whole numbers")


func test_terrain_slows_agents() -> void:
	var manager := new_manager(Vector2i(40, 5))
	var type := FlowMovementType.new()
	manager.movement_types = [type]
	manager.set_terrain_rect(Rect2i(0, 0, 40, 5), 5)
	var swarm := new_swarm(manager)
	var walker := SwarmAgentType.new()
	walker.max_speed = 60.0
	swarm.agent_types = [walker]
	swarm.set_group_goal(0, new_goal(manager, Vector2i(38, 2)))
	var id := swarm.spawn(manager.get_cell_center(Vector2i(2, 2)))
	for i in 60:
		swarm.step(1.0 / 60.0)
	check(absf(swarm.get_agent_velocity(id).length() - 12.0) < 0.1, "a fifth")
	type.set_speed_factor(5, 1.5)
	manager.update()
	for i in 60:
		swarm.step(1.0 / 60.0)
	check(absf(swarm.get_agent_velocity(id).length() - 90.0) < 0.1, "a road")


func test_bad_speed_factors_are_refused() -> void:
	var type := FlowMovementType.new()
	type.set_speed_factor(3, 0.5)
	for factor: float in [0.0, 0.09, 4.1, -1.0, NAN, INF]:
		expect_error(
			["FlowMovementType.set_speed_factor", "speed factor"],
			func() -> void: type.set_speed_factor(3, factor)
		)
		expect_error(
			["FlowMovementType.speed_factors", "speed factor"],
			func() -> void: type.speed_factors = {3: factor} as Dictionary[int, float]
		)
	for id: int in [-1, 256]:
		expect_error(
			["FlowMovementType.set_speed_factor", "id", str(id)],
			func() -> void: type.set_speed_factor(id, 1.0)
		)
		expect_error(
			["FlowMovementType.get_speed_factor", "id", str(id)],
			func() -> void: type.get_speed_factor(id)
		)
		expect_error(
			["FlowMovementType.speed_factors", "id", str(id)],
			func() -> void: type.speed_factors = {id: 1.0} as Dictionary[int, float]
		)
	var untyped: Variant = {"mud": 1.0}
	expect_error(
		["FlowMovementType.speed_factors", "mud"], func() -> void: type.speed_factors = untyped
	)
	check_eq(type.speed_factors, {3: 0.5} as Dictionary[int, float], "unchanged")
