extends Logger
## Collects the errors that the engine and the extension report, from any thread.

var _mutex := Mutex.new()
var _errors := PackedStringArray()


func _log_error(
	function: String,
	file: String,
	line: int,
	code: String,
	rationale: String,
	_editor_notify: bool,
	error_type: int,
	_script_backtraces: Array[ScriptBacktrace]
) -> void:
	if error_type == ERROR_TYPE_WARNING:
		return
	var text := code if rationale == "" else "%s %s" % [code, rationale]
	_mutex.lock()
	_errors.append("%s (%s, %s:%d)" % [text, function, file, line])
	_mutex.unlock()


## Returns the errors since the last call.
func take() -> PackedStringArray:
	_mutex.lock()
	var errors := _errors
	_errors = PackedStringArray()
	_mutex.unlock()
	return errors
