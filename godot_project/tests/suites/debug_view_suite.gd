extends "res://tests/test_suite.gd"
## FlowDebugView, and FlowFieldManager.debug_view which makes one.


func _view_of(manager: FlowFieldManager) -> FlowDebugView:
	for child: Node in manager.get_children(true):
		var view := child as FlowDebugView
		if view != null and not view.is_queued_for_deletion():
			return view
	return null


func _parameter(view: FlowDebugView, parameter: StringName) -> Variant:
	return (view.material as ShaderMaterial).get_shader_parameter(parameter)


func _image(view: FlowDebugView, parameter: StringName) -> Image:
	return (_parameter(view, parameter) as Texture2D).get_image()


func _frames(count: int) -> void:
	for i in count:
		await scene.get_tree().process_frame


func test_debug_view_makes_and_removes_a_view() -> void:
	var manager := new_manager()
	var goal := new_goal(manager, Vector2i(3, 3))
	check(_view_of(manager) == null, "none at first")
	manager.movement_types = [FlowMovementType.new(), FlowMovementType.new()]
	manager.debug_goal = goal
	manager.debug_movement_type = 1
	var modes: Array[int] = [
		FlowFieldManager.DEBUG_COST,
		FlowFieldManager.DEBUG_INTEGRATION,
		FlowFieldManager.DEBUG_FLOW,
		FlowFieldManager.DEBUG_ISLANDS,
		FlowFieldManager.DEBUG_CLEARANCE,
		FlowFieldManager.DEBUG_LINE_OF_SIGHT,
		FlowFieldManager.DEBUG_SECTORS,
		FlowFieldManager.DEBUG_TILES,
		FlowFieldManager.DEBUG_FIELD_AGE,
	]
	for mode: int in modes:
		manager.debug_view = mode
		await _frames(2)
		var view := _view_of(manager)
		if check(view != null, "mode %d has a view" % mode):
			check_eq(view.mode as int, mode, "mode")
			check_eq(view.goal, goal, "goal")
			check(view.manager == manager, "manager")
			check_eq(view.movement_type, 1, "movement type")
	manager.debug_view = FlowFieldManager.DEBUG_OFF
	await _frames(2)
	check(_view_of(manager) == null, "off")


func test_sectors_and_tiles_are_shown() -> void:
	var manager := new_manager(Vector2i(60, 40))
	var target := PackedVector2Array([manager.get_cell_center(Vector2i(50, 30))])
	var goal := manager.create_goal(target, FlowFieldManager.GOAL_MODE_TILED)
	check(manager.request_route(goal, Vector2(8.0, 8.0)), "a route")
	manager.update()
	manager.debug_goal = goal
	manager.debug_view = FlowFieldManager.DEBUG_TILES
	await _frames(3)
	var view := _view_of(manager)
	check(view.show_sectors and view.show_tiles and view.show_arrows, "layers")
	var shown := _image(view, &"direction_map").get_data()
	check_eq(shown, manager.get_directions(goal).to_byte_array(), "directions")
	check(manager.get_directions(goal)[0].length() > 0.9, "a tile has one")
	manager.debug_view = FlowFieldManager.DEBUG_SECTORS
	await _frames(2)
	check(view.show_sectors and not view.show_tiles, "sectors alone")


func test_a_view_that_a_script_frees_is_made_again() -> void:
	var manager := new_manager()
	manager.debug_view = FlowFieldManager.DEBUG_COST
	await _frames(1)
	_view_of(manager).free()
	manager.debug_goal = 1
	await _frames(1)
	check(_view_of(manager) != null, "made again")
	manager.debug_view = FlowFieldManager.DEBUG_OFF
	await _frames(1)
	check(_view_of(manager) == null, "off")


func test_there_is_one_view_however_often_it_is_asked_for() -> void:
	var manager := new_manager()
	for round in 3:
		for mode: int in [FlowFieldManager.DEBUG_COST, 0, FlowFieldManager.DEBUG_FLOW]:
			manager.debug_view = mode
		scene.remove_child(manager)
		scene.add_child(manager)
		await _frames(1)
	var views := manager.get_children(true).filter(
		func(child: Node) -> bool: return child is FlowDebugView
	)
	check_eq(views.size(), 1, "views")


func test_modes_choose_layers() -> void:
	var view := FlowDebugView.new()
	scene.add_child(view)
	view.mode = FlowDebugView.Mode.FLOW
	check(view.show_arrows and not view.show_heat and not view.show_numbers, "flow")
	view.mode = FlowDebugView.Mode.INTEGRATION
	check(view.show_heat and view.show_numbers and not view.show_arrows, "integration")
	view.mode = FlowDebugView.Mode.COST
	check(view.show_cost and not view.show_heat and not view.show_arrows, "cost")
	view.mode = FlowDebugView.Mode.ISLANDS
	check(view.show_islands and view.show_closed and not view.show_heat, "islands")
	view.mode = FlowDebugView.Mode.CLEARANCE
	check(view.show_closed and not view.show_islands and not view.show_cost, "clearance")
	view.mode = FlowDebugView.Mode.LINE_OF_SIGHT
	check(view.show_line_of_sight and view.show_cost and not view.show_islands, "line of sight")


func test_textures_hold_the_field() -> void:
	var manager := new_manager(Vector2i(37, 9))
	manager.set_terrain(Vector2i(20, 4), WALL)
	manager.set_terrain(Vector2i(2, 7), 77)
	var view := FlowDebugView.new()
	view.manager = manager
	scene.add_child(view)
	view.goal = new_goal(manager, Vector2i(36, 8))
	await _frames(2)
	check_eq(_parameter(view, &"grid_size"), Vector2(37.0, 9.0), "size")
	check_eq(_image(view, &"cost_map").get_data(), manager.get_costs(), "costs")
	check_eq(
		_image(view, &"integration_map").get_data().to_float32_array(),
		manager.get_integration(view.goal),
		"integration"
	)
	var direction := _image(view, &"direction_map").get_pixel(5, 5)
	check_near_vector(
		Vector2(direction.r, direction.g),
		manager.get_directions(view.goal)[5 * 37 + 5],
		1e-3,
		"direction"
	)


func test_it_survives_a_released_goal_and_a_freed_manager() -> void:
	var manager := new_manager(Vector2i(10, 10))
	var view := FlowDebugView.new()
	view.manager = manager
	scene.add_child(view)
	view.goal = new_goal(manager, Vector2i(9, 9))
	await _frames(2)
	manager.release_goal(view.goal)
	view.refresh()
	await _frames(2)
	manager.free()
	view.refresh()
	await _frames(2)
	check(is_instance_valid(view), "no error, no crash")


func test_an_unknown_debug_goal_shows_terrain_only() -> void:
	var manager := new_manager(Vector2i(10, 10))
	manager.debug_view = FlowFieldManager.DEBUG_INTEGRATION
	manager.debug_goal = 99
	await _frames(2)
	check(_view_of(manager) != null, "there is a view, and no error")


func test_islands_and_narrow_cells_are_shown() -> void:
	var manager := new_manager(Vector2i(12, 7), 10.0)
	draw_map(
		manager,
		[
			"....#.......",
			"....#.......",
			"....#.......",
			"....#.......",
			"....####.###",
			"....#.......",
			"....#.......",
		]
	)
	var large := FlowMovementType.new()
	large.clearance_radius = 12.0
	manager.movement_types = [FlowMovementType.new(), large]
	var islands := manager.get_islands()
	check(islands[0] != islands[5], "two sides of a wall")
	check_eq(islands[5], islands[6 * 12 + 11], "through the gap")
	check_eq(islands[4], -1, "a wall")
	check_eq(manager.get_closed_cells().count(1), 0, "the small one fits everywhere")
	var wide := manager.get_islands(1)
	check(wide[1 * 12 + 8] != wide[6 * 12 + 8], "not through the gap")
	var closed := manager.get_closed_cells(1)
	check_eq(closed[4 * 12 + 8], 1, "the gap is closed")
	check_eq(closed[4], 0, "a wall is a wall")
	var view := FlowDebugView.new()
	view.manager = manager
	view.movement_type = 1
	scene.add_child(view)
	view.mode = FlowDebugView.Mode.ISLANDS
	await _frames(2)
	check_eq(_image(view, &"closed_map").get_data(), closed, "closed cells")
	check_eq(_image(view, &"island_map").get_data(), wide.to_byte_array(), "islands")
	for method: StringName in [&"get_islands", &"get_closed_cells"]:
		expect_error(
			["FlowFieldManager.%s" % method, "movement_type", "2"],
			func() -> Variant: return manager.call(method, 2)
		)


func test_cells_in_sight_are_shown() -> void:
	var manager := new_manager(Vector2i(12, 7), 10.0)
	manager.set_terrain_rect(Rect2i(6, 1, 1, 5), WALL)
	var view := FlowDebugView.new()
	view.manager = manager
	scene.add_child(view)
	view.goal = new_goal(manager, Vector2i(1, 3))
	view.show_line_of_sight = true
	await _frames(2)
	var in_sight := manager.get_line_of_sight(view.goal)
	check_eq(_image(view, &"sight_map").get_data(), in_sight, "what the manager says")
	check_eq(in_sight[3 * 12 + 4], 1, "in front of the wall")
	check_eq(in_sight[3 * 12 + 9], 0, "behind it")
