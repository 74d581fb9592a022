extends "res://tests/test_suite.gd"
## FlowFieldManager: stamps are laid over the terrain and taken off in any order.


func _stamp(size: Vector2i, cells: PackedByteArray) -> FlowStamp:
	var stamp := FlowStamp.new()
	stamp.size = size
	stamp.cells = cells
	return stamp


func test_a_stamp_is_placed_and_removed() -> void:
	var manager := new_manager(Vector2i(6, 4))
	manager.set_terrain(Vector2i(2, 1), 5)
	var before := manager.get_terrain_bytes()
	var house := _stamp(Vector2i(2, 2), PackedByteArray([255, 0, 7, 255]))
	var id := manager.place_stamp(house, Vector2i(1, 1))
	check(id > 0, "an id: %d" % id)
	check_eq(manager.get_terrain_at(Vector2i(1, 1)), 255, "wall")
	check_eq(manager.get_terrain_at(Vector2i(2, 1)), 5, "left as it was")
	check_eq(manager.get_terrain_at(Vector2i(1, 2)), 7, "floor")
	check_eq(
		manager.get_stamp_cells(id),
		PackedVector2Array([Vector2(1, 1), Vector2(1, 2), Vector2(2, 2)]),
		"cells"
	)
	check_eq(manager.get_stamps(), PackedInt64Array([id]), "stamps")
	check_eq(manager.get_base_terrain_bytes(), before, "the painted terrain")
	check_eq(manager.remove_stamp(id), OK, "removed")
	check_eq(manager.get_terrain_bytes(), before, "as before")
	check_eq(manager.get_stamps().size(), 0, "no stamps")


func test_overlapping_stamps_go_in_any_order() -> void:
	for order: Array in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]:
		var manager := new_manager(Vector2i(8, 8))
		walls_at_random(manager, 0.3, 5)
		var before := manager.get_terrain_bytes()
		var ids := PackedInt64Array()
		for i in 3:
			var stamp := FlowStamp.new()
			stamp.size = Vector2i(4, 4)
			stamp.fill(10 + i)
			ids.append(manager.place_stamp(stamp, Vector2i(i, i)))
		check_eq(manager.get_terrain_at(Vector2i(3, 3)), 12, "the last is on top")
		for place: int in order:
			manager.remove_stamp(ids[place])
		check_eq(manager.get_terrain_bytes(), before, "order %s" % [order])
		manager.free()


func test_quarter_turns() -> void:
	var manager := new_manager(Vector2i(4, 4))
	var bar := _stamp(Vector2i(3, 1), PackedByteArray([11, 12, 13]))
	var id := manager.place_stamp(bar, Vector2i(1, 0), 1)
	check_eq(manager.get_terrain_at(Vector2i(1, 0)), 11, "from +x")
	check_eq(manager.get_terrain_at(Vector2i(1, 2)), 13, "to +y")
	manager.remove_stamp(id)
	manager.place_stamp(bar, Vector2i(1, 0), -2)
	check_eq(manager.get_terrain_at(Vector2i(1, 0)), 13, "turned round")


func test_a_group_is_one_edit() -> void:
	var manager := new_manager(Vector2i(10, 4))
	manager.update()
	var changes: Array[Rect2i] = []
	manager.terrain_changed.connect(func(cells: Rect2i) -> void: changes.append(cells))
	var block := FlowStamp.new()
	var bar := _stamp(Vector2i(3, 1), PackedByteArray([255, 255, 255]))
	var cells := PackedVector2Array([Vector2(1, 1), Vector2(6, 0)])
	var ids := manager.place_stamps([block, bar], cells, PackedInt32Array([0, 1]))
	check_eq(ids.size(), 2, "ids")
	manager.update()
	check_eq(changes, [Rect2i(1, 0, 6, 3)] as Array[Rect2i], "one change")
	check_eq(manager.get_terrain_at(Vector2i(6, 2)), WALL, "the turned one")
	check_eq(manager.remove_stamps(ids), OK, "removed")
	check_eq(manager.get_terrain_bytes().count(1), 40, "clear again")
	check_eq(manager.place_stamps([block, bar], cells).size(), 2, "without turns")


func test_painting_under_a_stamp_shows_when_it_is_gone() -> void:
	var manager := new_manager(Vector2i(4, 4))
	var id := manager.place_stamp(FlowStamp.new(), Vector2i(1, 1))
	manager.set_terrain(Vector2i(1, 1), 40)
	check_eq(manager.get_terrain_at(Vector2i(1, 1)), WALL, "under the stamp")
	var terrain := FlowTerrain.new()
	terrain.size = Vector2i(4, 4)
	terrain.fill(3)
	manager.terrain = terrain
	check_eq(manager.get_terrain_at(Vector2i(2, 2)), WALL, "on top of a new terrain too")
	check_eq(manager.get_terrain_at(Vector2i(0, 0)), 3, "beside it")
	manager.remove_stamp(id)
	check_eq(manager.get_terrain_at(Vector2i(1, 1)), 3, "the new terrain")


func test_fields_follow_stamps() -> void:
	var manager := new_manager(Vector2i(7, 3))
	var goal := new_goal(manager, Vector2i(6, 1))
	var start := manager.get_cell_center(Vector2i(0, 1))
	check_eq(manager.get_cost_to_goal(goal, start), 6.0, "straight")
	var wall := _stamp(Vector2i(1, 3), PackedByteArray([255, 255, 255]))
	var id := manager.place_stamp(wall, Vector2i(3, 0))
	check_eq(manager.get_cost_to_goal(goal, start), INF, "walled off")
	var bridge := _stamp(Vector2i(1, 1), PackedByteArray([1]))
	manager.place_stamp(bridge, Vector2i(3, 1))
	check_eq(manager.get_cost_to_goal(goal, start), 6.0, "over the bridge")
	manager.remove_stamp(id)
	check_eq(manager.get_cost_to_goal(goal, start), 6.0, "without the wall")


func test_stamps_outside_are_refused() -> void:
	var manager := new_manager(Vector2i(5, 5))
	var block := FlowStamp.new()
	for cell: Vector2i in [Vector2i(4, 0), Vector2i(0, 4), Vector2i(-1, 0), Vector2i(90, 90)]:
		var id: int = expect_error(
			["FlowFieldManager.place_stamp", "stamp", str(cell)],
			func() -> int: return manager.place_stamp(block, cell)
		)
		check_eq(id, 0, "no id")
	var cells := PackedVector2Array([Vector2(0, 0), Vector2(4, 4)])
	var ids: PackedInt64Array = expect_error(
		["FlowFieldManager.place_stamps", "(4, 4)"],
		func() -> PackedInt64Array: return manager.place_stamps([block, block], cells)
	)
	check_eq(ids.size(), 0, "none is placed")
	check_eq(manager.get_terrain_bytes().count(1), 25, "nothing has changed")


func test_bad_arguments_are_refused() -> void:
	var manager := new_manager(Vector2i(5, 5))
	var block := FlowStamp.new()
	var one := PackedVector2Array([Vector2(0, 0)])
	var half := PackedVector2Array([Vector2(0.5, 0)])
	var turns := PackedInt32Array([1, 2])
	expect_error(
		["FlowFieldManager.place_stamp", "stamp"],
		func() -> int: return manager.place_stamp(null, Vector2i.ZERO)
	)
	var many: Dictionary[String, Callable] = {
		"stamp": func() -> Variant: return manager.place_stamps([null], one),
		"cells must have 2": func() -> Variant: return manager.place_stamps([block, block], one),
		"whole numbers": func() -> Variant: return manager.place_stamps([block], half),
		"quarter_turns": func() -> Variant: return manager.place_stamps([block], one, turns),
	}
	for word: String in many:
		expect_error(["FlowFieldManager.place_stamps", word], many[word])
	var id := manager.place_stamp(block, Vector2i.ZERO)
	var calls: Dictionary[String, Callable] = {
		"remove_stamp": func() -> Variant: return manager.remove_stamp(id + 1),
		"remove_stamps":
		func() -> Variant: return manager.remove_stamps(PackedInt64Array([id, id + 1])),
		"get_stamp_cells": func() -> Variant: return manager.get_stamp_cells(id + 1),
	}
	for method: String in calls:
		var words: Array[String] = ["FlowFieldManager.%s" % method, "stamp", str(id + 1)]
		expect_error(words, calls[method])
	check_eq(manager.get_stamps(), PackedInt64Array([id]), "still there")


func test_stamps_that_do_not_fit_a_new_grid_are_taken_off() -> void:
	var manager := new_manager(Vector2i(8, 8))
	var block := FlowStamp.new()
	var kept := manager.place_stamp(block, Vector2i(1, 1))
	var lost := manager.place_stamp(block, Vector2i(4, 4))
	manager.grid_size = Vector2i(5, 8)
	expect_error(["stamps", "[%d]" % lost, "grid"], func() -> void: manager.update())
	check_eq(manager.get_stamps(), PackedInt64Array([kept]), "stamps")
	check_eq(manager.get_terrain_at(Vector2i(4, 4)), 1, "what was under it")
	check_eq(manager.get_terrain_at(Vector2i(1, 1)), WALL, "the one that fits")
