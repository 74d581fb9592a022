extends Node
## Writes down what happens in a game whose scene has no script, and ends it once enough agents have
## arrived: how many of each type have been spawned, walked and arrived.

const REPORT := "res://report.json"
## When the game ends at the latest, in seconds.
const LIMIT := 60.0
const ENOUGH := 18

var _time := 0.0
var _types: Dictionary[int, int] = {}
var _starts: Dictionary[int, Vector2] = {}
var _farthest := 0.0
var _arrived: Dictionary[int, bool] = {}
var _most_at_once := 0
var _crossed_walls := 0


func _physics_process(delta: float) -> void:
	_time += delta
	var swarms := get_tree().root.find_children("*", "EnemySwarm", true, false)
	if swarms.is_empty():
		return
	var swarm := swarms[0] as EnemySwarm
	if not swarm.agents_arrived.is_connected(_on_agents_arrived):
		swarm.agents_arrived.connect(_on_agents_arrived)
	var ids := swarm.get_ids()
	var places := swarm.get_positions()
	var types := swarm.get_types()
	_most_at_once = maxi(_most_at_once, ids.size())
	for i in ids.size():
		if not _starts.has(ids[i]):
			_starts[ids[i]] = places[i]
			_types[types[i]] = _types.get(types[i], 0) + 1
		_farthest = maxf(_farthest, places[i].distance_to(_starts[ids[i]]))
		if swarm.manager.get_cost(swarm.manager.get_cell(places[i])) == 255:
			_crossed_walls += 1
	if _arrived.size() >= ENOUGH or _time > LIMIT:
		_report(swarm)


func _on_agents_arrived(ids: PackedInt64Array) -> void:
	for id in ids:
		_arrived[id] = true


func _report(swarm: EnemySwarm) -> void:
	var arrived_types: Dictionary[int, int] = {}
	var ids := swarm.get_ids()
	var types := swarm.get_types()
	for i in ids.size():
		if _arrived.has(ids[i]):
			arrived_types[types[i]] = arrived_types.get(types[i], 0) + 1
	var report := {
		"seconds": _time,
		"spawned": _types,
		"arrived": arrived_types,
		"farthest": _farthest,
		"most_at_once": _most_at_once,
		"in_walls": _crossed_walls,
	}
	get_viewport().get_texture().get_image().save_png("res://game.png")
	var file := FileAccess.open(REPORT, FileAccess.WRITE)
	file.store_string(JSON.stringify(report))
	file.close()
	get_tree().quit()
