extends "res://tests/test_suite.gd"
## FlowTerrain: the saveable terrain of a map.


func test_a_new_terrain_is_clear_ground() -> void:
	var terrain := FlowTerrain.new()
	check_eq(terrain.size, Vector2i(64, 64), "size")
	check_eq(terrain.get_cell_count(), 64 * 64, "cell count")
	check_eq(terrain.cells.size(), 64 * 64, "bytes")
	check_eq(terrain.cells.count(1), 64 * 64, "clear cells")


func test_cells_are_stored_row_by_row() -> void:
	var terrain := FlowTerrain.new()
	terrain.size = Vector2i(5, 3)
	terrain.set_terrain(Vector2i(3, 2), 77)
	check_eq(terrain.get_terrain(Vector2i(3, 2)), 77, "cell")
	check_eq(terrain.cells[2 * 5 + 3], 77, "byte")
	check_eq(terrain.cells.count(1), 14, "the others")


func test_a_new_size_keeps_the_common_part() -> void:
	var terrain := FlowTerrain.new()
	terrain.size = Vector2i(4, 4)
	terrain.set_terrain(Vector2i(1, 2), 9)
	terrain.set_terrain(Vector2i(3, 3), 8)
	terrain.size = Vector2i(3, 7)
	check_eq(terrain.get_terrain(Vector2i(1, 2)), 9, "kept cell")
	check_eq(terrain.get_cell_count(), 21, "cell count")
	check_eq(terrain.cells.count(1), 20, "new cells are clear")


func test_fill_sets_every_cell() -> void:
	var terrain := FlowTerrain.new()
	terrain.size = Vector2i(7, 2)
	terrain.fill(200)
	check_eq(terrain.cells.count(200), 14, "filled cells")


func test_every_edit_emits_changed() -> void:
	var terrain := FlowTerrain.new()
	terrain.size = Vector2i(4, 4)
	var count := [0]
	terrain.changed.connect(func() -> void: count[0] += 1)
	terrain.set_terrain(Vector2i(0, 0), 3)
	check_eq(count[0], 1, "after set_terrain")
	terrain.fill(2)
	check_eq(count[0], 2, "after fill")
	terrain.size = Vector2i(2, 2)
	check_eq(count[0], 3, "after size")
	terrain.cells = PackedByteArray([1, 2, 3, 4])
	check_eq(count[0], 4, "after cells")


func test_it_is_saved_and_loaded() -> void:
	var terrain := FlowTerrain.new()
	terrain.size = Vector2i(3, 2)
	terrain.cells = PackedByteArray([1, 2, 3, 254, 255, 9])
	var path := "user://terrain_test.tres"
	check_eq(ResourceSaver.save(terrain, path), OK, "save")
	var loaded := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE) as FlowTerrain
	check_eq(loaded.size, Vector2i(3, 2), "size")
	check_eq(loaded.cells, PackedByteArray([1, 2, 3, 254, 255, 9]), "cells")
	DirAccess.remove_absolute(path)


func test_a_duplicate_is_independent() -> void:
	var terrain := FlowTerrain.new()
	terrain.size = Vector2i(2, 2)
	var copy := terrain.duplicate() as FlowTerrain
	copy.set_terrain(Vector2i(0, 0), 50)
	check_eq(copy.get_terrain(Vector2i(0, 0)), 50, "copy")
	check_eq(terrain.get_terrain(Vector2i(0, 0)), 1, "original")


func test_a_size_of_nothing_is_refused() -> void:
	var terrain := FlowTerrain.new()
	for size: Vector2i in [Vector2i(0, 4), Vector2i(4, 0), Vector2i(-1, 4), Vector2i(-3, -3)]:
		expect_error(["FlowTerrain", "size", str(size)], func() -> void: terrain.set(&"size", size))
		check_eq(terrain.size, Vector2i(64, 64), "unchanged size")


func test_cells_of_the_wrong_length_are_refused() -> void:
	var terrain := FlowTerrain.new()
	terrain.size = Vector2i(2, 2)
	for count: int in [0, 3, 5]:
		var bytes := PackedByteArray()
		bytes.resize(count)
		expect_error(
			["FlowTerrain", "cells", str(count)], func() -> void: terrain.set(&"cells", bytes)
		)
	check_eq(terrain.cells, PackedByteArray([1, 1, 1, 1]), "unchanged cells")


func test_cells_outside_and_ids_out_of_range_are_refused() -> void:
	var terrain := FlowTerrain.new()
	terrain.size = Vector2i(4, 4)
	for cell: Vector2i in [Vector2i(4, 0), Vector2i(0, 4), Vector2i(-1, 0)]:
		expect_error(
			["FlowTerrain.set_terrain", "cell", str(cell)],
			func() -> void: terrain.set_terrain(cell, 5)
		)
		expect_error(
			["FlowTerrain.get_terrain", "cell", str(cell)],
			func() -> int: return terrain.get_terrain(cell)
		)
	for id: int in [-1, 256, 100000]:
		expect_error(
			["FlowTerrain.set_terrain", "id", str(id)],
			func() -> void: terrain.set_terrain(Vector2i.ZERO, id)
		)
		expect_error(["FlowTerrain.fill", "id", str(id)], func() -> void: terrain.fill(id))
	check_eq(terrain.cells.count(1), 16, "unchanged cells")
