class_name RtsHand
extends Node2D
## Passes mouse input on the map to the active tool.

signal pointed(place: Vector2)
signal ordered(place: Vector2)
signal tool_changed(tool: RtsTool)

var tool: RtsTool
## The tool that is active when no other is.
var resting_tool: RtsTool


func take(next: RtsTool) -> void:
	if tool != null:
		tool.stop()
		tool.visible = false
	tool = next
	tool.visible = true
	tool.start()
	tool_changed.emit(tool)


func lay_down() -> void:
	take(resting_tool)


func _unhandled_input(event: InputEvent) -> void:
	var motion := event as InputEventMouseMotion
	if motion != null:
		var place := (make_input_local(motion) as InputEventMouseMotion).position
		tool.point_at(place)
		pointed.emit(place)
	var button := event as InputEventMouseButton
	if button == null:
		return
	var at := (make_input_local(button) as InputEventMouseButton).position
	if button.button_index == MOUSE_BUTTON_LEFT:
		if button.double_click:
			tool.press_again(at, button.shift_pressed)
		elif button.pressed:
			tool.press(at, button.shift_pressed)
		else:
			tool.release(at, button.shift_pressed)
	elif button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
		_use_right(at)


func _use_right(place: Vector2) -> void:
	if tool.use_right(place):
		return
	if tool == resting_tool:
		ordered.emit(place)
	else:
		lay_down()
