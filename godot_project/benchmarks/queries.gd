extends SceneTree
## What queries for agents cost a script, headless: medians over ticks of a crowd that marches, the
## first query after a step included. The last line is JSON, in milliseconds. After `--`:
## `--agents=N`, `--ticks=N`, `--threads=N`.

const MAP := 256
const DELTA := 1.0 / 60.0

var _manager: FlowFieldManager
var _swarm: EnemySwarm
var _other: EnemySwarm
var _times: Dictionary[String, Array] = {}


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var agents := _option("agents", 10000)
	var ticks := _option("ticks", 60)
	_manager = FlowFieldManager.new()
	_manager.grid_size = Vector2i(MAP, MAP)
	_manager.worker_threads = _option("threads", 0)
	root.add_child(_manager)
	var goal := _manager.create_goal(PackedVector2Array([Vector2(4000.0, 2048.0)]))
	_swarm = _new_swarm(goal, agents, 1)
	_other = _new_swarm(goal, 5000, 2)
	var towers := PackedVector2Array()
	for i in 50:
		towers.append(Vector2(400.0 + 65.0 * i, 1600.0 + 300.0 * (i % 4)))
	var by_cost := SwarmQuery.new()
	by_cost.order = SwarmQuery.ORDER_COST_TO_GOAL
	for tick in ticks + 10:
		if tick == 10:
			_times.clear()
		_manager.update()
		_other.step(DELTA)
		var of_others := _other.get_positions()
		_measure("step", func() -> void: _swarm.step(DELTA))
		_measure("first_query", func() -> void: _swarm.query_circle(Vector2.ZERO, 1.0))
		_swarm.step(DELTA)
		var of_some := of_others.slice(0, 500)
		_measure("search_500", func() -> void: _swarm.query_nearest_many(of_some, 200.0))
		_swarm.step(DELTA)
		_measure("search_500_by_one", func() -> void: _search_each(of_some))
		_swarm.step(DELTA)
		_measure("search_5000", func() -> void: _swarm.query_nearest_many(of_others, 200.0))
		_swarm.step(DELTA)
		_measure("towers_50", func() -> void: _swarm.query_nearest_many(towers, 200.0, by_cost))
		_swarm.step(DELTA)
		_measure("spheres_500", func() -> void: _spheres(of_some))
		_measure("rays_500", func() -> void: _rays(of_some, 60.0))
		_measure("long_rays_500", func() -> void: _rays(of_some, 1000.0))
	var report := {"benchmark": "queries", "agents": agents}
	for name: String in _times:
		_times[name].sort()
		report[name] = snappedf(_times[name][_times[name].size() / 2] as float, 0.001)
	print(JSON.stringify(report))
	quit()


func _new_swarm(goal: int, count: int, random_seed: int) -> EnemySwarm:
	var swarm := EnemySwarm.new()
	swarm.manager = _manager
	swarm.auto_step = false
	root.add_child(swarm)
	swarm.set_group_goal(0, goal)
	var random := RandomNumberGenerator.new()
	random.seed = random_seed
	var places := PackedVector2Array()
	for i in count:
		places.append(Vector2(random.randf(), random.randf()) * 16.0 * MAP * 0.9)
	swarm.spawn_many(places)
	return swarm


func _search_each(positions: PackedVector2Array) -> void:
	for position in positions:
		_swarm.query_nearest(position, 200.0)


## Spheres as those of 3 m among agents 0.8 m wide.
func _spheres(positions: PackedVector2Array) -> void:
	for position in positions:
		_swarm.query_sphere(Vector3(position.x, 4.0, position.y), 30.0)


## Shots from eye level to the ground.
func _rays(positions: PackedVector2Array, length: float) -> void:
	for position in positions:
		var from := Vector3(position.x, 16.0, position.y)
		_swarm.query_ray(from, from + Vector3(length, -16.0, 0.3 * length))


func _measure(what: String, task: Callable) -> void:
	var begin := Time.get_ticks_usec()
	task.call()
	var times: Array = _times.get_or_add(what, [])
	times.append(0.001 * (Time.get_ticks_usec() - begin))


func _option(option: String, default: int) -> int:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--%s=" % option):
			return argument.get_slice("=", 1).to_int()
	return default
