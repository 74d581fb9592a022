@tool
extends RefCounted
## The groups of swarms that follow the goal of a node. They get it once: what a script gives them
## later stays.

const Nearby := preload("../shared/nearby.gd")

## The swarms whose groups follow the goal. Empty for all that use the manager.
var swarms: Array[EnemySwarm] = []
var groups: PackedInt32Array = [0]

## The swarms that have got the goal.
var _given: Array[EnemySwarm] = []
## The groups that got it.
var _given_groups: PackedInt32Array = []


## The swarms whose groups follow a goal of a manager.
func find(manager: FlowFieldManager, node: Node) -> Array[EnemySwarm]:
	if swarms.is_empty():
		return Nearby.find_swarms_of(manager, node)
	var found: Array[EnemySwarm] = []
	for swarm in swarms:
		if is_instance_valid(swarm) and swarm.manager == manager:
			found.append(swarm)
	return found


## Gives the goal to all swarms that have not got it yet.
func give(goal: int, manager: FlowFieldManager, node: Node) -> void:
	_given_groups = groups.duplicate()
	for swarm in find(manager, node):
		if swarm not in _given:
			_given.append(swarm)
			for group in groups:
				swarm.set_group_goal(group, goal)


## Takes the goal from the groups that still have it.
func take_back(goal: int, manager: FlowFieldManager) -> void:
	for swarm in _given:
		if not is_instance_valid(swarm) or swarm.manager != manager:
			continue
		for group in _given_groups:
			if swarm.get_group_goal(group) == goal:
				swarm.set_group_goal(group, 0)
	_given.clear()


## What is wrong with the list of swarms.
func find_trouble(manager: FlowFieldManager) -> PackedStringArray:
	var troubles: PackedStringArray = []
	for index in swarms.size():
		var swarm := swarms[index]
		if not is_instance_valid(swarm):
			troubles.append("swarms[%d] is empty." % index)
		elif swarm.manager != manager:
			troubles.append(
				"swarms[%d] (%s) uses another manager than the goal." % [index, swarm.name]
			)
	return troubles
