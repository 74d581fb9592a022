class_name VersusRun
extends Node
## Runs the demo without a player. After `--`: with `--demo-seconds=N` bots play both sides, and the
## demo quits after N seconds; `--screenshot=FILE` saves the last image before that. Prints one line
## of figures.

@export var versus: Versus

var _screenshot := ""


func _ready() -> void:
	var seconds := 0.0
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--demo-seconds="):
			seconds = argument.get_slice("=", 1).to_float()
		elif argument.begins_with("--screenshot="):
			_screenshot = argument.trim_prefix("--screenshot=")
	if seconds <= 0.0:
		return
	_begin.call_deferred()
	get_tree().create_timer(seconds).timeout.connect(_finish)


func _begin() -> void:
	if versus.battle == null:
		versus.play_against_bot()
	versus.add_bot()
	versus.hand.select_all.call_deferred()


func _finish() -> void:
	if _screenshot != "" and DisplayServer.get_name() != "headless":
		await RenderingServer.frame_post_draw
		var error := get_viewport().get_texture().get_image().save_png(_screenshot)
		if error != OK:
			printerr("versus: cannot write %s: %s" % [_screenshot, error_string(error)])
			get_tree().quit(1)
			return
	var battle := versus.battle
	print(
		(
			"versus: tick %d in step, %d against %d soldiers"
			% [
				battle.lockstep.get_tick(),
				battle.armies[0].get_agent_count(),
				battle.armies[1].get_agent_count(),
			]
		)
	)
	get_tree().quit()
