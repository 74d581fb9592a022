extends "res://tests/play/play_base.gd"
## Painting walls and dragging the handles in the lab.

const OPEN_MAP := 1


func _open_empty_map() -> void:
	await open_lab()
	await click_on(&"preset_1")
	await ticks(2)


func _is_wall(cell: Vector2i) -> bool:
	return lab.manager.get_terrain_at(cell) == WALL


func _cost(cell: Vector2i) -> float:
	return lab.manager.get_cost_to_goal(lab.goal_id, lab.manager.get_cell_center(cell))


func test_left_drag_paints_a_wall_without_gaps() -> void:
	await _open_empty_map()
	check_eq(lab.manager.get_terrain_bytes().count(WALL), 0, "the open map has no walls")
	var image_before := await shown_image()
	var cost_before := _cost(Vector2i(20, 22))
	await drag(
		PackedVector2Array(
			[
				cell_on_screen(Vector2i(40, 6)),
				cell_on_screen(Vector2i(40, 20)),
				cell_on_screen(Vector2i(40, 38)),
			]
		)
	)
	await ticks(3)
	for y in range(6, 39):
		check(_is_wall(Vector2i(40, y)), "wall at (40, %d)" % y)
	check_eq(lab.manager.get_terrain_bytes().count(WALL), 33, "and nowhere else")
	check(_cost(Vector2i(20, 22)) > cost_before + 3.0, "the way is longer now")
	await move(cell_on_screen(Vector2i(2, 2)))
	var image := await shown_image()
	var before := shown_color(image_before, Vector2i(40, 10))
	var after := shown_color(image, Vector2i(40, 10))
	check(color_distance(before, after) > 0.05, "the wall is shown: %s, %s" % [before, after])
	await save_picture("lab_painted_wall")


func test_a_slanted_stroke_has_no_leak() -> void:
	await _open_empty_map()
	await drag(
		PackedVector2Array([cell_on_screen(Vector2i(30, 0)), cell_on_screen(Vector2i(44, 43))])
	)
	await ticks(3)
	check_eq(_cost(Vector2i(10, 22)), INF, "no way through a wall from edge to edge")


func test_shift_drag_erases() -> void:
	await _open_empty_map()
	await drag(
		PackedVector2Array([cell_on_screen(Vector2i(30, 0)), cell_on_screen(Vector2i(30, 43))])
	)
	await ticks(3)
	check_eq(_cost(Vector2i(10, 22)), INF, "closed")
	await drag(
		PackedVector2Array([cell_on_screen(Vector2i(30, 20)), cell_on_screen(Vector2i(30, 24))]),
		true
	)
	await ticks(3)
	for y in range(20, 25):
		check(not _is_wall(Vector2i(30, y)), "erased at %d" % y)
	check(_is_wall(Vector2i(30, 19)) and _is_wall(Vector2i(30, 25)), "the rest stays")
	check(_cost(Vector2i(10, 22)) < INF, "open")


func test_brushes_paint_wide_walls_and_rough_ground() -> void:
	await _open_empty_map()
	await click_on(&"brush_1")
	await drag(
		PackedVector2Array([cell_on_screen(Vector2i(20, 10)), cell_on_screen(Vector2i(20, 14))])
	)
	check_eq(lab.manager.get_terrain_bytes().count(WALL), 3 * 7, "a wall three cells wide")
	await click_on(&"brush_2")
	await click(cell_on_screen(Vector2i(30, 30)))
	check_eq(lab.manager.get_terrain_bytes().count(LabPresets.ROUGH), 9, "rough ground")
	check_eq(lab.manager.get_terrain_at(Vector2i(31, 29)), LabPresets.ROUGH, "around the pointer")


func test_walls_turn_agents_away() -> void:
	await _open_empty_map()
	await key(KEY_SPACE)
	var manager := lab.manager
	lab.swarm.clear()
	var id := lab.swarm.spawn(manager.get_cell_center(Vector2i(30, 22)))
	steps(lab.swarm, 60)
	check(lab.swarm.get_agent_velocity(id).x > 60.0, "straight to the goal")
	await drag(
		PackedVector2Array([cell_on_screen(Vector2i(38, 12)), cell_on_screen(Vector2i(38, 43))])
	)
	await ticks(2)
	var highest := INF
	for i in 900:
		lab.swarm.step(1.0 / 60.0)
		if lab.swarm.get_agent_count() == 0:
			break
		highest = minf(highest, lab.swarm.get_agent_position(id).y)
	check(highest < 12.0 * manager.cell_size, "it went around the end: y %f" % highest)
	check_eq(lab.swarm.get_agent_count(), 0, "and arrived")


func test_no_route_is_counted_and_shown() -> void:
	await _open_empty_map()
	await drag(
		PackedVector2Array([cell_on_screen(Vector2i(50, 0)), cell_on_screen(Vector2i(50, 43))])
	)
	await ticks(30)
	var lost: int = lab.swarm.get_stats()["lost"]
	check(lost > 500, "many are without a route: %d" % lost)
	await frames(2)
	await save_picture("lab_no_route")


func test_dragging_the_goal_moves_goal_and_field() -> void:
	await _open_empty_map()
	var to := Vector2i(10, 8)
	await drag(
		PackedVector2Array(
			[
				on_screen(lab.markers.goal),
				cell_on_screen(Vector2i(30, 30)),
				cell_on_screen(to),
			]
		)
	)
	await ticks(3)
	check_eq(lab.manager.get_cell(lab.markers.goal), to, "the handle")
	check_eq(lab.manager.get_cell(lab.manager.get_goal_targets(lab.goal_id)[0]), to, "the goal")
	check_near(_cost(Vector2i(13, 8)), 3.0, 0.01, "the field")
	check_eq(lab.manager.get_terrain_bytes().count(WALL), 0, "a drag of a handle paints nothing")
	var arrived: int = lab.swarm.get_stats()["arrived"]
	steps(lab.swarm, 300)
	check(lab.swarm.get_stats()["arrived"] > arrived + 20, "agents arrive there")


func test_dragging_the_start_moves_where_agents_appear() -> void:
	await _open_empty_map()
	await drag(PackedVector2Array([on_screen(lab.markers.start), cell_on_screen(Vector2i(30, 38))]))
	check_eq(lab.manager.get_cell(lab.markers.start), Vector2i(30, 38), "the handle")
	lab.swarm.clear()
	await ticks(20)
	check(lab.swarm.get_agent_count() > 5, "agents appear")
	for place: Vector2 in lab.swarm.get_positions():
		check(place.distance_to(lab.markers.start) < 200.0, "near the start: %s" % place)


func test_the_handles_stay_inside_the_map() -> void:
	await _open_empty_map()
	await drag(PackedVector2Array([on_screen(lab.markers.goal), Vector2(1.0, 1.0)]))
	await ticks(2)
	check(lab.manager.is_in_grid(lab.manager.get_cell(lab.markers.goal)), "%s" % lab.markers.goal)


func test_the_cell_under_the_pointer_is_read_out() -> void:
	await _open_empty_map()
	await move(cell_on_screen(Vector2i(12, 34)))
	await frames(1)
	var text := lab.panel.get_figure(&"cell")
	check(text.contains("12, 34"), "cell: %s" % text)
	check(text.contains("%.1f" % _cost(Vector2i(12, 34))), "cost to goal: %s" % text)
