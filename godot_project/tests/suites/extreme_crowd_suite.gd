extends "res://tests/test_suite.gd"
## EnemySwarm: crowds that are removed at once, swarms that are freed while others step, types that
## change under way.


func _crowd(manager: FlowFieldManager, goal: int, count := 40) -> EnemySwarm:
	var swarm := new_swarm(manager, goal)
	var places := PackedVector2Array()
	for i in count:
		places.append(Vector2(20.0 + 10.0 * (i % 8), 30.0 + 10.0 * (i / 8)))
	swarm.spawn_many(places)
	return swarm


func test_a_million_ids_are_removed_in_one_call() -> void:
	var manager := new_manager(Vector2i(64, 64))
	var swarm := new_swarm(manager)
	var places := PackedVector2Array()
	places.resize(1_000_000)
	places.fill(Vector2(300.0, 300.0))
	var ids := swarm.spawn_many(places)
	check_eq(ids.size(), 1_000_000, "all came")
	ids.reverse()
	check_eq(swarm.despawn(ids), 1_000_000, "all went")
	check_eq(swarm.get_agent_count(), 0, "no agent is left")
	var again: int = expect_error(["EnemySwarm.despawn"], func() -> int: return swarm.despawn(ids))
	check_eq(again, 0, "no agent goes twice")


func test_a_swarm_is_freed_while_another_steps() -> void:
	var manager := new_manager()
	var goal := new_goal(manager, Vector2i(3, 3))
	var stepping := _crowd(manager, goal)
	var doomed: Array[EnemySwarm] = [_crowd(manager, goal), _crowd(manager, goal)]
	stepping.agents_arrived.connect(
		func(_ids: PackedInt64Array) -> void:
			for swarm: Variant in doomed:
				if is_instance_valid(swarm):
					(swarm as EnemySwarm).step(0.05)
					(swarm as EnemySwarm).free()
	)
	for i in 200:
		for swarm: Variant in doomed:
			if is_instance_valid(swarm):
				(swarm as EnemySwarm).step(0.05)
		stepping.step(0.05)
	check(not is_instance_valid(doomed[0]), "the handler has run")
	check_eq(stepping.get_agent_count(), 40, "the other one goes on")
	check(stepping.get_stats()["arrived"] > 0, "and its agents arrive")


func test_a_swarm_frees_itself_when_agents_arrive() -> void:
	var manager := new_manager()
	var swarm := _crowd(manager, new_goal(manager, Vector2i(3, 3)))
	swarm.auto_step = true
	swarm.agents_arrived.connect(func(_ids: PackedInt64Array) -> void: swarm.queue_free())
	steps(swarm, 100, 0.05)
	check(swarm.is_queued_for_deletion(), "the handler has run")
	await scene.get_tree().process_frame
	await scene.get_tree().process_frame
	check(not is_instance_valid(swarm), "it is gone")


func test_types_change_under_way() -> void:
	var manager := new_manager()
	var swarm := _crowd(manager, new_goal(manager, Vector2i(13, 9)))
	var type := SwarmAgentType.new()
	swarm.agent_types = [type]
	for i in 90:
		type.radius = 1.0 + i % 9
		type.max_speed = 20.0 + 30.0 * (i % 5)
		type.avoidance = i % 3
		if i % 7 == 0:
			type = SwarmAgentType.new()
			swarm.agent_types = [type]
		swarm.step(0.05)
		for position: Vector2 in swarm.get_positions():
			check(manager.get_bounds().has_point(position), "%s is in the map" % position)
	check_eq(swarm.get_agent_count(), 40, "all are there")
	check(swarm.get_stats()["arrived"] > 0, "and some have arrived")
