extends RefCounted
## The crowd as an EnemySwarm moves it: a target of its own for each agent, and nothing but open
## ground. It also packs and uploads what is to be drawn, which the server's crowd need not.

const Crowd := preload("res://benchmarks/avoidance/crowd.gd")
## Ground around the crowd, so that no agent comes near the map's edge.
const MARGIN := 20.0

var _manager := FlowFieldManager.new()
var _swarm := EnemySwarm.new()
var _ids := PackedInt64Array()


func _init(crowd: Crowd, avoidance: SwarmAgentType.Avoidance, parent: Node) -> void:
	_manager.cell_size = 1.0
	_manager.grid_size = Vector2i.ONE * ceili(crowd.side + 2.0 * MARGIN)
	_manager.origin = -Vector2.ONE * MARGIN
	parent.add_child(_manager)
	_manager.set_physics_process(false)
	var type := SwarmAgentType.new()
	type.radius = Crowd.RADIUS
	type.max_speed = Crowd.MAX_SPEED
	# The server knows no inertia.
	type.acceleration = 1000.0
	type.avoidance = avoidance
	type.neighbour_radius = Crowd.NEIGHBOUR_RADIUS
	type.max_neighbours = Crowd.MAX_NEIGHBOURS
	type.time_horizon = Crowd.TIME_HORIZON
	_swarm.manager = _manager
	_swarm.agent_types = [type]
	_swarm.auto_step = false
	parent.add_child(_swarm)
	_ids = _swarm.spawn_many(crowd.starts)
	_swarm.set_agent_targets(_ids, crowd.targets)


## Moves all agents and returns how long that took, in milliseconds.
func tick() -> float:
	var begin := Time.get_ticks_usec()
	_swarm.step(Crowd.DELTA)
	return (Time.get_ticks_usec() - begin) / 1000.0


## The positions in the order of the crowd's starts.
func get_positions() -> PackedVector2Array:
	var positions := _swarm.get_positions()
	var ids := _swarm.get_ids()
	if ids == _ids:
		return positions
	var places: Dictionary[int, Vector2] = {}
	for index in ids.size():
		places[ids[index]] = positions[index]
	var ordered := PackedVector2Array()
	for id in _ids:
		ordered.append(places[id])
	return ordered


func free_all() -> void:
	_swarm.free()
	_manager.free()
