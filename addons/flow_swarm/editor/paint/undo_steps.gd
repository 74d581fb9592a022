@tool
extends RefCounted
## Calls of methods in undoable actions, for the editor's undo manager, which takes an object and
## a name, and for UndoRedo, which takes callables.


static func add_do(undo: Object, object: Object, method: StringName, arguments: Array) -> void:
	_add(undo, &"add_do_method", object, method, arguments)


static func add_undo(undo: Object, object: Object, method: StringName, arguments: Array) -> void:
	_add(undo, &"add_undo_method", object, method, arguments)


## Records a stroke that has been painted already. The terrain itself takes part, so that the
## editor knows that its file must be saved.
static func add_stroke(
	undo: Object, context: Object, terrain: FlowTerrain, patch: RefCounted
) -> void:
	if undo is UndoRedo:
		(undo as UndoRedo).create_action("Paint flow terrain")
	else:
		undo.call(&"create_action", "Paint flow terrain", UndoRedo.MERGE_DISABLE, context)
	add_do(undo, terrain, &"emit_changed", [])
	add_undo(undo, terrain, &"emit_changed", [])
	add_do(undo, patch, &"apply", [true])
	add_undo(undo, patch, &"apply", [false])
	undo.call(&"commit_action")


static func _add(
	undo: Object, kind: StringName, object: Object, method: StringName, arguments: Array
) -> void:
	if undo is UndoRedo:
		undo.call(kind, Callable(object, method).bindv(arguments))
	else:
		undo.callv(kind, [object, method] + arguments)
