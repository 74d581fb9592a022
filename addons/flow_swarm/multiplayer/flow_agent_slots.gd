class_name FlowAgentSlots
extends RefCounted
## Names agents by their slots, for orders that are sent to other machines.
##
## The ids of one agent may differ between machines that have loaded states, in their lower halves;
## the slots, which are the upper halves, are the same.


## The slots of agents, one for each id.
static func of(ids: PackedInt64Array) -> PackedInt32Array:
	var slots := PackedInt32Array()
	slots.resize(ids.size())
	for i in ids.size():
		slots[i] = ids[i] >> 32
	return slots


## The ids of the agents of a swarm in these slots, in the order of the slots. Slots without an
## agent are left out, as orders are carried out later than they are given. The time grows with the
## agents of the swarm.
static func find(swarm: EnemySwarm, slots: PackedInt32Array) -> PackedInt64Array:
	var by_slot: Dictionary[int, int] = {}
	for id: int in swarm.get_ids():
		by_slot[id >> 32] = id
	var ids := PackedInt64Array()
	for slot: int in slots:
		if by_slot.has(slot):
			ids.append(by_slot[slot])
	return ids
