extends "res://tests/test_suite.gd"
## FlowTerrain's regions: what a brush reads and writes, and what managers and views learn of it.

var _random := RandomNumberGenerator.new()


func _terrain(size: Vector2i) -> FlowTerrain:
	var terrain := FlowTerrain.new()
	terrain.size = size
	return terrain


## A terrain of ids from 1 to `most`.
func _mixed(size: Vector2i, most: int, random_seed: int) -> FlowTerrain:
	_random.seed = random_seed
	var terrain := _terrain(size)
	var cells := terrain.cells
	for i in cells.size():
		cells[i] = _random.randi_range(1, most)
	terrain.cells = cells
	return terrain


func _random_rect(size: Vector2i) -> Rect2i:
	var low := Vector2i(_random.randi_range(0, size.x), _random.randi_range(0, size.y))
	var room := size - low
	return Rect2i(low, Vector2i(_random.randi_range(0, room.x), _random.randi_range(0, room.y)))


## The rectangle around all cells in which two maps differ.
func _difference(one: PackedByteArray, other: PackedByteArray, width: int) -> Rect2i:
	var around := Rect2i()
	for i in one.size():
		if one[i] != other[i]:
			var cell := Rect2i(i % width, i / width, 1, 1)
			around = around.merge(cell) if around.has_area() else cell
	return around


func test_a_region_is_read_row_by_row() -> void:
	var terrain := _mixed(Vector2i(7, 5), 255, 1)
	for i in 30:
		var rect := _random_rect(terrain.size)
		var expected: PackedByteArray = []
		for y in range(rect.position.y, rect.end.y):
			for x in range(rect.position.x, rect.end.x):
				expected.append(terrain.get_terrain(Vector2i(x, y)))
		check_eq(terrain.get_region(rect), expected, str(rect))


func test_writes_change_their_cells_only_and_tell_where() -> void:
	var terrain := _mixed(Vector2i(11, 9), 3, 2)
	var told: Array[Rect2i] = []
	var changes := [0]
	terrain.region_changed.connect(func(rect: Rect2i) -> void: told.append(rect))
	terrain.changed.connect(func() -> void: changes[0] += 1)
	for i in 60:
		var rect := _random_rect(terrain.size)
		var before := terrain.cells
		var expected := before.duplicate()
		var values: PackedByteArray = []
		for y in range(rect.position.y, rect.end.y):
			for x in range(rect.position.x, rect.end.x):
				var id := 2 if i % 3 == 1 else _random.randi_range(1, 3)
				values.append(id)
				if i % 3 == 2:
					# A mask.
					values[-1] = 255 if id > 1 else 0
					expected[y * 11 + x] = 3 if id > 1 else before[y * 11 + x]
				else:
					expected[y * 11 + x] = id
		told.clear()
		var changes_before: int = changes[0]
		match i % 3:
			0:
				check_eq(terrain.set_region(rect, values), OK, "set")
			1:
				check_eq(terrain.fill_region(rect, 2), OK, "fill")
			2:
				check_eq(terrain.fill_masked(rect, values, 3), OK, "mask")
		check_eq(terrain.cells, expected, "cells after %d" % i)
		var different := _difference(before, expected, 11)
		var wanted: Array[Rect2i] = [different]
		if not different.has_area():
			wanted.clear()
		check_eq(told, wanted, "the rectangle of %d" % i)
		check_eq(changes[0] - changes_before, wanted.size(), "changed is emitted as often")


func test_whole_edits_tell_of_the_whole_terrain() -> void:
	var terrain := _terrain(Vector2i(6, 4))
	var told: Array[Rect2i] = []
	terrain.region_changed.connect(func(rect: Rect2i) -> void: told.append(rect))
	terrain.fill(3)
	terrain.size = Vector2i(5, 5)
	terrain.set_terrain(Vector2i(2, 3), 7)
	check_eq(
		told,
		[Rect2i(0, 0, 6, 4), Rect2i(0, 0, 5, 5), Rect2i(2, 3, 1, 1)] as Array[Rect2i],
		"rectangles"
	)


func test_a_mask_reaches_beyond_the_edge() -> void:
	var terrain := _terrain(Vector2i(4, 3))
	# Only the last column and row of the mask are inside.
	var mask := PackedByteArray([0, 0, 0, 0, 0, 255, 0, 0, 255])
	check_eq(terrain.fill_masked(Rect2i(-2, -1, 3, 3), mask, 9), OK, "at the corner")
	check_eq(terrain.get_terrain(Vector2i(0, 0)), 9, "a cell inside")
	check_eq(terrain.get_terrain(Vector2i(0, 1)), 9, "the cell below")
	check_eq(terrain.cells.count(9), 2, "no other")
	check_eq(terrain.fill_masked(Rect2i(40, 40, 3, 3), mask, 9), OK, "far outside")
	check_eq(terrain.cells.count(9), 2, "nothing more")


## In every block of eight by eight cells each share covers as many cells as it should, and a
## greater share all that a lesser one does.
func test_shares_of_a_mask_are_an_even_pattern() -> void:
	var before: PackedByteArray = []
	for share: int in [0, 1, 32, 64, 100, 128, 191, 254, 255]:
		var terrain := _terrain(Vector2i(32, 24))
		var mask: PackedByteArray = []
		mask.resize(32 * 24)
		mask.fill(share)
		terrain.fill_masked(Rect2i(0, 0, 32, 24), mask, 9)
		for corner: Vector2i in [Vector2i(0, 0), Vector2i(8, 16), Vector2i(3, 5)]:
			var count := terrain.get_region(Rect2i(corner, Vector2i(8, 8))).count(9)
			check(absf(count - share * 64 / 255.0) <= 0.5, "%d of 64 for %d" % [count, share])
		# Halves of a block have half of it, so the pattern is spread.
		for half: Rect2i in [Rect2i(8, 8, 4, 8), Rect2i(8, 8, 8, 4)]:
			var count := terrain.get_region(half).count(9)
			check(absf(count - share * 32 / 255.0) <= 1.01, "%d of 32 for %d" % [count, share])
		for i in before.size():
			check(before[i] == 1 or terrain.cells[i] == 9, "%d is covered by %d too" % [i, share])
		before = terrain.cells
		var changes := [0]
		terrain.changed.connect(func() -> void: changes[0] += 1)
		terrain.fill_masked(Rect2i(0, 0, 32, 24), mask, 9)
		check_eq(changes[0], 0, "once more changes nothing")
		# The pattern belongs to the cells, not to the rectangle.
		terrain.fill_masked(Rect2i(3, 1, 20, 20), mask.slice(0, 400), 9)
		check_eq(changes[0], 0, "nor does another rectangle")


func test_bad_regions_are_refused() -> void:
	var terrain := _terrain(Vector2i(4, 3))
	var one := PackedByteArray([5])
	for rect: Rect2i in [Rect2i(3, 2, 2, 1), Rect2i(-1, 0, 1, 1), Rect2i(0, 0, -1, 1)]:
		var place := str(rect.position.x)
		var read: PackedByteArray = expect_error(
			["FlowTerrain.get_region", "rect", place],
			func() -> PackedByteArray: return terrain.get_region(rect)
		)
		check(read.is_empty(), "nothing is read")
		expect_error(
			["FlowTerrain.set_region", "rect", place],
			func() -> int: return terrain.set_region(rect, one)
		)
		expect_error(
			["FlowTerrain.fill_region", "rect", place],
			func() -> int: return terrain.fill_region(rect, 5)
		)
	expect_error(
		["FlowTerrain.set_region", "cells", "4", "1"],
		func() -> int: return terrain.set_region(Rect2i(0, 0, 2, 2), one)
	)
	expect_error(
		["FlowTerrain.fill_masked", "mask", "4", "1"],
		func() -> int: return terrain.fill_masked(Rect2i(0, 0, 2, 2), one, 5)
	)
	expect_error(
		["FlowTerrain.fill_masked", "id", "256"],
		func() -> int: return terrain.fill_masked(Rect2i(0, 0, 1, 1), one, 256)
	)
	expect_error(
		["FlowTerrain.fill_area", "(4, 0)"],
		func() -> int: return terrain.fill_area(Vector2i(4, 0), 5)
	)
	expect_error(
		["FlowTerrain.get_area", "(0, 0)"],
		func() -> Rect2i: return terrain.get_area(Vector2i(0, 0), Rect2i(1, 1, 2, 2))
	)
	check_eq(terrain.cells.count(1), 12, "unchanged")


## The cells that a fill reaches, by steps from cell to cell.
func _reached(terrain: FlowTerrain, start: Vector2i, within: Rect2i) -> Dictionary[Vector2i, bool]:
	var id := terrain.get_terrain(start)
	var found: Dictionary[Vector2i, bool] = {start: true}
	var open: Array[Vector2i] = [start]
	while not open.is_empty():
		var cell: Vector2i = open.pop_back()
		for step: Vector2i in [Vector2i.LEFT, Vector2i.RIGHT, Vector2i.UP, Vector2i.DOWN]:
			var next := cell + step
			if within.has_point(next) and not found.has(next) and terrain.get_terrain(next) == id:
				found[next] = true
				open.append(next)
	return found


func test_a_fill_reaches_what_is_connected() -> void:
	for round in 40:
		var size := Vector2i(9 + round % 5, 6 + round % 7)
		var terrain := _mixed(size, 2, 100 + round)
		var within := Rect2i(Vector2i.ZERO, size)
		var start := Vector2i(_random.randi() % size.x, _random.randi() % size.y)
		if round % 2 == 1:
			within = Rect2i(start, size - start).grow_individual(mini(2, start.x), 0, 0, 0)
		var reached := _reached(terrain, start, within)
		var around := Rect2i(start, Vector2i.ONE)
		var expected := terrain.cells
		for cell: Vector2i in reached:
			around = around.merge(Rect2i(cell, Vector2i.ONE))
			expected[cell.y * size.x + cell.x] = 77
		check_eq(terrain.get_area(start, within), around, "the area of %d" % round)
		check_eq(terrain.fill_area(start, 77, within), OK, "filled")
		check_eq(terrain.cells, expected, "cells of %d" % round)


func test_a_fill_with_the_same_id_changes_nothing() -> void:
	var terrain := _terrain(Vector2i(8, 8))
	var changes := [0]
	terrain.changed.connect(func() -> void: changes[0] += 1)
	check_eq(terrain.fill_area(Vector2i(3, 3), 1), OK, "filled")
	check_eq(changes[0], 0, "no news")


## Managers read what has changed alone: what was edited through them elsewhere stays.
func test_managers_follow_regions_of_a_shared_terrain() -> void:
	var terrain := _terrain(Vector2i(8, 6))
	var managers: Array[FlowFieldManager] = [
		new_manager(Vector2i(8, 6)), new_manager(Vector2i(8, 6))
	]
	managers[1].origin = Vector2(1000.0, 0.0)
	for manager: FlowFieldManager in managers:
		manager.terrain = terrain
		manager.update()
		manager.set_terrain(Vector2i(7, 5), 50)
	terrain.fill_region(Rect2i(1, 1, 3, 2), WALL)
	terrain.set_terrain(Vector2i(0, 4), 9)
	for manager: FlowFieldManager in managers:
		var changed: Array[Rect2i] = []
		manager.terrain_changed.connect(func(rect: Rect2i) -> void: changed.append(rect))
		manager.update()
		var expected := terrain.cells
		expected[5 * 8 + 7] = 50
		check_eq(manager.get_terrain_bytes(), expected, "what is painted, and the manager's own")
		check_eq(manager.get_cost(Vector2i(3, 2)), 255, "a wall")
		check_eq(changed.size(), 1, "told once")
	terrain.fill(2)
	check_eq(managers[0].get_terrain_at(Vector2i(7, 5)), 2, "a whole edit replaces all")


func test_a_manager_that_has_missed_many_edits_reads_everything() -> void:
	var terrain := _terrain(Vector2i(40, 40))
	var manager := new_manager(Vector2i(40, 40))
	manager.terrain = terrain
	manager.update()
	for i in 1600:
		terrain.set_terrain(Vector2i(i % 40, i / 40), 2 + i % 200)
	check_eq(manager.get_terrain_bytes(), terrain.cells, "all of them")


func test_regions_of_upper_layers_arrive() -> void:
	var manager := new_manager(Vector2i(6, 5))
	manager.layer_count = 3
	var terrain := _terrain(Vector2i(6, 5))
	manager.layer_terrains = [null, terrain]
	manager.update()
	terrain.fill_region(Rect2i(2, 1, 2, 3), 40)
	check_eq(manager.get_terrain_bytes(2), terrain.cells, "layer 2")
	check_eq(manager.get_terrain_bytes(0).count(40), 0, "not the ground")
