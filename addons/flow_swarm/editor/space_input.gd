@tool
extends RefCounted
## Painting in the 3D view: a ray from the camera through the mouse to the ground, and outlines over
## the view.

const Painting := preload("painting.gd")
const COLOR := Color(1.0, 1.0, 1.0, 0.9)
const ERASE_COLOR := Color(1.0, 0.5, 0.4, 0.9)

var _painting: Painting
## The camera of the view over which the mouse was last.
var _camera: Camera3D
var _is_over_ground := false


func _init(painting: Painting) -> void:
	_painting = painting


## Returns whether the event was used.
func take(camera: Camera3D, event: InputEvent) -> bool:
	_camera = camera
	if event is InputEventKey:
		return _painting.take_key(event as InputEventKey)
	if event is InputEventMouseMotion:
		_move((event as InputEventMouseMotion).position)
		return _painting.painter.is_busy()
	var button := event as InputEventMouseButton
	if button == null or not button.button_index in [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT]:
		return false
	return _press(button) if button.pressed else _release(button)


## Draws over the view.
func draw(view: Control) -> void:
	if not is_instance_valid(_camera) or not _is_over_ground:
		return
	var lines: PackedVector2Array = []
	var outline := _painting.outline()
	for i in range(0, outline.size(), 2):
		var from := _painting.ground_of(outline[i])
		var to := _painting.ground_of(outline[i + 1])
		if not _camera.is_position_behind(from) and not _camera.is_position_behind(to):
			lines.append_array([_camera.unproject_position(from), _camera.unproject_position(to)])
	if not lines.is_empty():
		view.draw_multiline(lines, ERASE_COLOR if _painting.is_erasing else COLOR, 1.0)


func _move(place: Vector2) -> void:
	var ground := _ground_at(place)
	_is_over_ground = ground.is_finite()
	if _is_over_ground:
		_painting.move(_cell_of(ground))


## A click on the sky does what it does without the painter.
func _press(button: InputEventMouseButton) -> bool:
	_painting.read_heights()
	var ground := _ground_at(button.position)
	_is_over_ground = ground.is_finite()
	if _is_over_ground:
		_painting.press(_cell_of(ground), button)
	return _is_over_ground


func _release(button: InputEventMouseButton) -> bool:
	var was_busy := _painting.painter.is_busy()
	_painting.release()
	return was_busy or button.button_index == MOUSE_BUTTON_LEFT


func _cell_of(ground: Vector3) -> Vector2i:
	return _painting.manager.get_cell(Vector2(ground.x, ground.z))


func _ground_at(place: Vector2) -> Vector3:
	var from := _camera.project_ray_origin(place)
	return _painting.ground_at(from, _camera.project_ray_normal(place))
