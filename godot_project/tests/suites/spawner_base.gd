extends "res://tests/test_suite.gd"
## What the suites of spawners share.

const TICKS := 60

var manager: FlowFieldManager
var swarm: EnemySwarm
## How many agents there were after each tick.
var counts: PackedInt32Array = []
var events: Array[String] = []


func _set_up(size := Vector2i(20, 20)) -> void:
	manager = new_manager(size, 10.0)
	swarm = new_swarm(manager)


func _new_spawner() -> SwarmSpawner2D:
	var spawner := SwarmSpawner2D.new()
	spawner.position = Vector2(105, 105)
	events.clear()
	spawner.wave_started.connect(func(wave: int) -> void: events.append("start %d" % wave))
	spawner.wave_finished.connect(func(wave: int) -> void: events.append("end %d" % wave))
	spawner.finished.connect(func() -> void: events.append("finished"))
	return spawner


## Adds a spawner, unless it is there, and lets it run for some ticks.
func _run(spawner: Node, ticks: int) -> void:
	if not spawner.is_inside_tree():
		await physics_frames(1)
		scene.add_child(spawner)
	counts.clear()
	for i in ticks:
		await physics_frames(1)
		counts.append(swarm.get_agent_count())


func _wave(count: int, delay: float, interval: float) -> SwarmWave:
	var wave := SwarmWave.new()
	wave.count = count
	wave.delay = delay
	wave.interval = interval
	return wave
