class_name HordeKeys
extends Node
## The keys other than those for walking; they also work while the game is paused.

@export var game: Horde


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if not key.pressed or key.echo:
		return
	match key.physical_keycode:
		KEY_SPACE:
			game.strike()
		KEY_ESCAPE, KEY_P:
			game.toggle_pause()
		KEY_ENTER, KEY_KP_ENTER:
			if game.is_over():
				game.restart()
		KEY_R:
			if game.state != Horde.State.PLAYING:
				game.restart()
		_:
			return
	get_viewport().set_input_as_handled()
