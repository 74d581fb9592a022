class_name RtsBuildTool
extends RtsTool
## Shows a building under the pointer, green where it can stand and red where it cannot, and places
## it. To draw walls, press, drag and release.

const GOOD := Color(0.55, 1.0, 0.6, 0.62)
const BAD := Color(1.0, 0.32, 0.28, 0.62)

var manager: FlowFieldManager
var builder: RtsBuilder
var kind := RtsBuilding.Kind.WALL

var _cell := Vector2i(-1, -1)
var _first := Vector2i(-1, -1)
var _is_dragging := false
var _planned: Array[RtsBuilding] = []


func _process(_delta: float) -> void:
	# Units may move onto or off the place, so the preview changes.
	if visible and not _planned.is_empty():
		queue_redraw()


func start() -> void:
	_plan()


func stop() -> void:
	_is_dragging = false
	_planned.clear()
	queue_redraw()


func press(place: Vector2, _shift: bool) -> void:
	_cell = manager.get_cell(place)
	_first = _cell
	_is_dragging = true
	_plan()


func point_at(place: Vector2) -> void:
	var cell := manager.get_cell(place)
	if cell != _cell:
		_cell = cell
		_plan()


func release(place: Vector2, _shift: bool) -> void:
	if not _is_dragging:
		return
	_cell = manager.get_cell(place)
	_plan()
	builder.place(_planned)
	_is_dragging = false
	_plan()


func _draw() -> void:
	for building: RtsBuilding in _planned:
		var color := GOOD if builder.can_place(building) else BAD
		RtsBuildingView.draw_plan(self, building, manager, color)


func _plan() -> void:
	_planned.clear()
	if kind == RtsBuilding.Kind.WALL and _is_dragging:
		for corner: Vector2i in _row(_corner(_first), _corner(_cell)):
			_planned.append(RtsBuilding.new(kind, corner))
	elif manager.is_in_grid(_cell):
		_planned.append(RtsBuilding.new(kind, _corner(_cell)))
	queue_redraw()


func _corner(cell: Vector2i) -> Vector2i:
	return RtsBuilder.corner_at(cell, kind)


## The corners from one to another, without gaps between the buildings.
func _row(from: Vector2i, to: Vector2i) -> Array[Vector2i]:
	var size := RtsBuilding.size_of(kind)
	var way := (to - from) / size
	var corners: Array[Vector2i] = [from]
	var done := Vector2i.ZERO
	# One step along a row or a column at a time, on the axis that lags behind.
	while done != way.abs():
		var x_share := (done.x + 0.5) / maxf(absi(way.x), 0.001)
		var y_share := (done.y + 0.5) / maxf(absi(way.y), 0.001)
		done += Vector2i.RIGHT if x_share < y_share else Vector2i.DOWN
		corners.append(from + done * way.sign() * size)
	return corners
