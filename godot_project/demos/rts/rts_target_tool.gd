class_name RtsTargetTool
extends RtsTool
## Marks several targets for one order: a click marks one, a drag a row of them. The right button
## sends the selected units, each to the target that is cheapest to reach.

signal sent(targets: PackedVector2Array)

const COLOR := Color("ffd76a")
const MOST := 16
## The distance between the targets of a row, in world units.
const APART := 260.0

var _targets := PackedVector2Array()
var _from := Vector2.ZERO
var _to := Vector2.ZERO
var _is_dragging := false


func get_targets() -> PackedVector2Array:
	return _targets


func press(place: Vector2, _shift: bool) -> void:
	_from = place
	_to = place
	_is_dragging = true


func point_at(place: Vector2) -> void:
	_to = place
	if _is_dragging:
		queue_redraw()


func release(place: Vector2, _shift: bool) -> void:
	if not _is_dragging:
		return
	_to = place
	_is_dragging = false
	for target: Vector2 in _row():
		if _targets.size() < MOST:
			_targets.append(target)
	queue_redraw()


func use_right(place: Vector2) -> bool:
	if _targets.is_empty():
		_targets.append(place)
	sent.emit(_targets)
	stop()
	return true


func stop() -> void:
	_targets = PackedVector2Array()
	_is_dragging = false
	queue_redraw()


func _draw() -> void:
	for i in _targets.size():
		RtsMarkers.draw_flag(self, _targets[i], COLOR)
	if _is_dragging:
		for target: Vector2 in _row():
			RtsMarkers.draw_flag(self, target, Color(COLOR, 0.6))


func _row() -> PackedVector2Array:
	var row := PackedVector2Array([_from])
	var count := int(_from.distance_to(_to) / APART)
	for n in count:
		row.append(_from.lerp(_to, (n + 1.0) / count))
	return row
