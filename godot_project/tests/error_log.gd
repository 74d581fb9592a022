extends Logger
## Collects the errors and warnings that the engine and the extension report, from any thread.

var _mutex := Mutex.new()
var _errors := PackedStringArray()
var _warnings := PackedStringArray()


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
	var text := code if rationale == "" else "%s %s" % [code, rationale]
	text = "%s (%s, %s:%d)" % [text, function, file, line]
	_mutex.lock()
	if error_type == ERROR_TYPE_WARNING:
		_warnings.append(text)
	else:
		_errors.append(text)
	_mutex.unlock()


## Returns the errors since the last call.
func take() -> PackedStringArray:
	_mutex.lock()
	var errors := _errors
	_errors = PackedStringArray()
	_mutex.unlock()
	return errors


## Returns the warnings since the last call.
func take_warnings() -> PackedStringArray:
	_mutex.lock()
	var warnings := _warnings
	_warnings = PackedStringArray()
	_mutex.unlock()
	return warnings
