@tool
extends RefCounted
## A change of properties of a resource as one undoable step of the editor.


static func change(
	resource: Resource, title: String, values: Dictionary[StringName, Variant]
) -> void:
	var undo := EditorInterface.get_editor_undo_redo()
	undo.create_action(title, UndoRedo.MERGE_DISABLE, resource)
	for property in values:
		undo.add_do_property(resource, property, values[property])
		undo.add_undo_property(resource, property, resource.get(property))
	undo.commit_action()
