extends "res://tests/test_suite.gd"
## FlowFieldManager: cost overlays, which raise costs without touching terrain.

## A wall with a near door and a far one.
const MAP: PackedStringArray = [
	".........#.........",
	"...................",
	"...................",
	".........#.........",
	".........#.........",
	".........#.........",
	".........#.........",
	".........#.........",
	"...................",
	"...................",
	".........#.........",
]

var map: FlowFieldManager
var goal: int


func _make_map() -> void:
	map = new_manager(Vector2i(19, 11))
	draw_map(map, MAP)
	goal = new_goal(map, Vector2i(17, 1))


func _at(x: int, y: int) -> Vector2:
	return map.get_cell_center(Vector2i(x, y))


## Whether the path from the left side leads through the far door.
func _goes_round() -> bool:
	for point: Vector2 in map.get_path_from(goal, _at(1, 1)):
		if point.y > _at(0, 7).y:
			return true
	return false


func test_agents_take_the_longer_safe_way() -> void:
	for has_fire: bool in [false, true]:
		_make_map()
		if has_fire:
			check(map.add_cost_circle(_at(9, 1), 40.0, 60) > 0, "an id")
		var swarm := new_swarm(map, goal)
		var kind := SwarmAgentType.new()
		kind.radius = 4.0
		kind.max_speed = 120.0
		swarm.agent_types = [kind] as Array[SwarmAgentType]
		swarm.spawn_many(PackedVector2Array([_at(1, 1), _at(2, 3)]), 0, 0)
		var lowest := 0.0
		for i in 400:
			map.update()
			swarm.step(1.0 / 60.0)
			for position: Vector2 in swarm.get_positions():
				lowest = maxf(lowest, position.y)
		check_eq(lowest > _at(0, 7).y, has_fire, "by the far door")
		for position: Vector2 in swarm.get_positions():
			check(position.distance_to(_at(17, 1)) < 40.0, "it is there: %s" % position)
		map.free()


func test_fading_lets_them_through_again() -> void:
	_make_map()
	check(not _goes_round(), "the near door")
	var fire := map.add_cost_circle(_at(9, 1), 40.0, 60, 2.0)
	check(_goes_round(), "around the fire")
	check_eq(map.get_cost(Vector2i(9, 1)), 61, "at first")
	check_eq(map.fade_cost_overlays(0.5), OK, "fade")
	check_eq(map.get_cost(Vector2i(9, 1)), 46, "three quarters")
	check(map.has_cost_overlay(fire), "it is there")
	map.fade_cost_overlays(1.5)
	check_eq(map.get_cost(Vector2i(9, 1)), 1, "as before")
	check(not map.has_cost_overlay(fire), "it has gone")
	check(not _goes_round(), "the near door again")


func test_the_manager_lets_time_pass() -> void:
	_make_map()
	var changes := [0]
	map.costs_changed.connect(func() -> void: changes[0] += 1)
	var fire := map.add_cost_circle(_at(9, 1), 40.0, 60, 1.0)
	await physics_frames(Engine.physics_ticks_per_second / 2 + 3)
	check(map.has_cost_overlay(fire), "not yet")
	check_eq(map.get_cost(Vector2i(9, 1)), 31, "half of it")
	await physics_frames(Engine.physics_ticks_per_second / 2 + 3)
	check(not map.has_cost_overlay(fire), "faded")
	check_eq(changes[0], 5, "added, and four steps")
	# A manager that is not processed lets no time pass.
	map.add_cost_circle(_at(9, 1), 40.0, 60, 1.0)
	map.process_mode = Node.PROCESS_MODE_DISABLED
	await physics_frames(Engine.physics_ticks_per_second / 2)
	check_eq(map.get_cost(Vector2i(9, 1)), 61, "paused")


func test_shapes() -> void:
	var manager := new_manager(Vector2i(6, 5), 10.0)
	var terrain := manager.get_terrain_bytes()
	var changes := [0]
	manager.terrain_changed.connect(func(_cells: Rect2i) -> void: changes[0] += 1)
	manager.update()
	changes[0] = 0
	var dot := manager.add_cost_circle(Vector2(5, 5), 0.0, 3)
	var bar := manager.add_cost_rect(Rect2(-20, 20, 50, 10), 7)
	var image := Image.create_empty(2, 2, false, Image.FORMAT_RGBA8)
	image.set_pixel(0, 0, Color.WHITE)
	image.set_pixel(1, 0, Color.BLACK)
	image.set_pixel(0, 1, Color(1, 1, 1, 0.5))
	image.set_pixel(1, 1, Color(1, 1, 1, 0))
	var brush := manager.add_cost_image(image, Vector2(55, 35), 100)
	var rows: Array[Array] = [
		[4, 1, 1, 1, 1, 1],
		[1, 1, 1, 1, 1, 1],
		[8, 8, 8, 1, 1, 1],
		[1, 1, 1, 1, 1, 101],
		[1, 1, 1, 1, 1, 51],
	]
	for y in rows.size():
		for x in rows[y].size():
			check_eq(manager.get_cost(Vector2i(x, y)), rows[y][x], "cost of (%d, %d)" % [x, y])
	check_eq(manager.get_cost_overlays(), PackedInt64Array([dot, bar, brush]), "ids")
	check_eq(manager.move_cost_overlay(brush, Vector2(0, 0)), OK, "move")
	check_eq(manager.get_cost(Vector2i(0, 0)), 104, "they add up")
	check_eq(manager.get_cost(Vector2i(5, 3)), 1, "it has left")
	check_eq(manager.remove_cost_overlay(dot), OK, "remove")
	check_eq(manager.get_cost(Vector2i(0, 0)), 101, "one is left")
	manager.clear_cost_overlays()
	check_eq(manager.get_costs(), terrain, "as before")
	manager.update()
	check_eq(changes[0], 0, "terrain has not changed")


func test_an_image_of_one_channel_has_exact_costs() -> void:
	var manager := new_manager(Vector2i(3, 1), 10.0)
	var bytes := PackedByteArray([0, 128, 255])
	var image := Image.create_from_data(3, 1, false, Image.FORMAT_L8, bytes)
	manager.add_cost_image(image, Vector2(0, 0), 253)
	check_eq(manager.get_costs(), PackedByteArray([1, 128, 254]), "costs")


func test_movement_types_that_do_not_mind() -> void:
	_make_map()
	map.movement_types = [FlowMovementType.new(), FlowMovementType.new()]
	map.add_cost_rect(map.get_bounds(), 9, 0.0, 2)
	check_eq(map.get_cost(Vector2i(1, 1), 0), 1, "type 0")
	check_eq(map.get_cost(Vector2i(1, 1), 1), 10, "type 1")
	check_eq(map.get_cost(Vector2i(9, 0), 1), WALL, "a wall stays a wall")


func test_layers() -> void:
	var manager := new_manager(Vector2i(6, 5), 10.0)
	manager.layer_count = 2
	var center := Vector2(25, 25)
	var id := manager.add_cost_circle(manager.on_layer(center, 1), 100.0, 6)
	check_eq(manager.get_costs(0, 0).count(1), 30, "the lowest layer")
	check_eq(manager.get_costs(0, 1).count(7), 30, "layer 1")
	manager.move_cost_overlay(id, center)
	check_eq(manager.get_costs(0, 0).count(7), 30, "it moves down")
	check_eq(manager.get_costs(0, 1).count(1), 30, "layer 1 is free")


func test_overlays_outside_a_new_grid_are_reported() -> void:
	var manager := new_manager(Vector2i(8, 8), 10.0)
	var kept := manager.add_cost_circle(Vector2(15, 15), 10.0, 5)
	var lost := manager.add_cost_circle(Vector2(75, 15), 10.0, 5)
	manager.grid_size = Vector2i(5, 8)
	var words: Array[String] = ["cost overlays", "[%d]" % lost, "grid"]
	expect_error(words, func() -> void: manager.update())
	check_eq(manager.get_cost_overlays(), PackedInt64Array([kept]), "ids")
	check_eq(manager.get_cost(Vector2i(1, 1)), 6, "the one that stays")


func test_the_debug_view_shows_them() -> void:
	_make_map()
	var view := FlowDebugView.new()
	view.manager = map
	scene.add_child(view)
	await scene.get_tree().process_frame
	map.add_cost_rect(Rect2(_at(2, 5), Vector2.ONE), 99)
	map.update()
	await scene.get_tree().process_frame
	var texture: Texture2D = (view.material as ShaderMaterial).get_shader_parameter(&"cost_map")
	check_eq(texture.get_image().get_pixel(2, 5).r8, 100, "in the texture")


func test_bad_arguments_are_refused() -> void:
	var manager := new_manager(Vector2i(5, 5), 10.0)
	var id := manager.add_cost_circle(Vector2(25, 25), 10.0, 5)
	var costs := manager.get_costs()
	var at := Vector2(25, 25)
	var bits := Image.create_empty(2, 2, false, Image.FORMAT_L8)
	var circles: Dictionary[String, Callable] = {
		"radius must be at least 0, not -1":
		func() -> int: return manager.add_cost_circle(at, -1.0, 5),
		"not NaN": func() -> int: return manager.add_cost_circle(at, NAN, 5),
		"not inf": func() -> int: return manager.add_cost_circle(at, INF, 5),
		"position": func() -> int: return manager.add_cost_circle(Vector2(NAN, 1), 5.0, 5),
		"(-90, 2)": func() -> int: return manager.add_cost_circle(Vector2(-90, 2), 5.0, 5),
		"cost must be from 1 to 253, not 0":
		func() -> int: return manager.add_cost_circle(at, 5.0, 0),
		"not 254": func() -> int: return manager.add_cost_circle(at, 5.0, 254),
		"fading": func() -> int: return manager.add_cost_circle(at, 5.0, 5, -0.5),
		"unless -1, must be 1, not 2":
		func() -> int: return manager.add_cost_circle(at, 5.0, 5, 0.0, 2),
		"movement_types": func() -> int: return manager.add_cost_circle(at, 5.0, 5, 0.0, 0),
	}
	for word: String in circles:
		var words: Array[String] = ["FlowFieldManager.add_cost_circle", word]
		check_eq(expect_error(words, circles[word]), 0, "no id")
	var rects: Dictionary[String, Callable] = {
		"size of rect": func() -> int: return manager.add_cost_rect(Rect2(at, Vector2(-1, 1)), 5),
		"NaN": func() -> int: return manager.add_cost_rect(Rect2(at, Vector2(NAN, 1)), 5),
		"(90, 90)": func() -> int: return manager.add_cost_rect(Rect2(90, 90, 5, 5), 5),
	}
	for word: String in rects:
		var words: Array[String] = ["FlowFieldManager.add_cost_rect", word]
		check_eq(expect_error(words, rects[word]), 0, "no id")
	var images: Dictionary[String, Callable] = {
		"image must not be null or empty":
		func() -> int: return manager.add_cost_image(null, at, 5),
		"empty": func() -> int: return manager.add_cost_image(Image.new(), at, 5),
		"cost": func() -> int: return manager.add_cost_image(bits, at, 255),
		"(50, 0)": func() -> int: return manager.add_cost_image(bits, Vector2(50, 0), 5),
	}
	for word: String in images:
		var words: Array[String] = ["FlowFieldManager.add_cost_image", word]
		check_eq(expect_error(words, images[word]), 0, "no id")
	var calls: Dictionary[String, Callable] = {
		"move_cost_overlay": func() -> Variant: return manager.move_cost_overlay(id + 1, at),
		"remove_cost_overlay": func() -> Variant: return manager.remove_cost_overlay(id + 1),
	}
	for method: String in calls:
		var words: Array[String] = [
			"FlowFieldManager.%s" % method, "cost overlay %d does not exist" % (id + 1)
		]
		check_eq(expect_error(words, calls[method]), ERR_DOES_NOT_EXIST, method)
	expect_error(
		["FlowFieldManager.move_cost_overlay", "(-90, 0)"],
		func() -> Variant: return manager.move_cost_overlay(id, Vector2(-90, 0))
	)
	expect_error(
		["FlowFieldManager.fade_cost_overlays", "seconds", "-1"],
		func() -> Variant: return manager.fade_cost_overlays(-1.0)
	)
	check_eq(manager.get_costs(), costs, "nothing has changed")
	check_eq(manager.get_cost_overlays(), PackedInt64Array([id]), "still the one")
