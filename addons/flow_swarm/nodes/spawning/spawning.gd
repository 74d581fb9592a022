@tool
extends RefCounted
## What a SwarmSpawner2D or SwarmSpawner3D does: at the times of its schedule it makes agents at its
## places, by the public calls of the swarm.

const AreaShape := preload("../shared/area_shape.gd")
const LivingAgents := preload("living_agents.gd")
const Nearby := preload("../shared/nearby.gd")
const Places := preload("spawn_places.gd")
const Schedule := preload("spawn_schedule.gd")
## The ticks without a free place after which an error is reported.
const PATIENCE := 30
## How many times as many places are tried for a warning as in a tick.
const LOOKS_FOR_WARNING := 16

## What error messages begin with.
var title := ""
## The swarm that the node names; null to find one.
var swarm: EnemySwarm
var agent_type := 0
var type: SwarmAgentType
var group := 0
## The most agents that live at the same time; 0 for no limit.
var alive_limit := 0
var random_seed := 0
var schedule := Schedule.new()
var places: Places
var living := LivingAgents.new()

var _random := RandomNumberGenerator.new()
## The swarm that has the agents.
var _holder: EnemySwarm
## For how many ticks no place was found.
var _fruitless_ticks := 0
## The last error; each is reported once.
var _complaint := ""


func start() -> void:
	_random.seed = random_seed
	places.turn = -1
	_fruitless_ticks = 0
	_complaint = ""
	schedule.start()


## Does what has to be done in a tick.
func update(node: Node, delta: float) -> void:
	if not schedule.is_running:
		return
	if is_instance_valid(_holder):
		living.sweep(_holder)
	var found := find_swarm(node)
	if found != _holder:
		living.ids.clear()
		_holder = found
	places.read(node)
	var trouble := _find_grave_trouble(found)
	if trouble != "":
		_complain(trouble)
		return
	schedule.advance(delta, _spawn, living.is_empty)


## The swarm that the node names, or else the nearest one.
func find_swarm(node: Node) -> EnemySwarm:
	if is_instance_valid(swarm):
		return swarm
	if is_instance_valid(_holder) and _holder.is_inside_tree():
		return _holder
	return Nearby.find_swarm(node)


## How many of the agents are alive now.
func count_alive() -> int:
	if not is_instance_valid(_holder):
		return 0
	living.sweep_all(_holder)
	return living.ids.size()


## What is wrong with the settings, for the editor.
func find_trouble(node: Node) -> PackedStringArray:
	var found := find_swarm(node)
	places.read(node)
	var grave := _find_grave_trouble(found)
	if grave != "":
		return [grave]
	if not found.manager.get_setup_warnings().is_empty():
		# It warns itself, and may have no grid yet.
		return []
	places.bounds = found.manager.get_bounds()
	var movement_type := _get_movement_type(found, agent_type, type)
	if places.is_on_path or places.shape.kind != AreaShape.POINT:
		var random := RandomNumberGenerator.new()
		random.seed = 0
		for i in LOOKS_FOR_WARNING:
			if places.find(found, movement_type, random) != Vector3.INF:
				return []
		return [_why_no_place()]
	var troubles: PackedStringArray = []
	for index in places.frames.size():
		var at := places.frames[index].origin
		var on := places.get_layer(found, at, places.heights[index])
		if not places.is_free(found.manager, at, on, movement_type):
			troubles.append("The place at %s is in a wall or outside of the grid." % at)
	return troubles


## Why nothing can be spawned, or empty.
func _find_grave_trouble(found: EnemySwarm) -> String:
	if found == null:
		return "There is no EnemySwarm: set swarm, or add one beside this node."
	if not is_instance_valid(found.manager):
		return "The swarm %s has no manager." % found.name
	var trouble := _find_place_trouble(found.manager)
	if trouble == "":
		trouble = _find_type_trouble(found, agent_type, type)
	if trouble == "":
		trouble = _find_wave_trouble(found)
	return trouble


func _find_place_trouble(manager: FlowFieldManager) -> String:
	if places.layer >= manager.layer_count:
		return "layer %d does not exist: the manager has %d." % [places.layer, manager.layer_count]
	if places.is_on_path and not places.has_path():
		return "There is no path: add a Path2D or Path3D with a curve below this node."
	return ""


func _find_wave_trouble(found: EnemySwarm) -> String:
	if schedule.waves.is_empty() and schedule.rate == 0.0:
		return "Nothing is spawned: rate is 0, and there are no waves."
	for index in schedule.waves.size():
		var wave := schedule.waves[index]
		if wave == null:
			return "waves[%d] is empty." % index
		if wave.type != null or wave.agent_type >= 0:
			var trouble := _find_type_trouble(found, wave.agent_type, wave.type)
			if trouble != "":
				return "waves[%d]: %s" % [index, trouble]
	return ""


func _find_type_trouble(found: EnemySwarm, index: int, resource: SwarmAgentType) -> String:
	var count := maxi(found.agent_types.size(), 1)
	if resource == null and index >= count:
		return "agent_type %d does not exist: the swarm has %d." % [index, count]
	var movement_type := _get_movement_type(found, index, resource)
	var movement_types := maxi(found.manager.movement_types.size(), 1)
	if movement_type >= movement_types:
		return (
			"The agents have movement_type %d, but the manager has %d."
			% [movement_type, movement_types]
		)
	return ""


func _why_no_place() -> String:
	return "No place is free: all that were tried are in walls or outside of the grid."


static func _get_movement_type(found: EnemySwarm, index: int, resource: SwarmAgentType) -> int:
	if resource == null and index < found.agent_types.size():
		resource = found.agent_types[index]
	return resource.movement_type if resource != null else 0


## Makes agents of a wave, or of none with -1. Returns the ids of those for which there was room.
func _spawn(count: int, wave: int) -> PackedInt64Array:
	var ids: PackedInt64Array = []
	if alive_limit > 0:
		count = mini(count, alive_limit - living.ids.size())
	if count <= 0:
		return ids
	var index := _get_type_index(wave)
	var movement_type := _get_movement_type(_holder, index, null)
	places.bounds = _holder.manager.get_bounds()
	var found := _find_places(count, movement_type)
	for layer in found:
		ids.append_array(_holder.spawn_many(found[layer], index, group, layer))
	living.ids.append_array(ids)
	_fruitless_ticks = _fruitless_ticks + 1 if ids.is_empty() else 0
	if _fruitless_ticks == PATIENCE:
		_complain(_why_no_place())
	elif _fruitless_ticks == 0:
		_complaint = ""
	return ids


## Up to that many free places: the positions on each layer.
func _find_places(count: int, movement_type: int) -> Dictionary[int, PackedVector2Array]:
	var found: Dictionary[int, PackedVector2Array] = {}
	for i in count:
		var place := places.find(_holder, movement_type, _random)
		if place == Vector3.INF:
			break
		var positions: PackedVector2Array = found.get_or_add(int(place.z), PackedVector2Array())
		positions.append(Vector2(place.x, place.y))
	return found


## The index of the type that the agents of a wave have, or those without waves. A type that the
## swarm does not know is added to its own.
func _get_type_index(wave: int) -> int:
	var index := agent_type
	var resource := type
	if wave >= 0:
		var settings := schedule.waves[wave]
		if settings.type != null or settings.agent_type >= 0:
			index = settings.agent_type
			resource = settings.type
	if resource == null:
		return index
	if resource not in _holder.agent_types:
		_add_type(resource)
	return _holder.agent_types.find(resource)


func _add_type(resource: SwarmAgentType) -> void:
	# The array may be shared by scenes that are instances of the same one.
	var types := _holder.agent_types.duplicate()
	if types.is_empty():
		# Index 0 stays what it is without types.
		types.append(SwarmAgentType.new())
	types.append(resource)
	_holder.agent_types = types


func _complain(trouble: String) -> void:
	if trouble != _complaint:
		_complaint = trouble
		push_error("%s: %s" % [title, trouble])
