extends "spawner_base.gd"
## SwarmSpawner2D and SwarmSpawner3D: where agents are spawned.


func _area_run(seed_of_places: int) -> PackedVector2Array:
	_set_up()
	var spawner := _new_spawner()
	spawner.shape = SwarmSpawner2D.Shape.CIRCLE
	spawner.radius = 40.0
	spawner.random_seed = seed_of_places
	spawner.waves = [_wave(60, 0.0, 0.01)]
	await _run(spawner, TICKS)
	var places := swarm.get_positions()
	for node: Node in [spawner, swarm, manager]:
		node.free()
	return places


func test_the_same_seed_gives_the_same_places() -> void:
	var first := await _area_run(4)
	check_eq(first.size(), 60, "agents")
	check_eq(await _area_run(4), first, "the same seed")
	check(await _area_run(5) != first, "another seed")
	var farthest := 0.0
	var beyond_half := 0
	for place in first:
		farthest = maxf(farthest, place.distance_to(Vector2(105, 105)))
		beyond_half += int(place.distance_to(Vector2(105, 105)) > 28.284)
	check(farthest <= 40.0, "within the radius: %f" % farthest)
	check(beyond_half > 18 and beyond_half < 42, "even: %d of 60 in half of it" % beyond_half)


func test_no_agent_starts_in_a_wall() -> void:
	_set_up()
	manager.set_terrain_rect(Rect2i(0, 0, 20, 20), WALL)
	manager.set_terrain_rect(Rect2i(8, 8, 2, 2), 1)
	var spawner := _new_spawner()
	spawner.position = Vector2(0, 100)
	spawner.shape = SwarmSpawner2D.Shape.RECTANGLE
	spawner.size = Vector2(260, 100)
	spawner.waves = [_wave(50, 0.0, 0.0)]
	await _run(spawner, 20)
	check_eq(swarm.get_agent_count(), 50, "agents")
	for place in swarm.get_positions():
		check(Rect2(80, 80, 20, 20).has_point(place), "%s is free" % place)


func test_clearance_counts_for_places() -> void:
	_set_up()
	manager.set_terrain_rect(Rect2i(0, 0, 20, 9), WALL)
	var wide := FlowMovementType.new()
	wide.clearance_radius = 25.0
	manager.movement_types = [FlowMovementType.new(), wide]
	var small := SwarmAgentType.new()
	var large := SwarmAgentType.new()
	large.movement_type = 1
	swarm.agent_types = [small, large]
	var spawner := _new_spawner()
	spawner.shape = SwarmSpawner2D.Shape.RECTANGLE
	spawner.size = Vector2(40, 40)
	spawner.agent_type = 1
	spawner.waves = [_wave(30, 0.0, 0.0)]
	await _run(spawner, 30)
	check_eq(swarm.get_agent_count(), 30, "agents")
	for place in swarm.get_positions():
		check(place.y >= 110.0, "%s has room" % place)


func test_a_blocked_point_waits_and_is_reported_once() -> void:
	_set_up()
	manager.set_terrain(Vector2i(10, 10), WALL)
	var spawner := _new_spawner()
	spawner.rate = 60.0
	var wait := func() -> void: await _run(spawner, 70)
	var texts := await allow_errors(["SwarmSpawner2D: No place is free"], wait)
	check_eq(texts.size(), 1, "one error")
	check_eq(swarm.get_agent_count(), 0, "none")
	manager.set_terrain(Vector2i(10, 10), 1)
	await _run(spawner, 5)
	check_eq(swarm.get_agent_count(), 5, "no burst later")


func test_markers_take_turns() -> void:
	_set_up()
	var spawner := _new_spawner()
	spawner.rate = 60.0
	for x: float in [-20.0, 0.0, 20.0]:
		var marker := Marker2D.new()
		marker.position = Vector2(x, 10.0)
		spawner.add_child(marker)
	var goal := FlowGoal2D.new()
	spawner.add_child(goal)
	goal.enabled = false
	manager.set_terrain(manager.get_cell(Vector2(125, 115)), WALL)
	await _run(spawner, 4)
	var wanted := PackedVector2Array(
		[Vector2(85, 115), Vector2(105, 115), Vector2(85, 115), Vector2(105, 115)]
	)
	check_eq(swarm.get_positions(), wanted, "the third is blocked, and the goal is none")


func test_paths_lead_where_agents_start() -> void:
	_set_up()
	var spawner := _new_spawner()
	spawner.position = Vector2(20, 30)
	spawner.shape = SwarmSpawner2D.Shape.PATH
	var path := Path2D.new()
	path.curve = Curve2D.new()
	path.curve.add_point(Vector2.ZERO)
	path.curve.add_point(Vector2(100, 0))
	spawner.add_child(path)
	spawner.waves = [_wave(40, 0.0, 0.0)]
	await _run(spawner, 2)
	check_eq(swarm.get_agent_count(), 40, "agents")
	var left := 0
	for place in swarm.get_positions():
		check_near(place.y, 30.0, 0.01, "on the path")
		check(place.x >= 20.0 and place.x <= 120.0, "between its ends: %s" % place)
		left += int(place.x < 70.0)
	check(left > 8 and left < 32, "along all of it: %d of 40" % left)


func test_in_3d_the_floor_below_counts() -> void:
	_set_up()
	manager.layer_count = 2
	for layer in 2:
		var heights := PackedFloat32Array()
		heights.resize(21 * 21)
		heights.fill(6.0 * layer)
		manager.set_heights(heights, layer)
	var spawner := SwarmSpawner3D.new()
	spawner.position = Vector3(50, 6.5, 60)
	spawner.rate = 60.0
	spawner.limit = 4
	for place: Vector3 in [Vector3(0, 0, 0), Vector3(10, -6, 0)]:
		var marker := Marker3D.new()
		marker.position = place
		spawner.add_child(marker)
	await _run(spawner, 6)
	check_eq(swarm.get_layers(), PackedByteArray([1, 0, 1, 0]), "layers")
	check_eq(swarm.get_positions()[1], Vector2(60, 60), "x and z")
	spawner.shape = SwarmSpawner3D.Shape.PATH
	var path := Path3D.new()
	path.curve = Curve3D.new()
	path.curve.add_point(Vector3(0, -6, 0))
	path.curve.add_point(Vector3(0, 1, 0))
	path.curve.add_point(Vector3(0, 1, 40))
	spawner.add_child(path)
	swarm.clear()
	spawner.waves = [SwarmWave.new()]
	spawner.waves[0].count = 60
	spawner.waves[0].interval = 0.0
	spawner.limit = 0
	spawner.start()
	await _run(spawner, 3)
	var above := swarm.get_layers().count(1)
	check_eq(swarm.get_agent_count(), 60, "agents on the path")
	check(above > 45 and above < 60, "most on the upper floor: %d" % above)
