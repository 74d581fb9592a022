@tool
extends Control
## The cells of a stamp as squares that the mouse paints.

## Emitted at the end of a stroke that has changed cells.
signal painted(cells: PackedByteArray)

const Colors := preload("../view/terrain_colors.gd")
const MOST_EDGE := 24.0
const LEAST_EDGE := 4.0
const LINE := Color(0.5, 0.5, 0.5, 0.6)

var editable := true
## The terrain id that the left button paints.
var id := 255

var _stamp: FlowStamp
var _terrain_set: FlowTerrainSet
var _cells: PackedByteArray = []
## The id of the stroke; -1 if there is none.
var _stroke := -1


func show_stamp(stamp: FlowStamp, terrain_set: FlowTerrainSet) -> void:
	_stamp = stamp
	_terrain_set = terrain_set
	if _stroke < 0:
		_cells = stamp.cells
	custom_minimum_size.y = _edge() * stamp.size.y
	queue_redraw()


func _notification(what: int) -> void:
	if what == NOTIFICATION_RESIZED and _stamp != null:
		custom_minimum_size.y = _edge() * _stamp.size.y
		queue_redraw()


func _gui_input(event: InputEvent) -> void:
	if _stamp == null or not editable:
		return
	var button := event as InputEventMouseButton
	if button != null and button.button_index in [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT]:
		accept_event()
		if not button.pressed:
			_end()
		elif _stroke < 0 and _has_cell(_cell_at(button.position)):
			var erases := button.button_index == MOUSE_BUTTON_RIGHT
			_stroke = maxi(_stamp.leave_id, 0) if erases else id
			_cells = _stamp.cells.duplicate()
			_paint(button.position)
	elif event is InputEventMouseMotion and _stroke >= 0:
		_paint((event as InputEventMouseMotion).position)


func _draw() -> void:
	if _stamp == null:
		return
	var edge := _edge()
	for i in _cells.size():
		var corner := edge * Vector2(i % _stamp.size.x, i / _stamp.size.x)
		var rect := Rect2(corner, Vector2(edge, edge))
		if _cells[i] == _stamp.leave_id:
			# Cells that leave the terrain are crossed out.
			draw_line(rect.position, rect.end, LINE)
			draw_line(corner + Vector2(edge, 0.0), corner + Vector2(0.0, edge), LINE)
		else:
			var color := Colors.color_of(_terrain_set, _cells[i])
			draw_rect(rect, color if color.a > 0.0 else Color(0.8, 0.8, 0.8, 0.25))
		draw_rect(rect, LINE, false)


func _edge() -> float:
	return clampf(size.x / _stamp.size.x, LEAST_EDGE, MOST_EDGE)


func _cell_at(place: Vector2) -> Vector2i:
	return Vector2i((place / _edge()).floor())


func _has_cell(cell: Vector2i) -> bool:
	return Rect2i(Vector2i.ZERO, _stamp.size).has_point(cell)


func _paint(place: Vector2) -> void:
	var cell := _cell_at(place)
	if _has_cell(cell):
		_cells[cell.y * _stamp.size.x + cell.x] = _stroke
		queue_redraw()


func _end() -> void:
	if _stroke < 0:
		return
	_stroke = -1
	if _cells != _stamp.cells:
		painted.emit(_cells)
