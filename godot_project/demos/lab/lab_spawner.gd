class_name LabSpawner
extends Node
## Keeps up the number of agents: they are added around the start at a steady rate until there are
## enough.

## The share of the start area that agents may cover. When it is reached, spawning waits.
const FULLEST := 0.85

var manager: FlowFieldManager
var swarm: EnemySwarm
var running := true
## The centre of the area in which agents are added.
var start := Vector2.ZERO
var spawn_radius := 72.0
var agents_per_second := 120.0
var agent_radius := 5.0
## The greatest number of living agents.
var population := 4000:
	set(value):
		population = value
		_trim()

var _owed := 0.0
var _random := RandomNumberGenerator.new()


func _ready() -> void:
	_random.seed = 7


func _physics_process(delta: float) -> void:
	if not running:
		return
	_owed = minf(_owed + agents_per_second * delta, agents_per_second)
	var wanted := mini(int(_owed), population - swarm.get_agent_count())
	if wanted <= 0:
		return
	_owed -= wanted
	var places := _free_places_near_start(wanted)
	if not places.is_empty():
		swarm.spawn_many(places)


## Adds agents on random cells from which the goal can be reached, up to [param total] agents.
func scatter(total: int, goal: int) -> void:
	var costs := manager.get_integration(goal)
	var width := manager.grid_size.x
	var open := PackedInt32Array()
	for i in costs.size():
		if costs[i] > 0.0 and costs[i] < INF:
			open.append(i)
	var places := PackedVector2Array()
	if open.is_empty():
		return
	for n in total - swarm.get_agent_count():
		var index := open[_random.randi_range(0, open.size() - 1)]
		var center := manager.get_cell_center(Vector2i(index % width, index / width))
		places.append(center + _in_cell())
	if not places.is_empty():
		swarm.spawn_many(places)


func _free_places_near_start(wanted: int) -> PackedVector2Array:
	var room := spawn_radius * spawn_radius / (agent_radius * agent_radius) * FULLEST
	var crowd := swarm.query_circle(start, spawn_radius).size()
	var places := PackedVector2Array()
	for n in mini(wanted, int(room) - crowd):
		var angle := _random.randf() * TAU
		var reach := spawn_radius * sqrt(_random.randf())
		var place := start + Vector2.from_angle(angle) * reach
		var cell := manager.get_cell(place)
		if manager.is_in_grid(cell) and manager.get_terrain_at(cell) != LabPresets.WALL:
			places.append(place)
	return places


func _in_cell() -> Vector2:
	var reach := manager.cell_size * 0.5 - agent_radius
	return Vector2(_random.randf_range(-reach, reach), _random.randf_range(-reach, reach))


func _trim() -> void:
	if swarm == null:
		return
	var surplus := swarm.get_agent_count() - population
	if surplus > 0:
		swarm.despawn(swarm.get_ids().slice(0, surplus))
