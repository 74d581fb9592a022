class_name VersusSparks
extends Node2D
## Draws the blows of the last moment.

const SECONDS := 0.2

var _places := PackedVector2Array()
var _left := 0.0


func show_blows(places: PackedVector2Array) -> void:
	_places = places.duplicate()
	_left = SECONDS
	queue_redraw()


func _process(delta: float) -> void:
	if _left > 0.0:
		_left -= delta
		queue_redraw()


func _draw() -> void:
	var share := maxf(_left, 0.0) / SECONDS
	for place: Vector2 in _places:
		draw_circle(place, 7.0 * share, Color(Color("ffd27a"), share), true, -1.0, true)
