extends "res://tests/test_suite.gd"
## FlowDebugView3D, and FlowFieldManager.debug_view in 3D scenes.


func _views_of(manager: FlowFieldManager) -> Array[Node]:
	return manager.get_children(true).filter(
		func(child: Node) -> bool:
			var is_view := child is FlowDebugView or child is FlowDebugView3D
			return is_view and not child.is_queued_for_deletion()
	)


func _view_of(manager: FlowFieldManager) -> FlowDebugView3D:
	var views := _views_of(manager)
	return views[0] as FlowDebugView3D if views.size() == 1 else null


func _image(view: FlowDebugView3D, parameter: StringName, layer := 0) -> Image:
	var texture := view.get_material(layer).get_shader_parameter(parameter) as Texture2D
	return texture.get_image()


func _amount(view: FlowDebugView3D, parameter: StringName, layer := 0) -> float:
	return view.get_material(layer).get_shader_parameter(parameter)


func _chunks(view: FlowDebugView3D) -> Array[Node]:
	var found: Array[Node] = []
	for root: Node in view.get_children(true):
		if not root.is_queued_for_deletion():
			found.append_array(root.get_children())
	return found


func _frames(count: int) -> void:
	for i in count:
		await scene.get_tree().process_frame


func _new_manager_3d(size := Vector2i(16, 12), cell_size := 1.0) -> FlowFieldManager:
	var space := Node3D.new()
	scene.add_child(space)
	var manager := new_manager(size, cell_size)
	scene.remove_child(manager)
	space.add_child(manager)
	return manager


func _heights(size: Vector2i) -> PackedFloat32Array:
	var heights := PackedFloat32Array()
	for y in size.y + 1:
		for x in size.x + 1:
			heights.append(0.25 * x * x - 3.0 * y)
	return heights


func test_a_3d_scene_gets_a_draped_view_for_each_mode() -> void:
	var manager := _new_manager_3d()
	var goal := new_goal(manager, Vector2i(3, 3))
	manager.debug_goal = goal
	var amounts: Dictionary[int, StringName] = {
		FlowFieldManager.DEBUG_COST: &"cost_amount",
		FlowFieldManager.DEBUG_INTEGRATION: &"heat_amount",
		FlowFieldManager.DEBUG_FLOW: &"arrow_amount",
		FlowFieldManager.DEBUG_ISLANDS: &"island_amount",
		FlowFieldManager.DEBUG_CLEARANCE: &"closed_amount",
		FlowFieldManager.DEBUG_LINE_OF_SIGHT: &"sight_amount",
		FlowFieldManager.DEBUG_SECTORS: &"sector_amount",
		FlowFieldManager.DEBUG_TILES: &"tile_amount",
		FlowFieldManager.DEBUG_FIELD_AGE: &"age_amount",
		FlowFieldManager.DEBUG_HEIGHTS: &"height_amount",
	}
	for mode: int in amounts:
		manager.debug_view = mode as FlowFieldManager.DebugView
		await _frames(2)
		var view := _view_of(manager)
		if check(view != null, "mode %d has one draped view" % mode):
			check_eq(view.mode as int, mode, "mode")
			check_eq(view.goal, goal, "goal")
			check_eq(_amount(view, amounts[mode]), 1.0, amounts[mode])
			if mode != FlowFieldManager.DEBUG_HEIGHTS:
				check_eq(_amount(view, &"height_amount"), 0.0, "no heights")
	manager.debug_view = FlowFieldManager.DEBUG_OFF
	await _frames(2)
	check_eq(_views_of(manager).size(), 0, "off")


func test_the_field_is_read_where_it_is_shown() -> void:
	var manager := _new_manager_3d()
	var goal := new_goal(manager, Vector2i(3, 3))
	manager.debug_goal = goal
	manager.debug_view = FlowFieldManager.DEBUG_COST
	await _frames(2)
	var material := _view_of(manager).get_material(0)
	check(material.get_shader_parameter(&"direction_map") == null, "not with costs")
	manager.debug_view = FlowFieldManager.DEBUG_FLOW
	await _frames(2)
	var directions := _image(_view_of(manager), &"direction_map").get_data()
	check_eq(directions, manager.get_directions(goal).to_byte_array(), "directions")
	var costs := _image(_view_of(manager), &"integration_map").get_data()
	check_eq(costs, manager.get_integration(goal).to_byte_array(), "costs to the goal")


func test_vertices_have_the_heights_of_the_ground_and_holes_are_cut_out() -> void:
	var size := Vector2i(9, 5)
	var manager := _new_manager_3d(size, 2.0)
	manager.origin = Vector2(-4.0, 6.0)
	manager.set_heights(_heights(size))
	manager.set_heights_rect(Rect2i(4, 2, 1, 1), [NAN])
	manager.debug_view = FlowFieldManager.DEBUG_HEIGHTS
	await _frames(2)
	var view := _view_of(manager)
	var heights := _image(view, &"height_map")
	check_eq(heights.get_size(), size + Vector2i.ONE, "one for each corner")
	for corner: Vector2i in [Vector2i(0, 0), Vector2i(9, 5), Vector2i(7, 1), Vector2i(2, 4)]:
		var place := manager.origin + 2.0 * corner
		# The last corners are outside of the grid, which is half open.
		var asked := place.min(manager.get_bounds().end - Vector2(0.0001, 0.0001))
		check_near(
			heights.get_pixelv(corner).r, manager.get_height(asked), 0.01, "height at %s" % corner
		)
	check(is_nan(heights.get_pixel(4, 2).r), "a hole")
	check_eq(manager.get_heights().to_byte_array(), heights.get_data(), "all corners")
	check_eq(_amount(view, &"cell_size"), 2.0, "cell size")
	var material := view.get_material(0)
	check_eq(material.get_shader_parameter(&"grid_origin"), Vector2(-4.0, 6.0), "origin")
	check_eq(material.get_shader_parameter(&"has_heights"), true, "heights")
	var extent: Vector2 = material.get_shader_parameter(&"height_range")
	check_near_vector(extent, Vector2(-15.0, 20.25), 1e-4, "lowest and highest")
	var box := ((_chunks(view)[0] as MeshInstance3D).mesh as PlaneMesh).custom_aabb
	check(box.position.y <= -15.0 and box.end.y >= 20.25, "culled by all heights: %s" % box)
	check(box.size.y < 200.0, "and no more than by them: %s" % box)


func test_layers_have_the_same_colours_for_the_same_heights() -> void:
	var manager := _new_manager_3d(Vector2i(4, 3))
	manager.layer_count = 2
	manager.set_heights_rect(Rect2i(1, 1, 2, 1), [-2.0, 3.0], 0)
	manager.set_heights_rect(Rect2i(1, 1, 2, 1), [6.0, 10.0], 1)
	manager.debug_view = FlowFieldManager.DEBUG_HEIGHTS
	await _frames(2)
	var view := _view_of(manager)
	for layer in 2:
		var extent: Vector2 = view.get_material(layer).get_shader_parameter(&"height_range")
		check_eq(extent, Vector2(-2.0, 10.0), "layer %d" % layer)
	manager.set_heights_rect(Rect2i(1, 1, 1, 1), [12.0], 1)
	manager.update()
	await _frames(2)
	var lower: Vector2 = view.get_material(0).get_shader_parameter(&"height_range")
	check_eq(lower, Vector2(-2.0, 12.0), "after a change of the other layer")


func test_get_heights_knows_layers_without_heights() -> void:
	var manager := new_manager(Vector2i(4, 3))
	check_eq(manager.get_heights(), PackedFloat32Array(), "none")
	manager.set_heights_rect(Rect2i(1, 1, 1, 1), [2.0])
	check_eq(manager.get_heights().size(), 20, "one for each corner")
	check_eq(manager.get_heights()[6], 2.0, "the one that was set")
	check(is_nan(manager.get_heights()[7]), "and no other")
	expect_error(
		["FlowFieldManager.get_heights", "layer", "1"],
		func() -> Variant: return manager.get_heights(1)
	)


func test_heights_changed_is_emitted_once_for_a_frame_with_changes() -> void:
	var manager := new_manager(Vector2i(4, 3))
	manager.update()
	var calls: Array[int] = [0]
	manager.heights_changed.connect(func() -> void: calls[0] += 1)
	manager.update()
	check_eq(calls[0], 0, "nothing has changed")
	manager.set_heights_rect(Rect2i(1, 1, 1, 1), [2.0])
	manager.set_heights_rect(Rect2i(0, 0, 1, 1), [3.0])
	manager.update()
	manager.update()
	check_eq(calls[0], 1, "set")
	manager.clear_heights()
	manager.update()
	check_eq(calls[0], 2, "removed")


func test_a_new_grid_is_shown() -> void:
	var manager := _new_manager_3d(Vector2i(70, 10))
	manager.set_heights_rect(Rect2i(3, 2, 1, 1), [7.5])
	manager.debug_view = FlowFieldManager.DEBUG_COST
	await _frames(2)
	var view := _view_of(manager)
	check_eq(_chunks(view).size(), 2, "chunks of 64 cells")
	var chunk := _chunks(view)[0]
	manager.grid_size = Vector2i(130, 65)
	await _frames(3)
	check_eq(_image(view, &"cost_map").get_size(), Vector2i(130, 65), "new size")
	check_eq(_image(view, &"height_map").get_size(), Vector2i(131, 66), "its corners")
	check_eq(_image(view, &"height_map").get_pixel(3, 2).r, 7.5, "heights stay")
	check_eq(_chunks(view).size(), 6, "chunks")
	check(not is_instance_valid(chunk), "old chunks are freed")


func test_nothing_is_read_again_without_a_change() -> void:
	var manager := _new_manager_3d()
	manager.debug_view = FlowFieldManager.DEBUG_COST
	await _frames(3)
	var loads: Array[int] = [0]
	var count := func() -> void: loads[0] += 1
	var view := _view_of(manager)
	for source: FlowDebugView3D.Source in view.get(&"_sources"):
		source.map_loaded.connect(count)
		source.heights_loaded.connect(count)
	await _frames(5)
	check_eq(loads[0], 0, "nothing")
	manager.set_terrain(Vector2i(1, 1), WALL)
	manager.update()
	await _frames(2)
	check_eq(loads[0], 1, "costs alone")


func test_each_layer_has_its_own_data_and_place() -> void:
	var manager := _new_manager_3d(Vector2i(12, 9))
	manager.layer_count = 2
	manager.set_heights(_heights(Vector2i(12, 9)))
	manager.set_terrain(manager.cell_on_layer(Vector2i(4, 3), 1), WALL)
	manager.set_terrain(Vector2i(7, 2), WALL)
	manager.update()
	var swarm := EnemySwarm.new()
	swarm.manager = manager
	swarm.layer_height = 4.5
	swarm.height = 0.5
	scene.add_child(swarm)
	manager.debug_view = FlowFieldManager.DEBUG_SECTORS
	await _frames(2)
	var view := _view_of(manager)
	for layer in 2:
		check_eq(_image(view, &"cost_map", layer).get_data(), manager.get_costs(0, layer), "costs")
		var has_heights: bool = view.get_material(layer).get_shader_parameter(&"has_heights")
		check_eq(has_heights, layer == 0, "heights of layer %d" % layer)
	check_eq(_amount(view, &"base_height", 1), 5.0, "where the swarm draws it")
	check_eq(_amount(view, &"wall_amount", 0), 1.0, "walls below")
	check_eq(_amount(view, &"wall_amount", 1), 0.0, "no walls above")
	# Layer 1 begins 9 + 32 rows further down, in the tenth row of a sector of 16.
	check_eq(_amount(view, &"sector_shift", 1), 9.0, "sectors")
	view.layer = 1
	await _frames(2)
	check(view.get_material(0) == null and view.get_material(1) != null, "one layer")
	view.layer_height = 2.0
	await _frames(2)
	check_eq(_amount(view, &"base_height", 1), 2.5, "its own height")


func test_portals_and_tiles_are_marked_in_cells() -> void:
	var manager := _new_manager_3d(Vector2i(40, 20))
	manager.set_terrain_rect(Rect2i(15, 0, 1, 5), WALL)
	var target := PackedVector2Array([manager.get_cell_center(Vector2i(35, 3))])
	var goal := manager.create_goal(target, FlowFieldManager.GOAL_MODE_TILED)
	check(manager.request_route(goal, Vector2(20.0, 3.0)), "a route")
	manager.update()
	manager.debug_goal = goal
	manager.debug_view = FlowFieldManager.DEBUG_TILES
	await _frames(3)
	var view := _view_of(manager)
	var has_costs: bool = view.get_material(0).get_shader_parameter(&"has_costs")
	check(not has_costs, "no crosses where no tile is built")
	var across := _image(view, &"portal_x_map")
	check_eq(across.get_pixel(15, 3).r8, 0, "no portal in a wall")
	check_eq(across.get_pixel(15, 10).r8, 255, "at the greater side")
	check_near(across.get_pixel(16, 10).r8, 127.5, 0.5, "at the lesser side")
	check_eq(across.get_pixel(17, 10).r8, 0, "not farther")
	check_eq(_image(view, &"portal_y_map").get_pixel(3, 15).r8, 255, "below")
	var tiles := _image(view, &"tile_map")
	var built := manager.get_built_sectors(goal)
	check(not built.is_empty(), "some are built")
	for y in 20:
		for x in 40:
			var is_built := built.any(
				func(cells: Rect2i) -> bool: return cells.has_point(Vector2i(x, y))
			)
			if (tiles.get_pixel(x, y).r8 > 0) != is_built:
				check(false, "tile at %d, %d" % [x, y])


func test_the_ancestor_or_a_camera_decides_for_3d() -> void:
	var manager := new_manager()
	manager.debug_view = FlowFieldManager.DEBUG_COST
	await _frames(2)
	check(_views_of(manager)[0] is FlowDebugView, "2D without either")
	var camera := Camera3D.new()
	scene.add_child(camera)
	camera.make_current()
	manager.debug_goal = 1
	await _frames(2)
	check(_view_of(manager) is FlowDebugView3D, "a camera")
	var flat := Node2D.new()
	scene.add_child(flat)
	manager.reparent(flat)
	manager.debug_goal = 2
	await _frames(2)
	check(_views_of(manager)[0] is FlowDebugView, "a Node2D, whatever the camera")
	check_eq(_views_of(manager).size(), 1, "one view")


func test_it_survives_a_freed_manager_and_a_released_goal() -> void:
	var manager := _new_manager_3d()
	var view := FlowDebugView3D.new()
	scene.add_child(view)
	view.manager = manager
	view.goal = new_goal(manager, Vector2i(2, 2))
	view.mode = FlowDebugView.Mode.INTEGRATION
	await _frames(2)
	manager.release_goal(view.goal)
	view.refresh()
	await _frames(2)
	check(view.visible, "shown")
	manager.free()
	view.refresh()
	await _frames(2)
	check(not view.visible, "hidden, and no error")
	view.manager = new_manager()
	await _frames(2)
	check(view.visible, "another manager")


func test_a_scene_is_opened_twice() -> void:
	var space := Node3D.new()
	var manager := FlowFieldManager.new()
	manager.name = "Manager"
	manager.debug_view = FlowFieldManager.DEBUG_FLOW
	space.add_child(manager)
	manager.owner = space
	scene.add_child(space)
	await _frames(2)
	check(_view_of(manager) != null, "a view")
	var packed := PackedScene.new()
	check_eq(packed.pack(space), OK, "packed")
	check_eq(packed.get_state().get_node_count(), 2, "the view is not saved")
	for round in 2:
		var copy := packed.instantiate()
		scene.add_child(copy)
		await _frames(2)
		check(_view_of(copy.get_node(^"Manager") as FlowFieldManager) != null, "one view")


func test_heights_are_shown_in_2d_too() -> void:
	var manager := new_manager(Vector2i(8, 6))
	var view := FlowDebugView.new()
	view.manager = manager
	scene.add_child(view)
	manager.set_heights(_heights(Vector2i(8, 6)))
	await _frames(2)
	var material := view.material as ShaderMaterial
	check(material.get_shader_parameter(&"height_map") == null, "read when shown only")
	view.show_heights = true
	await _frames(2)
	var heights := material.get_shader_parameter(&"height_map") as Texture2D
	check_eq(heights.get_image().get_data(), manager.get_heights().to_byte_array(), "heights")
	check_eq(material.get_shader_parameter(&"height_amount"), 1.0, "shown")
	view.mode = FlowDebugView.Mode.COST
	check(not view.show_heights, "not with costs")
