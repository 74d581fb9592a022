class_name LabPainter
extends Node2D
## Turns mouse strokes into cells, without gaps at any speed of the pointer, and marks the cell
## under the pointer.

## Emitted for a click on a cell while strokes are off.
signal clicked(cell: Vector2i, erase: bool)
## Emitted with the cells that a stroke has just covered, each once.
signal stroked(cells: PackedVector2Array, erase: bool)
## Emitted when the pointer moves to another cell, which may be outside the grid.
signal hovered(cell: Vector2i)

const PAINT_COLOR := Color("ffffff")
const ERASE_COLOR := Color("ff9f6b")

var manager: FlowFieldManager
## The width of the brush in cells. With 0, strokes are off and there are only clicks.
var brush_size := 1

var _cell := Vector2i(-1, -1)
var _stroking := false
var _erase := false


func _unhandled_input(event: InputEvent) -> void:
	var mouse := event as InputEventMouse
	if mouse == null:
		return
	var local := make_input_local(mouse) as InputEventMouse
	var cell := manager.get_cell(local.position)
	var button := event as InputEventMouseButton
	if button != null and button.button_index == MOUSE_BUTTON_LEFT and brush_size == 0:
		if button.pressed and manager.is_in_grid(cell):
			clicked.emit(cell, button.shift_pressed)
	elif button != null and button.button_index == MOUSE_BUTTON_LEFT:
		_stroking = button.pressed
		_erase = button.shift_pressed
		if _stroking:
			_cover([cell])
		queue_redraw()
	elif event is InputEventMouseMotion and cell != _cell:
		if _stroking:
			_erase = mouse.shift_pressed
			_cover(line_of_cells(_cell, cell))
		_move_to(cell)


func _draw() -> void:
	if manager == null or brush_size == 0 or not manager.is_in_grid(_cell):
		return
	var side := manager.cell_size
	var first := manager.get_cell_center(_cell - Vector2i.ONE * ((brush_size - 1) / 2))
	var rect := Rect2(first - Vector2.ONE * side * 0.5, Vector2.ONE * side * brush_size)
	var color := ERASE_COLOR if _stroking and _erase else PAINT_COLOR
	var width := 1.5 / get_canvas_transform().get_scale().x
	draw_rect(rect, Color(color, 0.14))
	draw_rect(rect.grow(-0.5 * width), Color(color, 0.85), false, width)


## All cells between two cells. Each shares an edge with the next, so that a wall has no gaps.
static func line_of_cells(from: Vector2i, to: Vector2i) -> Array[Vector2i]:
	var cells: Array[Vector2i] = [from]
	var distance := (to - from).abs()
	var step := (to - from).sign()
	var cell := from
	var error := distance.x - distance.y
	while cell != to:
		if error > 0 or (error == 0 and distance.x > 0):
			cell.x += step.x
			error -= 2 * distance.y
		else:
			cell.y += step.y
			error += 2 * distance.x
		cells.append(cell)
	return cells


func _move_to(cell: Vector2i) -> void:
	_cell = cell
	hovered.emit(cell)
	queue_redraw()


func _cover(line: Array[Vector2i]) -> void:
	var covered: Dictionary[Vector2i, bool] = {}
	var back := (brush_size - 1) / 2
	for cell: Vector2i in line:
		for y in brush_size:
			for x in brush_size:
				var near := cell + Vector2i(x - back, y - back)
				if manager.is_in_grid(near):
					covered[near] = true
	var cells := PackedVector2Array()
	for cell: Vector2i in covered:
		cells.append(Vector2(cell))
	if not cells.is_empty():
		stroked.emit(cells, _erase)
