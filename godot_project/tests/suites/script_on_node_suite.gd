extends "res://tests/test_suite.gd"
## A script on a node may override every virtual method: the node does its work all the same.

const VIRTUALS: Dictionary[String, String] = {
	"_init": "",
	"_enter_tree": "",
	"_ready": "",
	"_process": "delta",
	"_physics_process": "delta",
	"_exit_tree": "",
	"_notification": "what",
	"_get_configuration_warnings": "",
	"_input": "event",
}


## A script that counts its calls in `calls`, for one virtual method or, with an empty name, for
## none.
func _source(base: String, method: String) -> String:
	var source := "extends %s\nvar calls := 0\n" % base
	if method == "":
		return source
	var result := " -> PackedStringArray" if method.ends_with("warnings") else ""
	source += "func %s(%s)%s:\n\tcalls += 1\n" % [method, VIRTUALS[method], result]
	return source + ("\treturn []\n" if result != "" else "")


func _node(source: String) -> Node:
	var script := GDScript.new()
	script.source_code = source
	check_eq(script.reload(), OK, "the script compiles")
	return script.new() as Node


func _check_swarm(swarm: EnemySwarm, what: String) -> void:
	var manager := new_manager(Vector2i(40, 30))
	swarm.manager = manager
	scene.add_child(swarm)
	swarm.set_group_goal(0, new_goal(manager, Vector2i(38, 15)))
	var id := swarm.spawn(Vector2(50.0, 50.0))
	await physics_frames(6)
	check(swarm.get_agent_position(id).x > 50.5, "%s: agents walk" % what)
	var output := swarm.output as MultiMeshInstance2D
	if check(output != null, "%s: there is an output" % what):
		check_eq(output.multimesh.visible_instance_count, 1, "%s: agents are drawn" % what)
	swarm.free()
	manager.free()


func _check_manager(manager: FlowFieldManager, what: String) -> void:
	manager.grid_size = Vector2i(16, 12)
	scene.add_child(manager)
	var seen := {"goals": 0, "changes": 0}
	manager.goal_ready.connect(func(_goal: int) -> void: seen["goals"] += 1)
	manager.terrain_changed.connect(func(_cells: Rect2i) -> void: seen["changes"] += 1)
	var goal := manager.create_goal(PackedVector2Array([Vector2(100.0, 100.0)]))
	manager.get_flow_vector(goal, Vector2(20.0, 20.0))
	manager.set_terrain(Vector2i(5, 5), WALL)
	await physics_frames(3)
	check(seen["goals"] > 0 and seen["changes"] == 1, "%s: signals %s" % [what, seen])
	check_eq(manager.process_physics_priority, -100, "%s: priority" % what)
	manager.free()


func test_a_swarm_works_with_each_virtual_overridden() -> void:
	for method: String in [""] + VIRTUALS.keys():
		await _check_swarm(_node(_source("EnemySwarm", method)) as EnemySwarm, method)


func test_a_manager_works_with_each_virtual_overridden() -> void:
	for method: String in [""] + VIRTUALS.keys():
		var manager := _node(_source("FlowFieldManager", method)) as FlowFieldManager
		await _check_manager(manager, method)


func test_the_scripts_own_methods_are_called() -> void:
	for method: String in [
		"_enter_tree", "_ready", "_process", "_physics_process", "_notification"
	]:
		for base: String in ["EnemySwarm", "FlowFieldManager"]:
			var node := _node(_source(base, method))
			scene.add_child(node)
			await physics_frames(3)
			await scene.get_tree().process_frame
			check(node.get(&"calls") > 0, "%s of a script on %s" % [method, base])
			node.free()


func test_scripts_may_call_the_methods_of_their_own_base() -> void:
	const PATH := "user://base_of_swarm.gd"
	var base := _source("EnemySwarm", "_ready")
	var arguments := VIRTUALS["_physics_process"]
	base += "func _physics_process(%s):\n\tcalls += 100\n" % arguments
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_string(base)
	file.close()
	var source := 'extends "%s"\nfunc _ready():\n\tsuper()\n' % PATH
	source += "func _physics_process(delta):\n\tsuper(delta)\n"
	var swarm := _node(source) as EnemySwarm
	await _check_swarm_with_calls(swarm)
	DirAccess.remove_absolute(PATH)


func _check_swarm_with_calls(swarm: EnemySwarm) -> void:
	var counts := [0]
	swarm.tree_exiting.connect(func() -> void: counts[0] = swarm.get(&"calls"))
	await _check_swarm(swarm, "super")
	check(counts[0] % 100 == 1 and counts[0] > 100, "calls of the base: %d" % counts[0])


func test_steps_come_after_all_nodes_have_had_the_frame() -> void:
	var manager := new_manager(Vector2i(40, 30))
	var swarm := EnemySwarm.new()
	swarm.manager = manager
	scene.add_child(swarm)
	var source := "extends Node\nvar act: Callable\nfunc _physics_process(_delta):\n\tact.call()\n"
	var late := _node(source)
	late.process_physics_priority = 1000
	var body := swarm.add_body(Vector2(300.0, 300.0), 20.0)
	# The last node of the frame moves the body onto an agent: the step of that frame pushes the
	# agent out.
	late.set(&"act", func() -> void: swarm.move_body(body, Vector2(100.0, 100.0)))
	var id := swarm.spawn(Vector2(105.0, 100.0))
	scene.add_child(late)
	await scene.get_tree().physics_frame
	await scene.get_tree().physics_frame
	var away := swarm.get_agent_position(id).distance_to(Vector2(100.0, 100.0))
	check(away > 20.0, "the agent is %f away from the body" % away)


func test_a_paused_tree_pauses_the_crowd() -> void:
	var manager := new_manager(Vector2i(40, 30))
	var swarm := EnemySwarm.new()
	swarm.manager = manager
	scene.add_child(swarm)
	swarm.set_group_goal(0, new_goal(manager, Vector2i(38, 15)))
	var id := swarm.spawn(Vector2(50.0, 50.0))
	await physics_frames(3)
	scene.get_tree().paused = true
	# A step of the frame before may be under way.
	await physics_frames(1)
	var before := swarm.get_agent_position(id)
	await physics_frames(4)
	check_eq(swarm.get_agent_position(id), before, "paused")
	scene.get_tree().paused = false
	await physics_frames(3)
	check(swarm.get_agent_position(id) != before, "goes on")
