class_name SiegeClimbers
extends RefCounted
## The agents on ladders: those on their way over the link of one, which play the clip of climbing.

var _swarm: EnemySwarm
var _ladders: Array[SiegeLadder]
var _climbing: Dictionary[int, bool] = {}


func _init(swarm: EnemySwarm, ladders: Array[SiegeLadder]) -> void:
	_swarm = swarm
	_ladders = ladders


## Looks which agents travel now. Returns those that have left a ladder since the last call.
func follow() -> PackedInt64Array:
	var now: Dictionary[int, bool] = {}
	var begun := PackedInt64Array()
	for id in _swarm.get_travelling_agents():
		# The ends of the bridge are links too.
		if _climbing.has(id) or _ladder_at(_swarm.get_agent_position(id)) != null:
			now[id] = true
			if not _climbing.has(id):
				begun.append(id)
	if not begun.is_empty():
		_swarm.play_clip(begun, "climb", false)
	var ended := PackedInt64Array()
	for id in _climbing:
		if not now.has(id):
			ended.append(id)
	_climbing = now
	if not ended.is_empty():
		_swarm.stop_clip(ended)
	return ended


func remove(ids: PackedInt64Array) -> void:
	for id in ids:
		_climbing.erase(id)


func clear() -> void:
	_climbing.clear()


func _ladder_at(place: Vector2) -> SiegeLadder:
	for ladder in _ladders:
		if ladder.leads_over(place):
			return ladder
	return null
