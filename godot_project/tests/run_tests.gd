extends SceneTree
## Runs every suite in tests/suites, or those whose file name contains a word given after `--`.
## Prints "suite NAME: N passed, N failed" for each, then "N passed, N failed" as the last line.

const ErrorLog := preload("res://tests/error_log.gd")
const TestSuite := preload("res://tests/test_suite.gd")
const ENDING := "_suite.gd"

## Where the suites are.
var folder := "res://tests/suites"

var _passed := 0
var _failed := 0
var _errors := ErrorLog.new()


func _initialize() -> void:
	OS.add_logger(_errors)
	_run_all.call_deferred()


func _run_all() -> void:
	var words := wanted_words()
	for file: String in DirAccess.get_files_at(folder):
		if file.ends_with(ENDING) and _is_wanted(file, words):
			await _run_suite(file)
	OS.remove_logger(_errors)
	if _passed + _failed == 0:
		print("no tests found")
		_failed = 1
	print("%d passed, %d failed" % [_passed, _failed])
	quit(1 if _failed > 0 else 0)


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
			await suite.run(StringName(test), self)
			if suite.failures.is_empty():
				passed += 1
			else:
				failed += 1
				for reason: String in suite.failures.slice(0, 8):
					print("FAILED %s.%s: %s" % [name, test, reason])
	print("suite %s: %d passed, %d failed" % [name, passed, failed])
	_passed += passed
	_failed += failed
