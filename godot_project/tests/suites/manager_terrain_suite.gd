extends "res://tests/test_suite.gd"
## FlowFieldManager: painting terrain and reading it back.


func test_set_terrain_changes_one_cell() -> void:
	var manager := new_manager(Vector2i(37, 91))
	check_eq(manager.set_terrain(Vector2i(36, 90), 40), OK, "returns OK")
	check_eq(manager.get_terrain_at(Vector2i(36, 90)), 40, "the cell")
	check_eq(manager.get_terrain_bytes().count(1), 37 * 91 - 1, "all others")
	check_eq(manager.get_terrain_bytes()[90 * 37 + 36], 40, "row by row")
	check_eq(manager.get_cost(Vector2i(36, 90)), 40, "cost")


func test_get_terrain_at_outside_is_minus_one() -> void:
	var manager := new_manager(Vector2i(4, 4))
	for cell: Vector2i in [Vector2i(4, 0), Vector2i(0, -1), Vector2i(100, 100)]:
		var id: int = expect_error(
			["FlowFieldManager.get_terrain_at", "cell", str(cell)],
			func() -> int: return manager.get_terrain_at(cell)
		)
		check_eq(id, -1, "terrain at %s" % cell)


func test_set_terrain_refuses_cells_outside() -> void:
	var manager := new_manager(Vector2i(4, 4))
	for cell: Vector2i in [Vector2i(4, 0), Vector2i(9, 9), Vector2i(-1, 2)]:
		var result: int = expect_error(
			["FlowFieldManager.set_terrain", "cell", str(cell)],
			func() -> int: return manager.set_terrain(cell, 5)
		)
		check_eq(result, ERR_INVALID_PARAMETER, "result")
	check_eq(manager.get_terrain_bytes().count(1), 16, "unchanged")


func test_set_terrain_refuses_ids_out_of_range() -> void:
	var manager := new_manager(Vector2i(4, 4))
	for id: int in [-1, 256, 1 << 40]:
		var result: int = expect_error(
			["FlowFieldManager.set_terrain", "id", str(id)],
			func() -> int: return manager.set_terrain(Vector2i.ZERO, id)
		)
		check_eq(result, ERR_INVALID_PARAMETER, "result")
	check_eq(manager.get_terrain_bytes().count(1), 16, "unchanged")


func test_set_terrain_rect_fills_the_part_inside() -> void:
	var manager := new_manager(Vector2i(7, 5))
	check_eq(manager.set_terrain_rect(Rect2i(2, 1, 3, 2), WALL), OK, "inside")
	check_eq(manager.get_terrain_bytes().count(WALL), 6, "filled")
	check_eq(manager.get_terrain_at(Vector2i(4, 2)), WALL, "last cell")
	check_eq(manager.get_terrain_at(Vector2i(5, 2)), 1, "next cell")


func test_set_terrain_rect_refuses_bad_rects() -> void:
	var manager := new_manager(Vector2i(7, 5))
	for rect: Rect2i in [Rect2i(0, 0, -2, 3), Rect2i(5, 0, 3, 2), Rect2i(20, 20, 2, 2)]:
		var result: int = expect_error(
			["FlowFieldManager.set_terrain_rect", "rect"],
			func() -> int: return manager.set_terrain_rect(rect, WALL)
		)
		check_eq(result, ERR_INVALID_PARAMETER, "result")
	expect_error(
		["FlowFieldManager.set_terrain_rect", "id", "999"],
		func() -> int: return manager.set_terrain_rect(Rect2i(0, 0, 1, 1), 999)
	)
	check_eq(manager.get_terrain_bytes().count(1), 35, "unchanged")


func test_terrain_bytes_round_trip() -> void:
	var manager := new_manager(Vector2i(19, 23))
	var bytes := PackedByteArray()
	for i in 19 * 23:
		bytes.append(1 + i * 7 % 255)
	check_eq(manager.set_terrain_bytes(bytes), OK, "set")
	check_eq(manager.get_terrain_bytes(), bytes, "get")
	check_eq(manager.get_terrain_at(Vector2i(3, 2)), bytes[2 * 19 + 3], "one cell")


func test_terrain_bytes_of_the_wrong_length_are_refused() -> void:
	var manager := new_manager(Vector2i(4, 4))
	for length: int in [0, 15, 17]:
		var bytes := PackedByteArray()
		bytes.resize(length)
		var result: int = expect_error(
			["FlowFieldManager.set_terrain_bytes", "bytes", str(length), "16"],
			func() -> int: return manager.set_terrain_bytes(bytes)
		)
		check_eq(result, ERR_INVALID_PARAMETER, "result")
	check_eq(manager.get_terrain_bytes().count(1), 16, "unchanged")


func test_set_walls_paints_and_erases() -> void:
	var manager := new_manager(Vector2i(6, 4))
	var cells := PackedVector2Array([Vector2(0, 0), Vector2(5, 3), Vector2(2, 1)])
	check_eq(manager.set_walls(cells), OK, "paint")
	for cell: Vector2 in cells:
		check_eq(manager.get_terrain_at(Vector2i(cell)), WALL, "wall at %s" % cell)
	check_eq(manager.get_terrain_bytes().count(WALL), 3, "only those")
	check_eq(manager.set_walls(cells.slice(0, 2), false), OK, "erase")
	check_eq(manager.get_terrain_bytes().count(WALL), 1, "one is left")
	check_eq(manager.get_terrain_at(Vector2i(0, 0)), 1, "erased to clear ground")


func test_set_walls_is_all_or_nothing() -> void:
	var manager := new_manager(Vector2i(6, 4))
	for bad: Vector2 in [Vector2(6, 0), Vector2(-1, 0), Vector2(NAN, 0.0), Vector2(0.0, INF)]:
		var result: int = expect_error(
			["FlowFieldManager.set_walls", "cell"],
			func() -> int: return manager.set_walls(PackedVector2Array([Vector2(1, 1), bad]))
		)
		check_eq(result, ERR_INVALID_PARAMETER, "result")
	check_eq(manager.get_terrain_bytes().count(1), 24, "unchanged")


func test_get_cost_refuses_bad_arguments() -> void:
	var manager := new_manager(Vector2i(4, 4))
	expect_error(
		["FlowFieldManager.get_cost", "cell", "(4, 0)"],
		func() -> int: return manager.get_cost(Vector2i(4, 0))
	)
	expect_error(
		["FlowFieldManager.get_cost", "movement_type", "3"],
		func() -> int: return manager.get_cost(Vector2i(0, 0), 3)
	)
	var costs: PackedByteArray = expect_error(
		["FlowFieldManager.get_costs", "movement_type", "-1"],
		func() -> PackedByteArray: return manager.get_costs(-1)
	)
	check(costs.is_empty(), "an empty array")


func test_a_terrain_resource_is_the_map() -> void:
	var manager := new_manager(Vector2i(3, 2))
	var terrain := FlowTerrain.new()
	terrain.size = Vector2i(3, 2)
	terrain.cells = PackedByteArray([1, 2, 3, 4, 5, 255])
	manager.terrain = terrain
	manager.update()
	check_eq(manager.get_terrain_bytes(), terrain.cells, "taken over")
	terrain.set_terrain(Vector2i(0, 0), 99)
	manager.update()
	check_eq(manager.get_terrain_at(Vector2i(0, 0)), 99, "edits of the resource arrive")


func test_an_edit_changes_the_next_query() -> void:
	var manager := new_manager(Vector2i(5, 1))
	var goal := new_goal(manager, Vector2i(4, 0))
	var place := manager.get_cell_center(Vector2i(0, 0))
	check_near(manager.get_cost_to_goal(goal, place), 4.0, 1e-3, "open")
	manager.set_terrain(Vector2i(2, 0), WALL)
	manager.update()
	check_eq(manager.get_cost_to_goal(goal, place), INF, "walled off")
	manager.set_terrain(Vector2i(2, 0), 1)
	manager.update()
	check_near(manager.get_cost_to_goal(goal, place), 4.0, 1e-3, "open again")


func test_a_rectangle_of_bytes() -> void:
	var manager := new_manager(Vector2i(4, 3))
	var bytes := PackedByteArray([2, 3, 4, 5])
	check_eq(manager.set_terrain_rect_bytes(Rect2i(1, 1, 2, 2), bytes), OK, "set")
	check_eq(
		manager.get_terrain_bytes(),
		PackedByteArray([1, 1, 1, 1, 1, 2, 3, 1, 1, 4, 5, 1]),
		"row by row"
	)
	var method := "FlowFieldManager.set_terrain_rect_bytes"
	expect_error(
		[method, "4", "3"],
		func() -> int:
			return manager.set_terrain_rect_bytes(Rect2i(0, 0, 2, 2), PackedByteArray([9, 9, 9]))
	)
	expect_error(
		[method, "(5, 2)"],
		func() -> int: return manager.set_terrain_rect_bytes(Rect2i(3, 2, 3, 1), bytes.slice(1))
	)
	expect_error(
		[method, "rect"],
		func() -> int: return manager.set_terrain_rect_bytes(Rect2i(0, 0, -2, -2), bytes)
	)
	check_eq(manager.get_terrain_bytes().count(9), 0, "unchanged")
