@tool
extends RefCounted
## What is shown of a manager in the edited scene without changing the scene: a debug view,
## directions to a goal under the mouse, and a crowd that runs.

## Emitted when something that the dock shows has changed.
signal changed

const CrowdRun := preload("crowd_run.gd")
const MouseGoal := preload("mouse_goal.gd")
const PreviewView := preload("preview_view.gd")

var manager: FlowFieldManager:
	set(value):
		if value != manager:
			clear()
			manager = value
			changed.emit()
## What is shown; CUSTOM shows nothing.
var mode := FlowDebugView.Mode.CUSTOM:
	set(value):
		mode = value
		_refresh()
var movement_type := 0:
	set(value):
		movement_type = value
		_refresh()
## What the dock tells the user; empty if there is nothing to tell.
var message := ""

var _view := PreviewView.new()
var _goal := MouseGoal.new()
var _run: CrowdRun


## Whether the place of the mouse matters.
func follows_mouse() -> bool:
	return (
		is_instance_valid(manager)
		and mode in [FlowDebugView.Mode.FLOW, FlowDebugView.Mode.INTEGRATION]
	)


## Takes the place of the mouse in 2D.
func point_at(position: Vector2) -> void:
	if follows_mouse() and _goal.move_to(manager, position):
		_refresh()


## Takes the ray from the camera through the mouse in 3D.
func point_along(from: Vector3, direction: Vector3) -> void:
	if follows_mouse():
		point_at(MouseGoal.hit(manager, from, direction))


## Runs the crowd, from its beginning if it has not begun, or holds it.
func play(on: bool) -> void:
	if on and not _begin():
		return
	if is_instance_valid(_run):
		_run.is_playing = on
	changed.emit()


## Moves the crowd by a tick of the game, from its beginning if it has not begun.
func step() -> void:
	if _begin():
		_run.is_playing = false
		_run.step()
		changed.emit()


## Takes the crowd away.
func reset() -> void:
	if is_instance_valid(_run):
		_run.queue_free()
	_run = null
	message = ""
	changed.emit()


## Ends everything that is shown.
func clear() -> void:
	reset()
	_view.clear()
	_goal.release()
	mode = FlowDebugView.Mode.CUSTOM


func get_run() -> CrowdRun:
	return _run if is_instance_valid(_run) else null


func _begin() -> bool:
	if is_instance_valid(_run):
		return true
	var root := EditorInterface.get_edited_scene_root()
	if not is_instance_valid(manager) or root == null:
		return false
	var warnings := manager.get_setup_warnings()
	if not warnings.is_empty():
		message = warnings[0]
		changed.emit()
		return false
	_run = CrowdRun.new()
	root.add_child(_run, false, Node.INTERNAL_MODE_BACK)
	_run.set_up(manager, root)
	message = _run.find_trouble()
	return true


func _refresh() -> void:
	if not is_instance_valid(manager):
		return
	if not follows_mouse():
		_goal.release()
	_view.show(manager, mode, movement_type, _goal.id)
	changed.emit()
