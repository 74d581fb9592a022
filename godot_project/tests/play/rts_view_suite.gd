extends "res://tests/play/rts_base.gd"
## The RTS demo: camera, minimap and debug views.


func test_a_press_on_the_minimap_moves_the_view() -> void:
	await open_rts()
	await click(on_minimap(base_place(1)))
	check_near_vector(rts.camera.position, base_place(1), 60.0, "the camera is there")
	await drag(PackedVector2Array([on_minimap(base_place(1)), on_minimap(base_place(2))]))
	check_near_vector(rts.camera.position, base_place(2), 60.0, "and follows a drag")
	check_eq(rts.selection.get_count(), 0, "nothing was selected by that")


func test_a_right_click_on_the_minimap_is_an_order() -> void:
	await open_rts()
	await key(KEY_E)
	await right_click(on_minimap(base_place(2)))
	var goal := rts.orders.get_goal_of(rts.swarm.get_ids()[0])
	check_near_vector(rts.manager.get_goal_targets(goal)[0], base_place(2), 60.0, "target")
	run_ticks(120)
	check_eq(rts.swarm.get_stats()["lost"], 0, "all have a way")


func test_the_minimap_shows_buildings_and_units() -> void:
	await open_rts()
	only_units(RtsUnits.Kind.TANK, base_place(0) + Vector2(0.0, -300.0), 5)
	# By then the MultiMesh has given back the room of the two thousand before.
	run_ticks(80)
	await frames(2)
	var place := on_minimap(base_place(0) + Vector2(64.0, -12.0))
	var before := (await shown_image()).get_pixelv(Vector2i(place))
	await key(KEY_3)
	await click(on_screen(base_place(0) + Vector2(64.0, 20.0)))
	await key(KEY_ESCAPE)
	await click(on_minimap(base_place(1)))
	await frames(2)
	var image := await shown_image()
	check(color_distance(before, image.get_pixelv(Vector2i(place))) > 0.05, "a bunker")
	var dot := image.get_pixelv(Vector2i(on_minimap(base_place(0) + Vector2(0.0, -300.0))))
	check(dot.b > dot.g and dot.b > 0.6, "blue units: %s" % dot)


func test_wheel_middle_drag_and_keys_move_the_view() -> void:
	await open_rts()
	var place := base_place(0) + Vector2(200.0, 100.0)
	var at := on_screen(place)
	var zoom_before := rts.camera.zoom.x
	for i in 3:
		await press(at, MOUSE_BUTTON_WHEEL_UP)
		await release(at, MOUSE_BUTTON_WHEEL_UP)
	check(rts.camera.zoom.x > zoom_before * 1.4, "closer")
	check_near_vector(on_screen(place), at, 2.0, "the place under the pointer stays")
	await drag(
		PackedVector2Array([at, at + Vector2(50.0, 20.0), at + Vector2(120.0, 70.0)]),
		false,
		MOUSE_BUTTON_MIDDLE
	)
	await frames(1)
	check_near_vector(on_screen(place), at + Vector2(120.0, 70.0), 2.0, "moved along")
	var before := rts.camera.position
	var event := InputEventKey.new()
	event.keycode = KEY_D
	event.physical_keycode = KEY_D
	event.pressed = true
	Input.parse_input_event(event)
	await frames(3)
	event = event.duplicate() as InputEventKey
	event.pressed = false
	Input.parse_input_event(event)
	await frames(1)
	check(rts.camera.position.x > before.x + 1.0, "D moves right")
	check_near(rts.camera.position.y, before.y, 0.5, "and nowhere else")
	for i in 40:
		await press(at, MOUSE_BUTTON_WHEEL_DOWN)
	check(rts.camera.zoom.x > 0.08, "zooming out ends: %f" % rts.camera.zoom.x)
	await save_picture("rts_far")


func test_route_and_tiles_are_shown() -> void:
	await open_rts()
	var ids := only_units(RtsUnits.Kind.TANK, base_place(0), 5)
	await key(KEY_E)
	await click_on(&"show_route")
	await look_at_cell(RtsMap.BASES[1])
	await move(on_screen(base_place(1)))
	# One to where the pointer was before may still be shown.
	var path := PackedVector2Array()
	for i in 60:
		await frames(1)
		path = rts.route_view.get_path_shown()
		if not path.is_empty() and path[-1].distance_to(base_place(1)) < 20.0:
			break
	check(path.size() > 100, "a route of %d cells" % path.size())
	if not path.is_empty():
		check_near_vector(path[-1], base_place(1), 20.0, "to the pointer")
	check_eq(rts.orders.count, 0, "without an order")
	check_eq(rts.orders.get_goal_of(ids[0]), 0, "for no unit")
	await click_on(&"show_route")
	check_eq(rts.manager.get_goals().size(), 0, "its goal is given back")
	await look_at_cell(RtsMap.BASES[0])
	await right_click(on_screen(base_place(0) + Vector2(300.0, 0.0)))
	await click_on(&"show_tiles")
	check_eq(rts.manager.debug_view, FlowFieldManager.DEBUG_TILES, "tiles")
	await frames(3)
	await save_picture("rts_tiles")
	await click_on(&"show_sectors")
	check_eq(rts.manager.debug_view, FlowFieldManager.DEBUG_SECTORS, "sectors")
	await frames(2)
	await save_picture("rts_sectors")
	await click_on(&"show_sectors")
	check_eq(rts.manager.debug_view, FlowFieldManager.DEBUG_OFF, "off")
