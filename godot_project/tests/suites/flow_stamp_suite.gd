extends "res://tests/test_suite.gd"
## FlowStamp: a piece of terrain to be laid over the terrain.


func test_a_new_stamp_is_a_block_of_wall() -> void:
	var stamp := FlowStamp.new()
	check_eq(stamp.size, Vector2i(2, 2), "size")
	check_eq(stamp.cells, PackedByteArray([255, 255, 255, 255]), "cells")
	check_eq(stamp.leave_id, 0, "id that leaves the terrain")


func test_cells_are_stored_row_by_row() -> void:
	var stamp := FlowStamp.new()
	stamp.size = Vector2i(3, 2)
	check_eq(stamp.set_terrain(Vector2i(2, 1), 7), OK, "set")
	check_eq(stamp.get_terrain(Vector2i(2, 1)), 7, "cell")
	check_eq(stamp.cells, PackedByteArray([255, 255, 255, 255, 255, 7]), "cells")
	stamp.size = Vector2i(4, 1)
	check_eq(stamp.cells, PackedByteArray([255, 255, 255, 255]), "new cells are walls")
	check_eq(stamp.fill(3), OK, "fill")
	check_eq(stamp.cells.count(3), 4, "filled")


func test_every_edit_emits_changed() -> void:
	var stamp := FlowStamp.new()
	var count := [0]
	stamp.changed.connect(func() -> void: count[0] += 1)
	stamp.fill(2)
	stamp.set_terrain(Vector2i.ZERO, 3)
	stamp.size = Vector2i(1, 2)
	stamp.cells = PackedByteArray([1, 2])
	stamp.leave_id = -1
	check_eq(count[0], 5, "changes")


func test_it_is_saved_and_loaded() -> void:
	var stamp := FlowStamp.new()
	stamp.size = Vector2i(3, 1)
	stamp.cells = PackedByteArray([9, 0, 255])
	stamp.leave_id = 9
	var path := "user://stamp_test.tres"
	check_eq(ResourceSaver.save(stamp, path), OK, "save")
	var loaded := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE) as FlowStamp
	check_eq(loaded.size, Vector2i(3, 1), "size")
	check_eq(loaded.cells, PackedByteArray([9, 0, 255]), "cells")
	check_eq(loaded.leave_id, 9, "id that leaves the terrain")
	DirAccess.remove_absolute(path)


func test_bad_values_are_refused() -> void:
	var stamp := FlowStamp.new()
	var short := PackedByteArray([1, 2, 3])
	var cell := Vector2i(2, 0)
	expect_error(["FlowStamp.size", "(0, 3)"], func() -> void: stamp.size = Vector2i(0, 3))
	expect_error(["FlowStamp.size"], func() -> void: stamp.size = Vector2i(-1, -1))
	expect_error(["FlowStamp.size"], func() -> void: stamp.size = Vector2i(1 << 20, 1 << 20))
	expect_error(["FlowStamp.cells", "4", "3"], func() -> void: stamp.set(&"cells", short))
	expect_error(["FlowStamp.leave_id", "256"], func() -> void: stamp.set(&"leave_id", 256))
	expect_error(["FlowStamp.leave_id", "-2"], func() -> void: stamp.set(&"leave_id", -2))
	expect_error(["FlowStamp.get_terrain", "(2, 0)"], func() -> void: stamp.get_terrain(cell))
	expect_error(["FlowStamp.set_terrain", "(2, 0)"], func() -> void: stamp.set_terrain(cell, 1))
	expect_error(["FlowStamp.fill", "256"], func() -> void: stamp.fill(256))
	check_eq(stamp.size, Vector2i(2, 2), "size unchanged")
	check_eq(stamp.cells.count(255), 4, "cells unchanged")
	check_eq(stamp.leave_id, 0, "id unchanged")
