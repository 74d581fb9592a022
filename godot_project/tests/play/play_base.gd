extends "res://tests/test_suite.gd"
## Base of the play tests: opens the lab and sends it input events as a person would.

const LAB_SCENE := "res://demos/lab/lab.tscn"

var lab: Lab
var _pointer := Vector2.ZERO


func open_lab() -> void:
	Input.use_accumulated_input = false
	lab = (load(LAB_SCENE) as PackedScene).instantiate() as Lab
	scene.add_child(lab)
	await frames(3)


func frames(count: int) -> void:
	for i in count:
		await scene.get_tree().process_frame


func ticks(count: int) -> void:
	for i in count:
		await scene.get_tree().physics_frame


## Where a world position is in the window, in pixels.
func on_screen(place: Vector2) -> Vector2:
	var root := scene.get_tree().root
	return root.get_final_transform() * (lab.get_viewport().canvas_transform * place)


func cell_on_screen(cell: Vector2i) -> Vector2:
	return on_screen(lab.manager.get_cell_center(cell))


func control_on_screen(option: StringName, share := Vector2(0.5, 0.5)) -> Vector2:
	var control := lab.panel.get_control(option)
	var root := scene.get_tree().root
	return root.get_final_transform() * (control.get_global_rect().position + control.size * share)


func press(at: Vector2, button := MOUSE_BUTTON_LEFT, shift := false) -> void:
	await _send_button(at, button, true, shift)


func release(at: Vector2, button := MOUSE_BUTTON_LEFT, shift := false) -> void:
	await _send_button(at, button, false, shift)


func click(at: Vector2) -> void:
	await move(at)
	await press(at)
	await release(at)


func click_on(option: StringName, share := Vector2(0.5, 0.5)) -> void:
	await click(control_on_screen(option, share))


## Moves in one jump, as a fast hand does.
func move(to: Vector2, shift := false, buttons := 0) -> void:
	var event := InputEventMouseMotion.new()
	event.position = to
	event.global_position = to
	event.relative = to - _pointer
	event.button_mask = buttons
	event.shift_pressed = shift
	_pointer = to
	Input.parse_input_event(event)
	await frames(1)


## Presses at the first point, jumps along the others and lets go at the last.
func drag(points: PackedVector2Array, shift := false, button := MOUSE_BUTTON_LEFT) -> void:
	await move(points[0], shift)
	await press(points[0], button, shift)
	for i in range(1, points.size()):
		await move(points[i], shift, 1 << (button - 1))
	await release(points[points.size() - 1], button, shift)


func key(code: Key) -> void:
	await _send_key(code, true)
	await _send_key(code, false)


## Holds a key down for some ticks.
func hold(code: Key, for_ticks: int) -> void:
	await _send_key(code, true)
	await ticks(for_ticks)
	await _send_key(code, false)


func shown_image() -> Image:
	await RenderingServer.frame_post_draw
	return scene.get_tree().root.get_texture().get_image()


## The mean colour of the middle of a cell, as shown.
func shown_color(image: Image, cell: Vector2i) -> Color:
	var at := Vector2i(cell_on_screen(cell))
	var sum := Vector3.ZERO
	for y in range(-2, 3):
		for x in range(-2, 3):
			var pixel := image.get_pixelv(at + Vector2i(x, y))
			sum += Vector3(pixel.r, pixel.g, pixel.b)
	return Color(sum.x / 25.0, sum.y / 25.0, sum.z / 25.0)


func color_distance(a: Color, b: Color) -> float:
	return Vector3(a.r - b.r, a.g - b.g, a.b - b.b).length()


## Saves what is shown into the folder for artifacts, where one was given.
func save_picture(name: String) -> void:
	var folder := _artifacts()
	if folder == "":
		return
	DirAccess.make_dir_recursive_absolute(folder)
	var image := await shown_image()
	check_eq(image.save_png(folder.path_join(name + ".png")), OK, "saving %s" % name)


func _artifacts() -> String:
	var arguments := OS.get_cmdline_user_args()
	for i in arguments.size():
		if arguments[i] == "--artifacts" and i + 1 < arguments.size():
			return arguments[i + 1]
		if arguments[i].begins_with("--artifacts="):
			return arguments[i].trim_prefix("--artifacts=")
	return ""


func _send_key(code: Key, down: bool) -> void:
	var event := InputEventKey.new()
	event.keycode = code
	event.physical_keycode = code
	event.pressed = down
	Input.parse_input_event(event)
	await frames(1)


func _send_button(at: Vector2, button: MouseButton, down: bool, shift: bool) -> void:
	var event := InputEventMouseButton.new()
	event.position = at
	event.global_position = at
	event.button_index = button
	event.pressed = down
	event.shift_pressed = shift
	event.button_mask = (1 << (button - 1)) if down else 0
	_pointer = at
	Input.parse_input_event(event)
	await frames(1)
