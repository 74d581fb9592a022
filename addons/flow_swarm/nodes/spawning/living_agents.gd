@tool
extends RefCounted
## The agents of a spawner that are still alive. Corpses are not.

## The most agents that are looked at in a tick.
const LOOKS := 512

var ids: PackedInt64Array = []

var _next := 0


func is_empty() -> bool:
	return ids.is_empty()


## Removes those that are gone, of some hundred agents in each call: with more, the count falls some
## ticks late.
func sweep(swarm: EnemySwarm) -> void:
	for i in mini(LOOKS, ids.size()):
		if _next >= ids.size():
			_next = 0
		if _is_alive(swarm, ids[_next]):
			_next += 1
		else:
			_remove(_next)


## Removes all those that are gone.
func sweep_all(swarm: EnemySwarm) -> void:
	for i in range(ids.size() - 1, -1, -1):
		if not _is_alive(swarm, ids[i]):
			_remove(i)


func _remove(at: int) -> void:
	var last := ids.size() - 1
	ids[at] = ids[last]
	ids.resize(last)


static func _is_alive(swarm: EnemySwarm, id: int) -> bool:
	return swarm.has_agent(id) and swarm.get_agent_state(id) != EnemySwarm.AGENT_CORPSE
