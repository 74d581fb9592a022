extends "res://tests/play/rts_base.gd"
## The RTS demo: walls and buildings go up and come down, and units go round them.


func _wall_cells() -> int:
	return rts.manager.get_terrain_bytes().count(RtsGround.BUILDING)


## Steps until the units are near a place; returns how far the farthest was off the straight line.
func _walk(ids: PackedInt64Array, to: Vector2, limit: int) -> float:
	var from := middle_of(ids)
	var along := from.direction_to(to)
	var off := 0.0
	for i in limit:
		run_ticks(1)
		var terrain := rts.manager
		for id: int in ids:
			var place := rts.swarm.get_agent_position(id)
			off = maxf(off, absf((place - from).cross(along)))
			if terrain.get_terrain_at(terrain.get_cell(place)) == RtsGround.BUILDING:
				check(false, "a unit is in a building at %s" % place)
				return off
		if middle_of(ids).distance_to(to) < 60.0:
			return off
	check(false, "they got to %s only" % middle_of(ids))
	return off


func test_units_go_round_a_wall_and_straight_once_it_is_gone() -> void:
	await open_rts()
	var middle := base_place(0)
	var left := middle + Vector2(-330.0, 0.0)
	var right := middle + Vector2(330.0, 0.0)
	var ids := only_units(RtsUnits.Kind.TANK, left, 15)
	await key(KEY_1)
	await drag(
		PackedVector2Array(
			[
				on_screen(middle + Vector2(0.0, -300.0)),
				on_screen(middle),
				on_screen(middle + Vector2(0.0, 240.0))
			]
		)
	)
	check(rts.builder.buildings.size() >= 17, "pieces: %d" % rts.builder.buildings.size())
	check_eq(_wall_cells(), rts.builder.buildings.size() * 4, "walls on the map")
	await key(KEY_ESCAPE)
	await key(KEY_E)
	await right_click(on_screen(right))
	var off := _walk(ids, right, 900)
	await save_picture("rts_wall")
	check(off > 220.0, "round the wall: %f" % off)
	# Take it down, and back.
	await key(KEY_R)
	await drag(
		PackedVector2Array(
			[
				on_screen(middle + Vector2(8.0, -320.0)),
				on_screen(middle + Vector2(8.0, 0.0)),
				on_screen(middle + Vector2(8.0, 260.0))
			]
		)
	)
	check_eq(rts.builder.buildings.size(), 0, "all gone")
	check_eq(_wall_cells(), 0, "and from the map")
	await right_click(on_screen(left))
	check_eq(rts.hand.tool, rts.select_tool as RtsTool, "right click lays the tool down")
	await right_click(on_screen(left))
	off = _walk(ids, left, 600)
	check(off < 160.0, "straight: %f" % off)


func test_a_wall_across_their_way_turns_them_while_they_walk() -> void:
	await open_rts()
	var middle := base_place(0)
	var right := middle + Vector2(400.0, 0.0)
	var ids := only_units(RtsUnits.Kind.TANK, middle + Vector2(-300.0, 0.0), 10)
	await key(KEY_E)
	await right_click(on_screen(right))
	run_ticks(60)
	await key(KEY_1)
	await drag(
		PackedVector2Array(
			[on_screen(middle + Vector2(120.0, -200.0)), on_screen(middle + Vector2(120.0, 200.0))]
		)
	)
	check(rts.builder.buildings.size() > 10, "a wall")
	var off := _walk(ids, right, 900)
	check(off > 150.0, "round it: %f" % off)


func test_towers_and_bunkers_stand_on_free_firm_ground_only() -> void:
	await open_rts()
	var middle := base_place(0)
	only_units(RtsUnits.Kind.TANK, middle, 20)
	await click_on(&"build_1")
	await click(on_screen(middle))
	check_eq(rts.builder.buildings.size(), 0, "not on units")
	await click(on_screen(middle + Vector2(300.0, 0.0)))
	check_eq(rts.builder.buildings.size(), 1, "a tower")
	check_eq(_wall_cells(), 12, "its cells")
	await click(on_screen(middle + Vector2(320.0, 0.0)))
	check_eq(rts.builder.buildings.size(), 1, "not on another building")
	await key(KEY_3)
	check_eq(rts.build_tool.kind, RtsBuilding.Kind.BUNKER, "key 3")
	await click(on_screen(middle + Vector2(-300.0, 100.0)))
	check_eq(rts.builder.buildings.size(), 2, "a bunker")
	await move(on_screen(middle))
	await save_picture("rts_buildings")
	await look_at_cell(Vector2i(RtsMap.LAKE.x - 26, RtsMap.LAKE.y))
	await click(cell_on_screen(Vector2i(RtsMap.LAKE.x - 26, RtsMap.LAKE.y)))
	check_eq(rts.builder.buildings.size(), 2, "not in the lake")


func test_the_last_gap_closed_cuts_an_island_off() -> void:
	await open_rts()
	var middle := base_place(0)
	var ids := only_units(RtsUnits.Kind.TANK, middle, 5)
	var corners := PackedVector2Array()
	for corner: Vector2 in [
		Vector2(-200.0, -200.0),
		Vector2(200.0, -200.0),
		Vector2(200.0, 200.0),
		Vector2(-200.0, 200.0),
		Vector2(-200.0, -200.0)
	]:
		corners.append(on_screen(middle + corner))
	await key(KEY_1)
	for i in 4:
		await drag(PackedVector2Array([corners[i], corners[i + 1]]))
	await key(KEY_ESCAPE)
	await key(KEY_E)
	run_ticks(1)
	await move(on_screen(middle + Vector2(400.0, 0.0)))
	check(rts.cursor.is_blocked, "walled in")
	await move(on_screen(middle + Vector2(100.0, 0.0)))
	check(not rts.cursor.is_blocked, "but free inside")
	await save_picture("rts_walled_in")
	await key(KEY_R)
	await click(on_screen(middle + Vector2(200.0, 8.0)))
	await key(KEY_ESCAPE)
	run_ticks(1)
	await move(on_screen(middle + Vector2(400.0, 0.0)))
	check(not rts.cursor.is_blocked, "a gap lets them out")
	await right_click(on_screen(middle + Vector2(420.0, 0.0)))
	run_ticks(500)
	check(middle_of(ids).x > middle.x + 350.0, "and out they go: %s" % (middle_of(ids) - middle))
