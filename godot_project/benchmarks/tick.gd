extends SceneTree
## Main-thread time of one tick for 10,000 agents in the lab's rooms at 60 Hz, headless.
## The last line is JSON. After `--`: `--agents=N`, `--ticks=N`, `--threads=N`,
## `--avoidance=N`: a SwarmAgentType.avoidance, AVOIDANCE_CONTACT unless it is given.

const WARM_UP := 120
const DELTA := 1.0 / 60.0
const AGENT_RADIUS := 5.0

var _manager: FlowFieldManager
var _swarm: EnemySwarm
var _spawner: LabSpawner
var _goal := 0


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var agents := _option("agents", 10000)
	var ticks := _option("ticks", 600)
	var avoidance := _option("avoidance", SwarmAgentType.AVOIDANCE_CONTACT)
	_build(_option("threads", 0), avoidance as SwarmAgentType.Avoidance)
	_spawner.scatter(agents, _goal)
	var step_times: Array[float] = []
	var call_times: Array[float] = []
	for tick in WARM_UP + ticks:
		# Those that have arrived are replaced outside of the measured time.
		_spawner.scatter(agents, _goal)
		var begin := Time.get_ticks_usec()
		_swarm.step(DELTA)
		var spent := (Time.get_ticks_usec() - begin) / 1000.0
		if tick >= WARM_UP:
			call_times.append(spent)
			step_times.append(_swarm.get_stats()["total_ms"] as float)
	print("avoidance %d" % avoidance)
	_report(agents, ticks, call_times, step_times)
	quit()


func _build(threads: int, avoidance: SwarmAgentType.Avoidance) -> void:
	var map := LabPresets.build(0, Lab.GRID_SIZE)
	_manager = FlowFieldManager.new()
	_manager.grid_size = map.size
	_manager.cell_size = 32.0
	_manager.worker_threads = threads
	var movement := FlowMovementType.new()
	movement.wall_penalty = Lab.WALL_PENALTY
	_manager.movement_types = [movement]
	_manager.set_terrain_bytes(map.cells)
	root.add_child(_manager)
	_goal = _manager.create_goal(PackedVector2Array([_manager.get_cell_center(map.goal)]))
	_manager.update()
	var type := SwarmAgentType.new()
	type.radius = AGENT_RADIUS
	type.max_speed = 110.0
	type.avoidance = avoidance
	_swarm = EnemySwarm.new()
	_swarm.manager = _manager
	_swarm.agent_types = [type]
	_swarm.auto_step = false
	_swarm.arrival_action = EnemySwarm.ARRIVAL_DESPAWN
	_swarm.custom_data_preset = EnemySwarm.CUSTOM_MOTION
	root.add_child(_swarm)
	_swarm.set_group_goal(0, _goal)
	_spawner = LabSpawner.new()
	_spawner.manager = _manager
	_spawner.swarm = _swarm
	_spawner.running = false
	_spawner.agent_radius = AGENT_RADIUS
	root.add_child(_spawner)


func _report(agents: int, ticks: int, call_times: Array[float], step_times: Array[float]) -> void:
	call_times.sort()
	step_times.sort()
	var median := call_times[ticks / 2]
	print(
		(
			"%d agents: %.3f ms per tick (median of %d; 95%% below %.3f), %.3f ms by get_stats"
			% [agents, median, ticks, call_times[ticks * 95 / 100], step_times[ticks / 2]]
		)
	)
	print(
		(
			JSON
			. stringify(
				{
					"benchmark": "tick",
					"agents": agents,
					"ticks": ticks,
					"cores": OS.get_processor_count(),
					"call_ms_median": snappedf(median, 0.001),
					"call_ms_p95": snappedf(call_times[ticks * 95 / 100], 0.001),
					"stats_ms_median": snappedf(step_times[ticks / 2], 0.001),
				}
			)
		)
	)


func _option(name: String, fallback: int) -> int:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--%s=" % name):
			return argument.get_slice("=", 1).to_int()
	return fallback
