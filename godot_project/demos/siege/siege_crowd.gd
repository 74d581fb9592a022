class_name SiegeCrowd
extends Node3D
## The attackers, and all that the rest of the game asks of them. They leave camps, go to the keep
## through the gate or over ladders, take damage, and are counted.

## Emitted with the number of attackers that have fallen.
signal slain(count: int)

enum Kind { SOLDIER, BEAST }
## What attackers are about: at the gate, at ladders, below the bridge to the other side of the
## ditch and then at ladders, or after the player on the wall walk.
enum Party { GATE, LADDERS, DITCH_EAST, DITCH_WEST, HUNT, ANY }

## The columns of the agents' numbers.
const HEALTH := 0
## Health in the column for each of the game.
const HEALTH_UNITS := 100.0
## How far from the middle of a camp attackers appear.
const CAMP_RADIUS := 9.0
## The shares of soldiers that go to ladders, and through the ditch.
const LADDER_SHARE := 0.34
const DITCH_SHARE := 0.16
## One of so many that come over a ladder looks for the player.
const HUNTERS := 3
const MOST_CORPSES := 400
const LADDERS_AT: Array[float] = [-17.75, 17.75, -30.75, 30.75, -24.25, 24.25, -37.25, 37.25]
## How many must be how near to raise a ladder.
const PARTY_SIZE := 4
const PARTY_RADIUS := 4.0
## Half of the height in which count_near() and attacks find attackers on a floor.
const STOREY := 2.5
## The pause between two looks at who is near what, in seconds.
const LOOK_TIME := 0.25
const REACH := 2.2

var field: SiegeBattlefield
var ladders: Array[SiegeLadder] = []
var climbers: SiegeClimbers

var _player: Node3D
var _corpses := PackedInt64Array()
var _landed := 0
var _gate_is_open := false
var _gate_front := Vector3.ZERO
var _keep_front := Vector3.ZERO
var _random := RandomNumberGenerator.new()
var _look_wait := 0.0

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm


func set_up(level: SiegeLevel, player: Node3D = null) -> void:
	_player = player
	_gate_front = level.gate.global_position + Vector3(0.0, 0.0, 1.5)
	_keep_front = level.get_goal()
	swarm.agent_types = SiegeKinds.types()
	swarm.custom_data_preset = EnemySwarm.CUSTOM_CHARACTER
	swarm.instance_size = 0.5 / SiegeKinds.DRAWN_RADIUS
	swarm.manager = manager
	field = SiegeBattlefield.new(manager, level)
	for x in LADDERS_AT:
		var ladder := SiegeLadder.new(field, x, level.gate.material)
		ladder.raised.connect(_on_ladder_raised)
		add_child(ladder)
		ladders.append(ladder)
	climbers = SiegeClimbers.new(swarm, ladders)
	var feet := PackedVector2Array()
	for ladder in ladders:
		feet.append(ladder.foot)
	manager.move_goal(field.foot_goal, feet)
	swarm.agents_arrived.connect(_on_agents_arrived)


func _physics_process(delta: float) -> void:
	if field == null:
		return
	_send_hunters()
	_look_wait -= delta
	if _look_wait <= 0.0:
		_look_wait = LOOK_TIME
		_raise_ladders()
		_strike()
		_seek_player()


## Begins anew: nobody is there, the gate is shut, and no ladder stands.
func reset() -> void:
	swarm.clear()
	_corpses.clear()
	climbers.clear()
	_landed = 0
	_random.seed = 5
	_gate_is_open = false
	for ladder in ladders:
		ladder.reset()
	swarm.set_group_goal(Party.GATE, field.gate_goal)
	swarm.set_group_goal(Party.LADDERS, field.foot_goal)
	swarm.set_group_goal(Party.DITCH_EAST, field.east_goal)
	swarm.set_group_goal(Party.DITCH_WEST, field.west_goal)
	swarm.set_group_goal(Party.HUNT, field.player_goal)
	_read_gate()


## The way through the gate is free from now on.
func open_gate() -> void:
	_gate_is_open = true
	await _read_gate()
	swarm.set_group_goal(Party.GATE, field.keep_goal)
	swarm.set_group_goal(Party.LADDERS, field.keep_goal)


## Adds attackers of a kind around a camp and returns their ids.
func spawn(kind: Kind, count: int, camp: Vector3, party := Party.ANY) -> PackedInt64Array:
	var free := field.free_cells(camp, CAMP_RADIUS)
	var places := PackedVector2Array()
	for i in count if not free.is_empty() else 0:
		places.append(free[_random.randi_range(0, free.size() - 1)])
	return _spawn_at(kind, places, party)


## Adds attackers all over the land, near the bridge first; one of ten is a beast.
func spawn_over_land(count: int) -> void:
	var land := field.land()
	var places: Array[PackedVector2Array] = [[], []]
	for i in count:
		places[Kind.BEAST if i % 10 == 0 else Kind.SOLDIER].append(land[i % land.size()])
	for kind: Kind in Kind.values():
		_spawn_at(kind, places[kind], Party.ANY)


func count_alive() -> int:
	return swarm.get_agent_count() - _corpses.size()


## The number of attackers within a sphere.
func count_near(place: Vector3, radius: float) -> int:
	return ids_near(place, radius).size()


## The attackers whose feet are within a sphere.
func ids_near(place: Vector3, radius: float) -> PackedInt64Array:
	var found := PackedInt64Array()
	for layer in manager.layer_count:
		var middle := manager.on_layer(Vector2(place.x, place.z), layer)
		for id in swarm.query_circle(middle, radius):
			if place.distance_to(get_place(id)) <= radius:
				found.append(id)
	return found


## Where the feet of an attacker are.
func get_place(id: int) -> Vector3:
	var at := swarm.get_agent_position(id)
	if climbers.has(id):
		return climbers.place_on_ladder(at)
	return Vector3(at.x, manager.get_height(at, swarm.get_agent_layer(id)), at.y)


## Hurts the attackers within a sphere, those at its rim least. Returns how many fell.
func damage_sphere(center: Vector3, radius: float, damage: float) -> int:
	# The same damage for all within a ring.
	var rings: Array[PackedInt64Array] = [[], [], [], []]
	for id in ids_near(center, radius):
		var off := center.distance_to(get_place(id)) / radius
		rings[mini(int(off * 4.0), 3)].append(id)
	var fallen := 0
	for ring in rings.size():
		fallen += _hurt(rings[ring], damage * (1.4 - 0.2 * ring))
	return fallen


## Hurts the attackers whose bodies are within `radius` of a segment. Returns how many fell.
func damage_segment(from: Vector3, to: Vector3, radius: float, damage: float) -> int:
	var struck := PackedInt64Array()
	for layer in manager.layer_count:
		var start := manager.on_layer(Vector2(from.x, from.z), layer)
		var end := manager.on_layer(Vector2(to.x, to.z), layer)
		for id in swarm.query_segment(start, end, radius * 2.0):
			var kind := swarm.get_agent_type(id)
			var feet := get_place(id)
			var head := feet + Vector3.UP * SiegeKinds.HEIGHTS[kind]
			var nearest := Geometry3D.get_closest_points_between_segments(from, to, feet, head)
			if nearest[0].distance_to(nearest[1]) <= radius + SiegeKinds.RADII[kind]:
				struck.append(id)
	return _hurt(struck, damage)


func _spawn_at(kind: Kind, places: PackedVector2Array, party: Party) -> PackedInt64Array:
	var parties: Dictionary[int, PackedVector2Array] = {}
	for place in places:
		var choice := party if party != Party.ANY else _choose_party(kind, place)
		if not parties.has(choice):
			parties[choice] = PackedVector2Array()
		parties[choice].append(place)
	var all := PackedInt64Array()
	for choice in parties:
		var ids := swarm.spawn_many(parties[choice], kind, choice)
		all.append_array(ids)
	if all.is_empty():
		return all
	var colors := PackedColorArray()
	var scales := PackedFloat32Array()
	for id in all:
		var shade := _random.randf_range(0.78, 1.12)
		colors.append(Color(shade, shade * _random.randf_range(0.92, 1.0), shade * 0.96))
		scales.append(SiegeKinds.scale_of(kind) * _random.randf_range(0.94, 1.08))
	swarm.set_agent_colors(all, colors)
	swarm.set_agent_scales(all, scales)
	swarm.set_user_ints(all, [roundi(SiegeKinds.HEALTH[kind] * HEALTH_UNITS)], HEALTH)
	return all


func _choose_party(kind: Kind, place: Vector2) -> Party:
	if kind == Kind.BEAST:
		return Party.GATE
	var share := _random.randf()
	if share < LADDER_SHARE:
		return Party.LADDERS
	if share < LADDER_SHARE + DITCH_SHARE and place.y > SiegeGround.OUTLINE[0].y:
		return Party.DITCH_EAST if place.x < 0.0 else Party.DITCH_WEST
	return Party.GATE


func _hurt(ids: PackedInt64Array, damage: float) -> int:
	if ids.is_empty():
		return 0
	var units := roundi(damage * HEALTH_UNITS)
	var fallen := swarm.add_user_ints(ids, -units, HEALTH, EnemySwarm.FALLEN_CORPSE)
	var reeling := PackedInt64Array()
	for id in ids:
		if swarm.get_agent_clip(id) == "" and not fallen.has(id):
			reeling.append(id)
	if not reeling.is_empty():
		swarm.play_clip(reeling, "hit")
	if not fallen.is_empty():
		climbers.remove(fallen)
		_corpses.append_array(fallen)
		_clear_corpses()
		slain.emit(fallen.size())
	return fallen.size()


## Removes the oldest corpses.
func _clear_corpses() -> void:
	var surplus := _corpses.size() - MOST_CORPSES
	if surplus > 0:
		swarm.despawn(_corpses.slice(0, surplus))
		_corpses = _corpses.slice(surplus)


## One of some that have come over a ladder goes after the player.
func _send_hunters() -> void:
	var hunters := PackedInt64Array()
	for id in climbers.follow():
		_landed += 1
		if _landed % HUNTERS == 0:
			hunters.append(id)
	if not hunters.is_empty():
		swarm.set_agent_group(hunters, Party.HUNT)


func _raise_ladders() -> void:
	for ladder in ladders:
		if ladder.link == 0:
			var foot := Vector3(ladder.foot.x, manager.get_height(ladder.foot), ladder.foot.y)
			if count_near(foot, PARTY_RADIUS) >= PARTY_SIZE:
				ladder.wait(LOOK_TIME)


## Attackers that are near something that they can break play their attack.
func _strike() -> void:
	var strikers := ids_near(_keep_front, REACH * 3.0)
	if not _gate_is_open:
		strikers.append_array(ids_near(_gate_front, REACH * 1.6))
	if _player != null:
		strikers.append_array(ids_near(_player.global_position, REACH))
	var free := PackedInt64Array()
	for id in strikers:
		if swarm.get_agent_clip(id) == "" and _random.randf() < 0.5 and not free.has(id):
			free.append(id)
	if not free.is_empty():
		swarm.play_clip(free, "attack")


func _seek_player() -> void:
	if _player == null:
		return
	var layer := field.layer_at(_player.global_position)
	if layer >= 0:
		var place := Vector2(_player.global_position.x, _player.global_position.z)
		manager.move_goal(field.player_goal, [manager.on_layer(place, layer)])


## The leaves of the gate become solid, or cease to be, at the end of a frame.
func _read_gate() -> void:
	await get_tree().physics_frame
	await get_tree().physics_frame
	field.read_gate()


func _on_ladder_raised() -> void:
	swarm.set_group_goal(Party.LADDERS, field.keep_goal)


## Those that have passed below the bridge go to the ladders of the other side.
func _on_agents_arrived(ids: PackedInt64Array) -> void:
	var passed := PackedInt64Array()
	for id in ids:
		if swarm.get_agent_group(id) in [Party.DITCH_EAST, Party.DITCH_WEST]:
			passed.append(id)
	if not passed.is_empty():
		swarm.set_agent_group(passed, Party.LADDERS)
