class_name RtsOrders
extends RefCounted
## Orders: units that are sent to a target become a group with one tiled goal. Groups without units
## are released, with their goals.

## Units without orders are in this group, which has no goal.
const NO_ORDERS := 0
const LAST_GROUP := 255
## Units crowd around the target.
const NO_FORMATION := -1

var manager: FlowFieldManager
var swarm: EnemySwarm
var units: RtsUnits
## The formation of EnemySwarm that units take up at a single target, or NO_FORMATION.
var formation := NO_FORMATION
## The number of orders since the start.
var count := 0

## The goal of each group in use, in the order of the orders.
var _goals: Dictionary[int, int] = {}
## The number of units in each group in use.
var _sizes: Dictionary[int, int] = {}
## The group of each unit that has orders.
var _group_of: Dictionary[int, int] = {}


## Sends units to the targets, each to the one that is cheapest to reach. Units that can reach no
## target go to the nearest position to the first one that they can reach. Returns the targets of
## all units.
func send(ids: PackedInt64Array, targets: PackedVector2Array) -> PackedVector2Array:
	var ends := PackedVector2Array()
	var parties := _parties(ids, targets)
	count += 1
	for where: PackedVector2Array in parties:
		var goal := manager.create_goal(where, FlowFieldManager.TILED)
		if goal == 0:
			continue
		var members: PackedInt64Array = parties[where]
		var group := _free_group()
		_goals[group] = goal
		swarm.set_group_goal(group, goal)
		_put(members, group)
		if formation != NO_FORMATION and where.size() == 1:
			swarm.form_up(members, where[0], formation)
		ends.append_array(where)
	return ends


## Makes units stop where they are.
func halt(ids: PackedInt64Array) -> void:
	_put(ids, NO_ORDERS)


## The number of groups with a goal.
func get_group_count() -> int:
	return _goals.size()


## The goal of a unit; 0 if it has no orders.
func get_goal_of(id: int) -> int:
	return _goals.get(_group_of.get(id, NO_ORDERS), 0) as int


## Moves units to a group, and releases the groups that have become empty.
func _put(ids: PackedInt64Array, group: int) -> void:
	swarm.clear_agent_targets(ids)
	swarm.set_agent_group(ids, group)
	_sizes[group] = _sizes.get(group, 0) as int + ids.size()
	for id: int in ids:
		var before: int = _group_of.get(id, NO_ORDERS)
		_group_of[id] = group
		_sizes[before] = _sizes.get(before, 0) as int - 1
		if before != NO_ORDERS and _sizes[before] == 0:
			_give_back(before)


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
	for id: int in ids:
		var kind := units.kind_of[id]
		var island := manager.get_island(swarm.get_agent_position(id), kind)
		var key := Vector2i(kind, island)
		if not together.has(key):
			together[key] = PackedInt64Array()
		together[key].append(id)
	return together


func _destinations(id: int, targets: PackedVector2Array) -> PackedVector2Array:
	var place := swarm.get_agent_position(id)
	var kind := units.kind_of[id]
	if manager.get_island(place, kind) < 0:
		# It stands where it does not fit, and is led out of there.
		return targets
	for target: Vector2 in targets:
		if manager.is_reachable(place, target, kind):
			return targets
	return PackedVector2Array([manager.get_nearest_reachable(place, targets[0], kind)])


func _free_group() -> int:
	for group in range(NO_ORDERS + 1, LAST_GROUP + 1):
		if not _goals.has(group):
			return group
	# All groups are in use: the units with the oldest order stop.
	var oldest: int = _goals.keys()[0]
	var members := PackedInt64Array()
	for id: int in _group_of:
		if _group_of[id] == oldest:
			members.append(id)
	halt(members)
	return oldest


func _give_back(group: int) -> void:
	swarm.set_group_goal(group, 0)
	manager.release_goal(_goals[group])
	_goals.erase(group)
	_sizes.erase(group)
