extends "res://tests/play/rts_base.gd"
## The RTS demo: selecting units and ordering them about.


func test_it_opens_with_two_thousand_units() -> void:
	await open_rts(true)
	check(rts.swarm.get_agent_count() >= 2000, "units: %d" % rts.swarm.get_agent_count())
	await frames(2)
	check_eq(rts.hud.get_figure(&"units"), str(rts.swarm.get_agent_count()), "figure")
	check_eq(rts.swarm.get_stats()["lost"], 0, "no unit is lost")
	await save_picture("rts")


func test_a_box_selects_the_units_in_it() -> void:
	await open_rts()
	var middle := base_place(0)
	var area := Rect2(middle + Vector2(-280.0, -130.0), Vector2(560.0, 260.0))
	await box(area.position, area.end)
	var wanted := rts.swarm.query_rect(area).size()
	check(wanted > 200, "units in the box: %d" % wanted)
	check(absi(rts.selection.get_count() - wanted) <= 2, "selected: %d" % rts.selection.get_count())
	await frames(1)
	check_eq(rts.selection.multimesh.visible_instance_count, rts.selection.get_count(), "rings")
	await save_picture("rts_selection")
	# Shift adds, a click on the ground lets go.
	await box(middle + Vector2(-340.0, -330.0), middle + Vector2(340.0, -150.0), true)
	var counts := rts.selection.count_kinds()
	check_eq(counts[RtsUnits.Kind.WALKER], RtsUnits.STRENGTH[RtsUnits.Kind.WALKER], "walkers")
	check(counts[RtsUnits.Kind.TANK] > 200, "and tanks: %s" % counts)
	await click_on(&"kind_2")
	check_eq(rts.selection.get_count(), counts[RtsUnits.Kind.WALKER], "the button keeps walkers")
	await click(on_screen(middle + Vector2(500.0, 0.0)))
	check_eq(rts.selection.get_count(), 0, "a click beside them")


func test_clicks_select_one_and_then_all_of_its_kind_in_view() -> void:
	await open_rts()
	await key(KEY_X)
	var place := rts.swarm.get_agent_position(rts.swarm.query_circle(base_place(0), 60.0)[0])
	await move(on_screen(place))
	await press(on_screen(place))
	await release(on_screen(place))
	check_eq(rts.selection.get_count(), 1, "one")
	await double_click(on_screen(place))
	check_eq(rts.selection.get_count(), RtsUnits.STRENGTH[RtsUnits.Kind.TANK], "all tanks in view")
	await key(KEY_E)
	check_eq(rts.selection.get_count(), rts.swarm.get_agent_count(), "E selects all units")


func test_a_right_click_sends_the_selected_and_only_them() -> void:
	await open_rts()
	var middle := base_place(0)
	await box(middle + Vector2(-310.0, -125.0), middle + Vector2(300.0, 225.0))
	var ids := rts.selection.get_ids()
	var before := middle_of(ids)
	var target := middle + Vector2(620.0, 60.0)
	await right_click(on_screen(target))
	check_eq(rts.orders.count, 1, "orders")
	check_eq(rts.manager.get_goals().size(), 1, "goals")
	var goal := rts.orders.get_goal_of(ids[0])
	check_eq(rts.manager.get_goal_mode(goal), FlowFieldManager.GOAL_MODE_TILED, "mode")
	check_near_vector(rts.manager.get_goal_targets(goal)[0], target, 4.0, "target")
	run_ticks(90)
	await save_picture("rts_order")
	check(middle_of(ids).distance_to(target) < before.distance_to(target) - 100.0, "on their way")
	run_ticks(1500)
	# The crowd grows from the side from which it comes.
	check(middle_of(ids).distance_to(target) < 200.0, "there: %s" % middle_of(ids))
	var moving := 0
	for id: int in ids:
		moving += int(rts.swarm.get_agent_velocity(id).length() > 15.0)
	check(moving < ids.size() / 20, "and they stand: %d move" % moving)
	for id: int in rts.swarm.query_circle(base_place(1), 500.0):
		check(rts.swarm.get_agent_velocity(id).length() < 15.0, "others stay")
		break


func test_they_form_up_where_they_are_sent() -> void:
	await open_rts(true)
	var middle := base_place(0)
	var ids := only_units(RtsUnits.Kind.TANK, middle, 36)
	await key(KEY_E)
	await key(KEY_F)
	check_eq(rts.orders.formation, EnemySwarm.FORMATION_BLOCK, "F takes the first")
	var target := middle + Vector2(420.0, 0.0)
	await right_click(on_screen(target))
	run_ticks(600)
	# On a lattice of two and a half radii; without a formation they would touch.
	var apart := 2.5 * RtsUnits.RADII[RtsUnits.Kind.TANK]
	for id: int in ids:
		var place := rts.swarm.get_agent_position(id)
		check(place.distance_to(target) < 4.5 * apart, "%s is in the block" % (place - target))
		var near := rts.swarm.query_circle(place, 1.2 * apart)
		check(near.size() in [2, 3, 4, 5], "neighbours: %d" % (near.size() - 1))
		check(rts.swarm.query_circle(place, 0.8 * apart).size() == 1, "none is nearer")
	await save_picture("rts_formation")
	await click_on(&"formation")
	check_eq(rts.orders.formation, EnemySwarm.FORMATION_WEDGE, "the button takes the next")
	for n in 2:
		await key(KEY_F)
	check_eq(rts.orders.formation, RtsOrders.NO_FORMATION, "and none again")
	# A halted unit stays where it is, and has no slot to go back to.
	await right_click(on_screen(middle))
	run_ticks(60)
	await key(KEY_X)
	run_ticks(30)
	var before := middle_of(ids)
	run_ticks(60)
	check(middle_of(ids).distance_to(before) < 2.0, "they stand")


func test_halt_stops_them_and_gives_the_goal_back() -> void:
	await open_rts()
	await key(KEY_E)
	await right_click(on_screen(base_place(0) + Vector2(300.0, 300.0)))
	run_ticks(60)
	check(rts.manager.get_goals().size() > 0, "goals")
	await click_on(&"halt")
	run_ticks(1)
	check_eq(rts.manager.get_goals().size(), 0, "no goals")
	run_ticks(60)
	check_eq(rts.orders.get_goal_of(rts.swarm.get_ids()[0]), 0, "no orders")


func test_of_many_targets_agents_take_the_cheapest() -> void:
	await open_rts()
	var middle := base_place(0)
	var ids := only_units(RtsUnits.Kind.TANK, middle, 20)
	var others := rts.swarm.spawn_many(
		PackedVector2Array([middle + Vector2(380.0, 0.0), middle + Vector2(380.0, 40.0)]), 0
	)
	await key(KEY_E)
	await key(KEY_T)
	check_eq(rts.hand.tool, rts.target_tool as RtsTool, "the tool is in hand")
	await click(on_screen(middle + Vector2(-420.0, 0.0)))
	await drag(
		PackedVector2Array(
			[on_screen(middle + Vector2(520.0, -200.0)), on_screen(middle + Vector2(520.0, 330.0))]
		)
	)
	check_eq(rts.target_tool.get_targets().size(), 4, "one clicked, three in a row")
	await save_picture("rts_targets")
	await right_click(on_screen(middle))
	check_eq(rts.hand.tool, rts.select_tool as RtsTool, "the tool is laid down")
	var goal := rts.orders.get_goal_of(ids[0])
	check_eq(rts.manager.get_goal_targets(goal).size(), 4, "one goal, four targets")
	check_eq(rts.orders.get_goal_of(others[0]), goal, "the same for all")
	run_ticks(60)
	check(middle_of(ids).x < middle.x - 40.0, "those go left: %s" % (middle_of(ids) - middle))
	check(middle_of(others).x > middle.x + 400.0, "these go right")


func test_the_pointer_shows_where_units_cannot_go() -> void:
	await open_rts()
	var ids := only_units(RtsUnits.Kind.TANK, base_place(0), 10)
	await key(KEY_E)
	await look_at_cell(RtsMap.LAKE)
	await move(cell_on_screen(RtsMap.LAKE))
	check(rts.cursor.is_blocked, "the island in the lake")
	await save_picture("rts_blocked")
	await right_click(cell_on_screen(RtsMap.LAKE))
	var goal := rts.orders.get_goal_of(ids[0])
	var end := rts.manager.get_goal_targets(goal)[0]
	check(rts.manager.is_reachable(base_place(0), end), "they go to the shore")
	var distance := end.distance_to(rts.manager.get_cell_center(RtsMap.LAKE))
	check(distance < 900.0, "near the lake: %f" % distance)
	await look_at_cell(RtsMap.BASES[0])
	await move(on_screen(base_place(0) + Vector2(200.0, 0.0)))
	check(not rts.cursor.is_blocked, "open ground")
	only_units(RtsUnits.Kind.HOVERCRAFT, base_place(0), 10)
	await key(KEY_E)
	await look_at_cell(RtsMap.LAKE)
	await move(cell_on_screen(RtsMap.LAKE))
	check(not rts.cursor.is_blocked, "hovercraft get to the island")
