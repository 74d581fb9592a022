extends RefCounted
## The crowd as NavigationServer2D moves it: one avoidance agent each, without nodes.
##
## The script does what every game has to: it tells the server where each agent is and how it would
## like to move, and moves it by the velocity that the server calls back with.

const Crowd := preload("res://benchmarks/avoidance/crowd.gd")

var positions := PackedVector2Array()
## What of each tick was this script's own work, in milliseconds: to tell, to be called and to move.
var script_times := PackedFloat64Array()

var _tree: SceneTree
var _targets := PackedVector2Array()
var _map: RID
var _agents: Array[RID] = []
var _calls := 0
var _first_call := 0
var _last_call := 0


func _init(crowd: Crowd, tree: SceneTree) -> void:
	_tree = tree
	positions = crowd.starts.duplicate()
	_targets = crowd.targets
	_map = NavigationServer2D.map_create()
	for index in positions.size():
		_agents.append(_new_agent(index))


## Lets the engine run one tick and returns how long that took, in milliseconds.
func tick() -> float:
	NavigationServer2D.map_set_active(_map, true)
	await _tree.physics_frame
	var begin := Time.get_ticks_usec()
	_calls = 0
	_tell()
	var told := Time.get_ticks_usec()
	await _tree.process_frame
	var end := Time.get_ticks_usec()
	NavigationServer2D.map_set_active(_map, false)
	if _calls != positions.size():
		push_error("the server called back for %d of %d agents" % [_calls, positions.size()])
	script_times.append((told - begin + _last_call - _first_call) / 1000.0)
	return (end - begin) / 1000.0


func get_positions() -> PackedVector2Array:
	return positions


func free_all() -> void:
	for agent in _agents:
		NavigationServer2D.free_rid(agent)
	NavigationServer2D.free_rid(_map)


## Tells the server where all agents are and how they would like to move.
func _tell() -> void:
	for index in positions.size():
		var agent := _agents[index]
		var place := positions[index]
		var way := _targets[index] - place
		# No agent runs past the target.
		var wish := way.limit_length(Crowd.MAX_SPEED * Crowd.DELTA) / Crowd.DELTA
		NavigationServer2D.agent_set_position(agent, place)
		NavigationServer2D.agent_set_velocity(agent, wish)


func _new_agent(index: int) -> RID:
	var agent := NavigationServer2D.agent_create()
	NavigationServer2D.agent_set_map(agent, _map)
	NavigationServer2D.agent_set_avoidance_enabled(agent, true)
	NavigationServer2D.agent_set_position(agent, positions[index])
	NavigationServer2D.agent_set_radius(agent, Crowd.RADIUS)
	NavigationServer2D.agent_set_max_speed(agent, Crowd.MAX_SPEED)
	NavigationServer2D.agent_set_neighbor_distance(agent, Crowd.NEIGHBOUR_RADIUS)
	NavigationServer2D.agent_set_max_neighbors(agent, Crowd.MAX_NEIGHBOURS)
	NavigationServer2D.agent_set_time_horizon_agents(agent, Crowd.TIME_HORIZON)
	NavigationServer2D.agent_set_avoidance_callback(agent, _move.bind(index))
	return agent


func _move(velocity: Vector2, index: int) -> void:
	positions[index] += velocity * Crowd.DELTA
	# The clock is read at the first and the last call only: it costs as much as the rest.
	_calls += 1
	if _calls == 1:
		_first_call = Time.get_ticks_usec()
	elif _calls == positions.size():
		_last_call = Time.get_ticks_usec()
