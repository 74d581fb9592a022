class_name SiegeWounds
extends RefCounted
## What attackers endure: explosions and rays take their health, they reel, fall, and lie for a
## while.

## The column of the agents' numbers for their health.
const HEALTH := 0
## Health in the column for each of the game.
const HEALTH_UNITS := 100.0
const MOST_CORPSES := 400
## An explosion acts on nested spheres: the share of the damage in each, and how large it is.
const SPHERES: Array[Vector2] = [
	Vector2(0.8, 1.0), Vector2(0.2, 0.75), Vector2(0.2, 0.5), Vector2(0.2, 0.25)
]

var _swarm: EnemySwarm
var _corpses := PackedInt64Array()


## Health as the column has it.
static func units(health: float) -> int:
	return roundi(health * HEALTH_UNITS)


func _init(swarm: EnemySwarm) -> void:
	_swarm = swarm


func reset() -> void:
	_corpses.clear()


func count_corpses() -> int:
	return _corpses.size()


## Hurts the attackers that a sphere touches, those at its rim least. Returns those that fell.
func burst(center: Vector3, radius: float, damage: float) -> PackedInt64Array:
	var fallen := PackedInt64Array()
	for sphere in SPHERES:
		fallen.append_array(
			_swarm.damage_sphere(
				center,
				radius * sphere.y,
				units(damage * sphere.x),
				HEALTH,
				EnemySwarm.FALLEN_CORPSE
			)
		)
	_note(fallen, _swarm.query_sphere(center, radius))
	return fallen


## Hurts the attackers that a ray touches. Returns those that fell.
func pierce(from: Vector3, to: Vector3, damage: float) -> PackedInt64Array:
	var fallen := _swarm.damage_ray(from, to, units(damage), HEALTH, EnemySwarm.FALLEN_CORPSE)
	_note(fallen, _swarm.query_ray(from, to))
	return fallen


## Those that were hurt and stand reel; of the corpses the oldest are removed.
func _note(fallen: PackedInt64Array, standing: PackedInt64Array) -> void:
	var reeling := PackedInt64Array()
	for id in standing:
		if _swarm.get_agent_clip(id) == "":
			reeling.append(id)
	if not reeling.is_empty():
		_swarm.play_clip(reeling, "hit")
	_corpses.append_array(fallen)
	var surplus := _corpses.size() - MOST_CORPSES
	if surplus > 0:
		_swarm.despawn(_corpses.slice(0, surplus))
		_corpses = _corpses.slice(surplus)
