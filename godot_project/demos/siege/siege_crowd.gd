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

## One of so many that come over a ladder looks for the player.
const HUNTERS := 3
const LADDERS_AT: Array[float] = [-17.75, 17.75, -30.75, 30.75, -24.25, 24.25, -37.25, 37.25]
## How many must be how near to raise a ladder.
const PARTY_SIZE := 4
const PARTY_RADIUS := 4.0
## The pause between two looks at what is near what, in seconds.
const LOOK_TIME := 0.25
const REACH := 2.2

var field: SiegeBattlefield
var ladders: Array[SiegeLadder] = []

var _player: Node3D
var _muster: SiegeMuster
var _wounds: SiegeWounds
var _climbers: SiegeClimbers
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
	swarm.manager = manager
	field = SiegeBattlefield.new(manager, level)
	for x in LADDERS_AT:
		var ladder := SiegeLadder.new(field, x, level.gate.material)
		ladder.raised.connect(_on_ladder_raised)
		add_child(ladder)
		ladders.append(ladder)
	_muster = SiegeMuster.new(swarm, field)
	_wounds = SiegeWounds.new(swarm)
	_climbers = SiegeClimbers.new(swarm, ladders)
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


## Begins anew: no agent is there, the gate is shut, and no ladder stands.
func reset() -> void:
	swarm.clear()
	_muster.reset()
	_wounds.reset()
	_climbers.clear()
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
	return _muster.spawn(kind, count, camp, party)


## Adds attackers all over the land, near the bridge first; one of ten is a beast.
func spawn_over_land(count: int) -> void:
	_muster.spawn_over_land(count)


func count_alive() -> int:
	return swarm.get_agent_count() - _wounds.count_corpses()


## The number of attackers that a sphere touches.
func count_near(place: Vector3, radius: float) -> int:
	return swarm.query_sphere(place, radius).size()


## Where the feet of an attacker are.
func get_place(id: int) -> Vector3:
	return swarm.get_agent_position_3d(id)


## Hurts the attackers that a sphere touches, those at its rim least. Returns how many fell.
func damage_sphere(center: Vector3, radius: float, damage: float) -> int:
	return _count_fallen(_wounds.burst(center, radius, damage))


## Hurts the attackers that a ray touches between two points. Returns how many fell.
func damage_ray(from: Vector3, to: Vector3, damage: float) -> int:
	return _count_fallen(_wounds.pierce(from, to, damage))


func _count_fallen(fallen: PackedInt64Array) -> int:
	if not fallen.is_empty():
		_climbers.remove(fallen)
		slain.emit(fallen.size())
	return fallen.size()


## One of some that have come over a ladder goes after the player.
func _send_hunters() -> void:
	var hunters := PackedInt64Array()
	for id in _climbers.follow():
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
	var strikers := swarm.query_sphere(_keep_front, REACH * 3.0)
	if not _gate_is_open:
		strikers.append_array(swarm.query_sphere(_gate_front, REACH * 1.6))
	if _player != null:
		strikers.append_array(swarm.query_sphere(_player.global_position, REACH))
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
