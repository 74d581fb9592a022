class_name SiegeBattlefield
extends RefCounted
## What the flow field knows of the level: its floors and heights, the gate, and the goals of the
## attackers.

enum Movement { WALKER, BEAST }

## The terrain at the feet of ladders: beasts cannot enter it.
const LADDER_FOOT := 9
const WALL := 255
const AGENT_HEIGHT := 1.7
## Higher than the steps of stairs, lower than breastworks and rails.
const MAX_CLIMB := 0.3
const MAX_SLOPE := 48.0
## The way below the bridge, from each side.
const DITCH_EAST := Vector2(14.0, 41.5)
const DITCH_WEST := Vector2(-14.0, 38.5)

var manager: FlowFieldManager
var keep_goal := 0
var gate_goal := 0
## Where ladder parties wait until a ladder stands.
var foot_goal := 0
var east_goal := 0
var west_goal := 0
## Where the player is, for attackers on the wall walk.
var player_goal := 0

var _gate_box := AABB()
var _land := PackedVector2Array()
var _free: Dictionary[Vector3, PackedVector2Array] = {}


func _init(new_manager: FlowFieldManager, level: SiegeLevel) -> void:
	manager = new_manager
	manager.movement_types = [_movement(Movement.WALKER), _movement(Movement.BEAST)]
	var source := FlowSourceGeometry.new()
	source.agent_height = AGENT_HEIGHT
	source.agent_max_climb = MAX_CLIMB
	source.agent_max_slope = MAX_SLOPE
	manager.bake_terrain_3d(level, source)
	var gate := level.gate.position
	var size := Vector3(SiegeWall.GATE.x + 2.0, SiegeWall.GATE.y, SiegeWall.THICKNESS + 3.0)
	_gate_box = AABB(gate - Vector3(size.x * 0.5, 0.5, size.z * 0.5), size)
	var goal := level.get_goal()
	keep_goal = manager.create_goal([Vector2(goal.x, goal.z)])
	var front: PackedVector2Array = []
	for x: float in [-1.75, -0.75, 0.25, 1.25]:
		front.append(Vector2(x, gate.z + 1.4))
	gate_goal = manager.create_goal(front)
	east_goal = manager.create_goal([DITCH_EAST])
	west_goal = manager.create_goal([DITCH_WEST])
	player_goal = manager.create_goal([Vector2(level.get_post().x, level.get_post().z)])
	foot_goal = manager.create_goal([Vector2(goal.x, goal.z)])


## Reads the gate again, after its leaves have become solid or have fallen.
func read_gate() -> void:
	manager.rebake_terrain_3d(_gate_box)


## The layer of the floor that is nearest to a height, at most `reach` away; -1 if there is none.
func layer_at(place: Vector3, reach := 0.8) -> int:
	var best := -1
	var least := reach
	for layer in manager.layer_count:
		var off := absf(manager.get_height(Vector2(place.x, place.z), layer) - place.y)
		# Over holes the height is NaN, which is not less.
		if off < least:
			least = off
			best = layer
	return best


## Whether agents can stand at a place of a layer.
func is_free(place: Vector2, layer := 0) -> bool:
	var cell := manager.cell_on_layer(manager.get_cell(place), layer)
	return manager.get_terrain_at(cell) != WALL


## The centres of free cells of the open ground within a distance of a place.
func free_cells(place: Vector3, radius: float) -> PackedVector2Array:
	var key := Vector3(place.x, place.z, radius)
	if not _free.has(key):
		var cells := PackedVector2Array()
		var middle := Vector2(place.x, place.z)
		var step := manager.cell_size
		var reach := ceili(radius / step)
		for y in range(-reach, reach + 1):
			for x in range(-reach, reach + 1):
				var at := (middle + Vector2(x, y) * step).clampf(-98.0, 98.0)
				if at.distance_to(middle) <= radius and _is_open_ground(at):
					cells.append(at)
		_free[key] = cells
	return _free[key]


## Places a metre apart on the open ground outside the wall, those that are nearest to the bridge
## first.
func land() -> PackedVector2Array:
	if _land.is_empty():
		var bridge := Vector2(0.0, SiegeOutworks.BRIDGE_TO + 10.0)
		var order: Array[Vector3] = []
		for z in range(-97, 98):
			for x in range(-97, 98):
				var at := Vector2(x + 0.25, z + 0.25)
				if _is_open_ground(at) and SiegeGround.distance_to_town(at) > 9.0:
					order.append(Vector3(at.distance_squared_to(bridge), at.x, at.y))
		order.sort()
		for entry in order:
			_land.append(Vector2(entry.y, entry.z))
	return _land


## Whether a point is on the ground, and not in a tent or on a roof.
func _is_open_ground(place: Vector2) -> bool:
	var ground := SiegeGround.surface_at(place.x, place.y)
	return is_free(place) and absf(manager.get_height(place) - ground) < 0.3


static func _movement(kind: Movement) -> FlowMovementType:
	var costs := PackedByteArray()
	costs.resize(256)
	for id in 256:
		costs[id] = maxi(id, 1)
	costs[LADDER_FOOT] = WALL if kind == Movement.BEAST else 1
	var movement := FlowMovementType.new()
	movement.cost_table = costs
	movement.uphill_speed = 0.65
	movement.downhill_speed = 1.1
	return movement
