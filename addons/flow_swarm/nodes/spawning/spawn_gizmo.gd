@tool
extends RefCounted
## The gizmo of a spawner: the shape around each of its places, and around them how much of the
## wave, or of the limit, has been made. Grey while it does nothing.

const Spawning := preload("spawning.gd")
const Strokes := preload("../shared/strokes.gd")
const ON := Color("8eef97")
const OFF := Color(0.6, 0.6, 0.6, 0.8)
const SIDES := 48


## The lines of a spawner. The unit is how large the mark of a place is.
static func draw(spawning: Spawning, node: Node, is_on: bool, unit: float) -> Strokes:
	var strokes := Strokes.new()
	var color := ON if is_on else OFF
	spawning.places.read(node)
	for index in spawning.places.frames.size():
		var frame := spawning.places.frames[index]
		if not frame.is_finite():
			continue
		strokes.height = spawning.places.heights[index]
		var middle := frame.origin
		strokes.add_circle(middle, 0.5 * unit, color)
		_add_progress(strokes, middle, unit, spawning.schedule.get_progress())
		if not spawning.places.is_on_path:
			strokes.add_line(frame * spawning.places.shape.get_outline(), color)
	return strokes


static func _add_progress(strokes: Strokes, middle: Vector2, radius: float, share: float) -> void:
	var points: PackedVector2Array = []
	var last := ceili(SIDES * clampf(share, 0.0, 1.0))
	for i in last + 1:
		points.append(middle + radius * Vector2.from_angle(TAU * (float(i) / SIDES - 0.25)))
	strokes.add_line(points, ON)
