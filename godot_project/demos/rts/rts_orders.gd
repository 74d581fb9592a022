class_name RtsOrders
extends RefCounted
## Orders: units are sent to targets. The swarm keeps a goal for as long as units go there.

## Units crowd around the target.
const NO_FORMATION := -1

var manager: FlowFieldManager
var swarm: EnemySwarm
## The formation of EnemySwarm in which units go to a single target, or NO_FORMATION.
var formation := NO_FORMATION
## The number of orders since the start.
var count := 0


## Sends units to the targets, each to the one that is cheapest to reach. Units that can reach no
## target go to the nearest position to the first one that they can reach. Returns the targets of
## all units.
func send(ids: PackedInt64Array, targets: PackedVector2Array) -> PackedVector2Array:
	var ends := PackedVector2Array()
	var parties := _parties(ids, targets)
	count += 1
	for where: PackedVector2Array in parties:
		var members: PackedInt64Array = parties[where]
		var mode := FlowFieldManager.GOAL_MODE_TILED
		if formation != NO_FORMATION and where.size() == 1:
			swarm.send_in_formation(members, where[0], formation, Vector2.ZERO, 0.0, mode)
		else:
			swarm.send_agents(members, where, mode)
		ends.append_array(where)
	return ends


## Makes units stop where they are.
func halt(ids: PackedInt64Array) -> void:
	swarm.clear_agent_targets(ids)
	swarm.set_agent_goal(ids, 0)


## The goal of a unit; 0 if it has no orders.
func get_goal_of(id: int) -> int:
	return swarm.get_agent_goal(id)


## The units by the targets that they can reach.
func _parties(ids: PackedInt64Array, targets: PackedVector2Array) -> Dictionary:
	var parties := {}
	for starters: PackedInt64Array in _by_island(ids).values():
		var where := _destinations(starters[0], targets)
		var party: PackedInt64Array = parties.get(where, PackedInt64Array())
		party.append_array(starters)
		parties[where] = party
	return parties


## The units by kind and island: what one of them can reach, all can.
func _by_island(ids: PackedInt64Array) -> Dictionary[Vector2i, PackedInt64Array]:
	var together: Dictionary[Vector2i, PackedInt64Array] = {}
	var places := swarm.get_positions_of(ids)
	for i in ids.size():
		var kind := RtsUnits.kind_of(swarm.get_agent_type(ids[i]))
		var key := Vector2i(kind, manager.get_island(places[i], kind))
		if not together.has(key):
			together[key] = PackedInt64Array()
		together[key].append(ids[i])
	return together


func _destinations(id: int, targets: PackedVector2Array) -> PackedVector2Array:
	var place := swarm.get_agent_position(id)
	var kind := RtsUnits.kind_of(swarm.get_agent_type(id))
	if manager.get_island(place, kind) < 0:
		# It stands where it does not fit, and is led out of there.
		return targets
	for target: Vector2 in targets:
		if manager.is_reachable(place, target, kind):
			return targets
	return PackedVector2Array([manager.get_nearest_reachable(place, targets[0], kind)])
