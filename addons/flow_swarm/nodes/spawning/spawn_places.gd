@tool
extends RefCounted
## Where a spawner makes agents: around its markers or itself, or on a path. The base of the places
## in 2D and 3D, which know the nodes.

const AreaShape := preload("../shared/area_shape.gd")
const Floors := preload("../shared/floors.gd")
const PATH := 3
## The most places that are tried for an agent in a tick.
const TRIES := 64

## POINT, CIRCLE or RECTANGLE around each frame.
var shape := AreaShape.new()
var is_on_path := false
## The markers, or the node itself, seen from above.
var frames: Array[Transform2D] = []
## Their heights; NaN in 2D, where the layer is given.
var heights: PackedFloat32Array = []
var layer := 0
## Where the grid is.
var bounds := Rect2()
## The marker that is next.
var turn := 0


## Reads the nodes. To be overridden.
func read(_node: Node) -> void:
	pass


func has_path() -> bool:
	return false


## The point of the path at a share of its length: its position in the plane, and its height as z.
func get_path_point(_share: float) -> Vector3:
	return Vector3.INF


## A place for an agent that is no wall for a movement type, and its layer as z. INF if none is
## found.
func find(swarm: EnemySwarm, movement_type: int, random: RandomNumberGenerator) -> Vector3:
	var manager := swarm.manager
	var tries := TRIES
	if not is_on_path and shape.kind == AreaShape.POINT:
		tries = frames.size()
	for i in tries:
		var place := _get_next(random)
		var at := Vector2(place.x, place.y)
		var on := get_layer(swarm, at, place.z)
		if is_free(manager, at, on, movement_type):
			return Vector3(at.x, at.y, on)
	return Vector3.INF


## The layer of a position at a height, which is NaN in 2D.
func get_layer(swarm: EnemySwarm, position: Vector2, height: float) -> int:
	if is_nan(height):
		return layer
	return Floors.find_layer(swarm.manager, swarm, position, height)


## Whether an agent can be spawned at a place: its cell is in the grid, and no wall.
func is_free(
	manager: FlowFieldManager, position: Vector2, on_layer: int, movement_type: int
) -> bool:
	if not bounds.has_point(position):
		return false
	if on_layer > 0:
		position = manager.on_layer(position, on_layer)
	return manager.get_island(position, movement_type) >= 0


## The next place, free or not: its position in the plane, and its height as z.
func _get_next(random: RandomNumberGenerator) -> Vector3:
	if is_on_path:
		return get_path_point(random.randf())
	turn = (turn + 1) % frames.size()
	var at := frames[turn] * shape.pick(random)
	return Vector3(at.x, at.y, heights[turn])
