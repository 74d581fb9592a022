extends "res://tests/run_tests.gd"
## Plays lockstep games between several processes of the engine. After `--`, `--engine=PATH` names
## the program to start; without it, it is that of this process. A scene, too, with the same output
## as run_tests.gd.


func _ready() -> void:
	folder = "res://tests/network"
	super()


func wanted_words() -> PackedStringArray:
	var words := PackedStringArray()
	for argument: String in OS.get_cmdline_user_args():
		if not argument.begins_with("--"):
			words.append(argument)
	return words
