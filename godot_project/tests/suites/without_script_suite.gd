extends "res://tests/test_suite.gd"
## The recipes without a script: scenes of the addon's nodes alone, which run by themselves.

const FOLDER := "res://examples"
## How many times as fast as usual the scenes run.
const PACE := 20

var manager: FlowFieldManager
var swarm: EnemySwarm


func _load(name: String) -> PackedScene:
	return load(FOLDER.path_join(name).path_join(name + ".tscn")) as PackedScene


func _show(level: Node) -> Node:
	await physics_frames(1)
	scene.add_child(level)
	manager = level.get_node("Manager")
	swarm = level.get_node("Swarm")
	return level


func _open(name: String) -> Node:
	return await _show(_load(name).instantiate())


func _run_for(seconds: float) -> void:
	Engine.time_scale = PACE
	Engine.physics_ticks_per_second = 60 * PACE
	Engine.max_physics_steps_per_frame = 60
	await physics_frames(ceili(60.0 * seconds))
	Engine.time_scale = 1.0
	Engine.physics_ticks_per_second = 60
	Engine.max_physics_steps_per_frame = 8


func _check_no_warnings(level: Node) -> void:
	for node in level.find_children("*"):
		if node.has_method(&"get_setup_warnings"):
			var warnings: PackedStringArray = node.call(&"get_setup_warnings")
			check(warnings.is_empty(), "%s: %s" % [node.name, warnings])


func test_2d_hunters_follow_and_sheep_flee() -> void:
	var level := await _open("without_script_2d")
	_check_no_warnings(level)
	var hero := level.get_node("Round/Hero") as Node2D
	var hunted := hero.get_node("Hunted") as FlowGoal2D
	var feared := hero.get_node("Feared") as FlowGoal2D
	await _run_for(0.5)
	check_eq(swarm.get_group_agents(1).size(), 150, "sheep at once")
	var start := hero.position
	check(swarm.get_agent_count() < 200, "the others one by one")
	await _run_for(12.0)
	check(hero.position.distance_to(start) > 300.0, "the hero walks")
	var target := manager.get_goal_targets(hunted.goal_id)[0]
	check_near_vector(target, hero.position, 3.0, "the goal walks with him")
	check_eq(swarm.get_group_goal(0), hunted.goal_id, "hunters")
	check_eq(swarm.get_group_goal(1), feared.goal_id, "sheep")
	var types := swarm.get_types()
	# 80 and 20 at the gates, again and again, up to 8 a second in the east, 150 sheep.
	check(types.count(1) >= 20 and types.count(1) % 20 == 0, "brutes: %d" % types.count(1))
	check_eq(types.count(2), 150, "sheep")
	var east := level.get_node("East") as SwarmSpawner2D
	check_eq(east.get_alive_count(), 100, "in the east, eight a second")
	var costs := PackedFloat32Array()
	for id in swarm.get_group_agents(1):
		costs.append(manager.get_cost_to_goal(feared.goal_id, swarm.get_agent_position(id)))
	check(costs.count(0.0) > 130, "sheep out of reach: %d" % costs.count(0.0))
	check_eq(swarm.get_stats()["lost"], 0, "agents without a route")
	check(deepest_overlap(manager, swarm.get_positions(), 5.0) < 0.5, "none is in a wall")
	await _run_for(20.0)
	check_eq(east.get_alive_count(), 120, "its limit")
	check_eq((level.get_node("Gates") as SwarmSpawner2D).get_spawned_count(), 400, "the gates' too")


func test_3d_waves_follow_the_hero() -> void:
	var level := await _open("without_script_3d")
	_check_no_warnings(level)
	await _run_for(9.0)
	var hero := level.get_node("Round/Hero") as Node3D
	var goal := hero.get_node("Goal") as FlowGoal3D
	var at := Vector2(hero.position.x, hero.position.z)
	check_near_vector(manager.get_goal_targets(goal.goal_id)[0], at, 0.2, "the goal")
	var types := swarm.get_types()
	check_eq(types.count(1), 40, "brutes of the second wave")
	check(types.count(0) > 240, "the others: %d" % types.count(0))
	check_eq(swarm.get_stats()["lost"], 0, "agents without a route")
	check(deepest_overlap(manager, swarm.get_positions(), 0.4) < 0.05, "none is in a wall")
	var drawn := 0
	for mesh in swarm.get_drawn_counts():
		drawn += mesh["count"] as int
	check_eq(drawn, swarm.get_agent_count(), "all are drawn")


func test_a_scene_runs_the_same_each_time_it_is_opened() -> void:
	var ends := PackedInt64Array()
	var places := PackedVector2Array()
	for times in 3:
		var level: Node
		if times < 2:
			level = await _open("without_script_3d")
		else:
			# Loaded and made on a thread, as behind a loading screen.
			var path := FOLDER.path_join("without_script_3d/without_script_3d.tscn")
			check(not ResourceLoader.has_cached(path), "it is loaded anew")
			ResourceLoader.load_threaded_request(path)
			var packed := ResourceLoader.load_threaded_get(path) as PackedScene
			var thread := Thread.new()
			thread.start(packed.instantiate.bind(PackedScene.GEN_EDIT_STATE_DISABLED))
			level = await _show(thread.wait_to_finish() as Node)
		await _run_for(4.0)
		ends.append(swarm.state_hash())
		places = swarm.get_positions()
		check_eq(swarm.get_agent_count(), 200 + 24, "agents")
		level.free()
	check(places.size() > 0, "agents have walked")
	check_eq(ends[1], ends[0], "the second time")
	check_eq(ends[2], ends[0], "loaded on a thread")


func test_a_level_may_leave_and_come_back() -> void:
	var level := await _open("without_script_2d")
	await _run_for(1.0)
	var before := swarm.get_agent_count()
	scene.remove_child(level)
	check_eq(manager.get_goals().size(), 0, "no goals outside of the tree")
	await _run_for(1.0)
	check_eq(swarm.get_agent_count(), before, "nothing is spawned")
	await _show(level)
	await _run_for(1.0)
	check_eq(manager.get_goals().size(), 2, "goals again")
	check(swarm.get_agent_count() > before, "and the waves go on")
	check_eq(swarm.get_group_agents(1).size(), 150, "they do not begin anew")
