extends "res://tests/test_suite.gd"
## The tools of the editor's painter: what strokes change, what they keep for undo, and that they
## are fast on large maps.

const Painter := preload("res://addons/flow_swarm/editor/paint/terrain_painter.gd")
const Patch := preload("res://addons/flow_swarm/editor/paint/terrain_patch.gd")
const TerrainTexture := preload("res://addons/flow_swarm/editor/view/terrain_texture.gd")
const UndoSteps := preload("res://addons/flow_swarm/editor/paint/undo_steps.gd")
const LARGE := Vector2i(4096, 4096)

var _patches: Array[Patch] = []
var _picked: Array[int] = []


func _painter(size := Vector2i(70, 40)) -> Painter:
	_patches.clear()
	_picked.clear()
	var painter := Painter.new()
	painter.terrain = FlowTerrain.new()
	painter.terrain.size = size
	painter.stroke_ended.connect(func(patch: Patch) -> void: _patches.append(patch))
	painter.id_picked.connect(func(id: int) -> void: _picked.append(id))
	return painter


func _stroke(painter: Painter, tool: Painter.Tool, cells: Array[Vector2i], erases := false) -> void:
	painter.press(cells[0], tool, erases)
	for cell: Vector2i in cells:
		painter.move(cell)
	painter.release()


## The cells with an id that is not clear ground.
func _painted(painter: Painter) -> Array[Vector2i]:
	var found: Array[Vector2i] = []
	var cells := painter.terrain.cells
	for i in cells.size():
		if cells[i] != 1:
			found.append(Vector2i(i % painter.terrain.size.x, i / painter.terrain.size.x))
	return found


func test_a_stroke_paints_all_cells_that_the_mouse_passes() -> void:
	var painter := _painter()
	painter.id = 9
	_stroke(painter, Painter.Tool.PAINT, [Vector2i(2, 3), Vector2i(6, 3), Vector2i(6, 5)])
	check_eq(
		_painted(painter),
		(
			[
				Vector2i(2, 3),
				Vector2i(3, 3),
				Vector2i(4, 3),
				Vector2i(5, 3),
				Vector2i(6, 3),
				Vector2i(6, 4),
				Vector2i(6, 5)
			]
			as Array[Vector2i]
		),
		"no gaps"
	)
	check_eq(painter.terrain.get_terrain(Vector2i(4, 3)), 9, "the id")
	check_eq(_patches.size(), 1, "one step")


func test_a_click_without_a_move_paints() -> void:
	var painter := _painter()
	painter.press(Vector2i(5, 5), Painter.Tool.PAINT)
	painter.release()
	check_eq(_painted(painter), [Vector2i(5, 5)] as Array[Vector2i], "one cell")


func test_lines_and_rectangles_are_drawn_at_the_end() -> void:
	var painter := _painter()
	painter.press(Vector2i(2, 2), Painter.Tool.LINE)
	painter.move(Vector2i(30, 2))
	painter.move(Vector2i(5, 5))
	check_eq(_painted(painter).size(), 0, "not before the release")
	check_eq(painter.line(), [Vector2i(2, 2), Vector2i(5, 5)] as Array[Vector2i], "preview")
	painter.release()
	check_eq(
		_painted(painter),
		[Vector2i(2, 2), Vector2i(3, 3), Vector2i(4, 4), Vector2i(5, 5)] as Array[Vector2i],
		"the last line alone"
	)
	painter = _painter()
	# The brush has no part in rectangles.
	painter.brush.size = 9
	painter.press(Vector2i(12, 8), Painter.Tool.RECT)
	painter.move(Vector2i(10, 9))
	check_eq(painter.rect(), Rect2i(10, 8, 3, 2), "preview")
	painter.release()
	check_eq(painter.terrain.cells.count(WALL), 6, "six cells")
	check_eq(painter.terrain.get_region(Rect2i(10, 8, 3, 2)).count(WALL), 6, "in the rectangle")


func test_a_thick_line_is_the_brush_along_it() -> void:
	var painter := _painter()
	painter.brush.size = 3
	_stroke(painter, Painter.Tool.LINE, [Vector2i(10, 10), Vector2i(14, 10)])
	check_eq(painter.terrain.get_region(Rect2i(9, 9, 7, 3)).count(WALL), 21, "seven by three")
	check_eq(painter.terrain.cells.count(WALL), 21, "no more")


func test_fill_stays_in_its_walls() -> void:
	var painter := _painter()
	painter.id = WALL
	for side: Rect2i in [
		Rect2i(10, 10, 9, 1), Rect2i(10, 18, 9, 1), Rect2i(10, 10, 1, 9), Rect2i(18, 10, 1, 9)
	]:
		painter.terrain.fill_region(side, WALL)
	painter.id = 4
	_stroke(painter, Painter.Tool.FILL, [Vector2i(12, 12)])
	check_eq(painter.terrain.cells.count(4), 49, "the room")
	check_eq(painter.terrain.get_region(Rect2i(11, 11, 7, 7)).count(4), 49, "is inside")
	_patches[0].apply(false)
	check_eq(painter.terrain.cells.count(4), 0, "and is undone")


func test_the_picker_reads_and_changes_nothing() -> void:
	var painter := _painter()
	painter.terrain.set_terrain(Vector2i(7, 7), 33)
	_stroke(painter, Painter.Tool.PICK, [Vector2i(7, 7)])
	check_eq(_picked, [33] as Array[int], "the id")
	_stroke(painter, Painter.Tool.PICK, [Vector2i(-7, 7)])
	check_eq(_picked.size(), 1, "there is none outside")
	check_eq(_patches.size(), 0, "no step")


func test_erasing_makes_clear_ground() -> void:
	var painter := _painter()
	painter.terrain.fill(7)
	painter.brush.size = 2
	_stroke(painter, Painter.Tool.PAINT, [Vector2i(3, 3)], true)
	check_eq(painter.terrain.cells.count(1), 4, "clear")
	check_eq(painter.terrain.cells.count(7), 70 * 40 - 4, "the rest stays")


func test_a_stroke_without_change_is_no_step() -> void:
	var painter := _painter()
	painter.id = 1
	for tool: Painter.Tool in [
		Painter.Tool.PAINT, Painter.Tool.LINE, Painter.Tool.RECT, Painter.Tool.FILL
	]:
		_stroke(painter, tool, [Vector2i(3, 3), Vector2i(9, 9)])
	painter.id = 8
	var outside: Array[Vector2i] = [Vector2i(-30, -3), Vector2i(-2, 60)]
	for tool: Painter.Tool in [
		Painter.Tool.PAINT, Painter.Tool.LINE, Painter.Tool.RECT, Painter.Tool.FILL
	]:
		_stroke(painter, tool, outside)
	check_eq(_patches.size(), 0, "no steps")
	check_eq(painter.is_busy(), false, "all ended")


func test_a_cancelled_stroke_leaves_no_trace() -> void:
	var painter := _painter()
	painter.terrain.fill_region(Rect2i(0, 0, 70, 3), 6)
	var before := painter.terrain.cells
	painter.brush.size = 7
	painter.press(Vector2i(3, 3), Painter.Tool.PAINT)
	painter.move(Vector2i(60, 30))
	painter.cancel()
	check_eq(painter.terrain.cells, before, "as before")
	painter.release()
	check_eq(_patches.size(), 0, "no step")


## A second press, of the other button, does not begin another stroke.
func test_a_press_within_a_stroke_is_ignored() -> void:
	var painter := _painter()
	painter.press(Vector2i(3, 3), Painter.Tool.PAINT)
	painter.press(Vector2i(9, 9), Painter.Tool.RECT, true)
	painter.move(Vector2i(4, 3))
	painter.release()
	check_eq(_painted(painter), [Vector2i(3, 3), Vector2i(4, 3)] as Array[Vector2i], "one stroke")


func test_undo_and_redo_through_an_undo_manager() -> void:
	var painter := _painter(Vector2i(100, 77))
	var random := RandomNumberGenerator.new()
	random.seed = 5
	var undo := UndoRedo.new()
	var states: Array[PackedByteArray] = [painter.terrain.cells]
	var terrain := painter.terrain
	painter.stroke_ended.connect(
		func(patch: Patch) -> void: UndoSteps.add_stroke(undo, null, terrain, patch)
	)
	for i in 24:
		painter.brush.size = random.randi_range(1, 20)
		painter.brush.shape = random.randi_range(0, 1) as Painter.Brush.Shape
		painter.brush.falloff = [0.0, 0.5].pick_random()
		painter.id = random.randi_range(2, 5)
		var from := Vector2i(random.randi_range(-9, 109), random.randi_range(-9, 85))
		var to := Vector2i(random.randi_range(-9, 109), random.randi_range(-9, 85))
		_stroke(painter, i % 4 as Painter.Tool, [from, to], random.randf() < 0.2)
		if painter.terrain.cells != states[-1]:
			states.append(painter.terrain.cells)
	check(states.size() > 15, "strokes have changed something")
	check_eq(_patches.size(), states.size() - 1, "a step for each that has, and no other")
	for i in range(states.size() - 2, -1, -1):
		check(undo.undo(), "there is a step")
		check_eq(painter.terrain.cells, states[i], "back to %d" % i)
	check(not undo.undo(), "and no other")
	for i in range(1, states.size()):
		undo.redo()
		check_eq(painter.terrain.cells, states[i], "again %d" % i)
	undo.free()


## A file is saved only if the undo manager has seen the terrain itself.
func test_steps_announce_the_terrain() -> void:
	var painter := _painter()
	var undo := UndoRedo.new()
	_stroke(painter, Painter.Tool.PAINT, [Vector2i(3, 3)])
	var changes := [0]
	painter.terrain.changed.connect(func() -> void: changes[0] += 1)
	UndoSteps.add_stroke(undo, null, painter.terrain, _patches[0])
	check(changes[0] > 0, "the step announces it")
	changes[0] = 0
	undo.undo()
	check(changes[0] > 1, "and so does undoing it")
	undo.free()


func test_a_patch_does_not_fit_another_size() -> void:
	var painter := _painter()
	_stroke(painter, Painter.Tool.PAINT, [Vector2i(3, 3)])
	painter.terrain.size = Vector2i(20, 20)
	var before := painter.terrain.cells
	expect_error(["(70, 40)", "(20, 20)"], func() -> void: _patches[0].apply(false))
	check_eq(painter.terrain.cells, before, "unchanged")


func test_strokes_on_a_large_map_keep_kilobytes() -> void:
	var painter := _painter(LARGE)
	painter.brush.size = 8
	_stroke(painter, Painter.Tool.PAINT, [Vector2i(1000, 1000), Vector2i(1400, 1300)])
	check(_patches[0].memory() < 4096, "500 cells long: %d bytes" % _patches[0].memory())
	painter.brush.size = 64
	_stroke(painter, Painter.Tool.LINE, [Vector2i(0, 0), Vector2i(4095, 4095)])
	check(_patches[1].memory() < 65536, "across the map: %d bytes" % _patches[1].memory())
	_stroke(painter, Painter.Tool.FILL, [Vector2i(4000, 10)])
	check(_patches[2].memory() < 262144, "half of the map: %d bytes" % _patches[2].memory())
	print(
		(
			"FIGURE undo bytes at 4096x4096: stroke of 500 cells %d, line across of width 64 %d, fill %d"
			% [_patches[0].memory(), _patches[1].memory(), _patches[2].memory()]
		)
	)
	for patch: Patch in [_patches[2], _patches[1], _patches[0]]:
		patch.apply(false)
	check_eq(painter.terrain.cells.count(1), LARGE.x * LARGE.y, "all undone")


## The limit is a fraction of a frame of 60 a second, less than that as tests share the machine.
func test_a_stroke_on_a_large_map_keeps_up_with_the_mouse() -> void:
	var painter := _painter(LARGE)
	var manager := new_manager(LARGE)
	manager.terrain = painter.terrain
	manager.update()
	var texture := TerrainTexture.new()
	texture.terrain = painter.terrain
	texture.update()
	painter.brush.size = 64
	painter.brush.shape = Painter.Brush.Shape.ROUND
	painter.brush.falloff = 0.3
	painter.press(Vector2i(100, 100), Painter.Tool.PAINT)
	var times: PackedFloat64Array = []
	for i in range(1, 61):
		# 40 cells in a frame.
		var begin := Time.get_ticks_usec()
		painter.move(Vector2i(100 + 40 * i, 100 + 13 * i))
		manager.get_cell(Vector2.ZERO)
		texture.update()
		times.append((Time.get_ticks_usec() - begin) / 1000.0)
	var release := Time.get_ticks_usec()
	painter.release()
	release = Time.get_ticks_usec() - release
	times.sort()
	print(
		(
			"FIGURE ms a motion of 40 cells, brush 64, 4096x4096: median %.2f, most %.2f; release %.2f"
			% [times[30], times[59], release / 1000.0]
		)
	)
	check(times[30] < 16.0, "median %f ms" % times[30])
	check_eq(manager.get_terrain_at(Vector2i(140, 113)), WALL, "the manager follows")
