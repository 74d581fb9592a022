class_name RtsRemoveTool
extends RtsTool
## Removes the building under the pointer, and all buildings that the pointer is dragged over.

const COLOR := Color(1.0, 0.32, 0.28, 0.62)

var manager: FlowFieldManager
var builder: RtsBuilder

var _cell := Vector2i(-1, -1)
var _is_dragging := false


func press(place: Vector2, _shift: bool) -> void:
	_is_dragging = true
	_cell = manager.get_cell(place)
	_remove_along(_cell, _cell)


func point_at(place: Vector2) -> void:
	var cell := manager.get_cell(place)
	if _is_dragging:
		_remove_along(_cell, cell)
	_cell = cell
	queue_redraw()


func release(_place: Vector2, _shift: bool) -> void:
	_is_dragging = false


func stop() -> void:
	_is_dragging = false
	_cell = Vector2i(-1, -1)
	queue_redraw()


func _draw() -> void:
	var building := builder.get_building_at(_cell)
	if building != null:
		RtsBuildingView.draw_plan(self, building, manager, COLOR)


## A fast pointer skips cells, so the cells between two positions count too.
func _remove_along(from: Vector2i, to: Vector2i) -> void:
	var steps := maxi(maxi(absi(to.x - from.x), absi(to.y - from.y)), 1)
	for step in steps + 1:
		var cell := Vector2i(Vector2(from).lerp(Vector2(to), float(step) / steps).round())
		var building := builder.get_building_at(cell)
		if building != null:
			builder.remove(building)
	queue_redraw()
