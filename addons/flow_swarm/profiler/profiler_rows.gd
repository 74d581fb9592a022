extends Control
## The rows of [FlowProfiler]: a custom monitor each, with its value and a graph.

## The monitors, with the texts and the digits of their values.
const MONITORS: Array[Array] = [
	[&"flow_swarm/update_ms", "update", "%.2f ms"],
	[&"flow_swarm/step_ms", "step", "%.2f ms"],
	[&"flow_swarm/fields_built", "fields", "%d"],
	[&"flow_swarm/tiles_built", "tiles", "%d"],
	[&"flow_swarm/agents", "agents", "%d"],
	[&"flow_swarm/memory_mib", "memory", "%.1f MiB"],
]
## The frames of a graph.
const FRAMES := 120
const BACK := Color(0.05, 0.06, 0.09, 0.8)
const TEXT := Color(0.9, 0.93, 0.97)
const LINE := Color(0.45, 0.75, 1.0)

var font_size := 14:
	set(value):
		font_size = value
		queue_redraw()

## The values of the last frames, a list for each monitor.
var _values: Array[PackedFloat32Array] = []


func _init() -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE
	position = Vector2(8.0, 8.0)
	for monitor in MONITORS:
		_values.append(PackedFloat32Array())


func _process(_delta: float) -> void:
	if not is_visible_in_tree():
		return
	for i in MONITORS.size():
		var values := _values[i]
		values.append(_read(MONITORS[i][0] as StringName))
		if values.size() > FRAMES:
			values.remove_at(0)
		_values[i] = values
	queue_redraw()


## The values that the rows show now, by the names of the rows.
func get_shown() -> Dictionary[String, float]:
	var shown: Dictionary[String, float] = {}
	for i in MONITORS.size():
		if not _values[i].is_empty():
			shown[MONITORS[i][1] as String] = _values[i][-1]
	return shown


func _read(monitor: StringName) -> float:
	if not Performance.has_custom_monitor(monitor):
		return 0.0
	return Performance.get_custom_monitor(monitor)


func _draw() -> void:
	var font := get_theme_default_font()
	var row := font_size * 1.6
	var text := font_size * 5.0
	var graph := font_size * 9.0
	size = Vector2(2.0 * text + graph + font_size, row * MONITORS.size() + 0.5 * font_size)
	draw_rect(Rect2(Vector2.ZERO, size), BACK)
	for i in MONITORS.size():
		var values := _values[i]
		var base := Vector2(0.5 * font_size, row * (i + 1) - 0.3 * font_size)
		var now := MONITORS[i][2] as String % (values[-1] if not values.is_empty() else 0.0)
		draw_string(font, base, MONITORS[i][1] as String, 0, -1, font_size, TEXT)
		var right := HORIZONTAL_ALIGNMENT_RIGHT
		draw_string(font, base + Vector2(text * 0.8, 0.0), now, right, text, font_size, TEXT)
		_draw_graph(values, Rect2(2.0 * text, row * i + 0.3 * font_size, graph, row * 0.8))


## A graph from 0 to the largest value.
func _draw_graph(values: PackedFloat32Array, place: Rect2) -> void:
	if values.size() < 2:
		return
	var most := 0.0
	for value in values:
		most = maxf(most, value)
	var points := PackedVector2Array()
	for i in values.size():
		var share := values[i] / most if most > 0.0 else 0.0
		var corner := Vector2(i / (FRAMES - 1.0), 1.0 - share)
		points.append(place.position + corner * place.size)
	draw_polyline(points, LINE, 1.5)
