class_name SiegeCrowd
extends Node3D
## The attackers, and all that the rest of the game asks of them: they leave camps, go to the keep
## through the gate, take damage, and are counted. The flow field is a flat plane; heights are read
## from the ground when the attackers are drawn.

## Emitted with the number of attackers that have fallen.
signal slain(count: int)

enum Kind { SOLDIER, BEAST }

const MODELS: Array[PackedScene] = [preload("models/soldier.glb"), preload("models/beast.glb")]
const RADII: Array[float] = [0.4, 0.7]
const SPEEDS: Array[float] = [3.2, 5.0]
const HEALTH: Array[float] = [10.0, 22.0]
## How far from the middle of a camp attackers appear.
const CAMP_RADIUS := 9.0
## A beam hurts in this many points a metre apart, from its end to where it is above all heads.
const BEAM_SAMPLES := 24.0
const TALLEST := 1.9
const WALL := 255
const OPEN := 1

var _health: Dictionary[int, float] = {}
var _drawn: Array[MultiMesh] = []
var _gate_cells: Array[Vector2i] = []
var _gate_goal := 0
var _keep_goal := 0
var _random := RandomNumberGenerator.new()

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm


func set_up(level: SiegeLevel) -> void:
	var types: Array[SwarmAgentType] = []
	for kind: int in Kind.values():
		var type := SwarmAgentType.new()
		type.radius = RADII[kind]
		type.max_speed = SPEEDS[kind]
		type.acceleration = SPEEDS[kind] * 4.0
		type.speed_variation = 0.2
		types.append(type)
		_drawn.append(_add_multimesh(kind))
	swarm.agent_types = types
	swarm.manager = manager
	_paint()
	var goal := level.get_goal()
	_keep_goal = manager.create_goal([Vector2(goal.x, goal.z)])
	_gate_goal = manager.create_goal([Vector2(0.0, SiegeGround.OUTLINE[0].y + 3.0)])


func _process(_delta: float) -> void:
	_draw()


## Begins anew: nobody is there, and the gate is shut.
func reset() -> void:
	swarm.clear()
	_health.clear()
	_random.seed = 5
	_set_gate(WALL, _gate_goal)


## The way through the gate is free from now on.
func open_gate() -> void:
	_set_gate(OPEN, _keep_goal)


## Adds attackers of a kind around a camp.
func spawn(kind: Kind, count: int, camp: Vector3) -> void:
	var places := PackedVector2Array()
	for i in count:
		var away := Vector2.from_angle(_random.randf() * TAU) * sqrt(_random.randf()) * CAMP_RADIUS
		places.append((Vector2(camp.x, camp.z) + away).clampf(-98.0, 98.0))
	for id in swarm.spawn_many(places, kind):
		_health[id] = HEALTH[kind]


func count_alive() -> int:
	return swarm.get_agent_count()


## The number of attackers within a sphere.
func count_near(place: Vector3, radius: float) -> int:
	return swarm.query_circle(Vector2(place.x, place.z), radius).size()


## Hurts the attackers within a sphere, those at its rim least. Returns how many fell.
func damage_sphere(center: Vector3, radius: float, damage: float) -> int:
	var middle := Vector2(center.x, center.z)
	var struck := swarm.query_circle(middle, radius)
	var places := swarm.get_positions_of(struck)
	var hurts: Dictionary[int, float] = {}
	for i in struck.size():
		var off := middle.distance_to(places[i]) / radius
		hurts[struck[i]] = damage * (1.4 - 0.8 * minf(off, 1.0))
	return _hurt(hurts)


## Hurts the attackers whose bodies are within `radius` of a segment. Returns how many fell.
func damage_segment(from: Vector3, to: Vector3, radius: float, damage: float) -> int:
	var hurts: Dictionary[int, float] = {}
	var length := from.distance_to(to)
	for i in int(minf(length, BEAM_SAMPLES)):
		var at := to.move_toward(from, i)
		if at.y - SiegeGround.surface_at(at.x, at.z) > TALLEST:
			break
		for id in swarm.query_circle(Vector2(at.x, at.z), radius + RADII[Kind.SOLDIER]):
			hurts[id] = damage
	return _hurt(hurts)


func _hurt(hurts: Dictionary[int, float]) -> int:
	var fallen := PackedInt64Array()
	for id in hurts:
		_health[id] -= hurts[id]
		if _health[id] <= 0.0:
			fallen.append(id)
			_health.erase(id)
	if not fallen.is_empty():
		swarm.despawn(fallen)
		slain.emit(fallen.size())
	return fallen.size()


## The wall of the town and the steep banks of the ditch stop attackers.
func _paint() -> void:
	var size := manager.grid_size
	var cells := PackedByteArray()
	cells.resize(size.x * size.y)
	cells.fill(OPEN)
	for y in size.y:
		for x in size.x:
			var place := manager.get_cell_center(Vector2i(x, y))
			if _is_gate(place):
				_gate_cells.append(Vector2i(x, y))
			elif _is_wall(place):
				cells[y * size.x + x] = WALL
	manager.set_terrain_bytes(cells)


static func _is_gate(place: Vector2) -> bool:
	var off := place - Vector2(0.0, SiegeGround.OUTLINE[0].y)
	return absf(off.x) < SiegeWall.GATE.x * 0.5 and absf(off.y) < 2.0


static func _is_wall(place: Vector2) -> bool:
	if absf(SiegeGround.distance_to_town(place)) < SiegeWall.THICKNESS * 0.5:
		return true
	if place.y > 20.0 and place.y < 26.0 and absf(absf(place.x) - 5.9) < 3.3:
		return true
	var keep := (place - SiegeHouses.KEEP).abs()
	if maxf(keep.x, keep.y) < SiegeHouses.KEEP_SIDE * 0.5:
		return true
	for house in SiegeHouses.HOUSES:
		var off := place - Vector2(house[0] as float, house[1] as float)
		off = off.rotated(deg_to_rad(house[4] as float)).abs()
		if off.x < (house[2] as float) * 0.5 + 0.3 and off.y < (house[3] as float) * 0.5 + 0.3:
			return true
	var ditch := SiegeGround.ditch_share(place)
	return ditch > 0.15 and absf(place.x) > SiegeOutworks.BRIDGE_WIDTH * 0.5 - 0.6


func _set_gate(terrain: int, goal: int) -> void:
	for cell in _gate_cells:
		manager.set_terrain(cell, terrain)
	swarm.set_group_goal(0, goal)


func _add_multimesh(kind: int) -> MultiMesh:
	var model := MODELS[kind].instantiate()
	var body: MeshInstance3D = model.get_node(^"Skeleton3D/Body")
	var multimesh := MultiMesh.new()
	multimesh.transform_format = MultiMesh.TRANSFORM_3D
	multimesh.mesh = body.mesh
	model.free()
	var instance := MultiMeshInstance3D.new()
	instance.multimesh = multimesh
	add_child(instance)
	return multimesh


func _draw() -> void:
	var ids := swarm.get_ids()
	var places := swarm.get_positions()
	var velocities := swarm.get_velocities()
	var counts: Array[int] = [0, 0]
	for multimesh in _drawn:
		if multimesh.instance_count < ids.size():
			multimesh.instance_count = ids.size() * 2
	for i in ids.size():
		var kind := swarm.get_agent_type(ids[i])
		var at := places[i]
		var height := SiegeGround.surface_at(at.x, at.y)
		if SiegeOutworks.is_on_bridge(at):
			height = SiegeOutworks.BRIDGE_TOP
		var way := velocities[i]
		var yaw := atan2(way.x, way.y)
		var hop := (
			absf(sin(Time.get_ticks_msec() * 0.008 + ids[i])) * minf(way.length(), 1.0) * 0.06
		)
		_drawn[kind].set_instance_transform(
			counts[kind], Transform3D(Basis(Vector3.UP, yaw), Vector3(at.x, height + hop, at.y))
		)
		counts[kind] += 1
	for kind: int in Kind.values():
		_drawn[kind].visible_instance_count = counts[kind]
