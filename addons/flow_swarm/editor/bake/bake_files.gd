@tool
extends RefCounted
## Where a bake is saved, and why it cannot be.


## A file beside the scene for something of a manager, such as "terrain.res".
static func path(manager: FlowFieldManager, root: Node, ending: String) -> String:
	var place := String(root.get_path_to(manager)).replace("/", "_")
	if place == ".":
		place = root.name
	return "%s_%s_%s" % [root.scene_file_path.get_basename(), place.to_snake_case(), ending]


## Why nothing can be baked for a manager; empty if it can.
static func refusal(manager: FlowFieldManager, root: Node) -> String:
	if root == null or not (manager == root or root.is_ancestor_of(manager)):
		return "%s is not in the edited scene." % manager.name
	if root.scene_file_path.is_empty():
		return "Save the scene first: what is baked is saved beside it."
	if manager != root and manager.owner == null:
		return "%s is not saved with the scene." % manager.name
	if manager != root and manager.owner != root:
		return (
			"%s is part of %s: open that scene to bake."
			% [manager.name, manager.owner.scene_file_path]
		)
	return ""
