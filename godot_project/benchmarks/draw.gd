extends SceneTree
## What drawing 250,000 agents takes on the main thread, option by option, headless: `pack_ms` of
## get_stats(), which is choosing, ordering and packing, and `upload_ms`. Options take turns.
## The last line is JSON. After `--`: `--agents=N`, `--rounds=N`, `--threads=N`, `--plain`.

const DELTA := 1.0 / 60.0

var _swarm: EnemySwarm
var _side := 0.0


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var agents := _option("agents", 250000)
	_build(agents, _option("threads", 1))
	var options := _options()
	if OS.get_cmdline_user_args().has("--plain"):
		options = {"plain": {}}
	var packs := {}
	var uploads := {}
	for name: String in options:
		packs[name] = []
		uploads[name] = []
	for round_number in _option("rounds", 15):
		for name: String in options:
			_set_up(options[name] as Dictionary)
			# The first makes the MultiMesh, the last is counted.
			for i in 3:
				_swarm.step(0.0)
				if (options[name] as Dictionary).has(&"interpolate"):
					_swarm.call(&"draw_agents", 0.5)
			var stats := _swarm.get_stats()
			(packs[name] as Array).append(stats["pack_ms"])
			(uploads[name] as Array).append(stats["upload_ms"])
	var figures := {}
	for name: String in options:
		var pack := _median(packs[name] as Array)
		var upload := _median(uploads[name] as Array)
		print(
			(
				"%-24s pack %6.2f ms, %5.2f ns per agent; upload %6.2f ms"
				% [name, pack, pack * 1e6 / agents, upload]
			)
		)
		figures[name] = {"pack_ms": snappedf(pack, 0.001), "upload_ms": snappedf(upload, 0.001)}
	print(JSON.stringify({"benchmark": "draw", "agents": agents, "options": figures}))
	quit()


func _options() -> Dictionary:
	var tenth := Rect2(Vector2(0.3, 0.3) * _side, Vector2.ONE * sqrt(0.1) * _side)
	return {
		"plain": {},
		"group colours": {&"group_colors": PackedColorArray([Color.RED])},
		"MOTION": {&"custom_data_preset": 1},
		"SPRITE": {&"custom_data_preset": 2},
		"VERTICES": {&"custom_data_preset": 3},
		"USER": {&"custom_data_preset": 4},
		"a tenth in view": {&"view_rect": tenth},
		"y_sort": {&"y_sort": true},
		"y_sort, a tenth in view": {&"y_sort": true, &"view_rect": tenth},
		"interpolate": {&"interpolate": true},
	}


func _set_up(option: Dictionary) -> void:
	for other: Dictionary in _options().values():
		for property: StringName in other:
			if not option.has(property):
				_swarm.set(property, _nothing(other[property]))
	for property: StringName in option:
		_swarm.set(property, option[property])
	var before := _swarm.output
	var output := MultiMeshInstance2D.new()
	root.add_child(output)
	_swarm.output = output
	if before != null:
		before.free()


func _nothing(value: Variant) -> Variant:
	return type_convert(null, typeof(value))


func _build(agents: int, threads: int) -> void:
	_side = sqrt(agents * 100.0)
	var cells := ceili(_side / 16.0) + 1
	var manager := FlowFieldManager.new()
	manager.grid_size = Vector2i(cells, cells)
	manager.cell_size = 16.0
	manager.worker_threads = threads
	root.add_child(manager)
	_swarm = EnemySwarm.new()
	_swarm.manager = manager
	_swarm.auto_step = false
	if _swarm.get(&"interpolate") != null:
		# Steps keep what these need only if told so.
		_swarm.set(&"interpolate", true)
		_swarm.custom_data_preset = EnemySwarm.CUSTOM_SPRITE
	root.add_child(_swarm)
	var corner := manager.get_cell_center(Vector2i(cells - 1, cells - 1))
	_swarm.set_group_goal(0, manager.create_goal(PackedVector2Array([corner])))
	var random := RandomNumberGenerator.new()
	random.seed = 1
	var places := PackedVector2Array()
	for i in agents:
		places.append(Vector2(random.randf(), random.randf()) * _side)
	_swarm.spawn_many(places)
	for i in 5:
		_swarm.step(DELTA)


func _median(values: Array) -> float:
	values.sort()
	return values[values.size() / 2]


func _option(name: String, fallback: int) -> int:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--%s=" % name):
			return argument.get_slice("=", 1).to_int()
	return fallback
