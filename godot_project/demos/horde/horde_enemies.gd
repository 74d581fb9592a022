class_name HordeEnemies
extends Node
## The enemies: their kinds, where they appear, and the effects of hits.
##
## The swarm moves the enemies, and stores how many hits each of them still takes.

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

var manager: FlowFieldManager
var swarm: EnemySwarm
var bursts: HordeBodies
var stains: HordeBodies

var _goal := 0
var _goal_cell := Vector2i(-1, -1)
## Limits how many enemies a blow hits.
var _query := SwarmQuery.new()
## The kinds of the enemies that were killed in this tick.
var _slain := PackedInt32Array()
var _open: Array[PackedVector2Array] = []
var _random := RandomNumberGenerator.new()


## Runs after the other nodes, so that all hits of the tick have been made.
func _physics_process(_delta: float) -> void:
	if not _slain.is_empty():
		var kinds := _slain.duplicate()
		_slain.clear()
		slain.emit(kinds)


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
	_slain.clear()
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
	add(kind, places)


## Adds enemies of a kind at these positions.
func add(kind: Kind, places: PackedVector2Array) -> void:
	swarm.set_user_ints(swarm.spawn_many(places, kind), [HITS[kind]])


## Hits the enemies whose discs overlap a circle, at most `most` of them (0 for all), and returns
## their number.
func strike(center: Vector2, radius: float, hits: int, most := 0) -> int:
	_query.limit = most
	var struck := swarm.query_circle(center, radius + RADII[Kind.WALKER], _query)
	var fallen := swarm.add_user_ints(struck, -hits)
	var places := swarm.get_positions_of(fallen)
	for i in fallen.size():
		var kind := swarm.get_agent_type(fallen[i])
		if _slain.size() < MOST_BODIES:
			_show_fall(kind, places[i], center)
		_slain.append(kind)
	swarm.despawn(fallen)
	return struck.size()


func count() -> int:
	return swarm.get_agent_count()


func _show_fall(kind: int, place: Vector2, blow: Vector2) -> void:
	var away := blow.direction_to(place)
	bursts.add(place, RADII[kind] * 4.4, COLORS[kind], away)
	stains.add(place + away * 6.0, RADII[kind] * 3.4, COLORS[kind], away)


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
