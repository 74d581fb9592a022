class_name LabMarkers
extends Node2D
## The start and the goal: two handles that keep their size on screen and can be dragged.

signal start_moved(place: Vector2)
signal goal_moved(place: Vector2)

const START_COLOR := Color("4db5ff")
const GOAL_COLOR := Color("ff5468")
const RADIUS := 11.0
## The distance in screen pixels within which a press grabs a handle.
const GRAB_RADIUS := 22.0
const GLOW_RADIUS := 54.0

## Handles stay inside this part of the world.
var bounds := Rect2()
var start := Vector2.ZERO:
	set(value):
		start = value
		queue_redraw()
var goal := Vector2.ZERO:
	set(value):
		goal = value
		queue_redraw()

var _glow := _make_glow()
var _held: StringName = &""
var _hovered: StringName = &""
var _clock := 0.0


func _process(delta: float) -> void:
	_clock += delta
	queue_redraw()


func _unhandled_input(event: InputEvent) -> void:
	var mouse := event as InputEventMouse
	if mouse == null:
		return
	var place := (make_input_local(mouse) as InputEventMouse).position
	var button := event as InputEventMouseButton
	if button != null and button.button_index == MOUSE_BUTTON_LEFT:
		var taken := _held != &""
		_held = _handle_at(place) if button.pressed else &""
		if taken or _held != &"":
			get_viewport().set_input_as_handled()
	elif event is InputEventMouseMotion:
		_hovered = _handle_at(place)
		if _held != &"":
			_drag_to(place)
			get_viewport().set_input_as_handled()


func _draw() -> void:
	_draw_handle(start, START_COLOR, "Start", _is_active(&"start"), 0.0)
	_draw_handle(goal, GOAL_COLOR, "Goal", _is_active(&"goal"), 0.5)


func _is_active(handle: StringName) -> bool:
	return _held == handle or (_held == &"" and _hovered == handle)


func _handle_at(place: Vector2) -> StringName:
	var reach := GRAB_RADIUS * _pixel()
	if place.distance_to(goal) <= reach:
		return &"goal"
	if place.distance_to(start) <= reach:
		return &"start"
	return &""


func _drag_to(place: Vector2) -> void:
	var inside := place.clamp(bounds.position, bounds.end - Vector2.ONE * 0.01)
	if _held == &"goal":
		goal = inside
		goal_moved.emit(goal)
	else:
		start = inside
		start_moved.emit(start)


## World units per screen pixel.
func _pixel() -> float:
	return 1.0 / get_canvas_transform().get_scale().x


func _draw_handle(place: Vector2, color: Color, text: String, active: bool, phase: float) -> void:
	draw_set_transform(place, 0.0, Vector2.ONE * _pixel())
	var glow := Rect2(-Vector2.ONE * GLOW_RADIUS, Vector2.ONE * GLOW_RADIUS * 2.0)
	draw_texture_rect(_glow, glow, false, Color(color, 0.75 if active else 0.55))
	var beat := fposmod(_clock * 0.5 + phase, 1.0)
	var ripple := RADIUS + beat * 20.0
	draw_arc(Vector2.ZERO, ripple, 0.0, TAU, 48, Color(color, 0.6 * (1.0 - beat)), 1.5, true)
	var radius := RADIUS * (1.18 if active else 1.0)
	draw_circle(Vector2.ZERO, radius + 2.5, Color(0.03, 0.04, 0.08, 0.85), true, -1.0, true)
	draw_circle(Vector2.ZERO, radius, color, true, -1.0, true)
	draw_circle(Vector2.ZERO, radius * 0.42, Color.WHITE, true, -1.0, true)
	_draw_label(text, color, radius)
	draw_set_transform_matrix(Transform2D.IDENTITY)


func _draw_label(text: String, color: Color, radius: float) -> void:
	var font := LabTheme.bold_font()
	var text_size := font.get_string_size(text, HORIZONTAL_ALIGNMENT_LEFT, -1.0, 13)
	var pill := Rect2(-text_size.x * 0.5 - 9.0, radius + 8.0, text_size.x + 18.0, 21.0)
	var box := LabTheme.box(Color(0.05, 0.06, 0.11, 0.88), 10, Color(color, 0.55))
	draw_style_box(box, pill)
	var baseline := Vector2(-text_size.x * 0.5, pill.position.y + 15.5)
	draw_string(font, baseline, text, HORIZONTAL_ALIGNMENT_LEFT, -1.0, 13, Color.WHITE)


func _make_glow() -> GradientTexture2D:
	var white := Color.WHITE
	return LabTheme.radial_texture(
		[0.0, 0.35, 1.0], [Color(white, 0.85), Color(white, 0.28), Color(white, 0.0)], 128
	)
