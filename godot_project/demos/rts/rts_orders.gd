class_name RtsOrders
extends RefCounted
## Orders: whoever is sent somewhere becomes a group of its own, with one tiled goal. Groups that
## nobody is in any more are given back with their goals.

## Units without orders are in this group, which has no goal.
const NO_ORDERS := 0
const LAST_GROUP := 255
## They crowd around the place.
const NO_FORMATION := -1

var manager: FlowFieldManager
var swarm: EnemySwarm
var units: RtsUnits
## How those that are sent to one place stand there: a formation of EnemySwarm, or NO_FORMATION.
var formation := NO_FORMATION
## Orders since the start.
var count := 0

## The goal of each group in use, the oldest order first.
var _goals: Dictionary[int, int] = {}
## How many units are in each group in use.
var _sizes: Dictionary[int, int] = {}
## The group of each unit that has orders.
var _group_of: Dictionary[int, int] = {}


## Sends units to whichever of several targets is cheapest to reach. Those that can reach none go as
## near to the first as they can. Returns where all of them will end up.
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


## Has units stop where they are.
func halt(ids: PackedInt64Array) -> void:
	_put(ids, NO_ORDERS)


## How many orders are being carried out, or have been.
func get_group_count() -> int:
	return _goals.size()


## The goal that a unit goes to; 0 if it has no orders.
func get_goal_of(id: int) -> int:
	return _goals.get(_group_of.get(id, NO_ORDERS), 0) as int


## Puts units into a group, and gives those back that nobody is in any more.
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


## Who goes together: units by where they can go.
func _parties(ids: PackedInt64Array, targets: PackedVector2Array) -> Dictionary:
	var parties := {}
	for starters: PackedInt64Array in _by_island(ids).values():
		var where := _destinations(starters[0], targets)
		var party: PackedInt64Array = parties.get(where, PackedInt64Array())
		party.append_array(starters)
		parties[where] = party
	return parties


## Units of the same kind on the same island: what one of them can reach, all can.
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
		# It stands where it does not fit, and will be led out.
		return targets
	for target: Vector2 in targets:
		if manager.is_reachable(place, target, kind):
			return targets
	return PackedVector2Array([manager.get_nearest_reachable(place, targets[0], kind)])


func _free_group() -> int:
	for group in range(NO_ORDERS + 1, LAST_GROUP + 1):
		if not _goals.has(group):
			return group
	# All are taken: whoever carries out the oldest order stops.
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
