extends "res://tests/test_suite.gd"
## EnemySwarm: nodes that are attached to agents, follow them, and call what they want meanwhile.

const DELTA := 1.0 / 60.0
const FOLLOW := EnemySwarm.ATTACH_NODE_FOLLOWS_AGENT
const LEAD := EnemySwarm.ATTACH_AGENT_FOLLOWS_NODE

var manager: FlowFieldManager
var swarm: EnemySwarm


## A node that acts whenever it is moved.
class Watcher:
	extends Node2D
	var calls := 0
	var action := Callable()

	func _init() -> void:
		set_notify_local_transform(true)

	func _notification(what: int) -> void:
		if what == NOTIFICATION_LOCAL_TRANSFORM_CHANGED and action.is_valid():
			calls += 1
			action.call()


func _field(goal := Vector2i(38, 10)) -> void:
	manager = new_manager(Vector2i(40, 20))
	swarm = new_swarm(manager, new_goal(manager, goal))


func _node_2d(position := Vector2.ZERO, parent: Node = scene) -> Node2D:
	var node := Node2D.new()
	node.position = position
	parent.add_child(node)
	return node


func _watcher(action: Callable) -> Watcher:
	var node := Watcher.new()
	scene.add_child(node)
	node.action = action
	return node


func test_a_2d_node_follows_its_agent() -> void:
	_field()
	var parent := _node_2d(Vector2(7.0, -3.0))
	parent.rotation = 1.0
	var label := _node_2d(Vector2.ZERO, parent)
	label.global_rotation = 0.5
	label.scale = Vector2(2.0, 3.0)
	var id := swarm.spawn(Vector2(50.0, 60.0))
	check_eq(swarm.attach_node(id, label), OK, "attached")
	check_near_vector(label.global_position, Vector2(50.0, 60.0), 0.001, "there at once")
	check_eq(swarm.get_attached_node(id), label, "known")
	for i in 30:
		swarm.step(DELTA)
		check_near_vector(label.global_position, swarm.get_agent_position(id), 0.001, "follows")
	check(label.global_position.x > 60.0, "both have walked")
	check_near(label.global_rotation, 0.5, 0.001, "not turned")
	check_near_vector(label.scale, Vector2(2.0, 3.0), 0.001, "not scaled")
	swarm.set_agent_positions([id], [Vector2(300.0, 200.0)])
	swarm.draw_agents()
	check_near_vector(label.global_position, Vector2(300.0, 200.0), 0.01, "jumps with it")
	check_eq(swarm.detach_node(id), OK, "detached")
	check(swarm.get_attached_node(id) == null, "none any more")
	swarm.step(DELTA)
	check_near_vector(label.global_position, Vector2(300.0, 200.0), 0.01, "stays")


func test_a_node_turns_with_its_agent_if_it_should() -> void:
	_field(Vector2i(5, 18))
	var flat := _node_2d()
	flat.scale = Vector2(2.0, 3.0)
	var solid := Node3D.new()
	solid.scale = Vector3(1.0, 2.0, 3.0)
	scene.add_child(solid)
	var ids := swarm.spawn_many([Vector2(88.0, 40.0), Vector2(500.0, 296.0)])
	swarm.attach_node(ids[0], flat, FOLLOW, true)
	swarm.attach_node(ids[1], solid, FOLLOW, true)
	steps(swarm, 60)
	var ahead := swarm.get_agent_velocity(ids[0]).normalized()
	check_near_vector(ahead, Vector2.DOWN, 0.1, "the one walks down")
	check_near_vector(flat.global_transform.x.normalized(), ahead, 0.02, "+x is ahead")
	check_near_vector(flat.scale, Vector2(2.0, 3.0), 0.001, "not scaled")
	ahead = swarm.get_agent_velocity(ids[1]).normalized()
	check_near_vector(ahead, Vector2.LEFT, 0.1, "the other walks to the left")
	var forward := -solid.global_basis.z.normalized()
	check_near_vector(Vector2(forward.x, forward.z), ahead, 0.02, "-z is ahead")
	check_near(solid.global_basis.y.normalized().y, 1.0, 0.001, "upright")
	check(solid.scale.is_equal_approx(Vector3(1.0, 2.0, 3.0)), "not scaled: %s" % solid.scale)


func test_a_3d_node_follows_in_the_plane_at_the_height_that_is_drawn() -> void:
	manager = new_manager(Vector2i(40, 20))
	manager.layer_count = 2
	swarm = new_swarm(manager, new_goal(manager, Vector2i(38, 10)))
	swarm.output = MultiMeshInstance3D.new()
	scene.add_child(swarm.output)
	swarm.height = 2.0
	swarm.layer_height = 5.0
	manager.set_terrain_rect(Rect2i(manager.cell_on_layer(Vector2i.ZERO, 1), Vector2i(40, 20)), 1)
	var ids := PackedInt64Array()
	var lights: Array[Node3D] = []
	for layer in 2:
		ids.append(swarm.spawn(Vector2(100.0, 80.0), 0, 0, layer))
		lights.append(Node3D.new())
		scene.add_child(lights[layer])
		check_eq(swarm.attach_node(ids[layer], lights[layer]), OK, "attached")
	steps(swarm, 10)
	var buffer := (swarm.output as MultiMeshInstance3D).multimesh.buffer
	for layer in 2:
		var index := swarm.get_ids().find(ids[layer])
		var at := lights[layer].global_position
		var flat := swarm.get_agent_position(ids[layer])
		check_eq(swarm.get_agent_layer(ids[layer]), layer, "its layer")
		check(at.is_equal_approx(Vector3(flat.x, 2.0 + 5.0 * layer, flat.y)), "is at %s" % at)
		for axis in 3:
			check_near(at[axis], buffer[12 * index + 4 * axis + 3], 0.001, "as drawn")


func test_between_steps_nodes_are_where_agents_are_drawn() -> void:
	_field()
	swarm.interpolate = true
	var node := _node_2d()
	var id := swarm.spawn(Vector2(50.0, 160.0))
	swarm.attach_node(id, node)
	steps(swarm, 30)
	check_near_vector(node.position, Vector2(50.0, 160.0), 0.001, "steps alone do not draw")
	var before := swarm.get_agent_position(id)
	swarm.step(DELTA)
	var after := swarm.get_agent_position(id)
	check(before != after, "it walks")
	for fraction: float in [0.0, 0.25, 1.0]:
		swarm.draw_agents(fraction)
		check_near_vector(node.position, before.lerp(after, fraction), 0.001, "at %f" % fraction)
		var buffer := (swarm.output as MultiMeshInstance2D).multimesh.buffer
		check_near_vector(node.position, Vector2(buffer[3], buffer[7]), 0.001, "as drawn")
	for fraction: float in [-0.5, 1.5, NAN]:
		expect_error(
			["EnemySwarm.draw_agents", "fraction"], func() -> void: swarm.draw_agents(fraction)
		)
	check_near_vector(node.position, after, 0.001, "not moved by what is refused")
	swarm.auto_step = true
	await physics_frames(10)
	await scene.get_tree().process_frame
	await scene.get_tree().process_frame
	check(node.position.x > after.x, "by itself in frames")


func test_the_swarm_moves_nodes_by_itself() -> void:
	_field()
	swarm.auto_step = true
	var node := _node_2d()
	var id := swarm.spawn(Vector2(50.0, 160.0))
	swarm.attach_node(id, node)
	await physics_frames(10)
	check(node.position.x > 51.0, "moved")
	check_eq(node.position, swarm.get_agent_position(id), "to its agent")


func test_the_node_of_a_removed_agent_is_known_until_the_next_step() -> void:
	_field()
	var ids := swarm.spawn_many([Vector2(50.0, 100.0), Vector2(50.0, 200.0), Vector2(90.0, 90.0)])
	var nodes: Array[Node2D] = []
	for i in 3:
		nodes.append(_node_2d(swarm.get_agent_position(ids[i])))
		swarm.attach_node(ids[i], nodes[i], LEAD if i == 1 else FOLLOW)
	swarm.set_user_ints(ids, [5, 5, 90])
	var dead := swarm.damage_circle(Vector2(50.0, 150.0), 90.0, 10, 0, EnemySwarm.FALLEN_DESPAWN)
	check_eq(dead.size(), 2, "two are gone")
	for i in 2:
		check_eq(swarm.get_attached_node(ids[i]), nodes[i], "their nodes")
		expect_error(["EnemySwarm.detach_node"], func() -> void: swarm.detach_node(ids[i]))
	# A node is free as soon as its agent is gone.
	var id := swarm.spawn(Vector2(60.0, 60.0))
	check_eq(swarm.attach_node(id, nodes[0]), OK, "may have another agent")
	var before := nodes[1].position
	swarm.step(DELTA)
	check_eq(nodes[0].position, swarm.get_agent_position(id), "follows that one")
	check_eq(nodes[1].position, before, "stays where it was")
	check(swarm.get_attached_node(ids[1]) == null, "forgotten")
	swarm.clear()
	check_eq(swarm.get_attached_node(ids[2]), nodes[2], "the last one")
	swarm.step(DELTA)
	check(swarm.get_attached_node(ids[2]) == null, "forgotten too")


func test_a_handler_frees_the_nodes_of_those_that_arrive() -> void:
	_field(Vector2i(6, 5))
	swarm.arrival_action = EnemySwarm.ARRIVAL_DESPAWN
	var node := _node_2d()
	var id := swarm.spawn(Vector2(50.0, 88.0))
	swarm.attach_node(id, node)
	swarm.agents_arrived.connect(
		func(ids: PackedInt64Array) -> void:
			for arrived: int in ids:
				swarm.get_attached_node(arrived).queue_free()
	)
	steps(swarm, 90)
	await scene.get_tree().process_frame
	check(not swarm.has_agent(id) and not is_instance_valid(node), "both are gone")


func test_a_swarm_that_is_freed_leaves_its_nodes() -> void:
	_field()
	var parent := _node_2d()
	swarm.reparent(parent)
	var label := _node_2d()
	var boss := _node_2d(Vector2(60.0, 60.0))
	var ids := swarm.spawn_many([Vector2(50.0, 50.0), Vector2(60.0, 60.0), Vector2(70.0, 90.0)])
	swarm.attach_node(ids[0], label)
	swarm.attach_node(ids[1], boss, LEAD)
	# A swarm below a node that one of its agents follows is not moved with it.
	check_eq(swarm.attach_node(ids[2], parent, LEAD), OK, "an ancestor")
	swarm.step(DELTA)
	parent.free()
	check(not is_instance_valid(swarm), "freed")
	check(is_instance_valid(label) and is_instance_valid(boss), "they stay")
	await physics_frames(2)


func test_without_a_manager_nodes_wait() -> void:
	_field()
	var label := _node_2d()
	var id := swarm.spawn(Vector2(50.0, 50.0))
	swarm.attach_node(id, label)
	swarm.step(DELTA)
	manager.free()
	expect_error(["EnemySwarm.step"], func() -> void: swarm.step(DELTA))
	check_eq(label.position, swarm.get_agent_position(id), "where its agent stands")
	check_eq(swarm.detach_node(id), OK, "and is let go")


func test_nodes_that_are_moved_may_call_everything() -> void:
	_field()
	var ids := swarm.spawn_many([Vector2(50.0, 50.0), Vector2(50.0, 90.0), Vector2(50.0, 130.0)])
	var last := _node_2d()
	var watcher := _watcher(Callable())
	swarm.attach_node(ids[0], watcher)
	swarm.attach_node(ids[1], last)
	watcher.action = func() -> void:
		if watcher.calls == 1:
			swarm.step(0.01)
			swarm.load_state(swarm.save_state())
			swarm.detach_node(ids[1])
			last.position = Vector2(-1.0, -1.0)
			swarm.attach_node(ids[2], _node_2d(Vector2.ZERO, last))
			manager.update()
			swarm.draw_agents()
	swarm.step(DELTA)
	check(watcher.calls > 0, "it was told")
	check_eq(last.position, Vector2(-1.0, -1.0), "detached is detached at once")
	swarm.step(DELTA)
	check_eq(watcher.position, swarm.get_agent_position(ids[0]), "goes on")
	watcher.action = func() -> void:
		swarm.despawn(ids)
		if watcher.calls < 20:
			swarm.step(0.01)
	swarm.step(DELTA)
	check_eq(swarm.get_agent_count(), 0, "removed in a handler")


func test_nodes_that_are_moved_may_free_what_they_want() -> void:
	for what: String in ["swarm", "manager", "others", "queue"]:
		_field()
		var ids := swarm.spawn_many([Vector2(50.0, 50.0), Vector2(50.0, 90.0)])
		var other := _node_2d()
		var watcher := _watcher(Callable())
		swarm.attach_node(ids[0], watcher, FOLLOW, true)
		swarm.attach_node(ids[1], other)
		var nodes: Dictionary[String, Node] = {"swarm": swarm, "manager": manager, "others": other}
		watcher.action = func() -> void:
			if not nodes.has(what):
				watcher.queue_free()
			elif is_instance_valid(nodes[what]):
				nodes[what].free()
		swarm.step(DELTA)
		check(watcher.calls > 0, "%s: it was told" % what)
		if what != "swarm":
			check(is_instance_valid(swarm), "%s: the swarm stays" % what)
			await scene.get_tree().process_frame
			await allow_errors(["the manager has been freed"], func() -> void: swarm.step(DELTA))
			swarm.free()
		for node: Variant in [watcher, other, manager]:
			if is_instance_valid(node):
				(node as Node).free()


func test_bad_input_is_refused_by_name() -> void:
	_field()
	var ids := swarm.spawn_many([Vector2(50.0, 100.0), Vector2(50.0, 200.0), Vector2(90.0, 90.0)])
	var label := _node_2d()
	label.name = "Label"
	var other := _node_2d()
	var nowhere := _node_2d(Vector2(NAN, 0.0))
	nowhere.name = "Nowhere"
	var timer := Timer.new()
	scene.add_child(timer)
	swarm.attach_node(ids[0], label)
	var before := swarm.state_hash()
	var calls: Array[Array] = [
		["999 does not exist", swarm.attach_node.bind(999, other), ERR_DOES_NOT_EXIST],
		["not null", swarm.attach_node.bind(ids[1], null), ERR_INVALID_PARAMETER],
		["not a Timer", swarm.attach_node.bind(ids[1], timer), ERR_INVALID_PARAMETER],
		["not a EnemySwarm", swarm.attach_node.bind(ids[1], swarm), ERR_INVALID_PARAMETER],
		["output", swarm.attach_node.bind(ids[1], swarm.output), ERR_INVALID_PARAMETER],
		[
			"mode must be ATTACH_NODE_FOLLOWS_AGENT (0) or",
			swarm.attach_node.bind(ids[1], other, 2),
			31
		],
		["ATTACH_AGENT_FOLLOWS_NODE (1), not -1", swarm.attach_node.bind(ids[1], other, -1), 31],
		["position", swarm.attach_node.bind(ids[1], nowhere, LEAD), ERR_INVALID_PARAMETER],
		["Label", swarm.attach_node.bind(ids[0], other), ERR_ALREADY_EXISTS],
		[str(ids[0]), swarm.attach_node.bind(ids[1], label), ERR_ALREADY_EXISTS],
	]
	for entry: Array in calls:
		var words: Array[String] = ["EnemySwarm.attach_node", entry[0] as String]
		check_eq(expect_error(words, entry[1] as Callable), entry[2], "%s returns" % words[1])
	for entry: Array in [[999, "agent 999 does not exist"], [ids[1], "no attached node"]]:
		var words: Array[String] = ["EnemySwarm.detach_node", str(entry[0]), entry[1] as String]
		var result: Variant = expect_error(words, swarm.detach_node.bind(entry[0]))
		check_eq(result, ERR_DOES_NOT_EXIST, "returns")
	check(swarm.get_attached_node(999) == null, "no agent has no node")
	check_eq(swarm.state_hash(), before, "nothing has changed")
	check_eq(swarm.get_attached_node(ids[0]), label, "attached")
	check(swarm.get_attached_node(ids[1]) == null, "not attached")


func test_a_freed_node_is_refused() -> void:
	_field()
	var id := swarm.spawn(Vector2(50.0, 100.0))
	var arguments: Array = [id, _node_2d()]
	(arguments[1] as Node).free()
	# The engine and the binding refuse it, each with an error of its own.
	var known: Array[String] = ["EnemySwarm::attach_node"]
	var found := await allow_errors(known, swarm.callv.bind(&"attach_node", arguments))
	check(found.size() > 0, "refused")
	check(swarm.get_attached_node(id) == null, "not attached")
	var node := _node_2d()
	swarm.attach_node(id, node)
	node.free()
	expect_error(["EnemySwarm.detach_node", str(id)], swarm.detach_node.bind(id))
	check_eq(swarm.get_agent_state(id), EnemySwarm.AGENT_FOLLOWING, "goes on")


func test_nodes_are_attached_and_moved_on_threads() -> void:
	_field()
	var ids := swarm.spawn_many([Vector2(50.0, 100.0), Vector2(50.0, 200.0)])
	var label := _node_2d()
	var boss := _node_2d(Vector2(55.0, 200.0))
	var results: Array[int] = []
	var attach := func() -> void:
		results.append(swarm.attach_node(ids[0], label, FOLLOW, true))
		results.append(swarm.attach_node(ids[1], boss, LEAD))
	WorkerThreadPool.wait_for_task_completion(WorkerThreadPool.add_task(attach))
	check_eq(results, [OK, OK] as Array[int], "attached on a thread")
	check_eq(label.position, Vector2.ZERO, "moved by the next step")
	swarm.step(DELTA)
	check_eq(label.position, swarm.get_agent_position(ids[0]), "now")
	check_near_vector(swarm.get_agent_position(ids[1]), boss.position, 0.01, "at its node")
	# A swarm that steps on a thread of its own, with nodes of other groups.
	var light := Node3D.new()
	scene.add_child(light)
	swarm.attach_node(swarm.spawn(Vector2(50.0, 250.0)), light, FOLLOW, true)
	swarm.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	swarm.auto_step = true
	await physics_frames(10)
	boss.position.x += 3.0
	await physics_frames(3)
	check(label.position.x > 50.5 and light.position.x > 50.5, "moved from that thread")
	check_near_vector(swarm.get_agent_position(ids[1]), boss.position, 0.01, "at its node")


func test_a_thousand_nodes_cost_little() -> void:
	_field()
	var places := PackedVector2Array()
	for i in 1000:
		places.append(Vector2(30.0 + 10.0 * (i % 50), 30.0 + 12.0 * (i / 50)))
	var ids := swarm.spawn_many(places)
	var nodes: Array[Node2D] = []
	for i in ids.size():
		nodes.append(_node_2d(places[i]))
	var alone := _milliseconds_of_steps()
	for i in ids.size():
		swarm.attach_node(ids[i], nodes[i], LEAD if i % 2 == 0 else FOLLOW)
	var attached := _milliseconds_of_steps()
	print("1000 attached nodes: a step takes %.2f ms, %.2f ms without" % [attached, alone])
	check(attached < alone + 20.0, "%f ms, %f without" % [attached, alone])
	for i in ids.size():
		check_near_vector(nodes[i].position, swarm.get_agent_position(ids[i]), 0.05, "together")


func _milliseconds_of_steps() -> float:
	var start := Time.get_ticks_usec()
	steps(swarm, 20)
	return (Time.get_ticks_usec() - start) / 20000.0
