@tool
extends RefCounted
## Where a ray meets the ground of a layer of a manager.

## What a miss returns.
const MISS := Vector3.INF
## How often the step in which the ray goes below the ground is halved.
const HALVINGS := 12
const LEVEL := 1e-9
## The share of a step from the edge of the grid to the first height that is read.
const EDGE := 0.001


## Where a ray meets a level plane.
static func hit_plane(from: Vector3, direction: Vector3, height: float) -> Vector3:
	if absf(direction.y) < LEVEL:
		return MISS
	var distance := (height - from.y) / direction.y
	return from + distance * direction if distance >= 0.0 else MISS


## Where a ray first goes from above the heights of a layer below them; it passes through holes.
static func hit_heights(
	manager: FlowFieldManager, layer: int, from: Vector3, direction: Vector3
) -> Vector3:
	var span := _span_over(manager.get_bounds(), from, direction)
	var across := Vector2(direction.x, direction.z).length()
	if across < LEVEL:
		return _below(manager, layer, from, direction)
	# One cell at a time: hills are hardly narrower.
	var step := manager.cell_size / across
	var near := span.x
	# Right at the edge there may be no height.
	var was_above := _rise(manager, layer, from + (near + EDGE * step) * direction) > 0.0
	while near < span.y:
		var far := minf(near + step, span.y)
		var rise := _rise(manager, layer, from + far * direction)
		if rise <= 0.0 and was_above:
			return from + _crossing(manager, layer, from, direction, near, far) * direction
		was_above = rise > 0.0
		near = far
	return MISS


## The distance at which a ray goes below the ground, between one above it and one below.
static func _crossing(
	manager: FlowFieldManager,
	layer: int,
	from: Vector3,
	direction: Vector3,
	above: float,
	below: float
) -> float:
	for i in HALVINGS:
		var middle := 0.5 * (above + below)
		if _rise(manager, layer, from + middle * direction) > 0.0:
			above = middle
		else:
			below = middle
	return above


## The ground straight below or above.
static func _below(
	manager: FlowFieldManager, layer: int, from: Vector3, direction: Vector3
) -> Vector3:
	var height := manager.get_height(Vector2(from.x, from.z), layer)
	if is_nan(height) or (height - from.y) * direction.y < 0.0:
		return MISS
	return Vector3(from.x, height, from.z)


## How far a place is above the ground; not a number in holes, which compares as neither.
static func _rise(manager: FlowFieldManager, layer: int, place: Vector3) -> float:
	return place.y - manager.get_height(Vector2(place.x, place.z), layer)


## The least and greatest distance at which a ray is over a rectangle; none if x is not less than y.
static func _span_over(bounds: Rect2, from: Vector3, direction: Vector3) -> Vector2:
	var span := Vector2(0.0, INF)
	for axis: Vector4 in [
		Vector4(from.x, direction.x, bounds.position.x, bounds.end.x),
		Vector4(from.z, direction.z, bounds.position.y, bounds.end.y),
	]:
		if absf(axis.y) < LEVEL:
			if axis.x < axis.z or axis.x > axis.w:
				return Vector2.ZERO
			continue
		var one := (axis.z - axis.x) / axis.y
		var other := (axis.w - axis.x) / axis.y
		span = Vector2(maxf(span.x, minf(one, other)), minf(span.y, maxf(one, other)))
	return span
