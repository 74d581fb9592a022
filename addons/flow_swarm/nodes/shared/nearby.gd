@tool
extends RefCounted
## Finds the manager and the swarms that a node works with if its properties name none.


## The manager that is nearest in the scene tree: a child of the nearest ancestor that has one, or
## that ancestor itself. Null if there is none.
static func find_manager(node: Node) -> FlowFieldManager:
	var is_manager := func(other: Node) -> bool: return other is FlowFieldManager
	return _find_near(node, is_manager) as FlowFieldManager


## The swarm that is nearest in the scene tree, as find_manager() does.
static func find_swarm(node: Node) -> EnemySwarm:
	var is_swarm := func(other: Node) -> bool: return other is EnemySwarm
	return _find_near(node, is_swarm) as EnemySwarm


## All swarms that use a manager, in the order of the scene tree.
static func find_swarms_of(manager: FlowFieldManager, node: Node) -> Array[EnemySwarm]:
	var swarms: Array[EnemySwarm] = []
	for found: Node in get_scene(node).find_children("*", "EnemySwarm", true, false):
		var swarm := found as EnemySwarm
		if swarm.manager == manager:
			swarms.append(swarm)
	return swarms


## Where to search: in the editor the edited scene, in a game everything.
static func get_scene(node: Node) -> Node:
	var tree := node.get_tree()
	if Engine.is_editor_hint() and tree.edited_scene_root != null:
		return tree.edited_scene_root
	return tree.root


static func _find_near(node: Node, is_wanted: Callable) -> Node:
	var ancestor := node
	while ancestor != null:
		if is_wanted.call(ancestor):
			return ancestor
		for child in ancestor.get_children():
			if is_wanted.call(child):
				return child
		ancestor = ancestor.get_parent()
	return null
