class_name RtsCamera
extends Camera2D
## The camera above the map. WASD, the arrow keys, the window's edges and the middle button move it;
## the wheel zooms at the pointer.

const ZOOM_STEP := 1.15
const MAX_ZOOM := 2.6
## The speed in pixels of the window a second.
const SPEED := 1100.0
## The distance from the window's edge, in pixels, within which the pointer moves the view.
const EDGE := 3.0

var bounds := Rect2(0.0, 0.0, 100.0, 100.0)

var _panning := false
## The last position of the pointer. Edges count only after the pointer has been seen.
var _pointer := Vector2(-1.0, -1.0)


func _process(delta: float) -> void:
	var way := _way_of_keys() + _way_of_edges()
	if way != Vector2.ZERO:
		look_at_place(position + way.limit_length() * SPEED * delta / zoom.x)


func _input(event: InputEvent) -> void:
	var motion := event as InputEventMouseMotion
	if motion == null:
		return
	_pointer = motion.position
	if _panning:
		look_at_place(position - motion.relative / zoom.x)


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button == null:
		return
	match button.button_index:
		MOUSE_BUTTON_WHEEL_UP when button.pressed:
			zoom_at(button.position, ZOOM_STEP)
		MOUSE_BUTTON_WHEEL_DOWN when button.pressed:
			zoom_at(button.position, 1.0 / ZOOM_STEP)
		MOUSE_BUTTON_MIDDLE:
			_panning = button.pressed


func _notification(what: int) -> void:
	if what == NOTIFICATION_WM_MOUSE_EXIT:
		_pointer = Vector2(-1.0, -1.0)


## The visible part of the world.
func get_view() -> Rect2:
	var size := get_viewport_rect().size / zoom.x
	return Rect2(position - size * 0.5, size)


## Moves the middle of the view, which stays on the map.
func look_at_place(place: Vector2) -> void:
	position = place.clamp(bounds.position, bounds.end)
	force_update_scroll()


## Zooms by a factor and keeps the world point under a point of the window where it is.
func zoom_at(at: Vector2, factor: float) -> void:
	var window := get_viewport_rect().size
	var smallest := minf(window.x / bounds.size.x, window.y / bounds.size.y) * 0.9
	var before := zoom.x
	var after := clampf(before * factor, smallest, MAX_ZOOM)
	zoom = Vector2.ONE * after
	look_at_place(position + (at - window * 0.5) * (1.0 / before - 1.0 / after))


func _way_of_keys() -> Vector2:
	return Vector2(
		_is_down(KEY_D, KEY_RIGHT) - _is_down(KEY_A, KEY_LEFT),
		_is_down(KEY_S, KEY_DOWN) - _is_down(KEY_W, KEY_UP)
	)


func _is_down(letter: Key, arrow: Key) -> float:
	return float(Input.is_physical_key_pressed(letter) or Input.is_physical_key_pressed(arrow))


func _way_of_edges() -> Vector2:
	if _pointer.x < 0.0 or _panning or not get_window().has_focus():
		return Vector2.ZERO
	var window := get_viewport_rect().size
	return Vector2(
		float(_pointer.x > window.x - EDGE) - float(_pointer.x < EDGE),
		float(_pointer.y > window.y - EDGE) - float(_pointer.y < EDGE)
	)
