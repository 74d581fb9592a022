extends "res://tests/test_suite.gd"
## FlowTerrainSet and FlowTerrainKind: names, colours, costs and speeds of terrain ids.


func _kind(id: int, cost: int, speed := 0.0) -> FlowTerrainKind:
	var kind := FlowTerrainKind.new()
	kind.id = id
	kind.cost = cost
	kind.speed = speed
	return kind


func _set_of(kinds: Array[FlowTerrainKind]) -> FlowTerrainSet:
	var set_of_kinds := FlowTerrainSet.new()
	set_of_kinds.kinds = kinds
	return set_of_kinds


func _type(name: String) -> FlowMovementType:
	var type := FlowMovementType.new()
	type.resource_name = name
	return type


func test_the_basic_set_has_five_kinds() -> void:
	var basic := FlowTerrainSet.create_basic()
	var names: PackedStringArray = []
	var ids: PackedInt32Array = []
	for kind: FlowTerrainKind in basic.kinds:
		names.append(kind.resource_name)
		ids.append(kind.id)
	check_eq(names, PackedStringArray(["Ground", "Road", "Swamp", "Water", "Wall"]), "names")
	check_eq(ids, PackedInt32Array([1, 2, 3, 4, 255]), "ids")
	check(basic.get_setup_warnings().is_empty(), "nothing is wrong")
	check(FlowTerrainSet.create_basic().kinds[0] != basic.kinds[0], "each set has its own kinds")


func test_costs_of_the_set_hold_for_the_manager() -> void:
	var manager := new_manager(Vector2i(4, 1))
	manager.set_terrain_bytes(PackedByteArray([1, 3, 4, 9]))
	check_eq(manager.get_costs(), PackedByteArray([1, 3, 4, 9]), "without a set the ids")
	manager.terrain_set = FlowTerrainSet.create_basic()
	check_eq(manager.get_costs(), PackedByteArray([2, 8, 255, 9]), "with it, but for other ids")
	manager.terrain_set.get_kind(3).cost = 20
	check_eq(manager.get_costs(), PackedByteArray([2, 20, 255, 9]), "a changed kind")
	manager.terrain_set.kinds = [_kind(9, 7)]
	check_eq(manager.get_costs(), PackedByteArray([1, 3, 4, 7]), "other kinds")
	manager.terrain_set = null
	check_eq(manager.get_costs(), PackedByteArray([1, 3, 4, 9]), "and without again")


func test_movement_types_have_costs_of_their_own_by_name() -> void:
	var manager := new_manager(Vector2i(3, 1))
	manager.set_terrain_bytes(PackedByteArray([1, 4, 9]))
	var boat := _type("boat")
	boat.set_cost(9, 33)
	manager.movement_types = [_type("foot"), boat]
	var water := _kind(4, 255)
	water.costs = {"boat": 1}
	var ground := _kind(1, 1)
	ground.costs = {&"boat": 255}
	manager.terrain_set = _set_of([ground, water])
	check_eq(manager.get_costs(0), PackedByteArray([1, 255, 9]), "on foot")
	check_eq(manager.get_costs(1), PackedByteArray([255, 1, 33]), "by boat, with a cost of its own")
	check_eq(boat.get_cost(4), 4, "the type itself is not changed")


func test_speeds_of_the_set_move_agents() -> void:
	var manager := new_manager(Vector2i(40, 3))
	manager.movement_types = [_type("foot"), _type("tank")]
	manager.set_terrain_rect(Rect2i(0, 0, 40, 3), 7)
	var road := _kind(7, 3, 2.0)
	road.speeds = {"tank": 0.5}
	manager.terrain_set = _set_of([road])
	var goal := new_goal(manager, Vector2i(39, 1))
	var swarm := new_swarm(manager, goal)
	var types: Array[SwarmAgentType] = [SwarmAgentType.new(), SwarmAgentType.new()]
	types[1].movement_type = 1
	swarm.agent_types = types
	var walker := swarm.spawn(manager.get_cell_center(Vector2i(1, 0)), 0)
	var tank := swarm.spawn(manager.get_cell_center(Vector2i(1, 2)), 1)
	steps(swarm, 60)
	var begin := swarm.get_agent_position(walker).x
	var slow := swarm.get_agent_position(tank).x
	steps(swarm, 30)
	var walked := swarm.get_agent_position(walker).x - begin
	var rolled := swarm.get_agent_position(tank).x - slow
	check_near(walked / rolled, 4.0, 0.2, "2 against 0.5")


func test_ids_twice_and_unknown_names_are_warned_of() -> void:
	var manager := new_manager()
	var twice := _set_of([_kind(4, 9), null, _kind(4, 77)])
	twice.kinds[0].speeds = {"bout": 2.0}
	manager.movement_types = [_type("boat")]
	manager.terrain_set = twice
	var warnings := twice.get_setup_warnings()
	check_eq(warnings.size(), 2, "two mistakes: %s" % warnings)
	check(warnings[0].contains("kinds[1]"), "the empty entry")
	check(warnings[1].contains("kinds[2]") and warnings[1].contains("id 4"), "the id")
	var of_manager := "\n".join(manager.get_setup_warnings())
	for word: String in ["kinds[1]", "kinds[2]", '"bout"']:
		check(of_manager.contains(word), word)
	manager.set_terrain(Vector2i(0, 0), 4)
	check_eq(manager.get_cost(Vector2i(0, 0)), 9, "the first one counts")
	check_eq(twice.get_kind(4), twice.kinds[0], "for get_kind too")
	check(twice.get_kind(5) == null, "no kind")


func test_bad_values_are_refused() -> void:
	var kind := _kind(3, 4, 0.5)
	for id: int in [-1, 256]:
		expect_error(["FlowTerrainKind.id", str(id)], func() -> void: kind.id = id)
	for cost: int in [0, 256]:
		expect_error(["FlowTerrainKind.cost", str(cost)], func() -> void: kind.cost = cost)
		expect_error(
			["FlowTerrainKind.costs", "boat", str(cost)],
			func() -> void: kind.costs = {"boat": cost}
		)
	for speed: float in [-1.0, 0.05, 5.0, NAN]:
		expect_error(["FlowTerrainKind.speed"], func() -> void: kind.speed = speed)
		expect_error(
			["FlowTerrainKind.speeds", "boat"], func() -> void: kind.speeds = {"boat": speed}
		)
	var untyped: Variant = kind
	expect_error(["FlowTerrainKind.costs", "names"], func() -> void: untyped.costs = {4: 4})
	check_eq([kind.id, kind.cost, kind.speed], [3, 4, 0.5], "unchanged")
	check(kind.costs.is_empty() and kind.speeds.is_empty(), "unchanged tables")


func test_it_is_saved_and_loaded() -> void:
	var basic := FlowTerrainSet.create_basic()
	basic.kinds[3].costs = {"boat": 1}
	var path := "user://terrain_set_test.tres"
	check_eq(ResourceSaver.save(basic, path), OK, "save")
	var loaded := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE) as FlowTerrainSet
	check_eq(loaded.get_kind(4).costs, {&"boat": 1} as Dictionary[StringName, int], "costs")
	check_eq(loaded.get_kind(2).speed, 1.25, "speed")
	check_eq(loaded.get_kind(255).resource_name, "Wall", "name")
	check_eq(loaded.get_kind(3).color, basic.get_kind(3).color, "colour")
	DirAccess.remove_absolute(path)
