@tool
extends RefCounted
## The agents of a spawner that are still alive. Corpses are not.

## The most agents that are looked at in a tick.
const LOOKS := 128

var ids: PackedInt64Array = []

var _next := 0


func is_empty() -> bool:
	return ids.is_empty()


## Removes those that are gone, of some of the agents in each call: with more, the count falls some
## ticks late.
func sweep(swarm: EnemySwarm) -> void:
	if ids.is_empty():
		return
	var corpses := swarm.get_corpses()
	for i in mini(LOOKS, ids.size()):
		if _next >= ids.size():
			_next = 0
		var id := ids[_next]
		if swarm.has_agent(id) and not corpses.has(id):
			_next += 1
		else:
			_remove(_next)


## Removes all those that are gone.
func sweep_all(swarm: EnemySwarm) -> void:
	var corpses := swarm.get_corpses()
	for i in range(ids.size() - 1, -1, -1):
		if not swarm.has_agent(ids[i]) or corpses.has(ids[i]):
			_remove(i)


func _remove(at: int) -> void:
	var last := ids.size() - 1
	ids[at] = ids[last]
	ids.resize(last)
