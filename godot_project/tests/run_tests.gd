extends Node
## Runs every suite in tests/suites, or those whose file name contains a word given after `--`.
##
## It is the script of a scene, run_tests.tscn, because exported games start scenes only. Prints
## "case SUITE.TEST" before each test, "suite NAME: N passed, N failed" after each suite, then
## "N passed, N failed" as the last line.

const ErrorLog := preload("res://tests/error_log.gd")
const TestSuite := preload("res://tests/test_suite.gd")
const ENDING := "_suite.gd"
## What suites need that an exported game, or the project, may lack. The one place that says so.
const NEEDS: Dictionary[String, StringName] = {
	"exported_files": &"export",
	"flow_lockstep": &"connections",
	"guide_3d": &"sources",
	"multiplayer_page": &"sources",
	"rts": &"connections",
	"surface": &"sources",
	"versus": &"connections",
}

## Where the suites are.
var folder := "res://tests/suites"

var _passed := 0
var _failed := 0
var _errors := ErrorLog.new()


func _ready() -> void:
	OS.add_logger(_errors)
	_run_all.call_deferred()


func _run_all() -> void:
	var words := wanted_words()
	# Of an exported game, this lists scripts by the names that they had before the export.
	for file: String in ResourceLoader.list_directory(folder):
		if file.ends_with(ENDING) and _is_wanted(file, words):
			await _run_suite(file)
	OS.remove_logger(_errors)
	if _passed + _failed == 0:
		print("no tests found")
		_failed = 1
	print("%d passed, %d failed" % [_passed, _failed])
	get_tree().quit(1 if _failed > 0 else 0)


## Words that the file name of a suite must contain to be run.
func wanted_words() -> PackedStringArray:
	return OS.get_cmdline_user_args()


func _is_wanted(file: String, words: PackedStringArray) -> bool:
	for word: String in words:
		if not file.contains(word):
			return false
	return true


func _run_suite(file: String) -> void:
	var name := file.trim_suffix(ENDING)
	var lacking := _lacking(NEEDS.get(name, &""))
	if lacking != "":
		print("suite %s: left out, %s" % [name, lacking])
		return
	var script := load(folder.path_join(file)) as GDScript
	var passed := 0
	var failed := 0
	if script == null or not script.can_instantiate():
		print("FAILED %s: the file does not compile" % name)
		failed = 1
	else:
		var suite := script.new() as TestSuite
		suite.errors = _errors
		for method: Dictionary in script.get_script_method_list():
			var test: String = method["name"]
			if not test.begins_with("test_"):
				continue
			print("case %s.%s" % [name, test])
			await suite.run(StringName(test), get_tree())
			if suite.failures.is_empty():
				passed += 1
			else:
				failed += 1
				for reason: String in suite.failures.slice(0, 8):
					print("FAILED %s.%s: %s" % [name, test, reason])
	print("suite %s: %d passed, %d failed" % [name, passed, failed])
	_passed += passed
	_failed += failed


## Why this engine has not what a suite needs; empty when it has.
func _lacking(need: StringName) -> String:
	if need == &"sources" and not FileAccess.file_exists("res://tests/test_suite.gd"):
		return "an exported game has no sources of scripts"
	if need == &"export" and OS.has_feature("editor"):
		return "its files are made for exported games only"
	if need == &"connections" and not _can_break_connections():
		return "this build of the engine prints errors when it breaks connections of its own"
	return ""


## Whether the engine finds its own connections when it breaks them, as containers and the
## multiplayer interface do. Debian's template for release exports does not, and prints an error
## for each.
func _can_break_connections() -> bool:
	var container := BoxContainer.new()
	var child := Control.new()
	container.add_child(child)
	Engine.print_error_messages = false
	container.remove_child(child)
	Engine.print_error_messages = true
	_errors.take()
	var is_free := child.get_signal_connection_list(&"size_flags_changed").is_empty()
	child.free()
	container.free()
	return is_free
