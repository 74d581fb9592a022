class_name RtsMarkers
extends Node2D
## Shows the targets of orders: a mark that shrinks and fades at each target.

const SECONDS := 1.1
const GOOD := Color("9fffa8")
const WARNED := Color("ffae4d")

## The position, colour and age in seconds of each mark.
var _marks: Array[Array] = []


func add(place: Vector2, color: Color) -> void:
	_marks.append([place, color, 0.0])


func _process(delta: float) -> void:
	if _marks.is_empty():
		return
	for mark: Array in _marks:
		mark[2] += delta
	_marks = _marks.filter(func(mark: Array) -> bool: return mark[2] < SECONDS)
	queue_redraw()


func _draw() -> void:
	for mark: Array in _marks:
		var age: float = mark[2] / SECONDS
		var color := Color(mark[1] as Color, 1.0 - age * age)
		var place: Vector2 = mark[0]
		var reach := 54.0 - 34.0 * sqrt(age)
		draw_arc(place, reach, 0.0, TAU, 40, color, 5.0, true)
		draw_circle(place, 7.0, color)
		for n in 4:
			var way := Vector2.from_angle(TAU * n / 4.0 + 0.785)
			draw_line(place + way * reach, place + way * (reach + 16.0), color, 5.0, true)


## A flag whose foot is at a position.
static func draw_flag(canvas: CanvasItem, place: Vector2, color: Color) -> void:
	canvas.draw_circle(place, 26.0, Color(color, color.a * 0.22))
	canvas.draw_arc(place, 26.0, 0.0, TAU, 36, color, 3.0, true)
	canvas.draw_line(place, place + Vector2(0.0, -74.0), Color(0.1, 0.1, 0.1, color.a), 8.0)
	canvas.draw_line(place, place + Vector2(0.0, -74.0), Color(0.95, 0.95, 0.9, color.a), 4.0)
	var cloth := PackedVector2Array(
		[
			place + Vector2(2.0, -74.0),
			place + Vector2(50.0, -60.0),
			place + Vector2(2.0, -44.0),
		]
	)
	canvas.draw_colored_polygon(cloth, color)
