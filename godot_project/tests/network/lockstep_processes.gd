extends RefCounted
## The processes of a lockstep game: starts them, reads what they write, and ends them.

const SCENE := "res://tests/network/lockstep_peer.tscn"
const ENGINE := "--engine="

var folder := ""

var _started: Dictionary[String, int] = {}


func _init() -> void:
	folder = OS.get_user_data_dir().path_join("network_%d" % OS.get_process_id())
	DirAccess.make_dir_recursive_absolute(folder)


## Starts a machine with arguments of lockstep_peer.gd. [param key] names its files.
func start(key: String, arguments: Dictionary[String, Variant]) -> void:
	var words: PackedStringArray = [
		"--headless", "--path", ProjectSettings.globalize_path("res://")
	]
	words.append_array(["--log-file", folder.path_join(key + ".engine.log"), SCENE, "--"])
	words.append("log=" + folder.path_join(key + ".log"))
	for name: String in arguments:
		words.append("%s=%s" % [name, arguments[name]])
	_started[key] = OS.create_process(_engine(), words)


func is_running(key: String) -> bool:
	return _started.has(key) and OS.is_process_running(_started[key])


func exit_code(key: String) -> int:
	return OS.get_process_exit_code(_started[key])


func kill(key: String) -> void:
	OS.kill(_started[key])
	_started.erase(key)


func kill_all() -> void:
	for key: String in _started.keys():
		if is_running(key):
			kill(key)


## What a machine has written.
func lines(key: String) -> PackedStringArray:
	return FileAccess.get_file_as_string(folder.path_join(key + ".log")).split("\n", false)


## The last line of a machine that begins with a word, or empty.
func last(key: String, word: String) -> String:
	var found := ""
	for line: String in lines(key):
		if line.begins_with(word + " "):
			found = line
	return found


## The hashes of a machine by tick.
func hashes(key: String) -> Dictionary[int, String]:
	var found: Dictionary[int, String] = {}
	for line: String in lines(key):
		if line.begins_with("hash "):
			found[line.get_slice(" ", 1).to_int()] = line
	return found


## What the engine of a machine has reported as an error.
func errors(key: String) -> PackedStringArray:
	var found := PackedStringArray()
	var text := FileAccess.get_file_as_string(folder.path_join(key + ".engine.log"))
	for line: String in text.split("\n"):
		if line.contains("ERROR:"):
			found.append(line)
	return found


func clear() -> void:
	kill_all()
	for file: String in DirAccess.get_files_at(folder):
		DirAccess.remove_absolute(folder.path_join(file))
	DirAccess.remove_absolute(folder)


## The program: the engine of this process, unless an argument names another.
func _engine() -> String:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with(ENGINE):
			return argument.trim_prefix(ENGINE)
	return OS.get_executable_path()
