class_name SiegeMuster
extends RefCounted
## Where attackers appear, and what they are about.

## How far from the middle of a camp attackers appear.
const CAMP_RADIUS := 9.0
## The shares of soldiers that go to ladders, and through the ditch.
const LADDER_SHARE := 0.34
const DITCH_SHARE := 0.16

var _swarm: EnemySwarm
var _field: SiegeBattlefield
var _random := RandomNumberGenerator.new()


func _init(swarm: EnemySwarm, field: SiegeBattlefield) -> void:
	_swarm = swarm
	_field = field


func reset() -> void:
	_random.seed = 5


## Adds attackers of a kind around a camp and returns their ids.
func spawn(
	kind: SiegeCrowd.Kind, count: int, camp: Vector3, party: SiegeCrowd.Party
) -> PackedInt64Array:
	var free := _field.free_cells(camp, CAMP_RADIUS)
	var places := PackedVector2Array()
	for i in count if not free.is_empty() else 0:
		places.append(free[_random.randi_range(0, free.size() - 1)])
	return _spawn_at(kind, places, party)


## Adds attackers all over the land, near the bridge first; one of ten is a beast.
func spawn_over_land(count: int) -> void:
	var land := _field.land()
	var places: Array[PackedVector2Array] = [[], []]
	for i in count:
		var kind := SiegeCrowd.Kind.BEAST if i % 10 == 0 else SiegeCrowd.Kind.SOLDIER
		places[kind].append(land[i % land.size()])
	for kind: SiegeCrowd.Kind in SiegeCrowd.Kind.values():
		_spawn_at(kind, places[kind], SiegeCrowd.Party.ANY)


func _spawn_at(
	kind: SiegeCrowd.Kind, places: PackedVector2Array, party: SiegeCrowd.Party
) -> PackedInt64Array:
	var parties: Dictionary[int, PackedVector2Array] = {}
	for place in places:
		var choice := party if party != SiegeCrowd.Party.ANY else _choose_party(kind, place)
		if not parties.has(choice):
			parties[choice] = PackedVector2Array()
		parties[choice].append(place)
	var all := PackedInt64Array()
	for choice in parties:
		all.append_array(_swarm.spawn_many(parties[choice], kind, choice))
	if all.is_empty():
		return all
	var colors := PackedColorArray()
	var scales := PackedFloat32Array()
	for id in all:
		var shade := _random.randf_range(0.78, 1.12)
		colors.append(Color(shade, shade * _random.randf_range(0.92, 1.0), shade * 0.96))
		scales.append(_random.randf_range(0.94, 1.08))
	_swarm.set_agent_colors(all, colors)
	_swarm.set_agent_scales(all, scales)
	_swarm.set_user_ints(all, [SiegeWounds.units(SiegeKinds.HEALTH[kind])], SiegeWounds.HEALTH)
	return all


func _choose_party(kind: SiegeCrowd.Kind, place: Vector2) -> SiegeCrowd.Party:
	if kind == SiegeCrowd.Kind.BEAST:
		return SiegeCrowd.Party.GATE
	var share := _random.randf()
	if share < LADDER_SHARE:
		return SiegeCrowd.Party.LADDERS
	if share < LADDER_SHARE + DITCH_SHARE and place.y > SiegeGround.OUTLINE[0].y:
		var is_west := place.x < 0.0
		return SiegeCrowd.Party.DITCH_EAST if is_west else SiegeCrowd.Party.DITCH_WEST
	return SiegeCrowd.Party.GATE
