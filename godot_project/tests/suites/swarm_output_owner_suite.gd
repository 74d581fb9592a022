extends "res://tests/test_suite.gd"
## EnemySwarm: which MultiMesh is a swarm's, and what becomes of it.

const COUNT := 30


func _swarm(manager: FlowFieldManager, agents := COUNT) -> EnemySwarm:
	var swarm := EnemySwarm.new()
	swarm.manager = manager
	swarm.auto_step = false
	scene.add_child(swarm)
	_spawn(swarm, agents)
	swarm.step(0.01)
	return swarm


func _spawn(swarm: EnemySwarm, agents: int) -> void:
	for i in agents:
		swarm.spawn(Vector2(30.0 + i * 3.0, 30.0))


func _multimesh(swarm: EnemySwarm) -> MultiMesh:
	return (swarm.output as MultiMeshInstance2D).multimesh


func _shown(swarm: EnemySwarm) -> int:
	return _multimesh(swarm).visible_instance_count


func test_a_duplicate_of_a_live_swarm_draws_for_itself() -> void:
	var manager := new_manager(Vector2i(40, 30))
	var swarm := _swarm(manager)
	var twin := swarm.duplicate() as EnemySwarm
	scene.add_child(twin)
	await scene.get_tree().process_frame
	await scene.get_tree().process_frame
	check(twin.output != null and twin.output.get_parent() == twin, "an output of its own")
	check_eq(twin.get_children().size(), 1, "only one")
	check(_multimesh(twin) != _multimesh(swarm), "a MultiMesh of its own")
	check_eq(twin.get_agent_count(), 0, "without agents")
	check_eq(_shown(twin), 0, "it shows none")
	_spawn(twin, 3)
	for each: EnemySwarm in [twin, swarm]:
		each.step(0.01)
	check_eq(_shown(twin), 3, "its own")
	check_eq(_shown(swarm), COUNT, "and the original its own")


func test_outputs_that_share_a_multimesh_get_their_own() -> void:
	var manager := new_manager(Vector2i(40, 30))
	var shared := MultiMesh.new()
	shared.mesh = QuadMesh.new()
	var swarms: Array[EnemySwarm] = []
	for i in 2:
		var output := MultiMeshInstance2D.new()
		output.multimesh = shared
		scene.add_child(output)
		var swarm := EnemySwarm.new()
		swarm.manager = manager
		swarm.auto_step = false
		swarm.output = output
		scene.add_child(swarm)
		_spawn(swarm, 5 + i)
		swarm.step(0.01)
		swarms.append(swarm)
	check(_multimesh(swarms[0]) == shared, "the first one has it")
	check(_multimesh(swarms[1]) != shared, "the second one a copy")
	check(_multimesh(swarms[1]).mesh == shared.mesh, "with its mesh")
	check_eq([_shown(swarms[0]), _shown(swarms[1])], [5, 6], "shown")


func test_an_output_of_another_swarm_is_reported_once() -> void:
	var manager := new_manager(Vector2i(40, 30))
	var one := _swarm(manager)
	var two := _swarm(manager, 4)
	two.output = one.output
	var words: Array[String] = ["EnemySwarm.step", "another swarm"]
	expect_error(words, func() -> void: two.step(0.01))
	steps(two, 3)
	steps(one, 1)
	check_eq(_shown(one), COUNT, "the first one goes on")
	one.free()
	var output := MultiMeshInstance2D.new()
	scene.add_child(output)
	two.output = output
	steps(two, 1)
	check_eq(_shown(two), 4, "with an output of its own")


func test_a_replaced_or_resized_multimesh_is_set_up_anew() -> void:
	var swarm := _swarm(new_manager(Vector2i(40, 30)))
	var output := swarm.output as MultiMeshInstance2D
	output.multimesh.instance_count = 3
	swarm.step(0.01)
	check_eq(_shown(swarm), COUNT, "another count")
	check(output.multimesh.instance_count >= COUNT, "room")
	var old := output.multimesh
	output.multimesh = MultiMesh.new()
	swarm.step(0.01)
	check_eq(_shown(swarm), COUNT, "a new one")
	check_eq(output.multimesh.transform_format, MultiMesh.TRANSFORM_2D, "format")
	check_eq(old.visible_instance_count, 0, "the old one shows nothing")
	output.multimesh.instance_count = 0
	output.multimesh.use_custom_data = true
	swarm.step(0.01)
	check_eq(_shown(swarm), COUNT, "another format")
	check_eq(output.multimesh.use_custom_data, false, "is put right")
	output.multimesh = null
	swarm.step(0.01)
	check_eq(_shown(swarm), COUNT, "none: one is made")


func test_without_its_manager_nothing_stays_drawn() -> void:
	var manager := new_manager(Vector2i(40, 30))
	var swarm := _swarm(manager)
	check_eq(_shown(swarm), COUNT, "drawn")
	manager.free()
	expect_error(["the manager has been freed"], func() -> void: swarm.step(0.01))
	check_eq(_shown(swarm), 0, "hidden")
	swarm.manager = new_manager(Vector2i(40, 30))
	swarm.step(0.01)
	check_eq(_shown(swarm), COUNT, "drawn again")


func test_a_swarm_that_goes_leaves_nothing_drawn() -> void:
	var swarm := _swarm(new_manager(Vector2i(40, 30)))
	var output := MultiMeshInstance2D.new()
	scene.add_child(output)
	var made := swarm.output
	swarm.output = output
	swarm.step(0.01)
	check_eq(_shown(swarm), COUNT, "drawn")
	await scene.get_tree().process_frame
	check(not is_instance_valid(made), "the output that the swarm had made is gone")
	var multimesh := output.multimesh
	swarm.output = null
	check_eq(multimesh.visible_instance_count, 0, "replaced")
	swarm.output = output
	swarm.step(0.01)
	check_eq(multimesh.visible_instance_count, COUNT, "drawn again")
	swarm.free()
	check_eq(multimesh.visible_instance_count, 0, "freed")


func test_instance_size_is_limited_where_it_is_set() -> void:
	var swarm := _swarm(new_manager(Vector2i(40, 30)))
	swarm.instance_size = 1.0e6
	swarm.step(0.01)
	var words: Array[String] = ["EnemySwarm.instance_size", "1000000", "2000000"]
	expect_error(words, func() -> void: swarm.instance_size = 2.0e6)
	check_eq(swarm.instance_size, 1.0e6, "unchanged")
	swarm.step(0.01)
