@tool
extends RefCounted
## The goal of a FlowGoal2D or FlowGoal3D: created in the first tick, moved with its node and
## released with it. All by the public calls of the manager.

const AreaShape := preload("../shared/area_shape.gd")
const Floors := preload("../shared/floors.gd")
const Followers := preload("goal_followers.gd")
const Nearby := preload("../shared/nearby.gd")
## The nodes that have a goal are in this group of the scene tree while they are in it.
const NODES := &"_flow_goals"
## A shorter movement, in cells, is none: agents that have arrived would set out again.
const LEAST_MOVE := 0.01

## What error messages begin with.
var title := ""
## The manager that the node names; null to find one.
var manager: FlowFieldManager
var kind := FlowFieldManager.GOAL_KIND_SEEK:
	set(value):
		kind = value
		release()
var mode := FlowFieldManager.GOAL_MODE_FULL:
	set(value):
		mode = value
		release()
var reach := 256.0:
	set(value):
		reach = value
		release()
var least := 96.0:
	set(value):
		least = value
		release()
var most := 192.0:
	set(value):
		most = value
		release()
var shape := AreaShape.new()
var followers := Followers.new()
## The goal's id in its manager; 0 while there is none.
var id := 0

## The manager that has the goal.
var _holder: FlowFieldManager
var _targets: PackedVector2Array = []
## What the targets were found from.
var _frame := Transform2D()
var _layer := 0
var _seen: Array = []
## Whether there may be swarms that have not got the goal.
var _has_newcomers := true
## The last error; each is reported once.
var _complaint := ""


## Begins with a node that has entered the scene tree.
func enter(node: Node) -> void:
	_has_newcomers = true
	_complaint = ""
	node.add_to_group(NODES)
	node.get_tree().node_added.connect(_on_node_added)
	node.set_physics_process_internal(not Engine.is_editor_hint())


## Ends with a node that leaves the scene tree.
func leave(node: Node) -> void:
	node.get_tree().node_added.disconnect(_on_node_added)
	node.remove_from_group(NODES)
	release()


## Does what has to be done in a tick. The frame is that of the node in the plane of the agents, and
## the height NaN in 2D, where the node says which layer it is on.
func update(node: Node, frame: Transform2D, height: float, layer: int) -> void:
	var found := find_manager(node)
	if found == null or found != _holder or (id != 0 and not found.has_goal(id)):
		release()
	_holder = found
	var trouble := _find_grave_trouble(found, layer)
	if trouble != "":
		_complain(trouble)
		return
	layer = _find_layer(found, node, frame, height, layer)
	if id != 0 and not _has_moved(frame, layer):
		_give(node)
		return
	var targets := find_targets(found, frame, layer)
	if not targets.is_empty():
		_frame = frame
		_layer = layer
		_seen = _get_surroundings()
		_put(targets)
		_give(node)
	elif id == 0:
		_complain(_why_no_target(found, frame))


## Removes the goal, from the groups that follow it too.
func release() -> void:
	if id == 0:
		return
	var goal := id
	id = 0
	_has_newcomers = true
	if not is_instance_valid(_holder):
		return
	followers.take_back(goal, _holder)
	if _holder.has_goal(goal):
		_holder.release_goal(goal)


## The manager that the node names, or else the nearest one.
func find_manager(node: Node) -> FlowFieldManager:
	if is_instance_valid(manager):
		return manager
	if is_instance_valid(_holder) and _holder.is_inside_tree() and not _has_newcomers:
		return _holder
	return Nearby.find_manager(node)


## The places of the goal; empty if there is none in the grid.
func find_targets(
	in_manager: FlowFieldManager, frame: Transform2D, layer: int
) -> PackedVector2Array:
	var targets: PackedVector2Array = []
	if not frame.is_finite():
		return targets
	if shape.is_area(frame):
		targets = shape.find_centers(in_manager, frame)
	elif in_manager.get_bounds().has_point(frame.origin):
		targets.append(frame.origin)
	if layer > 0:
		for index in targets.size():
			targets[index] = in_manager.on_layer(targets[index], layer)
	return targets


## What is wrong with the settings, for the editor. The first is why there is no goal, if so.
func find_trouble(node: Node, frame: Transform2D, height: float, layer: int) -> PackedStringArray:
	var troubles: PackedStringArray = []
	var found := find_manager(node)
	var grave := _find_grave_trouble(found, layer)
	if grave != "":
		return [grave]
	if not found.get_setup_warnings().is_empty():
		# It warns itself, and may have no grid yet.
		return troubles
	layer = _find_layer(found, node, frame, height, layer)
	var targets := find_targets(found, frame, layer)
	if targets.is_empty():
		troubles.append(_why_no_target(found, frame))
	elif _are_walls(found, targets):
		troubles.append("The goal is in a wall: agents do not find a way to it.")
	troubles.append_array(followers.find_trouble(found))
	if followers.groups.is_empty():
		return troubles
	if followers.swarms.is_empty() and followers.find(found, node).is_empty():
		troubles.append("No EnemySwarm uses the manager: nothing follows the goal.")
	for group in _find_rivals(node, found):
		troubles.append("Another FlowGoal is followed by group %d of the same swarm." % group)
	return troubles


func _find_grave_trouble(found: FlowFieldManager, layer: int) -> String:
	if found == null:
		return "There is no FlowFieldManager: set manager, or add one beside this node."
	if layer >= found.layer_count:
		return "layer %d does not exist: the manager has %d." % [layer, found.layer_count]
	if kind == FlowFieldManager.GOAL_KIND_RANGE and most < least:
		return "max_distance %s is less than min_distance %s." % [most, least]
	if kind == FlowFieldManager.GOAL_KIND_RANGE and most == 0.0:
		return "max_distance must be above 0."
	if kind == FlowFieldManager.GOAL_KIND_FLEE and reach == 0.0:
		return "flee_distance must be above 0."
	return ""


func _why_no_target(found: FlowFieldManager, frame: Transform2D) -> String:
	if not frame.is_finite():
		return "The transform is not finite."
	if shape.is_area(frame) and shape.get_rect(found, frame).get_area() > AreaShape.MOST_CELLS:
		return "The area has more than %d cells." % AreaShape.MOST_CELLS
	return "The goal at %s is outside of the grid %s." % [frame.origin, found.get_bounds()]


## Whether the targets may be others than in the last tick.
func _has_moved(frame: Transform2D, layer: int) -> bool:
	if layer != _layer or _seen != _get_surroundings():
		return true
	if frame == _frame:
		return false
	var turned := not (frame.x.is_equal_approx(_frame.x) and frame.y.is_equal_approx(_frame.y))
	var way := frame.origin.distance_to(_frame.origin)
	# NaN is a movement too, which finds no target.
	return turned or not way < LEAST_MOVE * _holder.cell_size


## What the targets depend on, apart from the node.
func _get_surroundings() -> Array:
	return [
		_holder.get_bounds(),
		_holder.cell_size,
		_holder.layer_count,
		shape.kind,
		shape.radius,
		shape.size,
	]


func _put(targets: PackedVector2Array) -> void:
	if id != 0:
		if targets != _targets:
			_targets = targets
			_holder.move_goal(id, targets)
		return
	_targets = targets
	match kind:
		FlowFieldManager.GOAL_KIND_FLEE:
			id = _holder.create_flee_goal(targets, reach)
		FlowFieldManager.GOAL_KIND_RANGE:
			id = _holder.create_range_goal(targets, least, most)
		_:
			id = _holder.create_goal(targets, mode)
	_has_newcomers = true
	_complaint = ""


func _give(node: Node) -> void:
	if not _has_newcomers:
		return
	_has_newcomers = false
	for trouble in followers.find_trouble(_holder):
		_complain(trouble)
	followers.give(id, _holder, node)


func _find_layer(
	found: FlowFieldManager, node: Node, frame: Transform2D, height: float, layer: int
) -> int:
	if is_nan(height):
		return layer
	if found.layer_count == 1:
		return 0
	# The first of the followers knows how high layers without heights are.
	var swarms := followers.find(found, node)
	var swarm: EnemySwarm = null if swarms.is_empty() else swarms[0]
	return Floors.find_layer(found, swarm, frame.origin, height)


func _are_walls(found: FlowFieldManager, targets: PackedVector2Array) -> bool:
	for target in targets:
		if found.get_terrain_at(found.get_cell(target)) != 255:
			return false
	return true


## The groups that follow the goal of another node too.
func _find_rivals(node: Node, found: FlowFieldManager) -> PackedInt32Array:
	var rivals: PackedInt32Array = []
	var own := followers.find(found, node)
	for other: Node in node.get_tree().get_nodes_in_group(NODES):
		if other == node or not Nearby.get_scene(node).is_ancestor_of(other):
			continue
		var goal: RefCounted = other.get(&"_goal")
		for swarm: EnemySwarm in goal.followers.find(found, other):
			if swarm in own and other.get(&"enabled"):
				for group: int in goal.followers.groups:
					if group in followers.groups and group not in rivals:
						rivals.append(group)
	return rivals


func _on_node_added(node: Node) -> void:
	if node is EnemySwarm or node is FlowFieldManager:
		_has_newcomers = true


func _complain(trouble: String) -> void:
	if trouble != _complaint:
		_complaint = trouble
		push_error("%s: %s" % [title, trouble])
