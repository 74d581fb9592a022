@tool
extends Logger
## Collects the errors that are reported while something runs, to show them in the dock as well.

var _mutex := Mutex.new()
var _errors := PackedStringArray()


## Calls something that returns an error code, and returns what was reported meanwhile. If it fails
## without a report, the result says so.
static func run(action: Callable) -> PackedStringArray:
	var catcher := new()
	OS.add_logger(catcher)
	var code: Error = action.call()
	OS.remove_logger(catcher)
	var errors := catcher.take()
	if code != OK and errors.is_empty():
		errors.append(error_string(code))
	return errors


## The errors so far, each once.
func take() -> PackedStringArray:
	_mutex.lock()
	var errors := _errors
	_errors = PackedStringArray()
	_mutex.unlock()
	return errors


func _log_error(
	_function: String,
	_file: String,
	_line: int,
	code: String,
	rationale: String,
	_editor_notify: bool,
	error_type: int,
	_script_backtraces: Array[ScriptBacktrace]
) -> void:
	if error_type == ERROR_TYPE_WARNING:
		return
	var text := code if rationale.is_empty() else rationale
	_mutex.lock()
	if text not in _errors:
		_errors.append(text)
	_mutex.unlock()
