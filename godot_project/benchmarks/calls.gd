extends SceneTree
## What a call of a method or a property costs a script, headless: the median of several rounds,
## with the loop. The last line is JSON, in nanoseconds. After `--`: `--calls=N`, `--rounds=N`.

var _calls := 200000
var _rounds := 7


func _initialize() -> void:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--calls="):
			_calls = argument.to_int()
		elif argument.begins_with("--rounds="):
			_rounds = argument.to_int()
	_run.call_deferred()


func _run() -> void:
	var manager := FlowFieldManager.new()
	root.add_child(manager)
	var swarm := EnemySwarm.new()
	swarm.manager = manager
	swarm.auto_step = false
	root.add_child(swarm)
	var type := SwarmAgentType.new()
	var id := swarm.spawn(Vector2(50.0, 50.0))
	var timer := Timer.new()
	var report := {"benchmark": "calls"}
	var tasks: Dictionary[String, Callable] = {
		"engine_method": timer.get_time_left,
		"get_agent_position": swarm.get_agent_position.bind(id),
		"get_agent_count": swarm.get_agent_count,
		"get_cell": manager.get_cell.bind(Vector2.ONE),
		"read_property": type.get.bind(&"radius"),
		"write_property": type.set.bind(&"radius", 4.0),
	}
	for name: String in tasks:
		report[name] = _median(tasks[name])
	timer.free()
	print(JSON.stringify(report))
	quit()


func _median(task: Callable) -> float:
	var times: Array[float] = []
	for round in _rounds:
		var begin := Time.get_ticks_usec()
		for i in _calls:
			task.call()
		times.append(1000.0 * (Time.get_ticks_usec() - begin) / _calls)
	times.sort()
	return snappedf(times[_rounds / 2], 0.1)
