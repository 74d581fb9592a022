extends "res://tests/test_suite.gd"
## Nodes that are freed, moved or called in handlers of their own signals.
##
## A debug build of the engine refuses to free an object that emits, so there a handler frees
## the parent or queues.

const SIGNALS: Array[StringName] = [
	&"agents_arrived",
	&"agents_lost",
	&"agents_stuck",
	&"agents_contacted",
	&"agents_entered_area",
	&"agents_exited_area",
]
## What the engine itself says of an object that goes while it emits.
const FREED: Array[String] = ["was freed or unreferenced while a signal is being emitted"]

var parent: Node
var manager: FlowFieldManager
var swarm: EnemySwarm
var calls := 0


## A manager and a crowd for which all signals come soon, below a parent.
func _world() -> void:
	calls = 0
	parent = Node.new()
	scene.add_child(parent)
	manager = FlowFieldManager.new()
	manager.grid_size = Vector2i(24, 16)
	manager.worker_threads = 2
	parent.add_child(manager)
	swarm = EnemySwarm.new()
	swarm.manager = manager
	swarm.stuck_time = 0.05
	parent.add_child(swarm)
	swarm.set_group_goal(0, manager.create_goal(PackedVector2Array([Vector2(60, 60)])))
	for i in 60:
		swarm.spawn(Vector2(20 + i % 10 * 9, 20 + i / 10 * 9))
	# Walled in, and hence lost.
	manager.set_terrain_rect(Rect2i(18, 12, 1, 4), WALL)
	manager.set_terrain_rect(Rect2i(18, 12, 6, 1), WALL)
	swarm.spawn(Vector2(340, 230))
	swarm.add_body(Vector2(60, 60), 30.0)
	swarm.add_area(Rect2(40, 40, 60, 60))
	swarm.add_area(Rect2(50, 50, 60, 60))


func _on(source: Object, name: StringName, action: Callable) -> void:
	var count := -1
	for entry: Dictionary in source.get_signal_list():
		if entry["name"] == name:
			count = (entry["args"] as Array).size()
	var call := func() -> void:
		calls += 1
		action.call()
	source.connect(name, call.unbind(count))


func _run_with(name: StringName, action: Callable, known: Array[String]) -> void:
	await allow_errors(
		known,
		func() -> void:
			_world()
			_on(swarm, name, action)
			await physics_frames(12)
	)


func _end() -> void:
	if is_instance_valid(parent):
		parent.free()


func test_the_parent_is_freed_in_each_signal_of_the_swarm() -> void:
	for name: StringName in SIGNALS.slice(0, 5):
		await _run_with(name, func() -> void: parent.free(), FREED)
		check_eq(calls, 1, "%s has come once" % name)
		check(
			not is_instance_valid(swarm) and not is_instance_valid(manager), "%s: all gone" % name
		)
		_end()


func test_the_manager_is_freed_in_each_signal_of_the_swarm() -> void:
	for name: StringName in SIGNALS.slice(0, 5):
		var free := func() -> void:
			if is_instance_valid(manager):
				manager.free()
		await _run_with(name, free, ["EnemySwarm.step: the manager has been freed"])
		check(calls > 0 and is_instance_valid(swarm), "%s: the swarm stays" % name)
		var output := swarm.output as MultiMeshInstance2D
		check_eq(output.multimesh.visible_instance_count, 0, "%s: no agent stays drawn" % name)
		_end()


func test_the_swarm_frees_itself_in_each_of_its_signals() -> void:
	for name: StringName in SIGNALS.slice(0, 5):
		var free := swarm_free if not OS.is_debug_build() else swarm_queue_free
		await _run_with(name, free, FREED)
		check(calls > 0 and not is_instance_valid(swarm), "%s: gone" % name)
		_end()


func swarm_free() -> void:
	swarm.free()


func swarm_queue_free() -> void:
	swarm.queue_free()


func test_the_manager_and_its_parent_are_freed_in_its_signals() -> void:
	for name: StringName in [&"terrain_changed", &"goal_ready"]:
		for by_frame: bool in [false, true]:
			var edit := func() -> void:
				_world()
				swarm.free()
				for i in 3:
					var target := PackedVector2Array([Vector2(100 + i * 20, 100)])
					manager.get_flow_vector(manager.create_goal(target), Vector2(40, 40))
				_on(manager, name, func() -> void: parent.free())
				manager.set_terrain(Vector2i(8, 8), WALL)
				if by_frame:
					await physics_frames(2)
				else:
					manager.update()
			await allow_errors(FREED, edit)
			check_eq(calls, 1, "%s has come once" % name)
			check(not is_instance_valid(manager), "%s: gone" % name)
			if OS.is_debug_build():
				continue
			await allow_errors(FREED, _free_manager_in.bind(name))
			check(not is_instance_valid(manager), "%s: freed itself" % name)
			_end()


func _free_manager_in(name: StringName) -> void:
	_world()
	var target := PackedVector2Array([Vector2(100, 100)])
	manager.get_flow_vector(manager.create_goal(target), Vector2(40, 40))
	_on(manager, name, func() -> void: manager.free())
	manager.set_terrain(Vector2i(8, 8), WALL)
	manager.update()


func test_handlers_may_call_everything() -> void:
	var act := func() -> void:
		if calls > 40:
			return
		swarm.step(0.01)
		swarm.load_state(swarm.save_state())
		swarm.agent_types = [SwarmAgentType.new(), null]
		swarm.spawn(Vector2(60, 60), calls % 2)
		manager.set_terrain(Vector2i(calls % 20, 1), 1 + calls % 5)
		manager.worker_threads = 1 + calls % 3
		manager.update()
		swarm.draw_agents()
	for name: StringName in SIGNALS:
		await _run_with(name, act, [])
		check(calls > 0 or name == &"agents_exited_area", "%s has come" % name)
		_end()


func test_handlers_may_take_nodes_out_of_the_tree() -> void:
	for name: StringName in SIGNALS.slice(0, 5):
		var move := func() -> void:
			if swarm.get_parent() == parent:
				parent.remove_child(swarm)
				parent.add_child.call_deferred(swarm)
		await _run_with(name, move, [])
		check(calls > 0 and swarm.is_inside_tree(), "%s: it is back" % name)
		_end()


func test_handlers_of_the_outputs_signals_may_call_and_free() -> void:
	for frees: bool in [false, true]:
		_world()
		var output := MultiMeshInstance2D.new()
		output.multimesh = MultiMesh.new()
		output.multimesh.mesh = QuadMesh.new()
		scene.add_child(output)
		var act := func() -> void:
			calls += 1
			if frees and is_instance_valid(parent):
				parent.free()
			elif not frees and calls < 20:
				swarm.get_agent_count()
				swarm.spawn(Vector2(50, 50))
				swarm.step(0.01)
				manager.update()
		output.multimesh.changed.connect(act)
		swarm.output = output
		await physics_frames(4)
		check(calls > 0, "the MultiMesh has changed")
		check_eq(is_instance_valid(swarm), not frees, "freed")
		_end()
		check_eq(output.multimesh.visible_instance_count, 0, "nothing stays drawn")
		output.free()


func test_a_handler_of_the_outputs_signals_may_take_the_output_away() -> void:
	_world()
	var output := MultiMeshInstance2D.new()
	output.multimesh = MultiMesh.new()
	output.multimesh.mesh = QuadMesh.new()
	scene.add_child(output)
	var multimesh := output.multimesh
	multimesh.changed.connect(func() -> void: swarm.output = null)
	swarm.output = output
	await physics_frames(3)
	check_eq(multimesh.visible_instance_count, 0, "nothing is drawn with what was taken away")
	_end()
	output.free()


func test_children_that_enter_may_call_the_node() -> void:
	_world()
	var other := EnemySwarm.new()
	other.manager = manager
	var seen: Array[bool] = []
	other.child_entered_tree.connect(
		func(child: Node) -> void:
			seen.append(other.output == child)
			other.spawn(Vector2(50, 50))
			other.step(0.01)
	)
	parent.add_child(other)
	check_eq(seen, [true] as Array[bool], "the output is known when it enters")
	manager.child_entered_tree.connect(
		func(_child: Node) -> void:
			calls += 1
			manager.debug_view = FlowFieldManager.DEBUG_OFF
			manager.update()
	)
	manager.debug_view = FlowFieldManager.DEBUG_COST
	await scene.get_tree().process_frame
	await scene.get_tree().process_frame
	check_eq(calls, 1, "the view has entered")
	var views := manager.get_children(true).filter(
		func(child: Node) -> bool: return not child.is_queued_for_deletion()
	)
	check_eq(views.size(), 0, "and is taken away again")
	_end()


func test_nodes_enter_the_tree_in_any_order() -> void:
	manager = FlowFieldManager.new()
	manager.grid_size = Vector2i(24, 16)
	swarm = EnemySwarm.new()
	swarm.manager = manager
	var id := swarm.spawn(Vector2(30, 30))
	swarm.set_group_goal(0, manager.create_goal(PackedVector2Array([Vector2(200, 60)])))
	swarm.step(0.1)
	scene.add_child(swarm)
	var places := PackedVector2Array()
	for change: Callable in [
		func() -> void: scene.add_child(manager),
		func() -> void: scene.remove_child(manager),
		func() -> void: scene.add_child(manager),
	]:
		change.call()
		await physics_frames(3)
		places.append(swarm.get_agent_position(id))
	check(places[0].x > 30.0 and places[1].x > places[0].x and places[2].x > places[1].x, "walks")
	await allow_errors(
		["EnemySwarm.step: the manager has been freed"],
		func() -> void:
			manager.free()
			await physics_frames(3)
	)
	check_near_vector(swarm.get_agent_position(id), places[2], 5.0, "stands")


func test_a_manager_is_freed_while_it_builds() -> void:
	manager = new_manager(Vector2i(1024, 1024), 1.0)
	manager.background = true
	manager.worker_threads = 2
	var goal := manager.create_goal(PackedVector2Array([Vector2(60, 60)]))
	manager.request_route(goal, Vector2(1000, 1000))
	manager.update()
	check_eq(
		manager.get_query_status(goal, Vector2(1000, 1000)),
		FlowFieldManager.QUERY_PENDING,
		"builds"
	)
	manager.free()


func test_a_scene_is_opened_twice() -> void:
	for round in 2:
		_world()
		await physics_frames(3)
		var output := swarm.output as MultiMeshInstance2D
		check(output.multimesh.visible_instance_count > 0, "round %d is drawn" % round)
		_end()
