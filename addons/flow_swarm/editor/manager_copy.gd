@tool
extends RefCounted
## Copies of managers and swarms of the edited scene, on which bakes and previews work, so that the
## scene stays as it is. They share the resources of their originals.

## What copies must not have.
const LEFT_OUT: PackedStringArray = ["script", "debug_view", "unique_name_in_owner", "owner"]


## A manager with the properties of another one and the same world, as an internal child of a node.
static func of_manager(manager: FlowFieldManager, parent: Node) -> FlowFieldManager:
	var copy := FlowFieldManager.new()
	copy_properties(manager, copy)
	parent.add_child(copy, false, Node.INTERNAL_MODE_BACK)
	copy.load_state(manager.save_state())
	return copy


## Copies all properties that are saved, except those named.
static func copy_properties(from: Node, to: Node, left_out: PackedStringArray = []) -> void:
	for property: Dictionary in from.get_property_list():
		var name: String = property["name"]
		if not property["usage"] & PROPERTY_USAGE_STORAGE or name in LEFT_OUT or name in left_out:
			continue
		if not name.begins_with("metadata/"):
			to.set(name, from.get(name))
