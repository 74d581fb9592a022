extends "res://tests/test_suite.gd"
## Custom monitors of the debugger, and FlowProfiler, which shows them in the game.

const NAMES: Array[StringName] = [
	&"flow_swarm/update_ms",
	&"flow_swarm/step_ms",
	&"flow_swarm/fields_built",
	&"flow_swarm/tiles_built",
	&"flow_swarm/agents",
	&"flow_swarm/memory_mib",
]


func _read(what: String) -> float:
	return Performance.get_custom_monitor(StringName("flow_swarm/" + what))


func _frames(count: int) -> void:
	for i in count:
		await scene.get_tree().process_frame


func test_monitors_live_as_long_as_nodes_are_in_the_tree() -> void:
	for monitor in NAMES:
		check(not Performance.has_custom_monitor(monitor), "%s before" % monitor)
	var manager := new_manager(Vector2i(32, 32))
	var swarm := new_swarm(manager)
	for monitor in NAMES:
		check(Performance.has_custom_monitor(monitor), "%s with nodes" % monitor)
	scene.remove_child(manager)
	check(Performance.has_custom_monitor(NAMES[0]), "the swarm is still there")
	scene.remove_child(swarm)
	for monitor in NAMES:
		check(not Performance.has_custom_monitor(monitor), "%s without nodes" % monitor)
	scene.add_child(manager)
	scene.add_child(swarm)
	check(Performance.has_custom_monitor(NAMES[0]), "nodes that come back")


func test_values_are_those_of_all_nodes() -> void:
	var manager := new_manager(Vector2i(64, 64))
	var one := new_swarm(manager)
	var other := new_swarm(manager)
	check_eq(_read("agents"), 0.0, "no agents")
	one.spawn_many([Vector2(100.0, 100.0), Vector2(200.0, 100.0)])
	other.spawn_many([Vector2(300.0, 300.0)])
	check_eq(_read("agents"), 3.0, "agents of both swarms")
	var empty := _read("memory_mib")
	check(empty > 0.0, "terrain and costs take memory")
	var goal := manager.create_goal([Vector2(900.0, 900.0)])
	one.set_group_goal(0, goal)
	manager.update()
	one.step(1.0 / 60.0)
	other.step(1.0 / 60.0)
	# 64 x 64 cells of four bytes of cost and two of direction, at least.
	check(_read("memory_mib") >= empty + 64.0 * 64.0 * 6.0 / 1048576.0, "a field takes memory")
	check_eq(_read("fields_built"), 1.0, "one field in this frame")
	check_eq(_read("tiles_built"), 0.0, "no tiles")
	check(_read("update_ms") > 0.0, "the updates took time")
	var parts: float = one.get_stats()["step_ms"] + other.get_stats()["step_ms"]
	check_near(_read("step_ms"), parts, 1e-9, "the steps of both swarms")


func test_tiles_are_counted_in_their_frame() -> void:
	var manager := new_manager(Vector2i(64, 64))
	var goal := manager.create_goal([Vector2(900.0, 900.0)], FlowFieldManager.GOAL_MODE_TILED)
	manager.request_route(goal, Vector2(50.0, 50.0))
	manager.update()
	var built: int = manager.get_tile_stats()["tiles_built"]
	check(built > 0, "tiles are built")
	check_eq(_read("tiles_built"), float(built), "as many as the statistics say")
	await physics_frames(2)
	check_eq(_read("tiles_built"), 0.0, "none in a frame without work")


func test_the_profiler_shows_the_monitors() -> void:
	var manager := new_manager(Vector2i(32, 32))
	var swarm := new_swarm(manager)
	swarm.spawn_many([Vector2(100.0, 100.0)])
	var profiler := FlowProfiler.new()
	scene.add_child(profiler)
	await _frames(3)
	var rows := profiler.get_child(0)
	var shown: Dictionary[String, float] = rows.call(&"get_shown")
	check_eq(shown.keys(), ["update", "step", "fields", "tiles", "agents", "memory"], "rows")
	check_eq(shown["agents"], 1.0, "agents")
	check(shown["memory"] > 0.0, "memory")
	var press := InputEventKey.new()
	press.keycode = KEY_F3
	press.pressed = true
	profiler.get_viewport().push_input(press)
	check(not profiler.visible, "F3 hides it")
	swarm.spawn_many([Vector2(120.0, 100.0)])
	await _frames(2)
	shown = rows.call(&"get_shown")
	check_eq(shown["agents"], 1.0, "nothing is read while it is hidden")
	profiler.toggle_key = KEY_NONE
	profiler.get_viewport().push_input(press)
	check(not profiler.visible, "no key")
	expect_error(["FlowProfiler.font_size", "2"], func() -> void: profiler.font_size = 2)
	check_eq(profiler.font_size, 14, "the size of before")
