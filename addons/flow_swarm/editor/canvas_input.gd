@tool
extends RefCounted
## Painting in the 2D view: mouse and keys of the editor to cells, and outlines over the view.

const Painting := preload("painting.gd")
const COLOR := Color(1.0, 1.0, 1.0, 0.9)
const ERASE_COLOR := Color(1.0, 0.5, 0.4, 0.9)

var _painting: Painting


func _init(painting: Painting) -> void:
	_painting = painting


## Returns whether the event was used.
func take(event: InputEvent) -> bool:
	var key := event as InputEventKey
	if key != null:
		return _painting.take_key(key)
	var mouse := event as InputEventMouse
	if mouse == null:
		return false
	var cell := _cell_at(mouse.position)
	var button := event as InputEventMouseButton
	if button == null:
		_painting.move(cell)
		return _painting.is_busy()
	if not button.button_index in [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT]:
		return false
	if button.pressed:
		_painting.press(cell, button)
	else:
		_painting.release()
	return true


## Draws over the view.
func draw(view: Control) -> void:
	var painting := _painting
	var manager := painting.manager
	var to_world := (
		Transform2D(0.0, manager.origin) * Transform2D().scaled(Vector2.ONE * manager.cell_size)
	)
	var to_view := _canvas_transform() * to_world
	var shapes := painting.layout_shapes(true)
	for fill in shapes.fills:
		view.draw_colored_polygon(to_view * (fill["points"] as PackedVector2Array), fill["color"])
	for line in shapes.lines:
		view.draw_multiline(to_view * (line["points"] as PackedVector2Array), line["color"], 2.0)
	var lines := to_view * painting.outline()
	view.draw_multiline(lines, ERASE_COLOR if painting.is_erasing else COLOR, 1.0)


func _cell_at(place: Vector2) -> Vector2i:
	return _painting.manager.get_cell(_canvas_transform().affine_inverse() * place)


func _canvas_transform() -> Transform2D:
	return EditorInterface.get_editor_viewport_2d().global_canvas_transform
