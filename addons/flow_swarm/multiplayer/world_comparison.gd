extends RefCounted
## Names the first thing in which two states of a world differ.
##
## The states are loaded into copies of the manager and its swarms, which are then compared by what
## their methods return.

const WorldBytes := preload("world_bytes.gd")

## What is compared of single agents, in this order: its name, and the method that returns it.
const OF_AGENTS: Array[Array] = [
	["position", &"get_positions"],
	["velocity", &"get_velocities"],
	["layer", &"get_layers"],
	["type", &"get_types"],
	["group", &"get_agent_groups"],
	["state", &"get_states"],
	["status", &"get_statuses"],
	["heading", &"get_headings"],
]


## Describes the first difference, such as [code]swarm 0 (Army): the position of the agent in slot
## 12 is (3, 4) there and (3, 5) here[/code]. Empty if the states are the same.
static func find_first(
	manager: FlowFieldManager,
	swarms: Array[EnemySwarm],
	here: PackedByteArray,
	there: PackedByteArray
) -> String:
	var parts_here := WorldBytes.split(here)
	var parts_there := WorldBytes.split(there)
	var expected := swarms.size() + 2
	if parts_here.size() != expected or parts_there.size() != expected:
		return "one of the states is incomplete"
	var managers: Array[FlowFieldManager] = []
	for parts: Array[PackedByteArray] in [parts_here, parts_there]:
		managers.append(_copy_manager(manager, parts[0]))
	var found := _compare_worlds(managers[0], managers[1])
	for i in swarms.size():
		if found == "":
			var one := _copy_swarm(swarms[i], managers[0], parts_here[i + 1])
			var other := _copy_swarm(swarms[i], managers[1], parts_there[i + 1])
			found = _compare_swarms(one, other)
			if found != "":
				found = "swarm %d (%s): %s" % [i, swarms[i].name, found]
			one.free()
			other.free()
	for copy: FlowFieldManager in managers:
		copy.free()
	if found == "" and parts_here[-1] != parts_there[-1]:
		found = (
			"the game's own state differs first at byte %d"
			% _first_difference(parts_here[-1], parts_there[-1])
		)
	return found


static func _copy_manager(manager: FlowFieldManager, bytes: PackedByteArray) -> FlowFieldManager:
	var copy := manager.duplicate(0) as FlowFieldManager
	for child: Node in copy.get_children():
		child.free()
	copy.load_state(bytes)
	return copy


static func _copy_swarm(
	swarm: EnemySwarm, manager: FlowFieldManager, bytes: PackedByteArray
) -> EnemySwarm:
	var copy := swarm.duplicate(0) as EnemySwarm
	for child: Node in copy.get_children():
		child.free()
	copy.output = null
	copy.manager = manager
	copy.load_state(bytes)
	return copy


static func _compare_worlds(here: FlowFieldManager, there: FlowFieldManager) -> String:
	for layer in here.layer_count:
		var one := here.get_terrain_bytes(layer)
		var other := there.get_terrain_bytes(layer)
		var at := _first_difference(one, other)
		if at >= 0:
			var cell := Vector2i(at % here.grid_size.x, at / here.grid_size.x)
			return (
				"manager: the terrain of cell %s on layer %d is %d there and %d here"
				% [cell, layer, other[at], one[at]]
			)
	for list: Array in [
		["stamp", here.get_stamps(), there.get_stamps()],
		["link", here.get_links(), there.get_links()],
		["cost overlay", here.get_cost_overlays(), there.get_cost_overlays()],
		["goal", here.get_goals(), there.get_goals()],
	]:
		var found := _compare_ids(list[1] as PackedInt64Array, list[2] as PackedInt64Array)
		if found != "":
			return "manager: the %s %s" % [list[0], found]
	for goal: int in here.get_goals():
		var one := here.get_goal_targets(goal)
		var other := there.get_goal_targets(goal)
		if one != other:
			return "manager: the targets of goal %d are %s there and %s here" % [goal, other, one]
	if here.world_hash() != there.world_hash():
		return "manager: how far routes, tiles, or goals that walk have come differs"
	return ""


static func _compare_ids(here: PackedInt64Array, there: PackedInt64Array) -> String:
	for id: int in there:
		if not here.has(id):
			return "%d exists only there" % id
	for id: int in here:
		if not there.has(id):
			return "%d exists only here" % id
	return ""


static func _compare_swarms(here: EnemySwarm, there: EnemySwarm) -> String:
	# Where agents are in the lists, by slot: generations may differ between machines.
	var one := _places_by_slot(here)
	var other := _places_by_slot(there)
	var slots := one.keys()
	slots.append_array(other.keys())
	slots.sort()
	for slot: int in slots:
		if not one.has(slot):
			return "the agent in slot %d exists only there" % slot
		if not other.has(slot):
			return "the agent in slot %d exists only here" % slot
	for property: Array in OF_AGENTS:
		var mine: Variant = here.call(property[1] as StringName)
		var theirs: Variant = there.call(property[1] as StringName)
		for slot: int in slots:
			if mine[one[slot]] != theirs[other[slot]]:
				return (
					"the %s of the agent in slot %d is %s there and %s here"
					% [property[0], slot, theirs[other[slot]], mine[one[slot]]]
				)
	if here.state_hash() != there.state_hash():
		return _compare_targets(here, there, slots)
	return ""


static func _compare_targets(here: EnemySwarm, there: EnemySwarm, slots: Array) -> String:
	var one := _ids_by_slot(here)
	var other := _ids_by_slot(there)
	for slot: int in slots:
		var mine := here.get_agent_goal(one[slot])
		var theirs := there.get_agent_goal(other[slot])
		if mine != theirs:
			return "the goal of the agent in slot %d is %d there and %d here" % [slot, theirs, mine]
	return "a value of agents, groups, bodies or crowded ground differs that no method returns"


static func _places_by_slot(swarm: EnemySwarm) -> Dictionary:
	var places := {}
	var ids := swarm.get_ids()
	for i in ids.size():
		places[ids[i] >> 32] = i
	return places


static func _ids_by_slot(swarm: EnemySwarm) -> Dictionary[int, int]:
	var found: Dictionary[int, int] = {}
	for id: int in swarm.get_ids():
		found[id >> 32] = id
	return found


static func _first_difference(one: PackedByteArray, other: PackedByteArray) -> int:
	if one == other:
		return -1
	for i in mini(one.size(), other.size()):
		if one[i] != other[i]:
			return i
	return mini(one.size(), other.size())
