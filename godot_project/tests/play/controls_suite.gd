extends "res://tests/play/play_base.gd"
## The lab's keys, buttons, switches, sliders and view.


func _total_shift(before: PackedVector2Array, after: PackedVector2Array) -> float:
	var shift := 0.0
	for i in mini(before.size(), after.size()):
		shift += before[i].distance_to(after[i])
	return shift


func test_it_opens_with_thousands_on_their_way() -> void:
	await open_lab()
	check(lab.swarm.get_agent_count() >= 2500, "agents: %d" % lab.swarm.get_agent_count())
	check(lab.manager.get_reachable_cell_count(lab.goal_id) > 1500, "a field")
	await ticks(90)
	check(lab.swarm.get_stats()["arrived"] > 10, "some have arrived")
	check_eq(lab.swarm.get_stats()["lost"], 0, "no one is without a route")
	await save_picture("lab")


func test_space_pauses_and_resumes() -> void:
	await open_lab()
	await key(KEY_SPACE)
	check(not lab.running, "paused")
	await ticks(2)
	var before := lab.swarm.get_positions()
	await ticks(10)
	check(lab.swarm.get_positions() == before, "nothing moves, no one appears")
	await key(KEY_SPACE)
	await ticks(10)
	check(_total_shift(before, lab.swarm.get_positions()) > 100.0, "they move again")


func test_the_run_button_pauses_and_resumes() -> void:
	await open_lab()
	await click_on(&"run")
	check(not lab.running, "paused")
	check_eq((lab.panel.get_control(&"run") as Button).text, "Run", "text")
	await click_on(&"run")
	check(lab.running, "running")


func test_switches_change_the_simulation() -> void:
	await open_lab()
	var movement := lab.manager.movement_types[0]
	var type := lab.swarm.agent_types[0]
	check(lab.swarm.wall_correction, "on at first")
	check_eq(movement.wall_penalty, Lab.WALL_PENALTY, "penalty at first")
	var costs_before := lab.manager.get_costs()
	for option: StringName in [&"wall_correction", &"wall_penalty", &"smoothing"]:
		await click_on(option, Vector2(0.2, 0.5))
	check(not lab.swarm.wall_correction, "wall correction")
	check_eq(movement.wall_penalty, 0, "wall penalty")
	check_near(type.position_smoothing, 0.8, 1e-6, "smoothing")
	await ticks(3)
	check(lab.manager.get_costs() != costs_before, "costs next to walls have changed")
	await click_on(&"wall_correction", Vector2(0.2, 0.5))
	check(lab.swarm.wall_correction, "wall correction is on again")


func test_avoidance_buttons_and_key_choose_the_avoidance() -> void:
	await open_lab()
	var type := lab.swarm.agent_types[0]
	check(_is_down(type.avoidance), "the type's own is shown at first")
	var labels: Array[String] = ["None", "Separation", "ORCA", "Contact"]
	for avoidance in labels.size():
		var button := lab.panel.get_control(StringName("avoidance_%d" % avoidance)) as Button
		check_eq(button.text, labels[avoidance], "button %d" % avoidance)
		await click_on(StringName("avoidance_%d" % avoidance))
		check_eq(type.avoidance, avoidance, "%s is chosen" % labels[avoidance])
		check(_is_down(avoidance), "%s alone is down" % labels[avoidance])
	for avoidance in labels.size():
		await key(KEY_A)
		check_eq(type.avoidance, avoidance, "A goes on to %s" % labels[avoidance])
		check(_is_down(avoidance), "%s alone is down" % labels[avoidance])


## Whether of the avoidance buttons only this one is down.
func _is_down(avoidance: int) -> bool:
	var down: Array[int] = []
	for i in 4:
		var button := lab.panel.get_control(StringName("avoidance_%d" % i)) as Button
		if button.button_pressed:
			down.append(i)
	return down == ([avoidance] as Array[int])


func test_contact_agents_keep_the_room_that_others_share() -> void:
	await open_lab()
	await click_on(&"preset_1")
	var depths: Array[float] = []
	for avoidance: int in [SwarmAgentType.AVOIDANCE_NONE, SwarmAgentType.AVOIDANCE_CONTACT]:
		await click_on(StringName("avoidance_%d" % avoidance))
		await ticks(200)
		depths.append(_mean(lab.swarm.get_overlaps()))
	check(depths[0] > 0.3, "NONE: %.3f radii deep in each other" % depths[0])
	check(depths[1] < 0.1 * depths[0], "CONTACT: %.3f" % depths[1])


func _mean(values: PackedFloat32Array) -> float:
	var sum := 0.0
	for value in values:
		sum += value
	return sum / maxi(values.size(), 1)


func test_the_overlap_view_colours_agents_that_overlap() -> void:
	await open_lab()
	await key(KEY_SPACE)
	lab.swarm.clear()
	for option: StringName in [&"numbers", &"arrows", &"heat", &"grid"]:
		await click_on(option, Vector2(0.2, 0.5))
	# One alone, two on the place of one.
	var alone := Vector2i(10, 8)
	var shared := Vector2i(14, 8)
	var places := PackedVector2Array()
	for cell: Vector2i in [alone, shared, shared]:
		places.append(lab.manager.get_cell_center(cell))
	lab.swarm.spawn_many(places)
	for i in 8:
		await _wheel(cell_on_screen(Vector2i(12, 8)), MOUSE_BUTTON_WHEEL_UP)
	var look := lab.swarm.custom_data_preset
	await key(KEY_O)
	check((lab.panel.get_control(&"overlap") as BaseButton).button_pressed, "the switch follows")
	await frames(15)
	check_eq(lab.swarm.get_overlaps(), PackedFloat32Array([0.0, 2.0, 2.0]), "overlaps")
	var image := await shown_image()
	var ramp := LabOverlap.RAMP
	check(color_distance(shown_color(image, alone), ramp[0]) < 0.05, "the one alone is calm")
	check(color_distance(shown_color(image, shared), ramp[-1]) < 0.05, "the two are at the end")
	await click_on(&"overlap", Vector2(0.2, 0.5))
	await frames(15)
	check_eq(lab.swarm.custom_data_preset, look, "headings and speeds again")
	image = await shown_image()
	check(color_distance(shown_color(image, shared), ramp[-1]) > 0.2, "the usual look is back")


func test_the_overlap_view_of_a_crowd() -> void:
	await open_lab()
	for avoidance: int in [SwarmAgentType.AVOIDANCE_SEPARATION, SwarmAgentType.AVOIDANCE_CONTACT]:
		await click_on(StringName("avoidance_%d" % avoidance))
		await ticks(120)
		if not lab.overlap.shown:
			await key(KEY_O)
		await frames(2)
		await save_picture("lab_overlap_%d" % avoidance)
	await key(KEY_SPACE)
	await ticks(2)
	await frames(2)
	check(lab.swarm.get_user_floats() == lab.swarm.get_overlaps(), "colours are as of now")


func test_direction_rule_buttons_change_the_field() -> void:
	await open_lab()
	var first := StringName("rule_%d" % FlowFieldManager.DIRECTION_CHARACTERISTIC)
	var before := lab.manager.get_directions(lab.goal_id)
	await click_on(&"rule_1")
	await ticks(3)
	check_eq(lab.manager.direction_rule, FlowFieldManager.DIRECTION_NEGATIVE_GRADIENT, "rule")
	check(lab.manager.get_directions(lab.goal_id) != before, "other directions")
	await click_on(first)
	await ticks(3)
	check(lab.manager.get_directions(lab.goal_id) == before, "and back")


func test_sliders_set_population_and_rate() -> void:
	await open_lab()
	await click_on(&"population", Vector2(0.999, 0.5))
	check_eq(lab.spawner.population, 10000, "population")
	await key(KEY_SPACE)
	await click_on(&"scatter")
	check_eq(lab.swarm.get_agent_count(), 10000, "scatter fills up")
	await key(KEY_SPACE)
	await ticks(20)
	await save_picture("lab_ten_thousand")
	await key(KEY_SPACE)
	await click_on(&"population", Vector2(0.1, 0.5))
	check(lab.spawner.population < 1500, "fewer: %d" % lab.spawner.population)
	check_eq(lab.swarm.get_agent_count(), lab.spawner.population, "the surplus leaves")
	await click_on(&"rate", Vector2(0.0, 0.5))
	check_eq(lab.spawner.agents_per_second, 0.0, "rate")


func test_layer_switches_change_the_picture() -> void:
	await open_lab()
	await key(KEY_SPACE)
	lab.swarm.clear()
	lab.swarm.step(1.0 / 60.0)
	var cell := Vector2i(10, 8)
	for i in 6:
		await _wheel(cell_on_screen(cell), MOUSE_BUTTON_WHEEL_UP)
	await move(cell_on_screen(cell) + Vector2(0.0, 150.0))
	await save_picture("lab_numbers")
	for option: StringName in [&"numbers", &"arrows", &"heat"]:
		var before := await shown_image()
		await click_on(option, Vector2(0.2, 0.5))
		await frames(15)
		var after := await shown_image()
		check(_difference(before, after, cell) > 20, "%s is seen" % option)


func _difference(before: Image, after: Image, cell: Vector2i) -> int:
	var half := lab.manager.cell_size * 0.5 * lab.get_viewport().canvas_transform.get_scale().x
	var at := Vector2i(cell_on_screen(cell))
	var changed := 0
	for y in range(-int(half), int(half)):
		for x in range(-int(half), int(half)):
			var place := at + Vector2i(x, y)
			if color_distance(before.get_pixelv(place), after.get_pixelv(place)) > 0.05:
				changed += 1
	return changed


func _wheel(at: Vector2, button: MouseButton) -> void:
	await press(at, button)
	await release(at, button)


func test_the_wheel_zooms_at_the_pointer() -> void:
	await open_lab()
	var cell := Vector2i(20, 12)
	var at := cell_on_screen(cell)
	var zoom_before := lab.camera.zoom.x
	for i in 4:
		await _wheel(at, MOUSE_BUTTON_WHEEL_UP)
	check(lab.camera.zoom.x > zoom_before * 1.5, "closer: %f" % lab.camera.zoom.x)
	check_near_vector(cell_on_screen(cell), at, 1.5, "the point under the pointer stays")
	for i in 40:
		await _wheel(at, MOUSE_BUTTON_WHEEL_DOWN)
	check(lab.camera.zoom.x > 0.1, "zooming out ends")
	await key(KEY_F)
	check_near(lab.camera.zoom.x, zoom_before, 1e-4, "F fits the map")


func test_middle_drag_pans() -> void:
	await open_lab()
	var cell := Vector2i(20, 12)
	var at := cell_on_screen(cell)
	await drag(
		PackedVector2Array([at, at + Vector2(60.0, 30.0), at + Vector2(130.0, 70.0)]),
		false,
		MOUSE_BUTTON_MIDDLE
	)
	await frames(1)
	check_near_vector(cell_on_screen(cell), at + Vector2(130.0, 70.0), 2.0, "moved along")
	check_eq(lab.manager.get_terrain_at(cell), 1, "and painted nothing")


func test_clear_removes_all_walls() -> void:
	await open_lab()
	check(lab.manager.get_terrain_bytes().count(WALL) > 100, "walls at first")
	await click_on(&"clear")
	await ticks(2)
	check_eq(lab.manager.get_terrain_bytes().count(WALL), 0, "none left")


func test_every_map_can_be_chosen_and_flows() -> void:
	await open_lab()
	for index: int in [1, 2, 3, 0]:
		await click_on(StringName("preset_%d" % index))
		await ticks(60)
		check_eq(lab.swarm.get_stats()["lost"], 0, "%s: all have a route" % LabPresets.NAMES[index])
		await save_picture("lab_%s" % LabPresets.NAMES[index].to_lower())
	await key(KEY_3)
	await ticks(2)
	check_eq(
		lab.manager.get_terrain_bytes(), LabPresets.build(2, Lab.GRID_SIZE).cells, "key 3: corridor"
	)


func test_clicks_on_the_panel_paint_nothing() -> void:
	await open_lab()
	var before := lab.manager.get_terrain_bytes()
	await drag(
		PackedVector2Array(
			[control_on_screen(&"scatter"), control_on_screen(&"grid", Vector2(0.9, 0.5))]
		)
	)
	await ticks(2)
	check(lab.manager.get_terrain_bytes() == before, "terrain is as before")


func test_everything_fits_a_smaller_window() -> void:
	await open_lab()
	var root := scene.get_tree().root
	var whole := root.get_visible_rect()
	check(whole.encloses(lab.panel.get_global_rect()), "panel %s" % lab.panel.get_global_rect())
	var size_before := root.size
	root.size = Vector2i(1200, 800)
	await frames(4)
	var view := root.get_visible_rect()
	check(view.encloses(lab.panel.get_global_rect()), "panel %s" % lab.panel.get_global_rect())
	var bounds := lab.manager.get_bounds()
	var transform := lab.get_viewport().canvas_transform
	var map := Rect2(transform * bounds.position, bounds.size * transform.get_scale())
	check(view.encloses(map), "map %s in %s" % [map, view])
	check(not map.intersects(lab.panel.get_global_rect()), "map beside the panel")
	await save_picture("lab_small_window")
	root.size = size_before
	await frames(4)
