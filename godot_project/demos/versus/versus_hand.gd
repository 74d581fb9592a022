class_name VersusHand
extends Node2D
## The mouse: a box or a click of the left button selects soldiers of one's own army, the right
## button sends them. Draws the box, rings around the selected, and where they were sent.

const CLICK := 8.0
const MARKER_SECONDS := 0.7

var battle: VersusBattle

var _selected := PackedInt64Array()
## Where the box begins, and where the pointer is.
var _from := Vector2.ZERO
var _to := Vector2.ZERO
var _is_dragging := false
## Where soldiers were sent, and the seconds that it is still shown.
var _markers: Array[Array] = []


func _process(delta: float) -> void:
	for marker: Array in _markers:
		marker[1] -= delta
	_markers = _markers.filter(func(marker: Array) -> bool: return marker[1] > 0.0)
	queue_redraw()


func _unhandled_input(event: InputEvent) -> void:
	if battle == null or battle.get_side() < 0:
		return
	var mouse := make_input_local(event) as InputEventMouse
	if mouse != null:
		_to = mouse.position
		if event is InputEventMouseButton:
			_take_button(event as InputEventMouseButton)
	elif event is InputEventKey and event.is_pressed() and event.keycode == KEY_E:
		select_all()


func _take_button(button: InputEventMouseButton) -> void:
	if button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
		_send(_to)
	elif button.button_index == MOUSE_BUTTON_LEFT:
		if button.pressed:
			_from = _to
		elif _is_dragging:
			_select(Rect2(_from, _to - _from).abs())
		_is_dragging = button.pressed


func select_all() -> void:
	if battle != null and battle.get_side() >= 0:
		_selected = _army().get_ids()


func get_selected() -> PackedInt64Array:
	return _selected


func _army() -> EnemySwarm:
	return battle.armies[battle.get_side()]


func _select(box: Rect2) -> void:
	if box.size.length() < CLICK:
		_selected = _army().query_circle(box.position, 50.0)
	else:
		_selected = _army().query_rect(box)


func _send(place: Vector2) -> void:
	var alive := PackedInt64Array()
	for id: int in _selected:
		if _army().has_agent(id):
			alive.append(id)
	_selected = alive
	if not _selected.is_empty():
		battle.send(_selected, place)
		_markers.append([place, MARKER_SECONDS])


func _draw() -> void:
	if battle == null or battle.get_side() < 0:
		return
	for id: int in _selected:
		if _army().has_agent(id):
			var place := _army().get_agent_position(id)
			draw_arc(place, 9.5, 0.0, TAU, 16, Color(1.0, 1.0, 1.0, 0.75), 1.5, true)
	for marker: Array in _markers:
		var rest: float = marker[1] / MARKER_SECONDS
		var color := Color(Color("9fffa8"), rest)
		draw_arc(marker[0], 10.0 + 26.0 * (1.0 - rest), 0.0, TAU, 32, color, 3.0, true)
	if _is_dragging:
		var box := Rect2(_from, _to - _from).abs()
		draw_rect(box, Color(Color("9fffa8"), 0.1))
		draw_rect(box, Color("9fffa8"), false, 1.5)
