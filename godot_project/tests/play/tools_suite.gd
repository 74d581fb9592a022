extends "res://tests/play/play_base.gd"
## The lab's stamp tool, the choice of solver and rule, the size of agents, and the layers of
## islands and narrow cells.

const OPEN_MAP := 1


func _open_empty_map() -> void:
	await open_lab()
	await click_on(&"preset_1")
	await ticks(2)


func _walls() -> int:
	return lab.manager.get_terrain_bytes().count(WALL)


func test_a_click_with_the_stamp_places_a_hut() -> void:
	await _open_empty_map()
	await click_on(&"brush_3")
	await move(cell_on_screen(Vector2i(30, 20)))
	var image_before := await shown_image()
	await click(cell_on_screen(Vector2i(30, 20)))
	await ticks(2)
	check_eq(lab.manager.get_stamps().size(), 1, "stamps")
	check_eq(_walls(), 19, "walls of a hut")
	check_eq(lab.manager.get_terrain_at(Vector2i(30, 20)), 1, "clear inside")
	check_eq(lab.manager.get_terrain_at(Vector2i(30, 22)), 1, "and in the door")
	check_eq(lab.manager.get_terrain_at(Vector2i(30, 18)), WALL, "a wall behind")
	await move(cell_on_screen(Vector2i(50, 40)))
	var image := await shown_image()
	var wall := Vector2i(30, 18)
	var shift := color_distance(shown_color(image_before, wall), shown_color(image, wall))
	check(shift > 0.05, "the hut is shown: %f" % shift)
	await save_picture("lab_stamp")


func test_stamps_turn_overlap_and_go_in_any_order() -> void:
	await _open_empty_map()
	# Something below, painted with the wide brush.
	await click_on(&"brush_2")
	await drag(
		PackedVector2Array([cell_on_screen(Vector2i(25, 20)), cell_on_screen(Vector2i(36, 20))])
	)
	await ticks(2)
	var before := lab.manager.get_terrain_bytes()
	await click_on(&"brush_3")
	await click(cell_on_screen(Vector2i(30, 20)))
	await key(KEY_R)
	check_eq(lab.stamps.get_turned_size(), Vector2i(5, 7), "a quarter turn")
	await click(cell_on_screen(Vector2i(32, 21)))
	await click(cell_on_screen(Vector2i(0, 0)))
	await ticks(2)
	check_eq(lab.manager.get_stamps().size(), 3, "three, the last one moved into the map")
	check(lab.manager.get_terrain_bytes() != before, "terrain has changed")
	# Shift takes off the one on top; here the second, then the first, then the one at the edge.
	for cell: Vector2i in [Vector2i(32, 19), Vector2i(28, 19), Vector2i(1, 3)]:
		await move(cell_on_screen(cell), true)
		await press(cell_on_screen(cell), MOUSE_BUTTON_LEFT, true)
		await release(cell_on_screen(cell), MOUSE_BUTTON_LEFT, true)
	await ticks(2)
	check_eq(lab.manager.get_stamps().size(), 0, "all gone")
	check(lab.manager.get_terrain_bytes() == before, "the terrain is as it was")


func test_clear_takes_stamps_off_too() -> void:
	await _open_empty_map()
	await click_on(&"brush_3")
	await click(cell_on_screen(Vector2i(20, 30)))
	await click_on(&"clear")
	await ticks(2)
	check_eq(_walls(), 0, "no walls")
	await click_on(&"brush_0")
	await click(cell_on_screen(Vector2i(20, 30)))
	await ticks(2)
	check_eq(_walls(), 1, "the wall brush paints single cells again")


func test_every_solver_and_rule_can_be_chosen() -> void:
	await open_lab()
	var reached := lab.manager.get_reachable_cell_count(lab.goal_id)
	for option: StringName in [&"solver", &"rule"]:
		var property := &"solver" if option == &"solver" else &"direction_rule"
		var names := LabPanel.value_names(property)
		check(names.size() > 0, "%s has values" % property)
		var first: int = lab.manager.get(property)
		var shown := lab.panel.get_control(StringName("%s_%d" % [option, first])) as Button
		check(shown.button_pressed, "%s: the one in use is shown" % property)
		var pressed := 0
		for button: BaseButton in shown.button_group.get_buttons():
			pressed += int(button.button_pressed)
		check_eq(pressed, 1, "%s: and no other" % property)
		for index in names.size():
			await click_on(StringName("%s_%d" % [option, index]))
			await ticks(3)
			check_eq(lab.manager.get(property), index, "%s: %s" % [property, names[index]])
			check_eq(
				lab.manager.get_reachable_cell_count(lab.goal_id),
				reached,
				"%s: cells with a way" % names[index]
			)
			await ticks(30)
			check_eq(lab.swarm.get_stats()["lost"], 0, "%s: all have a way" % names[index])
			await save_picture("lab_%s_%d" % [option, index])
		await click_on(StringName("%s_%d" % [option, first]))


func test_large_agents_go_where_they_fit() -> void:
	await _open_empty_map()
	# A wall with a gap of one cell and one of five.
	for part: Array in [[0, 10], [12, 28], [34, 43]]:
		await drag(
			PackedVector2Array(
				[
					cell_on_screen(Vector2i(32, part[0] as int)),
					cell_on_screen(Vector2i(32, part[1] as int)),
				]
			)
		)
	await ticks(2)
	check_eq(lab.manager.get_closed_cells().count(1), 0, "small agents fit everywhere")
	await click_on(&"radius", Vector2(0.8, 0.5))
	await ticks(2)
	var type := lab.swarm.agent_types[0]
	check(type.radius > 30.0, "radius: %f" % type.radius)
	check_eq(lab.manager.movement_types[0].clearance_radius, type.radius, "clearance")
	var closed := lab.manager.get_closed_cells()
	var width := lab.manager.grid_size.x
	check_eq(closed[11 * width + 32], 1, "the small gap is closed")
	check_eq(closed[31 * width + 32], 0, "the large one is not")
	var gap := Vector2i(32, 11)
	await move(cell_on_screen(Vector2i(60, 40)))
	await frames(3)
	var hatched := await shown_image()
	await save_picture("lab_clearance")
	await click_on(&"closed", Vector2(0.2, 0.5))
	await frames(15)
	var plain := await shown_image()
	check(
		color_distance(shown_color(hatched, gap), shown_color(plain, gap)) > 0.02,
		"a narrow cell looks different from a wall"
	)


func test_islands_have_colours() -> void:
	await _open_empty_map()
	await key(KEY_SPACE)
	lab.swarm.clear()
	lab.swarm.step(1.0 / 60.0)
	for option: StringName in [&"arrows", &"numbers", &"heat"]:
		await click_on(option, Vector2(0.2, 0.5))
	await click_on(&"islands", Vector2(0.2, 0.5))
	check(lab.field.show_islands, "switched on")
	await ticks(2)
	await frames(15)
	var left := Vector2i(10, 8)
	var right := Vector2i(50, 8)
	var image := await shown_image()
	check(color_distance(shown_color(image, left), shown_color(image, right)) < 0.02, "one island")
	await drag(
		PackedVector2Array([cell_on_screen(Vector2i(30, 0)), cell_on_screen(Vector2i(30, 43))])
	)
	await ticks(3)
	await frames(3)
	image = await shown_image()
	check(color_distance(shown_color(image, left), shown_color(image, right)) > 0.1, "two islands")
	await save_picture("lab_islands")


func test_line_of_sight_is_shown_and_follows_edits() -> void:
	await _open_empty_map()
	await key(KEY_SPACE)
	lab.swarm.clear()
	lab.swarm.step(1.0 / 60.0)
	for option: StringName in [&"arrows", &"numbers", &"heat"]:
		await click_on(option, Vector2(0.2, 0.5))
	await click_on(&"sight", Vector2(0.2, 0.5))
	check(lab.field.show_line_of_sight, "switched on")
	# A wall across the middle, in front of the goal at the right.
	await drag(
		PackedVector2Array([cell_on_screen(Vector2i(44, 14)), cell_on_screen(Vector2i(44, 30))])
	)
	await move(cell_on_screen(Vector2i(60, 40)))
	await ticks(3)
	await frames(15)
	var in_front := Vector2i(50, 22)
	var behind := Vector2i(38, 22)
	var image := await shown_image()
	check(
		color_distance(shown_color(image, in_front), shown_color(image, behind)) > 0.05,
		"lit in front of the wall, dark behind it"
	)
	await save_picture("lab_line_of_sight")
	await click_on(&"clear")
	await move(cell_on_screen(Vector2i(60, 40)))
	await ticks(3)
	await frames(3)
	image = await shown_image()
	check(
		color_distance(shown_color(image, in_front), shown_color(image, behind)) < 0.02,
		"all lit without the wall"
	)
