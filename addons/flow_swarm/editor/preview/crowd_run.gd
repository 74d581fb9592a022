@tool
extends Node
## A crowd that runs in the edited scene: copies of a manager, its swarms, FlowGoals and
## SwarmSpawners, moved by the public calls. It is an internal node of the scene, so nothing of it
## is saved. To free it takes everything away.

const ManagerCopy := preload("../manager_copy.gd")
const Nearby := preload("../../nodes/shared/nearby.gd")
const PreviewView := preload("preview_view.gd")
## The most steps in a frame; with more, the crowd runs slower than in the game.
const MOST_STEPS := 4

var is_playing := false
## The number of steps so far.
var steps := 0

var _manager: FlowFieldManager
## The copies, and their originals at the same indices.
var _swarms: Array[EnemySwarm] = []
var _goals: Array[Node] = []
var _spawners: Array[Node] = []
var _originals: Dictionary[Node, Node] = {}
var _time := 0.0


## Copies what belongs to a manager. The node must be in the scene.
func set_up(manager: FlowFieldManager, scene: Node) -> void:
	_manager = ManagerCopy.of_manager(manager, self)
	var swarms: Dictionary[EnemySwarm, EnemySwarm] = {}
	for found: Node in scene.find_children("*", "EnemySwarm"):
		var swarm := found as EnemySwarm
		if swarm.manager == manager:
			swarms[swarm] = _copy_swarm(swarm)
	for found: Node in scene.find_children("*", "Marker2D") + scene.find_children("*", "Marker3D"):
		if found is FlowGoal2D or found is FlowGoal3D:
			_copy_goal(found, manager, swarms)
		elif found is SwarmSpawner2D or found is SwarmSpawner3D:
			_copy_spawner(found, swarms)


## What is missing for a crowd; empty if nothing is.
func find_trouble() -> String:
	if _swarms.is_empty():
		return "No EnemySwarm uses the manager."
	if _spawners.is_empty():
		return "There is no SwarmSpawner: nothing is spawned."
	return "" if not _goals.is_empty() else "There is no FlowGoal: agents stand."


func count() -> int:
	var total := 0
	for swarm in _swarms:
		total += swarm.get_agent_count()
	return total


## The positions of all agents.
func get_positions() -> PackedVector2Array:
	var positions: PackedVector2Array = []
	for swarm in _swarms:
		positions.append_array(swarm.get_positions())
	return positions


## Moves everything by a tick of the game.
func step() -> void:
	for node in _goals + _spawners:
		_follow(node)
		# What the engine tells the nodes of a game in each tick.
		node.notification(NOTIFICATION_INTERNAL_PHYSICS_PROCESS)
	_manager.update()
	for swarm in _swarms:
		swarm.step(1.0 / Engine.physics_ticks_per_second)
	steps += 1


func _process(delta: float) -> void:
	if not is_playing:
		return
	var tick := 1.0 / Engine.physics_ticks_per_second
	_time = minf(_time + delta, MOST_STEPS * tick)
	while _time >= tick:
		_time -= tick
		step()


func _copy_swarm(swarm: EnemySwarm) -> EnemySwarm:
	var copy := EnemySwarm.new()
	ManagerCopy.copy_properties(swarm, copy, ["manager", "output", "auto_step", "interpolate"])
	copy.auto_step = false
	copy.manager = _manager
	var output := _copy_output(swarm)
	add_child(output)
	add_child(copy)
	copy.output = output
	_swarms.append(copy)
	return copy


## A node to draw with: like that of the swarm, or for a swarm without one that of a game.
func _copy_output(swarm: EnemySwarm) -> Node:
	if swarm.output == null:
		var in_space := PreviewView.is_in_space(swarm)
		return MultiMeshInstance3D.new() if in_space else MultiMeshInstance2D.new()
	var output := swarm.output.duplicate(0)
	for child in output.get_children():
		child.free()
	var multimesh := swarm.output.get(&"multimesh") as MultiMesh
	if multimesh != null:
		output.set(&"multimesh", multimesh.duplicate())
	_place(output, swarm.output)
	return output


func _copy_goal(
	goal: Node, manager: FlowFieldManager, swarms: Dictionary[EnemySwarm, EnemySwarm]
) -> void:
	var named: FlowFieldManager = goal.get(&"manager")
	if (named if named != null else Nearby.find_manager(goal)) != manager:
		return
	var followers: Array[EnemySwarm] = []
	for swarm in swarms:
		if (goal.get(&"swarms") as Array).is_empty() or swarm in goal.get(&"swarms"):
			followers.append(swarms[swarm])
	var copy := _copy_marker(goal)
	copy.set(&"manager", _manager)
	copy.set(&"swarms", followers)
	if followers.is_empty():
		copy.set(&"groups", PackedInt32Array())
	_goals.append(copy)


func _copy_spawner(spawner: Node, swarms: Dictionary[EnemySwarm, EnemySwarm]) -> void:
	var named: EnemySwarm = spawner.get(&"swarm")
	var swarm := named if named != null else Nearby.find_swarm(spawner)
	if not swarms.has(swarm):
		return
	var copy := _copy_marker(spawner)
	copy.set(&"swarm", swarms[swarm])
	_spawners.append(copy)
	if spawner.get(&"autostart"):
		copy.call(&"start")


## A copy of a goal or spawner with its markers and paths.
func _copy_marker(original: Node) -> Node:
	var copy := original.duplicate(DUPLICATE_SCRIPTS)
	add_child(copy)
	copy.set(&"visible", false)
	_originals[copy] = original
	_follow(copy)
	return copy


## Puts a copy where its original is: that can be moved while the crowd runs.
func _follow(copy: Node) -> void:
	var original: Variant = _originals[copy]
	if is_instance_valid(original):
		_place(copy, original as Node)


static func _place(copy: Node, original: Node) -> void:
	if original is Node2D or original is Node3D:
		copy.set(&"global_transform", original.get(&"global_transform"))
