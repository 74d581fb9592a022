extends "res://tests/test_suite.gd"
## The shapes of the editor's brush, and the cells of its lines.

const Brush := preload("res://addons/flow_swarm/editor/paint/brush.gd")
const CellLine := preload("res://addons/flow_swarm/editor/paint/cell_line.gd")


func _brush(size: int, shape: Brush.Shape, falloff := 0.0) -> Brush:
	var brush := Brush.new()
	brush.size = size
	brush.shape = shape
	brush.falloff = falloff
	return brush


func test_the_area_is_around_the_cell() -> void:
	var at := Vector2i(100, 50)
	for size in range(1, 65):
		var area := _brush(size, Brush.Shape.SQUARE).area(at)
		check_eq(area.size, Vector2i(size, size), "size")
		# The middle of the square is in the cell or, of even sizes, at its far corner.
		var middle := 2 * area.position + area.size
		check_eq(middle - 2 * at, Vector2i.ONE * (1 if size % 2 == 1 else 2), "middle of %d" % size)


func test_a_square_covers_all_cells() -> void:
	for size: int in [1, 2, 3, 17, 64]:
		var mask := _brush(size, Brush.Shape.SQUARE).mask()
		check_eq(mask.size(), size * size, "entries")
		check_eq(mask.count(255), size * size, "covered")


## In whole numbers, with lengths in twentieths of a cell.
func test_a_round_brush_is_a_disc() -> void:
	for size in range(1, 65):
		var mask := _brush(size, Brush.Shape.ROUND).mask()
		var radius := 10 * size - 2
		var wrong := 0
		for y in size:
			for x in size:
				var dx := 20 * x + 10 - 10 * size
				var dy := 20 * y + 10 - 10 * size
				var off := dx * dx + dy * dy - radius * radius
				# Exactly on the circle rounding decides.
				if off != 0 and mask[y * size + x] != (255 if off < 0 else 0):
					wrong += 1
		check_eq(wrong, 0, "cells of size %d" % size)
	var small := _brush(3, Brush.Shape.ROUND).mask()
	check_eq(small, PackedByteArray([0, 255, 0, 255, 255, 255, 0, 255, 0]), "of three cells a plus")


## Along three quarters of the radius the share falls from all to none.
func test_falloff_thins_out_towards_the_edge() -> void:
	var square := _brush(64, Brush.Shape.SQUARE, 0.75).mask()
	var disc := _brush(64, Brush.Shape.ROUND, 0.75).mask()
	for y in 64:
		for x in 64:
			var away := Vector2(x - 31.5, y - 31.5)
			var far := maxf(absf(away.x), absf(away.y)) / 32.0
			check(absf(square[y * 64 + x] - _share(far)) <= 1.0, "square at %s" % away)
			far = away.length() / 31.9
			check(absf(disc[y * 64 + x] - _share(far)) <= 1.0, "disc at %s" % away)


func _share(distance: float) -> float:
	return 255.0 * minf(1.0, maxf(0.0, 1.0 - distance) * 4.0 / 3.0)


func test_a_change_of_the_brush_changes_its_mask() -> void:
	var brush := _brush(9, Brush.Shape.SQUARE)
	check_eq(brush.mask().count(255), 81, "square")
	brush.shape = Brush.Shape.ROUND
	check(brush.mask().count(255) < 81, "round")
	var kept := brush.mask()
	var copy := kept.duplicate()
	brush.size = 500
	check_eq(kept, copy, "what was handed out stays")
	check_eq(brush.size, 64, "64 at most")
	check_eq(brush.mask().size(), 4096, "entries")
	brush.size = 0
	check_eq(brush.size, 1, "1 at least")
	brush.falloff = 7.0
	check_eq(brush.falloff, 1.0, "1 at most")


func test_lines_are_connected_and_straight() -> void:
	for y in range(-6, 7):
		for x in range(-6, 7):
			var from := Vector2i(3, -2)
			var to := from + Vector2i(x, y)
			var line := CellLine.cells(from, to)
			check_eq(line[0], from, "begin")
			check_eq(line[-1], to, "end")
			check_eq(line.size(), maxi(absi(x), absi(y)) + 1, "no cell twice")
			for i in line.size():
				var away := line[i] - from
				# The distance from the exact line, times its longer side.
				var off := absi(away.x * y - away.y * x)
				check(2 * off <= maxi(absi(x), absi(y)), "%s is on the line to %s" % [away, to])
				if i > 0:
					var step := (line[i] - line[i - 1]).abs()
					check(maxi(step.x, step.y) == 1, "beside the one before")
