class_name LabCamera
extends Camera2D
## Wheel zooms at the pointer, middle drag pans, and the map fits the space beside the panel.

const ZOOM_STEP := 1.15
const MAX_ZOOM := 5.0

## The part of the world that [method fit] shows.
var bounds := Rect2(0.0, 0.0, 100.0, 100.0)
## Free space around the map in the window: left, top, right, bottom.
var margins := Vector4(20.0, 16.0, 20.0, 16.0)

var _follows_window := true
var _panning := false


func _ready() -> void:
	get_viewport().size_changed.connect(_on_window_resized)


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null:
		_on_button(button)
	var motion := event as InputEventMouseMotion
	if motion != null and _panning:
		position -= motion.relative / zoom.x
		_follows_window = false
		force_update_scroll()


## Shows the whole map.
func fit() -> void:
	var window := get_viewport_rect().size
	var space := Rect2(
		Vector2(margins.x, margins.y),
		window - Vector2(margins.x + margins.z, margins.y + margins.w)
	)
	space.size = space.size.max(Vector2(100.0, 100.0))
	var scale_to_fit := minf(space.size.x / bounds.size.x, space.size.y / bounds.size.y)
	zoom = Vector2.ONE * scale_to_fit
	position = bounds.get_center() - (space.get_center() - window * 0.5) / scale_to_fit
	_follows_window = true
	force_update_scroll()


## Zooms by a factor and keeps the world point under [param at] (in the window) where it is.
func zoom_at(at: Vector2, factor: float) -> void:
	var window := get_viewport_rect().size
	var smallest := 0.5 * minf(window.x / bounds.size.x, window.y / bounds.size.y)
	var before := zoom.x
	var after := clampf(before * factor, smallest, MAX_ZOOM)
	position += (at - window * 0.5) * (1.0 / before - 1.0 / after)
	zoom = Vector2.ONE * after
	_follows_window = false
	force_update_scroll()


func _on_button(button: InputEventMouseButton) -> void:
	match button.button_index:
		MOUSE_BUTTON_WHEEL_UP:
			if button.pressed:
				zoom_at(button.position, ZOOM_STEP)
		MOUSE_BUTTON_WHEEL_DOWN:
			if button.pressed:
				zoom_at(button.position, 1.0 / ZOOM_STEP)
		MOUSE_BUTTON_MIDDLE:
			_panning = button.pressed


func _on_window_resized() -> void:
	if _follows_window:
		fit()
