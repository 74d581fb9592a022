class_name HordeEnemies
extends Node
## The enemies: their kinds, where they appear, and the effects of hits.
##
## The swarm moves the enemies. Their remaining hits are stored here, only for kinds that take more
## than one hit.

## Emitted with the kinds of the enemies that have been killed.
signal slain(kinds: PackedInt32Array)

enum Kind { WALKER, RUNNER, BRUTE }

const RADII: Array[float] = [6.0, 5.5, 16.0]
const SPEEDS: Array[float] = [74.0, 132.0, 52.0]
const COLORS: Array[Color] = [HordePalette.WALKER, HordePalette.RUNNER, HordePalette.BRUTE]
## The alpha values by which the shader distinguishes kinds: see enemy.gdshader.
const ALPHAS: Array[float] = [1.0, 0.8, 0.6]
## The number of hits that kill an enemy of each kind.
const HITS: Array[int] = [1, 1, 14]
## Brutes have their own movement type.
const BRUTE_MOVEMENT := 1
const SPAWN_TRIES := 24
## The greatest number of remains that are added at once; more would not be noticed.
const MOST_BODIES := 240
const MOST_STRUCK := 1 << 30

var manager: FlowFieldManager
var swarm: EnemySwarm
var bursts: HordeBodies
var stains: HordeBodies

var _goal := 0
var _goal_cell := Vector2i(-1, -1)
## The kinds of enemies that are not walkers, and the remaining hits of brutes.
var _kinds: Dictionary[int, int] = {}
var _hits_left: Dictionary[int, int] = {}
## The enemies that were killed in this tick, as a set.
var _fallen: Dictionary[int, bool] = {}
var _open: Array[PackedVector2Array] = []
var _random := RandomNumberGenerator.new()


## Runs after the other nodes, so that all hits of the tick have been made.
func _physics_process(_delta: float) -> void:
	_remove_fallen()


func set_up() -> void:
	var small := FlowMovementType.new()
	small.wall_penalty = 6
	var large := FlowMovementType.new()
	large.clearance_radius = RADII[Kind.BRUTE]
	large.wall_penalty = 6
	manager.movement_types = [small, large]
	var types: Array[SwarmAgentType] = []
	for kind: int in Kind.values():
		types.append(_new_type(kind))
	swarm.agent_types = types
	swarm.manager = manager
	for movement_type in 2:
		_open.append(_cells_open_to(movement_type))
	reset()


func reset() -> void:
	swarm.clear()
	_kinds.clear()
	_hits_left.clear()
	_fallen.clear()
	_random.seed = 11


## Sends all enemies to the player. A move within a cell changes no field, so it is skipped.
func chase(place: Vector2) -> void:
	var cell := manager.get_cell(place)
	if cell == _goal_cell:
		return
	_goal_cell = cell
	var targets := PackedVector2Array([place])
	if _goal == 0:
		_goal = manager.create_goal(targets)
		swarm.set_group_goal(0, _goal)
	else:
		manager.move_goal(_goal, targets)


## Adds enemies of a kind at random positions between two distances from a position.
func spawn(kind: Kind, count: int, around: Vector2, nearest: float, farthest: float) -> void:
	var places := PackedVector2Array()
	var open := _open[BRUTE_MOVEMENT if kind == Kind.BRUTE else 0]
	for i in count:
		places.append(_place_in(open, around, nearest, farthest))
	var ids := swarm.spawn_many(places, kind)
	if kind == Kind.WALKER:
		return
	for id in ids:
		_kinds[id] = kind


## Hits the enemies whose discs overlap a circle, at most `most` of them, and returns their number.
func strike(center: Vector2, radius: float, hits: int, most := MOST_STRUCK) -> int:
	var struck := 0
	for id in swarm.query_circle(center, radius + RADII[Kind.WALKER]):
		if _fallen.has(id):
			continue
		struck += 1
		if _falls(id, hits):
			_fallen[id] = true
			_show_fall(id, center)
		if struck >= most:
			break
	return struck


func count() -> int:
	return swarm.get_agent_count()


func _falls(id: int, hits: int) -> bool:
	var kind: int = _kinds.get(id, Kind.WALKER)
	if HITS[kind] == 1:
		return true
	var left: int = _hits_left.get(id, HITS[kind]) - hits
	_hits_left[id] = left
	return left <= 0


func _show_fall(id: int, blow: Vector2) -> void:
	if _fallen.size() > MOST_BODIES:
		return
	var kind: int = _kinds.get(id, Kind.WALKER)
	var place := swarm.get_agent_position(id)
	var away := blow.direction_to(place)
	bursts.add(place, RADII[kind] * 4.4, COLORS[kind], away)
	stains.add(place + away * 6.0, RADII[kind] * 3.4, COLORS[kind], away)


## Removes all killed enemies of a tick at once: after a removal the next query makes the swarm sort
## its agents again.
func _remove_fallen() -> void:
	if _fallen.is_empty():
		return
	var kinds := PackedInt32Array()
	for id in _fallen:
		kinds.append(_kinds.get(id, Kind.WALKER))
		_kinds.erase(id)
		_hits_left.erase(id)
	swarm.despawn(PackedInt64Array(_fallen.keys()))
	_fallen.clear()
	slain.emit(kinds)


func _new_type(kind: int) -> SwarmAgentType:
	var type := SwarmAgentType.new()
	type.radius = RADII[kind]
	type.max_speed = SPEEDS[kind]
	type.acceleration = SPEEDS[kind] * 5.0
	type.speed_variation = 0.25
	type.color = Color(COLORS[kind], ALPHAS[kind])
	# In proportion to area, so that walkers give way to brutes.
	type.mass = (RADII[kind] / RADII[Kind.WALKER]) ** 2.0
	type.movement_type = BRUTE_MOVEMENT if kind == Kind.BRUTE else 0
	return type


## The middles of all cells that are joined to the centre of the arena for a movement type.
func _cells_open_to(movement_type: int) -> PackedVector2Array:
	var islands := manager.get_islands(movement_type)
	var main := manager.get_island(HordeArena.get_center(), movement_type)
	var places := PackedVector2Array()
	for index in islands.size():
		if islands[index] == main:
			places.append(
				manager.get_cell_center(
					Vector2i(index % manager.grid_size.x, index / manager.grid_size.x)
				)
			)
	return places


func _place_in(
	open: PackedVector2Array, around: Vector2, nearest: float, farthest: float
) -> Vector2:
	var place := open[0]
	for i in SPAWN_TRIES:
		place = open[_random.randi_range(0, open.size() - 1)]
		var distance := place.distance_to(around)
		if distance >= nearest and distance <= farthest:
			break
	var shift := HordeArena.CELL * 0.3
	return place + Vector2(_random.randf_range(-shift, shift), _random.randf_range(-shift, shift))
