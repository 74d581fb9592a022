extends "res://tests/test_suite.gd"
## FlowFieldManager: from where a goal is in sight.


func test_walls_and_other_ground_hide_a_goal() -> void:
	var manager := new_manager(Vector2i(12, 7))
	manager.set_terrain_rect(Rect2i(6, 1, 1, 5), WALL)
	manager.set_terrain(Vector2i(3, 5), 4)
	var goal := new_goal(manager, Vector2i(1, 3))
	var at := func(x: int, y: int) -> Vector2: return manager.get_cell_center(Vector2i(x, y))
	check(manager.has_line_of_sight(goal, at.call(5, 3) as Vector2), "in front of the wall")
	check(not manager.has_line_of_sight(goal, at.call(7, 3) as Vector2), "behind it")
	check(not manager.has_line_of_sight(goal, at.call(6, 3) as Vector2), "in it")
	check(manager.has_line_of_sight(goal, at.call(6, 0) as Vector2), "past its end")
	check(not manager.has_line_of_sight(goal, at.call(3, 5) as Vector2), "from other ground")
	check(not manager.has_line_of_sight(goal, at.call(4, 6) as Vector2), "across it")
	manager.set_terrain(Vector2i(6, 3), 1)
	check(manager.has_line_of_sight(goal, at.call(7, 3) as Vector2), "through a new gap, at once")


func test_one_of_several_targets_in_sight_is_enough() -> void:
	var manager := new_manager(Vector2i(9, 1))
	manager.set_terrain(Vector2i(4, 0), WALL)
	var goal := new_goal(manager, Vector2i(0, 0))
	var place := manager.get_cell_center(Vector2i(7, 0))
	check(not manager.has_line_of_sight(goal, place), "the one")
	manager.move_goal(goal, PackedVector2Array([Vector2(1.0, 2.0), Vector2(100.0, 9.0)]))
	check(manager.has_line_of_sight(goal, place), "the other")


func test_cells_that_are_too_narrow_hide_a_goal() -> void:
	var manager := new_manager(Vector2i(12, 7))
	draw_map(manager, ["", "#####.......", "", "", "", "#####.......", ""])
	var wide := FlowMovementType.new()
	wide.clearance_radius = 16.0 * 1.8
	manager.movement_types = [FlowMovementType.new(), wide]
	var goal := new_goal(manager, Vector2i(1, 3))
	var place := manager.get_cell_center(Vector2i(9, 3))
	check(manager.has_line_of_sight(goal, place), "an agent that fits")
	check(not manager.has_line_of_sight(goal, place, 1), "one that does not")


func test_the_map_is_the_sight_from_every_middle() -> void:
	var manager := new_manager(Vector2i(23, 17))
	walls_at_random(manager, 0.08, 3)
	manager.set_terrain(Vector2i(11, 8), 1)
	var goal := new_goal(manager, Vector2i(11, 8))
	var map := manager.get_line_of_sight(goal)
	check_eq(map.size(), 23 * 17, "cells")
	check(map.count(1) > 50 and map.count(0) > 50, "%d in sight" % map.count(1))
	for i in map.size():
		var place := manager.get_cell_center(Vector2i(i % 23, i / 23))
		check_eq(map[i] == 1, manager.has_line_of_sight(goal, place), "cell %d" % i)


func test_only_walls_end_the_sight_between_positions() -> void:
	var manager := new_manager(Vector2i(12, 7))
	draw_map(manager, ["", "", "......#.....", "", "", "", ""])
	manager.set_terrain_rect(Rect2i(8, 0, 2, 7), 4)
	manager.add_cost_circle(Vector2(60.0, 60.0), 20.0, 30)
	var flying := FlowMovementType.new()
	flying.set_cost(WALL, 1)
	manager.movement_types = [FlowMovementType.new(), flying]
	var at := func(x: int, y: int) -> Vector2: return manager.get_cell_center(Vector2i(x, y))
	var left: Vector2 = at.call(1, 3)
	check(manager.is_in_sight(left, at.call(11, 3) as Vector2), "over other ground")
	check(manager.is_in_sight(at.call(11, 3) as Vector2, left), "and back")
	var row: Vector2 = at.call(1, 2)
	var beyond: Vector2 = at.call(11, 2)
	check(not manager.is_in_sight(row, beyond), "a wall")
	check(manager.is_in_sight(row, beyond, 1), "that is none to another movement type")
	manager.set_terrain(Vector2i(6, 2), 1)
	check(manager.is_in_sight(row, beyond), "at once when the wall goes")


func test_layers_do_not_see_each_other() -> void:
	var manager := new_manager(Vector2i(12, 7))
	manager.layer_count = 2
	var low := manager.get_cell_center(Vector2i(3, 3))
	var high := manager.on_layer(low, 1)
	check(not manager.is_in_sight(low, high), "another floor")
	check(manager.is_in_sight(high, high + Vector2(40.0, 0.0)), "the same one")


func test_bad_arguments_are_refused() -> void:
	var manager := new_manager(Vector2i(5, 5))
	var goal := new_goal(manager, Vector2i(1, 1))
	var inside := Vector2(9.0, 9.0)
	var calls: Dictionary[String, Callable] = {
		"has_line_of_sight goal": func() -> Variant: return manager.has_line_of_sight(99, inside),
		"has_line_of_sight position":
		func() -> Variant: return manager.has_line_of_sight(goal, Vector2(NAN, 1.0)),
		"has_line_of_sight (-50":
		func() -> Variant: return manager.has_line_of_sight(goal, Vector2(-50.0, 1.0)),
		"has_line_of_sight movement_type":
		func() -> Variant: return manager.has_line_of_sight(goal, inside, 1),
		"is_in_sight from":
		func() -> Variant: return manager.is_in_sight(Vector2(NAN, 1.0), inside),
		"is_in_sight to":
		func() -> Variant: return manager.is_in_sight(inside, Vector2(-50.0, 1.0)),
		"is_in_sight movement_type":
		func() -> Variant: return manager.is_in_sight(inside, inside, 1),
		"get_line_of_sight goal": func() -> Variant: return manager.get_line_of_sight(99),
		"get_line_of_sight movement_type":
		func() -> Variant: return manager.get_line_of_sight(goal, -1),
	}
	for words: String in calls:
		var parts := words.split(" ")
		var result: Variant = expect_error(
			["FlowFieldManager.%s" % parts[0], parts[1]], calls[words]
		)
		check(not result, "%s: nothing is in sight" % words)
