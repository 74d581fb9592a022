extends "res://tests/run_tests.gd"
## Plays the lab in a real window with real input events. After `--`, `--artifacts DIR` names the
## folder for screenshots. A scene, too, with the same output as run_tests.gd.


func _ready() -> void:
	folder = "res://tests/play"
	super()


func wanted_words() -> PackedStringArray:
	var words := PackedStringArray()
	var arguments := OS.get_cmdline_user_args()
	var i := 0
	while i < arguments.size():
		if arguments[i] == "--artifacts":
			i += 1
		elif not arguments[i].begins_with("--"):
			words.append(arguments[i])
		i += 1
	return words
