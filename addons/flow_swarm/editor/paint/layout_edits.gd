@tool
extends RefCounted
## Changes of the stamps and links of a manager's FlowLayout, as undoable steps. The first one adds
## the node.

const UndoSteps := preload("undo_steps.gd")

var _undo: Object


func _init(undo: Object) -> void:
	_undo = undo


## The FlowLayout of a manager, or null.
static func find_layout(manager: FlowFieldManager) -> FlowLayout:
	for child in manager.get_children():
		if child is FlowLayout:
			return child as FlowLayout
	return null


static func stamps_of(manager: FlowFieldManager) -> Array[FlowPlacedStamp]:
	var layout := find_layout(manager)
	return layout.stamps if layout != null else ([] as Array[FlowPlacedStamp])


static func links_of(manager: FlowFieldManager) -> Array[FlowPlacedLink]:
	var layout := find_layout(manager)
	return layout.links if layout != null else ([] as Array[FlowPlacedLink])


## Why what is drawn would be lost when the scene is saved; empty if it would not.
static func refusal(manager: FlowFieldManager, root: Node) -> String:
	if manager == root or (root != null and manager.owner == root):
		return ""
	if manager.owner == null:
		return "%s is not saved with the scene." % manager.name
	return (
		"%s is part of %s: open that scene to draw stamps and links."
		% [manager.name, manager.owner.scene_file_path]
	)


func add_stamp(manager: FlowFieldManager, root: Node, placed: FlowPlacedStamp) -> void:
	var stamps := stamps_of(manager).duplicate()
	stamps.append(placed)
	_change(manager, root, "Place stamp", &"stamps", stamps)


func remove_stamp(manager: FlowFieldManager, root: Node, placed: FlowPlacedStamp) -> void:
	var left := stamps_of(manager).duplicate()
	left.erase(placed)
	_change(manager, root, "Remove stamp", &"stamps", left)


func add_link(manager: FlowFieldManager, root: Node, placed: FlowPlacedLink) -> void:
	var links := links_of(manager).duplicate()
	links.append(placed)
	_change(manager, root, "Draw link", &"links", links)


func remove_link(manager: FlowFieldManager, root: Node, placed: FlowPlacedLink) -> void:
	var left := links_of(manager).duplicate()
	left.erase(placed)
	_change(manager, root, "Remove link", &"links", left)


func _change(
	manager: FlowFieldManager, root: Node, title: String, list: StringName, after: Array
) -> void:
	var layout := find_layout(manager)
	var is_new := layout == null
	if is_new:
		layout = FlowLayout.new()
		layout.name = "Layout"
	if _undo is UndoRedo:
		(_undo as UndoRedo).create_action(title)
	else:
		_undo.call(&"create_action", title, UndoRedo.MERGE_DISABLE, manager)
	if is_new:
		UndoSteps.add_do(_undo, manager, &"add_child", [layout, true])
		# Before a FlowBake, whose tiles are those of the terrain with all stamps and links.
		UndoSteps.add_do(_undo, manager, &"move_child", [layout, 0])
		_undo.call(&"add_do_property", layout, &"owner", root)
		_undo.call(&"add_do_reference", layout)
	_undo.call(&"add_do_property", layout, list, after)
	_undo.call(&"add_undo_property", layout, list, layout.get(list))
	if is_new:
		# Last, because the editor asks for the paths of nodes whose properties it restores.
		UndoSteps.add_undo(_undo, manager, &"remove_child", [layout])
	_undo.call(&"commit_action")
