class_name HordeCamera
extends Camera2D
## Follows the hero, a little ahead of the direction of movement, and can shake. The wheel zooms.

const LEAD := 0.22
const FOLLOW := 6.0
const ZOOM_STEP := 1.1
const LEAST_ZOOM := 0.45
const MOST_ZOOM := 2.5
const SHAKE := 9.0
const FIRST_ZOOM := 1.4

var player: HordePlayer

var _shake := 0.0


func _process(delta: float) -> void:
	var wanted := player.position + player.velocity * LEAD
	position = position.lerp(wanted, 1.0 - exp(-FOLLOW * delta))
	_shake = move_toward(_shake, 0.0, delta * 2.5)
	var reach := SHAKE * _shake * _shake
	offset = Vector2(randf_range(-reach, reach), randf_range(-reach, reach))


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button == null or not button.pressed:
		return
	match button.button_index:
		MOUSE_BUTTON_WHEEL_UP:
			_zoom(ZOOM_STEP)
		MOUSE_BUTTON_WHEEL_DOWN:
			_zoom(1.0 / ZOOM_STEP)


## Centres the view on the hero at once, inside the arena.
func reset() -> void:
	var size := Vector2i(Vector2(HordeArena.SIZE) * HordeArena.CELL)
	limit_left = 0
	limit_top = 0
	limit_right = size.x
	limit_bottom = size.y
	zoom = Vector2.ONE * FIRST_ZOOM
	position = player.position
	_shake = 0.0
	force_update_scroll()


## The visible part of the world.
func get_view() -> Rect2:
	var size := get_viewport_rect().size / zoom
	return Rect2(get_screen_center_position() - size * 0.5, size)


func shake(strength: float) -> void:
	_shake = maxf(_shake, strength)


func _zoom(factor: float) -> void:
	zoom = Vector2.ONE * clampf(zoom.x * factor, LEAST_ZOOM, MOST_ZOOM)
