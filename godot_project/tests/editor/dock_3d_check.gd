@tool
extends "dock_hand.gd"
## Bakes and previews of a 3D scene in the dock: floors with progress, a goal under the mouse, and a
## crowd on a bridge.

const SCENE := "res://dock_check_3d.tscn"
const SIZE := Vector2i(40, 32)
## Cells for a bake that takes long enough to be cancelled.
const LARGE := Vector2i(1000, 800)
const LAYERS_OF_BLOCKS := 400
const CELL := 0.5


## What is checked, in this order.
func tests() -> Array[Callable]:
	return [_dock_cancel, _dock_storeys, _preview_in_3d, _preview_crowd_in_3d, _dock_undo_storeys]


## Blocks over each other that cover all of the ground.
func _add_blocks() -> Node:
	var blocks := Node3D.new()
	for i in LAYERS_OF_BLOCKS:
		blocks.add_child(_block(Vector3(0.0, -2.0, 0.0), Vector3(20.0, -1.0 - 0.001 * i, 16.0)))
	_root().add_child(blocks)
	return blocks


## A floor, and a bridge over it with a ramp of blocks.
func _open() -> void:
	var level := Node3D.new()
	level.name = "Level"
	var manager := FlowFieldManager.new()
	manager.name = "Manager"
	manager.grid_size = SIZE
	manager.cell_size = CELL
	var swarm := EnemySwarm.new()
	swarm.name = "Swarm"
	var type := SwarmAgentType.new()
	type.radius = 0.3
	type.max_speed = 3.0
	swarm.agent_types = [type]
	swarm.instance_size = 1.0
	var goal := FlowGoal3D.new()
	goal.position = Vector3(3.0, 3.2, 8.0)
	var spawner := SwarmSpawner3D.new()
	spawner.position = Vector3(18.0, 0.0, 3.0)
	var nodes: Array[Node] = [
		manager,
		swarm,
		goal,
		spawner,
		_block(Vector3(0.0, -1.0, 0.0), Vector3(20.0, 0.0, 16.0)),
		_block(Vector3(1.0, 2.6, 4.0), Vector3(9.0, 3.0, 12.0)),
	]
	for step in 14:
		var x := 15.5 - 0.5 * step
		nodes.append(_block(Vector3(x, 0.0, 5.0), Vector3(x + 0.5, 0.2 * (step + 1), 11.0)))
	goal.name = "Goal"
	spawner.name = "Spawner"
	nodes[4].name = "Floor"
	nodes[5].name = "Bridge"
	for node in nodes:
		level.add_child(node, true)
		node.owner = level
		for child in node.get_children():
			child.owner = level
	swarm.manager = manager
	var packed := PackedScene.new()
	packed.pack(level)
	ResourceSaver.save(packed, SCENE)
	level.free()
	EditorInterface.open_scene_from_path(SCENE)
	await _frames(10)
	EditorInterface.set_main_screen_editor("3D")
	await _frames(5)


func _block(low: Vector3, high: Vector3) -> StaticBody3D:
	var shape := CollisionShape3D.new()
	shape.shape = BoxShape3D.new()
	(shape.shape as BoxShape3D).size = high - low
	var body := StaticBody3D.new()
	body.position = (low + high) / 2.0
	body.add_child(shape)
	return body


func _dock_cancel() -> void:
	await _open()
	await _select(_manager())
	var bar := _find_bar()
	_manager().grid_size = LARGE
	_manager().cell_size = CELL * SIZE.x / LARGE.x
	var blocks := _add_blocks()
	await _frames()
	await _press("Storeys")
	_check.call(bar.is_visible_in_tree(), "a bake on a large grid shows its progress")
	if bar.is_visible_in_tree():
		await _press("Cancel")
	_check.call(not bar.is_visible_in_tree(), "it ends")
	_check.call(_says("Cancelled"), "and the dock says so")
	await _frames()
	_check.call(_manager().layer_count == 1 and _manager().terrain == null, "nothing is changed")
	var managers := _manager().find_children("*", "FlowFieldManager", true, false)
	_check.call(managers.is_empty(), "the copy is gone")
	blocks.free()
	_manager().grid_size = SIZE
	_manager().cell_size = CELL


func _find_bar() -> Control:
	return _find_named(&"Flow Swarm").find_children("*", "ProgressBar", true, false)[0] as Control


## Waits until no bake runs.
func _wait() -> void:
	for i in 600:
		if not _find_bar().is_visible_in_tree():
			break
		await _frames(1)
	await _frames()


func _dock_storeys() -> void:
	await _press("Storeys")
	await _wait()
	_check.call(_manager().layer_count == 2, "%d layers" % _manager().layer_count)
	_check.call(_manager().get_links().size() > 0, "links")
	_check.call(_state("Storeys") == "up to date", "the state is %s" % _state("Storeys"))
	_check.call(_root().get_node_or_null("Manager/Bake") is FlowBake, "a node keeps the heights")
	_check.call(is_equal_approx(_manager().get_height(Vector2(5, 8), 1), 3.0), "of the bridge")


## Where a point is in the window.
func _place(point: Vector3) -> Vector2:
	var viewport := EditorInterface.get_editor_viewport_3d(0)
	var container := viewport.get_parent() as Control
	return container.get_global_rect().position + viewport.get_camera_3d().unproject_position(point)


func _preview_in_3d() -> void:
	# The camera looks at what is selected.
	await _select(_root().get_node("Bridge"))
	var view := EditorInterface.get_editor_viewport_3d(0).get_parent() as Control
	await _mouse(view.get_global_rect().get_center())
	await _key(KEY_F)
	await _frames(20)
	await _select(_manager())
	await _choose(2)
	await _mouse(_place(Vector3(4.0, 3.0, 6.0)))
	await _frames(5)
	var goals := _manager().get_goals()
	_check.call(goals.size() == 1, "a goal under the mouse")
	if goals.is_empty():
		return
	var above := _manager().on_layer(Vector2(5.0, 10.0), 1)
	_check.call(_manager().get_flow_vector(goals[0], above).y < 0.0, "on the bridge")
	var targets := _manager().get_goal_targets(goals[0])
	_check.call(targets[0] != _manager().off_layer(targets[0]), "on the upper layer")
	await _picture("17_directions_in_3d")
	await _choose(0)


func _preview_crowd_in_3d() -> void:
	await _press("Play")
	await _tree.create_timer(2.5).timeout
	await _picture("18_crowd_in_3d")
	_check.call(_crowd() != null and _crowd().call(&"count") > 5, "agents are spawned in 3D")
	await _press("Reset")
	_check.call(_crowd() == null, "and gone")


func _dock_undo_storeys() -> void:
	await _select(_manager())
	await _key(KEY_Z, true)
	await _frames(5)
	_check.call(_manager().layer_count == 1, "the layers are undone by a key")
	_check.call(_manager().get_links().is_empty(), "and links")
	_check.call(_root().get_node_or_null("Manager/Bake") == null, "and the node")
	await _key(KEY_Z, true, true)
	await _frames(5)
	_check.call(_manager().get_links().size() > 0, "and done again")
