extends "res://tests/test_suite.gd"
## FlowFieldManager: buckets for anything a game wants found near a point.


func test_entities_are_found_near_a_point() -> void:
	var manager := new_manager(Vector2i(37, 91))
	var random := RandomNumberGenerator.new()
	random.seed = 3
	var places: Dictionary[int, Vector2] = {}
	for i in 400:
		var id := 1000 - i
		var end := manager.get_bounds().end
		places[id] = Vector2(random.randf() * end.x, random.randf() * end.y)
		check_eq(manager.register_entity(id, places[id]), OK, "register %d" % id)
	check_eq(manager.get_entity_count(), 400, "count")
	for n in 50:
		var center := places[1000 - n] + Vector2(5.0, -3.0)
		var radius := 20.0 + 6.0 * n
		var expected := PackedInt64Array()
		for id: int in places:
			if places[id].distance_to(center) <= radius:
				expected.append(id)
		expected.sort()
		check_eq(manager.get_entities_near(center, radius), expected, "radius %f" % radius)


func test_a_moved_entity_is_found_at_its_new_place_only() -> void:
	var manager := new_manager()
	manager.register_entity(7, Vector2(10.0, 10.0))
	check_eq(manager.move_entity(7, Vector2(200.0, 150.0)), OK, "move")
	check_eq(manager.get_entity_position(7), Vector2(200.0, 150.0), "position")
	check(manager.get_entities_near(Vector2(10.0, 10.0), 30.0).is_empty(), "old place")
	check_eq(
		manager.get_entities_near(Vector2(200.0, 150.0), 1.0), PackedInt64Array([7]), "new place"
	)


func test_an_unregistered_entity_is_gone() -> void:
	var manager := new_manager()
	manager.register_entity(7, Vector2(10.0, 10.0))
	check_eq(manager.unregister_entity(7), OK, "unregister")
	check_eq(manager.get_entity_count(), 0, "count")
	check(manager.get_entities_near(Vector2(10.0, 10.0), 30.0).is_empty(), "not found")
	check_eq(manager.register_entity(7, Vector2(20.0, 10.0)), OK, "its id is free again")


func test_any_integer_is_an_id() -> void:
	var manager := new_manager()
	var ids := PackedInt64Array([-5, 0, 3, 9223372036854775807])
	for id: int in ids:
		check_eq(manager.register_entity(id, Vector2(30.0, 30.0)), OK, "id %d" % id)
	check_eq(manager.get_entities_near(Vector2(30.0, 30.0), 0.5), ids, "ascending")


func test_entities_stand_inside_the_grid() -> void:
	var manager := new_manager(Vector2i(4, 4))
	var far := Vector2(-500.0, 900.0)
	var result: int = expect_error(
		["FlowFieldManager.register_entity", "position", "outside"],
		func() -> int: return manager.register_entity(1, far)
	)
	check_eq(result, ERR_INVALID_PARAMETER, "register")
	manager.register_entity(1, Vector2(8.0, 8.0))
	expect_error(
		["FlowFieldManager.move_entity", "position", "outside"],
		func() -> int: return manager.move_entity(1, far)
	)
	check_eq(manager.get_entity_position(1), Vector2(8.0, 8.0), "unchanged")


func test_ids_are_unique_and_must_exist() -> void:
	var manager := new_manager()
	manager.register_entity(4, Vector2(1.0, 1.0))
	var again: int = expect_error(
		["FlowFieldManager.register_entity", "entity 4"],
		func() -> int: return manager.register_entity(4, Vector2(9.0, 9.0))
	)
	check_eq(again, ERR_ALREADY_EXISTS, "registered twice")
	check_eq(manager.get_entity_position(4), Vector2(1.0, 1.0), "the first stays")
	var moved: int = expect_error(
		["FlowFieldManager.move_entity", "entity 5"],
		func() -> int: return manager.move_entity(5, Vector2(9.0, 9.0))
	)
	check_eq(moved, ERR_DOES_NOT_EXIST, "moved")
	var gone: int = expect_error(
		["FlowFieldManager.unregister_entity", "entity 5"],
		func() -> int: return manager.unregister_entity(5)
	)
	check_eq(gone, ERR_DOES_NOT_EXIST, "unregistered")
	expect_error(
		["FlowFieldManager.get_entity_position", "entity 5"],
		func() -> Vector2: return manager.get_entity_position(5)
	)


func test_bad_numbers_are_refused() -> void:
	var manager := new_manager()
	manager.register_entity(1, Vector2(8.0, 8.0))
	var bad := Vector2(0.0, NAN)
	expect_error(
		["FlowFieldManager.register_entity", "position"],
		func() -> int: return manager.register_entity(2, bad)
	)
	expect_error(
		["FlowFieldManager.move_entity", "position"],
		func() -> int: return manager.move_entity(1, bad)
	)
	expect_error(
		["FlowFieldManager.get_entities_near", "position"],
		func() -> PackedInt64Array: return manager.get_entities_near(bad, 5.0)
	)
	for radius: float in [-1.0, NAN, INF]:
		var found: PackedInt64Array = expect_error(
			["FlowFieldManager.get_entities_near", "radius"],
			func() -> PackedInt64Array: return manager.get_entities_near(Vector2(8, 8), radius)
		)
		check(found.is_empty(), "nothing found")
		expect_error(
			["FlowFieldManager.get_closest_walls", "radius"],
			func() -> PackedVector2Array: return manager.get_closest_walls(Vector2(8, 8), radius)
		)
	expect_error(
		["FlowFieldManager.get_closest_walls", "position"],
		func() -> PackedVector2Array: return manager.get_closest_walls(bad, 5.0)
	)
	check_eq(manager.get_entity_position(1), Vector2(8.0, 8.0), "unchanged")
	check_eq(manager.get_entity_count(), 1, "count")


func test_closest_walls_are_the_nearest_points_of_wall_cells() -> void:
	var manager := new_manager(Vector2i(10, 7))
	manager.set_walls(PackedVector2Array([Vector2(5, 3), Vector2(9, 6), Vector2(2, 3)]))
	manager.update()
	var center := manager.get_cell_center(Vector2i(4, 3))
	check_eq(
		manager.get_closest_walls(center, 9.0), PackedVector2Array([Vector2(80.0, 56.0)]), "one"
	)
	var points := manager.get_closest_walls(center, 30.0)
	check_eq(points.size(), 2, "two")
	check(points.has(Vector2(48.0, 56.0)), "the left one: %s" % [points])
	check(manager.get_closest_walls(center, 7.9).is_empty(), "none that close")
	var inside := manager.get_cell_center(Vector2i(5, 3)) + Vector2(1.0, 2.0)
	check_eq(manager.get_closest_walls(inside, 1.0), PackedVector2Array([inside]), "inside a wall")
