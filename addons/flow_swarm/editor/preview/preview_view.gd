@tool
extends RefCounted
## A debug view of a manager in the edited scene that is not saved with it, as that of
## [member FlowFieldManager.debug_view] is, but without changing the manager.

var _view: Node


## Shows something of a manager, in place of what was shown before. OFF shows nothing.
func show(
	manager: FlowFieldManager, mode: FlowDebugView.Mode, movement_type: int, goal: int
) -> void:
	if mode == FlowDebugView.Mode.CUSTOM:
		clear()
		return
	if not is_instance_valid(_view) or _view.get_parent() != manager:
		clear()
		_view = FlowDebugView3D.new() if is_in_space(manager) else FlowDebugView.new()
		_view.set(&"manager", manager)
		manager.add_child(_view, false, Node.INTERNAL_MODE_BACK)
	_view.set(&"goal", goal)
	_view.set(&"movement_type", movement_type)
	_view.set(&"mode", mode)


func clear() -> void:
	if is_instance_valid(_view):
		_view.queue_free()
	_view = null


## Whether a manager is in a 3D scene: by its nearest ancestor in 2D or 3D, and without one by
## whether the scene has nodes in 3D.
static func is_in_space(manager: Node) -> bool:
	var ancestor := manager.get_parent()
	while ancestor != null:
		if ancestor is Node3D or ancestor is CanvasItem:
			return ancestor is Node3D
		ancestor = ancestor.get_parent()
	var top := manager if manager.owner == null else manager.owner
	return not top.find_children("*", "Node3D").is_empty()
