@tool
extends RefCounted
## The nodes of a scene that a bake reads.


## The nodes of any of these classes below a root, and the root itself, in the order of the tree.
## Internal nodes, such as those of the painter and the preview, are not part of the scene.
static func of_classes(root: Node, classes: Array[StringName]) -> Array[Node]:
	var found: Array[Node] = []
	_collect(root, classes, found)
	return found


static func _collect(node: Node, classes: Array[StringName], found: Array[Node]) -> void:
	if classes.any(func(type: StringName) -> bool: return node.is_class(type)):
		found.append(node)
	for child in node.get_children():
		_collect(child, classes, found)
