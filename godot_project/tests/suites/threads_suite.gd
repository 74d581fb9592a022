extends "res://tests/test_suite.gd"
## Nodes and resources on other threads than the main one: loaded, made, duplicated, freed and
## called there.

const SCENE := "user://threads_suite.tscn"
const RESOURCES: Array[StringName] = [
	&"FlowTerrain", &"FlowStamp", &"FlowMovementType", &"FlowSourceGeometry", &"SwarmAgentType"
]
const NODES: Array[StringName] = [&"FlowFieldManager", &"EnemySwarm"]


func _in_pool(task: Callable) -> void:
	var id := WorkerThreadPool.add_task(task)
	WorkerThreadPool.wait_for_task_completion(id)


func _load_on_thread(path: String) -> Resource:
	check(not ResourceLoader.has_cached(path), "it is loaded anew")
	check_eq(ResourceLoader.load_threaded_request(path), OK, "requested")
	while ResourceLoader.load_threaded_get_status(path) == ResourceLoader.THREAD_LOAD_IN_PROGRESS:
		await scene.get_tree().process_frame
	return ResourceLoader.load_threaded_get(path)


func test_a_level_is_loaded_on_a_thread() -> void:
	var root := Node.new()
	var manager := FlowFieldManager.new()
	manager.name = "Manager"
	manager.grid_size = Vector2i(9, 7)
	manager.terrain = FlowTerrain.new()
	manager.terrain.size = manager.grid_size
	manager.terrain.set_terrain(Vector2i(3, 2), WALL)
	manager.movement_types = [FlowMovementType.new()]
	manager.debug_view = FlowFieldManager.DEBUG_COST
	var swarm := EnemySwarm.new()
	swarm.name = "Swarm"
	swarm.agent_types = [SwarmAgentType.new()]
	swarm.agent_types[0].radius = 2.5
	for node: Node in [manager, swarm]:
		root.add_child(node)
		node.owner = root
	swarm.manager = manager
	var packed := PackedScene.new()
	check_eq(packed.pack(root), OK, "packed")
	check_eq(ResourceSaver.save(packed, SCENE), OK, "saved")
	root.free()
	for round in 3:
		var loaded := await _load_on_thread(SCENE) as PackedScene
		var level := loaded.instantiate()
		# So that the next round finds nothing in the cache.
		loaded = null
		scene.add_child(level)
		manager = level.get_node("Manager") as FlowFieldManager
		swarm = level.get_node("Swarm") as EnemySwarm
		check_eq(manager.get_terrain_at(Vector2i(3, 2)), WALL, "terrain")
		check_eq(swarm.agent_types[0].radius, 2.5, "type")
		swarm.set_group_goal(0, new_goal(manager, Vector2i(7, 5)))
		var id := swarm.spawn(Vector2(20.0, 20.0))
		await physics_frames(5)
		check(swarm.get_agent_position(id).x > 20.0, "agents walk")
		level.free()
	DirAccess.remove_absolute(SCENE)


func test_resources_are_loaded_on_a_thread() -> void:
	for type: StringName in RESOURCES:
		var path := "user://threads_suite_%s.tres" % type
		check_eq(ResourceSaver.save(ClassDB.instantiate(type) as Resource, path), OK, "saved")
		var loaded := await _load_on_thread(path)
		check(loaded != null and loaded.is_class(type), "%s is loaded" % type)
		DirAccess.remove_absolute(path)


func test_objects_are_made_duplicated_and_freed_on_threads() -> void:
	for type: StringName in RESOURCES + NODES:
		var made: Array[Object] = []
		_in_pool(func() -> void: made.append(ClassDB.instantiate(type)))
		check(made[0] != null and made[0].is_class(type), "%s is made" % type)
		_in_pool(func() -> void: made.append(made[0].call(&"duplicate")))
		check(made[1] != null and made[1].is_class(type), "%s is duplicated" % type)
		var is_node: bool = made[0] is Node
		_in_pool(
			func() -> void:
				if is_node:
					for object: Object in made:
						object.free()
				made.clear()
		)
		check_eq(made.size(), 0, "%s is freed" % type)


func test_a_scene_is_instantiated_and_freed_on_a_thread() -> void:
	var made: Array[Node] = []
	_in_pool(
		func() -> void:
			var manager := FlowFieldManager.new()
			var swarm := EnemySwarm.new()
			manager.add_child(swarm)
			swarm.manager = manager
			swarm.set_group_goal(0, manager.create_goal(PackedVector2Array([Vector2(300, 200)])))
			swarm.spawn_many(PackedVector2Array([Vector2(50, 50), Vector2(80, 50)]))
			swarm.step(0.1)
			made.append(manager)
	)
	scene.add_child(made[0])
	var swarm := made[0].get_child(0) as EnemySwarm
	var before := swarm.get_positions()
	await physics_frames(3)
	check(swarm.get_positions() != before, "what was made on a thread goes on in the tree")
	scene.remove_child(made[0])
	_in_pool(func() -> void: made[0].free())
	check(not is_instance_valid(swarm), "freed")


func test_properties_are_set_and_changes_announced_on_the_main_thread() -> void:
	for type: StringName in [&"FlowTerrain", &"FlowStamp", &"FlowMovementType", &"SwarmAgentType"]:
		var resource := ClassDB.instantiate(type) as Resource
		var seen: Array[bool] = []
		var main := OS.get_main_thread_id()
		resource.changed.connect(func() -> void: seen.append(OS.get_thread_caller_id() == main))
		_in_pool(
			func() -> void:
				match type:
					&"FlowMovementType":
						resource.set(&"wall_penalty", 7)
					&"SwarmAgentType":
						resource.set(&"radius", 3.0)
					_:
						resource.call(&"fill", 9)
		)
		await scene.get_tree().process_frame
		check_eq(seen, [true] as Array[bool], "changed of %s" % type)


func test_nodes_in_thread_groups_work() -> void:
	for threaded: String in ["manager", "swarm", "parent"]:
		var parent := Node.new()
		scene.add_child(parent)
		var manager := new_manager(Vector2i(40, 30))
		var swarm := EnemySwarm.new()
		swarm.manager = manager
		var node: Node = {"manager": manager, "swarm": swarm, "parent": parent}[threaded]
		node.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
		parent.add_child(swarm)
		swarm.set_group_goal(0, manager.create_goal(PackedVector2Array([Vector2(600.0, 240.0)])))
		var id := swarm.spawn(Vector2(50.0, 50.0))
		swarm.interpolate = true
		await physics_frames(8)
		check(swarm.get_agent_position(id).x > 50.5, "%s: agents walk" % threaded)
		swarm.interpolate = false
		await physics_frames(3)
		var output := swarm.output as MultiMeshInstance2D
		check_eq(output.multimesh.visible_instance_count, 1, "%s: they are drawn" % threaded)
		parent.free()
		manager.free()


func test_calls_from_many_threads_wait_for_each_other() -> void:
	var manager := new_manager(Vector2i(60, 40))
	var swarm := EnemySwarm.new()
	swarm.manager = manager
	swarm.agent_types = [SwarmAgentType.new()]
	scene.add_child(swarm)
	var goal := new_goal(manager, Vector2i(50, 20))
	swarm.set_group_goal(0, goal)
	const ROUNDS := 300
	var work := func(thread: int) -> void:
		for round in ROUNDS:
			var id := swarm.spawn(Vector2(20.0 + thread * 30.0, 20.0 + round % 500))
			swarm.get_positions()
			swarm.get_agent_count()
			swarm.apply_impulse(PackedInt64Array([id]), Vector2(5.0, 0.0))
			manager.get_flow_vector(goal, Vector2(30.0, 30.0))
			manager.set_terrain(Vector2i(30 + thread, round % 40), 1 + round % 3)
			manager.movement_types.size()
			swarm.query_circle(Vector2(100.0, 100.0), 50.0)
			swarm.despawn(PackedInt64Array([id]))
	var id := WorkerThreadPool.add_group_task(work, 4, 4)
	while not WorkerThreadPool.is_group_task_completed(id):
		swarm.get_stats()
		manager.get_goals()
		await scene.get_tree().physics_frame
	WorkerThreadPool.wait_for_group_task_completion(id)
	check_eq(swarm.get_agent_count(), 0, "each thread has removed what it had added")


func test_resources_in_use_are_edited_on_threads() -> void:
	var manager := new_manager(Vector2i(30, 20))
	var terrain := FlowTerrain.new()
	terrain.size = manager.grid_size
	manager.terrain = terrain
	var movement := FlowMovementType.new()
	manager.movement_types = [movement]
	var swarm := EnemySwarm.new()
	swarm.manager = manager
	var type := SwarmAgentType.new()
	swarm.agent_types = [type]
	scene.add_child(swarm)
	swarm.set_group_goal(0, new_goal(manager, Vector2i(25, 10)))
	swarm.spawn(Vector2(40.0, 40.0))
	# Handlers call the nodes, which use the resources: neither waits for the other.
	for resource: Resource in [terrain, movement, type]:
		resource.changed.connect(func() -> void: swarm.step(0.001))
	var work := func(thread: int) -> void:
		for round in 200:
			match thread:
				0:
					terrain.set_terrain(Vector2i(round % 30, 3), 1 + round % 5)
				1:
					movement.wall_penalty = round % 20
				_:
					type.radius = 3.0 + 0.01 * (round % 50)
	var id := WorkerThreadPool.add_group_task(work, 3, 3)
	while not WorkerThreadPool.is_group_task_completed(id):
		await scene.get_tree().physics_frame
	WorkerThreadPool.wait_for_group_task_completion(id)
	await physics_frames(2)
	check_near(type.radius, 3.49, 0.001, "the last radius")
	check_eq(movement.wall_penalty, 19, "the last penalty")


func test_signals_come_on_the_thread_that_steps() -> void:
	var manager := new_manager(Vector2i(20, 20))
	var swarm := new_swarm(manager, new_goal(manager, Vector2i(5, 5)))
	var threads: Array[int] = []
	swarm.agents_arrived.connect(
		func(_ids: PackedInt64Array) -> void: threads.append(OS.get_thread_caller_id())
	)
	swarm.spawn(manager.get_cell_center(Vector2i(5, 5)))
	var caller: Array[int] = []
	var step := func() -> void:
		caller.append(OS.get_thread_caller_id())
		swarm.step(0.02)
	scene.remove_child(swarm)
	scene.remove_child(manager)
	_in_pool(step)
	check_eq(threads, caller, "threads")
	manager.free()
	swarm.free()


func test_what_the_engine_forbids_on_other_threads_is_refused_by_name() -> void:
	var manager := new_manager(Vector2i(20, 20))
	var swarm := new_swarm(manager, new_goal(manager, Vector2i(5, 5)))
	swarm.spawn(Vector2(200.0, 200.0))
	var before := swarm.get_positions()
	var calls: Dictionary[String, Callable] = {
		"EnemySwarm.step": swarm.step.bind(0.02),
		"EnemySwarm.draw_agents": swarm.draw_agents,
		"FlowFieldManager.update": manager.update,
	}
	for method: String in calls:
		var words: Array[String] = [method, "call_deferred"]
		expect_error(words, func() -> void: _in_pool(calls[method]))
	check_eq(swarm.get_positions(), before, "nothing has moved")
