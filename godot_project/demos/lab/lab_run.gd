class_name LabRun
extends Node
## Runs the lab without a user. After `--`: `--demo-seconds=N` quits after N seconds, and
## `--screenshot=FILE` saves the last image before that. Prints one line of figures.

@export var lab: Lab

var _seconds := 0.0
var _screenshot := ""
var _step_times: Array[float] = []


func _ready() -> void:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--demo-seconds="):
			_seconds = argument.get_slice("=", 1).to_float()
		elif argument.begins_with("--screenshot="):
			_screenshot = argument.trim_prefix("--screenshot=")
	set_physics_process(_seconds > 0.0)
	if _seconds > 0.0:
		get_tree().create_timer(_seconds).timeout.connect(_finish)


func _physics_process(_delta: float) -> void:
	_step_times.append(lab.swarm.get_stats()["total_ms"] as float)


func _finish() -> void:
	if _screenshot != "" and DisplayServer.get_name() != "headless":
		await RenderingServer.frame_post_draw
		var error := get_viewport().get_texture().get_image().save_png(_screenshot)
		if error != OK:
			printerr("lab: cannot write %s: %s" % [_screenshot, error_string(error)])
			get_tree().quit(1)
			return
	print(_figures())
	get_tree().quit()


func _figures() -> String:
	var stats := lab.swarm.get_stats()
	_step_times.sort()
	var median := _step_times[_step_times.size() / 2] if not _step_times.is_empty() else 0.0
	return (
		"lab: %d agents, step %.2f ms (median), field %.2f ms, %d arrived, %d stuck"
		% [
			stats["agents"],
			median,
			lab.manager.get_last_field_ms(),
			stats["arrived"],
			stats["stuck"],
		]
	)
