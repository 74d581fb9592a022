extends "res://tests/test_suite.gd"
## EnemySwarm: agents that follow nodes, and agents again afterwards, with all that they were.

const DELTA := 1.0 / 60.0
const FOLLOW := EnemySwarm.ATTACH_NODE_FOLLOWS_AGENT
const LEAD := EnemySwarm.ATTACH_AGENT_FOLLOWS_NODE

var manager: FlowFieldManager
var swarm: EnemySwarm


func _field() -> void:
	manager = new_manager(Vector2i(40, 20))
	swarm = new_swarm(manager, new_goal(manager, Vector2i(38, 10)))


func _node_2d(position := Vector2.ZERO, parent: Node = scene) -> Node2D:
	var node := Node2D.new()
	node.position = position
	parent.add_child(node)
	return node


## The agent's own values, which its node must leave alone.
func _columns(id: int) -> Array:
	return [
		swarm.get_agent_type(id),
		swarm.get_agent_group(id),
		swarm.get_agent_layer(id),
		swarm.get_agent_user_int(id, 2),
		swarm.get_agent_user_float(id, 1),
	]


func test_an_agent_follows_its_node_through_a_crowd() -> void:
	_field()
	swarm.set_group_goal(0, 0)
	var crowd := PackedVector2Array()
	for i in 60:
		crowd.append(Vector2(140.0 + 9.0 * (i % 6), 115.0 + 9.0 * (i / 6)))
	var others := swarm.spawn_many(crowd)
	var id := swarm.spawn(Vector2(100.0, 160.0))
	var boss := _node_2d(Vector2(100.0, 160.0))
	check_eq(swarm.attach_node(id, boss, LEAD), OK, "attached")
	check_eq(swarm.get_agent_state(id), EnemySwarm.AGENT_SCRIPTED, "scripted")
	for i in 60:
		boss.position += Vector2(1.5, 0.25)
		swarm.step(DELTA)
		check_near_vector(swarm.get_agent_position(id), boss.position, 0.01, "at its node")
	check_near_vector(swarm.get_agent_velocity(id), Vector2(90.0, 15.0), 0.5, "its velocity")
	check_eq(boss.position, Vector2(190.0, 175.0), "the node is not moved")
	check_eq(swarm.query_nearest(boss.position, 2.0), id, "found by queries")
	for other: int in others:
		var gap := swarm.get_agent_position(other).distance_to(boss.position)
		check(gap > 7.0, "the crowd gives way: %f" % gap)
	steps(swarm, 2)
	check_eq(swarm.get_agent_velocity(id), Vector2.ZERO, "it stands with its node")


func test_an_agent_follows_a_3d_node_in_the_plane() -> void:
	_field()
	var id := swarm.spawn(Vector2(100.0, 80.0))
	var boss := Node3D.new()
	boss.position = Vector3(110.0, 40.0, 85.0)
	scene.add_child(boss)
	swarm.attach_node(id, boss, LEAD)
	steps(swarm, 2)
	check_near_vector(swarm.get_agent_position(id), Vector2(110.0, 85.0), 0.01, "x and z count")
	check_eq(boss.position, Vector3(110.0, 40.0, 85.0), "the node is not moved")


func test_any_length_of_a_step_and_any_smoothing_takes_the_agent_to_its_node() -> void:
	_field()
	var slow := SwarmAgentType.new()
	slow.position_smoothing = 0.25
	swarm.agent_types = [slow]
	var id := swarm.spawn(Vector2(100.0, 80.0))
	var boss := _node_2d(Vector2(100.0, 80.0))
	swarm.attach_node(id, boss, LEAD)
	for delta: float in [0.0001, 0.001, 0.02, 0.5, 1.0]:
		boss.position += Vector2(0.5, 0.125)
		swarm.step(delta)
		check_near_vector(swarm.get_agent_position(id), boss.position, 0.01, "after %f" % delta)
	boss.position.x += 100.0
	swarm.step(0.0)
	expect_error(["EnemySwarm.step", "delta"], func() -> void: swarm.step(2.0))
	check_near_vector(swarm.get_agent_position(id), Vector2(102.5, 80.625), 0.01, "not moved")


func test_walls_hold_an_agent_until_its_node_is_far_away() -> void:
	_field()
	manager.set_terrain_rect(Rect2i(10, 0, 1, 20), WALL)
	var id := swarm.spawn(Vector2(150.0, 80.0))
	var boss := _node_2d(Vector2(150.0, 80.0))
	swarm.attach_node(id, boss, LEAD)
	for i in 30:
		boss.position.x += 1.0
		swarm.step(DELTA)
	check_near(swarm.get_agent_position(id).x, 156.0, 0.1, "held by the wall")
	boss.position.x = 156.0 + 4.1 * 16.0
	swarm.step(DELTA)
	check_near_vector(swarm.get_agent_position(id), boss.position, 0.1, "far away it is put there")
	boss.position = Vector2(500.0, 200.0)
	swarm.step(DELTA)
	check_near_vector(swarm.get_agent_position(id), boss.position, 0.1, "as after a jump")
	boss.position = Vector2(700.0, 200.0)
	steps(swarm, 60)
	check_near_vector(swarm.get_agent_position(id), Vector2(636.0, 200.0), 0.2, "in the grid")
	boss.position = Vector2(-1e20, 1e30)
	steps(swarm, 3)
	check(swarm.get_agent_position(id).is_finite(), "and finite")


func test_an_agent_on_a_layer_follows_there() -> void:
	_field()
	manager.layer_count = 2
	manager.set_terrain_rect(Rect2i(manager.cell_on_layer(Vector2i.ZERO, 1), Vector2i(40, 20)), 1)
	var id := swarm.spawn(Vector2(100.0, 80.0), 0, 0, 1)
	var boss := _node_2d(Vector2(105.0, 80.0))
	swarm.attach_node(id, boss, LEAD)
	swarm.step(DELTA)
	check_near_vector(swarm.get_agent_position(id), Vector2(105.0, 80.0), 0.1, "a small move")
	boss.position = Vector2(400.0, 200.0)
	swarm.step(DELTA)
	check_near_vector(swarm.get_agent_position(id), Vector2(400.0, 200.0), 0.1, "a jump")
	check_eq(swarm.get_agent_layer(id), 1, "on its layer")


func test_to_a_node_and_back_all_columns_are_kept() -> void:
	_field()
	swarm.agent_types = [SwarmAgentType.new(), SwarmAgentType.new()]
	var target := Vector2(300.0, 100.0)
	for state: int in [
		EnemySwarm.AGENT_FOLLOWING, EnemySwarm.AGENT_IDLE, EnemySwarm.AGENT_SCRIPTED
	]:
		var one := swarm.spawn(Vector2(100.0, 160.0), 1, 7)
		var id: PackedInt64Array = [one]
		swarm.set_agent_state(id, state)
		swarm.set_scripted_velocities(id, [Vector2(0.0, -30.0)])
		swarm.set_user_ints(id, [41], 2)
		swarm.set_user_floats(id, [0.5], 1)
		swarm.set_agent_targets(id, [target])
		var columns := _columns(one)
		var boss := _node_2d(Vector2(100.0, 160.0))
		swarm.attach_node(one, boss, LEAD)
		for i in 30:
			boss.position.x += 1.0
			swarm.step(DELTA)
		check_eq(_columns(one), columns, "kept while it follows")
		# Back to an agent, with the node behind it.
		check_eq(swarm.attach_node(one, boss, FOLLOW), OK, "the same node in the other mode")
		check_eq(swarm.get_agent_state(one), state, "its own state")
		check_near_vector(swarm.get_agent_velocity(one), Vector2(60.0, 0.0), 0.5, "its velocity")
		swarm.step(DELTA)
		check_eq(boss.position, swarm.get_agent_position(one), "now the node follows")
		if state == EnemySwarm.AGENT_SCRIPTED:
			var velocity := swarm.get_agent_velocity(one)
			check_near_vector(velocity, Vector2(0.0, -30.0), 0.1, "its own orders")
		if state == EnemySwarm.AGENT_FOLLOWING:
			steps(swarm, 400)
			check_near_vector(swarm.get_agent_position(one), target, 5.0, "its own target")
		# To a node once more, and back to an agent alone.
		check_eq(swarm.attach_node(one, boss, LEAD), OK, "and back")
		check_eq(swarm.get_agent_state(one), EnemySwarm.AGENT_SCRIPTED, "scripted")
		check_eq(swarm.detach_node(one), OK, "detached")
		check_eq(swarm.get_agent_state(one), state, "its own state again")
		check_eq(_columns(one), columns, "columns")
		swarm.despawn(id)


func test_orders_to_an_agent_that_follows_a_node_apply_afterwards() -> void:
	_field()
	var id := swarm.spawn(Vector2(100.0, 160.0))
	var boss := _node_2d(Vector2(100.0, 160.0))
	swarm.attach_node(id, boss, LEAD)
	check_eq(swarm.set_agent_state([id], EnemySwarm.AGENT_IDLE), OK, "set")
	check_eq(swarm.get_agent_state(id), EnemySwarm.AGENT_SCRIPTED, "not yet")
	check_eq(swarm.set_scripted_velocities([id], [Vector2(9.0, 0.0)]), OK, "set")
	boss.position.y += 5.0
	swarm.step(DELTA)
	check_near_vector(swarm.get_agent_position(id), boss.position, 0.01, "at its node")
	swarm.detach_node(id)
	check_eq(swarm.get_agent_state(id), EnemySwarm.AGENT_IDLE, "now")
	swarm.set_agent_state([id], EnemySwarm.AGENT_SCRIPTED)
	swarm.step(DELTA)
	check_near_vector(swarm.get_agent_velocity(id), Vector2(9.0, 0.0), 0.01, "and this")


func test_a_node_that_is_freed_lets_its_agent_go() -> void:
	_field()
	var ids := swarm.spawn_many([Vector2(50.0, 100.0), Vector2(50.0, 200.0)])
	var label := _node_2d()
	var parent := _node_2d()
	var boss := _node_2d(Vector2(50.0, 200.0), parent)
	swarm.attach_node(ids[0], label)
	swarm.attach_node(ids[1], boss, LEAD)
	swarm.step(DELTA)
	label.free()
	parent.queue_free()
	await scene.get_tree().process_frame
	check(not is_instance_valid(boss), "freed with its parent")
	for id: int in ids:
		check(swarm.get_attached_node(id) == null, "no node")
	steps(swarm, 60)
	check_eq(swarm.get_agent_state(ids[1]), EnemySwarm.AGENT_FOLLOWING, "its own state")
	for id: int in ids:
		check(swarm.get_agent_position(id).x > 60.0, "goes on")
		check_eq(swarm.attach_node(id, _node_2d()), OK, "may have another node")


func test_a_node_outside_of_the_tree_is_waited_for() -> void:
	_field()
	var ids := swarm.spawn_many([Vector2(50.0, 100.0), Vector2(50.0, 200.0)])
	var label := Node2D.new()
	var boss := Node3D.new()
	boss.position = Vector3(60.0, 0.0, 200.0)
	check_eq(swarm.attach_node(ids[0], label), OK, "attached")
	check_eq(swarm.attach_node(ids[1], boss, LEAD), OK, "attached")
	steps(swarm, 10)
	check_eq(label.position, Vector2.ZERO, "not moved")
	check_eq(swarm.get_agent_position(ids[1]), Vector2(50.0, 200.0), "stands")
	scene.add_child(label)
	scene.add_child(boss)
	swarm.step(DELTA)
	check_eq(label.position, swarm.get_agent_position(ids[0]), "follows now")
	check_near_vector(swarm.get_agent_position(ids[1]), Vector2(60.0, 200.0), 0.01, "and here")
	scene.remove_child(boss)
	steps(swarm, 2)
	check_eq(swarm.get_agent_velocity(ids[1]), Vector2.ZERO, "stands again")
	boss.free()


func test_saves_hold_what_agents_are_without_their_nodes() -> void:
	_field()
	var ids := swarm.spawn_many([Vector2(50.0, 100.0), Vector2(50.0, 200.0)])
	var label := _node_2d()
	var boss := _node_2d(Vector2(50.0, 200.0))
	var plain := swarm.state_hash()
	swarm.attach_node(ids[0], label)
	swarm.attach_node(ids[1], boss, LEAD)
	check_eq(swarm.state_hash(), plain, "nodes are no part of the state")
	check_eq(swarm.state_hash(), plain, "and asking changes nothing")
	boss.position.x += 1.0
	swarm.step(DELTA)
	var bytes := swarm.save_state()
	var hash := swarm.state_hash()
	# In the same run both go on as before.
	boss.position.x += 40.0
	steps(swarm, 20)
	check_eq(swarm.load_state(bytes), OK, "loaded")
	check_eq(swarm.state_hash(), hash, "the same state")
	check_eq(swarm.get_agent_state(ids[1]), EnemySwarm.AGENT_SCRIPTED, "follows its node")
	swarm.step(DELTA)
	check_near_vector(swarm.get_agent_position(ids[1]), boss.position, 0.01, "to where it is")
	check_eq(label.position, swarm.get_agent_position(ids[0]), "and its node the other")
	# In another run agents are what they are without nodes.
	var twin := new_swarm(manager)
	check_eq(twin.load_state(bytes), OK, "loaded")
	check_eq(twin.state_hash(), hash, "the same state")
	check_eq(twin.get_agent_state(ids[1]), EnemySwarm.AGENT_FOLLOWING, "its own state")
	check(twin.get_attached_node(ids[1]) == null, "no node")
	# A removed agent that a load brings back has no node.
	swarm.despawn(ids)
	check_eq(swarm.load_state(bytes), OK, "loaded")
	for id: int in ids:
		check(swarm.get_attached_node(id) == null, "no node")
	check_eq(swarm.get_agent_state(ids[1]), EnemySwarm.AGENT_FOLLOWING, "its own state")
	# Bytes that are refused change nothing.
	swarm.attach_node(ids[1], boss, LEAD)
	expect_error(
		["EnemySwarm.load_state"], func() -> void: swarm.load_state(PackedByteArray([1, 2]))
	)
	check_eq(swarm.get_agent_state(ids[1]), EnemySwarm.AGENT_SCRIPTED, "still")
	check_eq(swarm.get_attached_node(ids[1]), boss, "attached")


func test_a_node_whose_position_is_lost_is_reported_once() -> void:
	_field()
	var id := swarm.spawn(Vector2(50.0, 100.0))
	var boss := _node_2d(Vector2(50.0, 100.0))
	boss.name = "Boss"
	swarm.attach_node(id, boss, LEAD)
	swarm.step(DELTA)
	boss.position = Vector2(NAN, 0.0)
	expect_error(["EnemySwarm.step", "Boss", str(id)], swarm.step.bind(DELTA))
	steps(swarm, 20)
	check(swarm.get_attached_node(id) == null, "no longer attached")
	check_eq(swarm.get_agent_state(id), EnemySwarm.AGENT_FOLLOWING, "its own state")
	check(swarm.get_agent_position(id).x > 50.5, "goes on")
