@tool
extends "bake_kind.gd"
## A kind that the copy bakes on worker threads. The base of such kinds.

var _is_running := false
var _outcome := OK


func advance(copy: FlowFieldManager) -> Error:
	if _is_running:
		copy.update()
	return _outcome


func progress(copy: FlowFieldManager) -> float:
	# The result is put to use after all is baked.
	return minf(copy.get_bake_progress(), 0.99) if _is_running else 1.0


## Waits for a bake that a call has started, unless the call has returned an error.
func _wait_for(copy: FlowFieldManager, started: Error) -> Error:
	_is_running = started == OK
	_outcome = OK
	if _is_running:
		copy.bake_finished.connect(_on_finished, CONNECT_ONE_SHOT)
	return started


func _on_finished(outcome: Error) -> void:
	_is_running = false
	_outcome = outcome
