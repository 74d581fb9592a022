extends "spawner_base.gd"
## SwarmSpawner2D, SwarmSpawner3D and SwarmWave: types, what is refused, warnings.


func test_types_and_groups() -> void:
	_set_up()
	var orc := SwarmAgentType.new()
	var troll := SwarmAgentType.new()
	swarm.agent_types = [SwarmAgentType.new(), orc]
	var spawner := _new_spawner()
	spawner.group = 3
	spawner.agent_type = 1
	spawner.waves = [_wave(1, 0.0, 0.0), _wave(1, 0.0, 0.0), _wave(1, 0.0, 0.0)]
	spawner.waves[1].agent_type = 0
	spawner.waves[2].type = troll
	await _run(spawner, 2)
	check_eq(swarm.get_types(), PackedByteArray([1, 0, 2]), "types")
	check_eq(swarm.get_agent_groups(), PackedByteArray([3, 3, 3]), "groups")
	check_eq(swarm.agent_types.size(), 3, "the resource is added")
	check_eq(swarm.agent_types[2], troll, "at the end")
	spawner.type = orc
	spawner.start()
	await _run(spawner, 2)
	check_eq(swarm.get_types().slice(3), PackedByteArray([1, 0, 2]), "found by the resource")
	check_eq(swarm.agent_types.size(), 3, "no type is added twice")


func test_a_type_for_a_swarm_without_types() -> void:
	_set_up()
	var spawner := _new_spawner()
	spawner.type = SwarmAgentType.new()
	spawner.limit = 1
	await _run(spawner, 2)
	check_eq(swarm.get_types(), PackedByteArray([1]), "index 0 stays the default type")
	check_eq(swarm.agent_types.size(), 2, "types")


func test_bad_values_are_refused() -> void:
	var wave := SwarmWave.new()
	expect_error(["SwarmWave.count", "0"], func() -> void: wave.count = 0)
	expect_error(["SwarmWave.delay", "nan"], func() -> void: wave.delay = NAN)
	expect_error(["SwarmWave.interval", "-1"], func() -> void: wave.interval = -1.0)
	expect_error(["SwarmWave.agent_type", "256"], func() -> void: wave.agent_type = 256)
	check_eq([wave.count, wave.delay, wave.interval, wave.agent_type], [10, 0.0, 0.5, -1], "kept")
	for spawner: Node in [SwarmSpawner2D.new(), SwarmSpawner3D.new()]:
		scene.add_child(spawner)
		spawner.call(&"stop")
		var title := "SwarmSpawner2D" if spawner is SwarmSpawner2D else "SwarmSpawner3D"
		var bad := {
			"agent_type": -1,
			"group": 256,
			"rate": NAN,
			"limit": -1,
			"alive_limit": 2000000,
			"radius": -1.0,
			"size": Vector2(INF, 1),
		}
		for property: String in bad:
			var before: Variant = spawner.get(property)
			var put := func() -> void: spawner.set(property, bad[property])
			expect_error(["%s.%s" % [title, property]], put)
			check_eq(spawner.get(property), before, property)


func _check_warning(spawner: SwarmSpawner2D, words: Array[String]) -> void:
	var warnings := spawner.get_setup_warnings()
	check_eq(warnings.size(), 1, "warnings %s" % warnings)
	for word in words:
		check(warnings.size() == 1 and warnings[0].contains(word), "%s in %s" % [word, warnings])


func test_what_is_missing_is_warned_about() -> void:
	var spawner := _new_spawner()
	spawner.autostart = false
	scene.add_child(spawner)
	_check_warning(spawner, ["no EnemySwarm"])
	swarm = new_swarm(null)
	_check_warning(spawner, ["has no manager"])
	swarm.manager = new_manager(Vector2i(20, 20), 10.0)
	manager = swarm.manager
	check_eq(spawner.get_setup_warnings().size(), 0, "with a manager")
	spawner.agent_type = 1
	_check_warning(spawner, ["agent_type 1", "has 1"])
	spawner.agent_type = 0
	spawner.rate = 0.0
	_check_warning(spawner, ["rate is 0"])
	spawner.waves = [_wave(1, 0.0, 0.0), null]
	_check_warning(spawner, ["waves[1] is empty"])
	spawner.waves = [_wave(1, 0.0, 0.0)]
	spawner.waves[0].agent_type = 4
	_check_warning(spawner, ["waves[0]", "agent_type 4"])
	spawner.waves[0].type = SwarmAgentType.new()
	spawner.waves[0].type.movement_type = 2
	_check_warning(spawner, ["waves[0]", "movement_type 2"])
	spawner.waves[0].type = null
	spawner.waves[0].agent_type = -1
	spawner.layer = 2
	_check_warning(spawner, ["layer 2"])
	spawner.layer = 0
	spawner.shape = SwarmSpawner2D.Shape.PATH
	_check_warning(spawner, ["no path"])
	spawner.shape = SwarmSpawner2D.Shape.CIRCLE
	spawner.position = Vector2(-200, 0)
	_check_warning(spawner, ["No place is free"])
	spawner.shape = SwarmSpawner2D.Shape.POINT
	_check_warning(spawner, ["(-200.0, 0.0)", "outside of the grid"])
	spawner.position = Vector2(5, 5)
	check_eq(spawner.get_setup_warnings().size(), 0, "in the grid")


func test_what_is_missing_is_reported_once_when_it_runs() -> void:
	var spawner := _new_spawner()
	var wait := func() -> void: await physics_frames(5)
	scene.add_child(spawner)
	var texts := await allow_errors(["SwarmSpawner2D: There is no EnemySwarm"], wait)
	check_eq(texts.size(), 1, "one error")
	_set_up()
	await physics_frames(3)
	check(swarm.get_agent_count() > 0, "it begins once there is a swarm")


func test_the_inspector_shows_what_has_an_effect() -> void:
	var spawner := _new_spawner()
	spawner.waves = [SwarmWave.new()]
	spawner.shape = SwarmSpawner2D.Shape.RECTANGLE
	var shown: Array[String] = []
	for property in spawner.get_property_list():
		if property["usage"] & PROPERTY_USAGE_EDITOR:
			shown.append(property["name"])
	for name: String in ["waves", "loop", "size", "agent_type", "limit"]:
		check(name in shown, "%s is shown" % name)
	for name: String in ["rate", "radius"]:
		check(name not in shown, "%s is hidden" % name)
	spawner.free()
