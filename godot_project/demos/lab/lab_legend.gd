class_name LabLegend
extends Control
## One line below the map that explains the colours.

const HEIGHT := 30.0
const RAMP: Array[Color] = [Color("c24f75"), Color("5c3d8f"), Color("1f2b5c"), Color("0e1425")]

## Whether agents are coloured by overlap.
var shows_overlap := false:
	set(value):
		shows_overlap = value
		queue_redraw()

var _at := 0.0
var _width := 0.0


func _init() -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE
	custom_minimum_size = Vector2(0.0, HEIGHT)


func _draw() -> void:
	# The map may be behind the line when zoomed in. The width is known after the first drawing.
	draw_style_box(LabTheme.box(Color(LabTheme.BACKGROUND, 0.86), 8), Rect2(0, 0, _width, HEIGHT))
	_at = 4.0
	_dot(LabMarkers.START_COLOR, 5.5, "Start")
	_dot(LabMarkers.GOAL_COLOR, 5.5, "Goal")
	if shows_overlap:
		_add_overlaps()
	else:
		_dot(LabTheme.GOOD, 4.0, "Unit")
		_dot(LabTheme.WARM, 4.0, "Slow unit")
	_swatch(Color("48546f"), "Wall")
	_swatch(Color("6b5334"), "Rough, cost 8")
	_swatch(Color("4d3521"), "Too narrow")
	_ramp()
	if not is_equal_approx(_width, _at + 10.0):
		_width = _at + 10.0
		queue_redraw.call_deferred()


func _text(text: String, color: Color) -> void:
	var font := get_theme_default_font()
	draw_string(
		font, Vector2(_at, HEIGHT * 0.5 + 4.5), text, HORIZONTAL_ALIGNMENT_LEFT, -1.0, 13, color
	)
	_at += font.get_string_size(text, HORIZONTAL_ALIGNMENT_LEFT, -1.0, 13).x


func _dot(color: Color, radius: float, text: String) -> void:
	draw_circle(Vector2(_at + 6.0, HEIGHT * 0.5), radius, color, true, -1.0, true)
	_at += 17.0
	_text(text, LabTheme.MUTED)
	_at += 18.0


## The overlaps of agents, in radii.
func _add_overlaps() -> void:
	for i in LabOverlap.STOPS.size():
		var text := "Overlap 0" if i == 0 else "%.2f" % LabOverlap.STOPS[i]
		_dot(LabOverlap.RAMP[i], 4.0, text)


func _swatch(color: Color, text: String) -> void:
	var rect := Rect2(_at, HEIGHT * 0.5 - 6.0, 12.0, 12.0)
	draw_style_box(LabTheme.box(color, 3, color.lightened(0.25)), rect)
	_at += 18.0
	_text(text, LabTheme.MUTED)
	_at += 18.0


func _ramp() -> void:
	_text("Cost to goal: near", LabTheme.MUTED)
	_at += 8.0
	const WIDTH := 84.0
	var part := WIDTH / (RAMP.size() - 1)
	for i in RAMP.size() - 1:
		var x := _at + part * i
		var top := HEIGHT * 0.5 - 5.0
		var corners := PackedVector2Array(
			[
				Vector2(x, top),
				Vector2(x + part, top),
				Vector2(x + part, top + 10.0),
				Vector2(x, top + 10.0)
			]
		)
		draw_polygon(corners, PackedColorArray([RAMP[i], RAMP[i + 1], RAMP[i + 1], RAMP[i]]))
	_at += WIDTH + 8.0
	_text("far", LabTheme.MUTED)
