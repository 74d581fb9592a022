@tool
extends RefCounted
## Mouse and keys in the window of the editor, and what is seen there. The base of checks.

var _check: Callable
var _tree := Engine.get_main_loop() as SceneTree
var _folder := ""
var _mask := 0
var _at := Vector2.ZERO


func _init(check: Callable) -> void:
	_check = check
	var arguments := OS.get_cmdline_user_args()
	var index := arguments.find("--artifacts")
	if index >= 0:
		_folder = arguments[index + 1]


func _frames(count := 3) -> void:
	for i in count:
		await _tree.process_frame


func _select(node: Node) -> void:
	EditorInterface.get_selection().clear()
	EditorInterface.get_selection().add_node(node)
	EditorInterface.edit_node(node)
	await _frames(5)


## The first control of a class that is seen and has a text; any text if it is empty.
func _control(type: StringName, text := "", from: Node = null) -> Control:
	var node := from if from != null else _tree.root
	var control := node as Control
	if control != null and control.is_class(type) and control.is_visible_in_tree():
		if text.is_empty() or control.get(&"text") == text:
			return control
	for child: Node in node.get_children(true):
		var found := _control(type, text, child)
		if found != null:
			return found
	return null


func _picture(name: String) -> void:
	if _folder.is_empty():
		return
	await _frames(4)
	_tree.root.get_texture().get_image().save_png(_folder.path_join("editor_%s.png" % name))


func _send(event: InputEvent) -> void:
	Input.parse_input_event(event)
	Input.flush_buffered_events()
	await _frames(2)


func _mouse(place: Vector2, button := MOUSE_BUTTON_NONE, pressed := false) -> void:
	var event: InputEventMouse
	if button == MOUSE_BUTTON_NONE:
		var motion := InputEventMouseMotion.new()
		motion.relative = place - _at
		event = motion
	else:
		var click := InputEventMouseButton.new()
		click.button_index = button
		click.pressed = pressed
		_mask = 1 << (button - 1) if pressed else 0
		event = click
	_at = place
	event.button_mask = _mask as MouseButtonMask
	event.position = place
	event.global_position = place
	await _send(event)


func _click(control: Control) -> void:
	var place := control.get_screen_transform() * (0.5 * control.size)
	await _mouse(place)
	await _mouse(place, MOUSE_BUTTON_LEFT, true)
	await _mouse(place, MOUSE_BUTTON_LEFT, false)


func _drag(places: PackedVector2Array, button := MOUSE_BUTTON_LEFT) -> void:
	await _mouse(places[0])
	await _mouse(places[0], button, true)
	for place: Vector2 in places.slice(1):
		await _mouse(place)
	await _mouse(places[-1], button, false)


func _key(code: Key, control := false, shift := false) -> void:
	for pressed: bool in [true, false]:
		var event := InputEventKey.new()
		event.keycode = code
		event.physical_keycode = code
		event.ctrl_pressed = control
		event.shift_pressed = shift
		event.pressed = pressed
		await _send(event)
