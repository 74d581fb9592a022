class_name LabSpark
extends Control
## A small running graph of the last values.

const LENGTH := 120

var color := LabTheme.ACCENT

var _values := PackedFloat32Array()


func _init() -> void:
	custom_minimum_size = Vector2(0.0, 30.0)


func add(value: float) -> void:
	_values.append(value)
	if _values.size() > LENGTH:
		_values.remove_at(0)
	queue_redraw()


func _draw() -> void:
	if _values.size() < 2:
		return
	var top := 0.0
	for value: float in _values:
		top = maxf(top, value)
	top = maxf(top * 1.15, 0.5)
	var points := PackedVector2Array()
	var step := size.x / (LENGTH - 1)
	var left := size.x - step * (_values.size() - 1)
	for i in _values.size():
		points.append(Vector2(left + step * i, size.y * (1.0 - _values[i] / top)))
	var area := points.duplicate()
	area.append(Vector2(size.x, size.y))
	area.append(Vector2(left, size.y))
	draw_colored_polygon(area, Color(color, 0.13))
	draw_polyline(points, color, 1.5, true)
