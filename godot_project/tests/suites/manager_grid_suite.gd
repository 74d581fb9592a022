extends "res://tests/test_suite.gd"
## FlowFieldManager: the grid, its coordinates and its settings.

const ODD_SIZES: Array[Vector2i] = [
	Vector2i(1, 1), Vector2i(1, 19), Vector2i(23, 1), Vector2i(37, 91), Vector2i(91, 37)
]


func test_defaults() -> void:
	var manager := FlowFieldManager.new()
	check_eq(manager.grid_size, Vector2i(64, 64), "grid_size")
	check_eq(manager.cell_size, 16.0, "cell_size")
	check_eq(manager.origin, Vector2.ZERO, "origin")
	check_eq(manager.direction_rule, FlowFieldManager.DIRECTION_CHARACTERISTIC, "direction_rule")
	check_eq(manager.solver, FlowFieldManager.SOLVER_EIKONAL, "solver")
	check_eq(manager.background, false, "background")
	check_eq(manager.worker_threads, 0, "worker_threads")
	check_eq(manager.debug_view, 0, "debug_view")
	check(manager.terrain == null, "no terrain")
	check(manager.movement_types.is_empty(), "no movement types")
	manager.free()


func test_cells_and_centres_agree_on_odd_grids() -> void:
	for size: Vector2i in ODD_SIZES:
		var manager := new_manager(size, 7.5)
		manager.origin = Vector2(-100.25, 33.5)
		check_eq(
			manager.get_bounds(),
			Rect2(-100.25, 33.5, size.x * 7.5, size.y * 7.5),
			"bounds %s" % size
		)
		for y in size.y:
			for x in size.x:
				var center := manager.get_cell_center(Vector2i(x, y))
				if manager.get_cell(center) != Vector2i(x, y):
					check(false, "cell of the centre of (%d, %d) in %s" % [x, y, size])
		check_near_vector(
			manager.get_cell_center(size - Vector2i.ONE),
			Vector2(-100.25, 33.5) + (Vector2(size) - Vector2(0.5, 0.5)) * 7.5,
			1e-3,
			"last centre"
		)


func test_cells_left_of_the_origin_are_negative() -> void:
	var manager := new_manager(Vector2i(4, 4), 10.0)
	check_eq(manager.get_cell(Vector2(-0.5, 9.9)), Vector2i(-1, 0), "just outside")
	check_eq(manager.get_cell(Vector2(0.0, 10.0)), Vector2i(0, 1), "on an edge")
	check_eq(manager.get_cell(Vector2(39.9, 40.1)), Vector2i(3, 4), "below the last row")


func test_is_in_grid() -> void:
	var manager := new_manager(Vector2i(5, 3))
	for cell: Vector2i in [Vector2i(0, 0), Vector2i(4, 2), Vector2i(4, 0), Vector2i(0, 2)]:
		check(manager.is_in_grid(cell), "%s is inside" % cell)
	for cell: Vector2i in [Vector2i(5, 0), Vector2i(0, 3), Vector2i(-1, 1), Vector2i(2, -1)]:
		check(not manager.is_in_grid(cell), "%s is outside" % cell)


func test_a_position_that_is_not_finite_has_no_cell() -> void:
	var manager := new_manager()
	for place: Vector2 in [Vector2(NAN, 0.0), Vector2(0.0, INF), Vector2(-INF, NAN)]:
		var cell: Vector2i = expect_error(
			["FlowFieldManager.get_cell", "position"],
			func() -> Vector2i: return manager.get_cell(place)
		)
		check(not manager.is_in_grid(cell), "the answer is no cell of the grid: %s" % cell)


func test_a_grid_of_nothing_is_refused() -> void:
	var manager := new_manager(Vector2i(4, 4))
	for size: Vector2i in [Vector2i(0, 3), Vector2i(3, 0), Vector2i(-2, 3), Vector2i(0, 0)]:
		expect_error(
			["FlowFieldManager", "grid_size", str(size)],
			func() -> void: manager.set(&"grid_size", size)
		)
		check_eq(manager.grid_size, Vector2i(4, 4), "unchanged")


func test_a_cell_size_must_be_positive_and_finite() -> void:
	var manager := new_manager()
	for value: float in [0.0, -16.0, NAN, INF]:
		expect_error(
			["FlowFieldManager", "cell_size"], func() -> void: manager.set(&"cell_size", value)
		)
		check_eq(manager.cell_size, 16.0, "unchanged")


func test_an_origin_must_be_finite() -> void:
	var manager := new_manager()
	for value: Vector2 in [Vector2(NAN, 0.0), Vector2(0.0, INF)]:
		expect_error(["FlowFieldManager", "origin"], func() -> void: manager.set(&"origin", value))
		check_eq(manager.origin, Vector2.ZERO, "unchanged")


func test_worker_threads_cannot_be_negative() -> void:
	var manager := new_manager()
	manager.worker_threads = 2
	expect_error(
		["FlowFieldManager", "worker_threads", "-1"],
		func() -> void: manager.set(&"worker_threads", -1)
	)
	check_eq(manager.worker_threads, 2, "unchanged")


func test_unknown_enum_values_are_refused() -> void:
	var manager := new_manager()
	for property: StringName in [&"direction_rule", &"solver", &"debug_view"]:
		var before: int = manager.get(property)
		expect_error(
			["FlowFieldManager", property, "17"], func() -> void: manager.set(property, 17)
		)
		check_eq(manager.get(property), before, "%s unchanged" % property)


func test_a_new_grid_size_keeps_the_common_part() -> void:
	var manager := new_manager(Vector2i(4, 4))
	manager.set_terrain(Vector2i(1, 1), WALL)
	manager.set_terrain(Vector2i(3, 3), WALL)
	manager.update()
	manager.grid_size = Vector2i(6, 3)
	manager.update()
	check_eq(manager.get_costs().size(), 18, "cells")
	check_eq(manager.get_bounds().size, Vector2(96.0, 48.0), "bounds")
	check_eq(manager.get_terrain_at(Vector2i(1, 1)), WALL, "kept")
	check_eq(manager.get_terrain_bytes().count(WALL), 1, "the one outside is gone")


func test_it_works_outside_of_the_tree() -> void:
	var manager := FlowFieldManager.new()
	manager.grid_size = Vector2i(8, 1)
	var goal := manager.create_goal(PackedVector2Array([manager.get_cell_center(Vector2i(7, 0))]))
	manager.update()
	check_near(manager.get_cost_to_goal(goal, Vector2(8.0, 8.0)), 7.0, 1e-3, "cost")
	manager.free()


func test_a_terrain_of_another_size_is_refused() -> void:
	var manager := new_manager(Vector2i(4, 4))
	manager.set_terrain(Vector2i(1, 1), WALL)
	var terrain := FlowTerrain.new()
	terrain.size = Vector2i(5, 5)
	expect_error(
		["FlowFieldManager", "terrain", "(5, 5)", "(4, 4)"],
		func() -> void:
			manager.terrain = terrain
			manager.update()
			manager.update()
	)
	check_eq(manager.get_terrain_bytes().count(WALL), 1, "the map is as it was")


func test_a_faulty_grid_is_told_of_in_every_call_and_once_by_frames() -> void:
	var manager := new_manager()
	var swarm := new_swarm(manager)
	manager.origin = Vector2(1e12, 0.0)
	var place := PackedVector2Array([Vector2(1e12, 8.0)])
	for i in 3:
		var goal: int = expect_error(
			["FlowFieldManager.create_goal"], func() -> int: return manager.create_goal(place)
		)
		check_eq(goal, 0, "no goal")
		expect_error(["EnemySwarm.spawn"], func() -> int: return swarm.spawn(place[0]))
	manager.update()
	await scene.get_tree().physics_frame
	swarm.step(0.1)
	manager.origin = Vector2.ZERO
	check(new_goal(manager, Vector2i(3, 3)) > 0, "it is in order again")
