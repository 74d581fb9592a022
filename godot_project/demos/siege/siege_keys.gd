class_name SiegeKeys
extends Node
## Mouse buttons and keys other than those for walking; keys also work while the game is paused.

@export var game: Siege


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and game.state == Siege.State.PLAYING:
		if button.button_index == MOUSE_BUTTON_LEFT:
			game.beam.held = button.pressed
		elif button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
			game.grenades.throw()
	var key := event as InputEventKey
	if key != null and key.pressed and not key.echo:
		_press(key.physical_keycode)


func _press(key: Key) -> void:
	match key:
		KEY_G, KEY_Q:
			if game.state == Siege.State.PLAYING:
				game.grenades.throw()
		KEY_ESCAPE, KEY_P:
			game.toggle_pause()
		KEY_ENTER, KEY_KP_ENTER:
			if game.is_over():
				game.restart()
		KEY_R:
			if game.state != Siege.State.PLAYING:
				game.restart()
