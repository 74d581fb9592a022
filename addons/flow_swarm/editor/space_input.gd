@tool
extends RefCounted
## Painting in the 3D view: a ray from the camera through the mouse to the ground, and outlines over
## the view.

const Painting := preload("painting.gd")
## The 3D editor has up to four views.
const VIEWS := 4
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
		return _painting.is_busy()
	var button := event as InputEventMouseButton
	if button == null or not button.button_index in [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT]:
		return false
	return _press(button) if button.pressed else _release(button)


## Draws over the view.
func draw(view: Control) -> void:
	var camera := _camera_of(view)
	if camera == null:
		return
	var shapes := _painting.layout_shapes(_is_over_ground)
	for fill in shapes.fills:
		_draw_fill(view, camera, fill["points"], fill["layer"], fill["color"])
	for line in shapes.lines:
		_draw_lines(view, camera, line["points"], line["layers"], line["color"])
	if _is_over_ground:
		var color := ERASE_COLOR if _painting.is_erasing else COLOR
		var layer := _painting.layer
		_draw_lines(view, camera, _painting.outline(), Vector2i(layer, layer), color)


## Draws pairs of points, each from one layer to another.
func _draw_lines(
	view: Control, camera: Camera3D, points: PackedVector2Array, layers: Vector2i, color: Color
) -> void:
	var lines: PackedVector2Array = []
	for i in range(0, points.size(), 2):
		var from := _painting.ground_of(points[i], layers.x)
		var to := _painting.ground_of(points[i + 1], layers.y)
		if not camera.is_position_behind(from) and not camera.is_position_behind(to):
			lines.append_array([camera.unproject_position(from), camera.unproject_position(to)])
	if not lines.is_empty():
		view.draw_multiline(lines, color, 2.0)


func _draw_fill(
	view: Control, camera: Camera3D, points: PackedVector2Array, layer: int, color: Color
) -> void:
	var polygon: PackedVector2Array = []
	for point in points:
		var place := _painting.ground_of(point, layer)
		if camera.is_position_behind(place):
			return
		polygon.append(camera.unproject_position(place))
	# A polygon that is seen from its edge has no triangles, which would be an error.
	if not Geometry2D.triangulate_polygon(polygon).is_empty():
		view.draw_colored_polygon(polygon, color)


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
	var was_busy := _painting.is_busy()
	_painting.release()
	return was_busy or button.button_index == MOUSE_BUTTON_LEFT


## The camera of a view that is drawn over; null if it is none of the 3D editor's.
static func _camera_of(view: Control) -> Camera3D:
	for i in VIEWS:
		var viewport := EditorInterface.get_editor_viewport_3d(i)
		if view.get_parent().is_ancestor_of(viewport):
			return viewport.get_camera_3d()
	return null


func _cell_of(ground: Vector3) -> Vector2i:
	return _painting.manager.get_cell(Vector2(ground.x, ground.z))


func _ground_at(place: Vector2) -> Vector3:
	var from := _camera.project_ray_origin(place)
	return _painting.ground_at(from, _camera.project_ray_normal(place))
