@tool
extends RefCounted
## A point, a circle or a rectangle in the plane of the agents. Its frame, the transform of a node,
## says where it is and how it is turned and scaled.

const POINT := 0
const CIRCLE := 1
const RECTANGLE := 2
## The most cells that the rectangle around a shape may have.
const MOST_CELLS := 65536
## Farther cells than any of a grid, that integers hold.
const MOST_CELL := 1.0e9
## Points on the edge are inside, however the shape is turned.
const ROUNDING := 1.0001
## The corners of a circle's outline.
const SIDES := 48

var kind := POINT
var radius := 0.0
var size := Vector2.ZERO


## Whether the shape has an extent in a frame: a circle of radius 0, say, is a point.
func is_area(frame: Transform2D) -> bool:
	return get_bounds().has_area() and not is_zero_approx(frame.determinant())


## The rectangle around the shape, in its own frame.
func get_bounds() -> Rect2:
	match kind:
		CIRCLE:
			return Rect2(-radius, -radius, 2.0 * radius, 2.0 * radius)
		RECTANGLE:
			return Rect2(-0.5 * size, size)
	return Rect2()


func has_point(local: Vector2) -> bool:
	if kind == CIRCLE:
		return local.length() <= radius * ROUNDING
	var most := 0.5 * size * ROUNDING
	return absf(local.x) <= most.x and absf(local.y) <= most.y


## A point of the shape, all of them equally likely.
func pick(random: RandomNumberGenerator) -> Vector2:
	var bounds := get_bounds()
	for i in 64:
		var point := bounds.position + bounds.size * Vector2(random.randf(), random.randf())
		if has_point(point):
			return point
	return Vector2.ZERO


## The outline in the shape's own frame, closed; empty for a point.
func get_outline() -> PackedVector2Array:
	var line := PackedVector2Array()
	match kind:
		CIRCLE:
			for i in SIDES + 1:
				line.append(radius * Vector2.from_angle(TAU * i / SIDES))
		RECTANGLE:
			var half := 0.5 * size
			line = [-half, Vector2(half.x, -half.y), half, Vector2(-half.x, half.y), -half]
	return line


## The centres of the cells of the grid that are in the shape, and that of the cell under its
## middle. Empty if no cell is, or if there would be too many.
func find_centers(manager: FlowFieldManager, frame: Transform2D) -> PackedVector2Array:
	var centers: PackedVector2Array = []
	# Read once: each read is a call into the extension.
	var origin := manager.origin
	var side := manager.cell_size
	var half := 0.5 * side * Vector2.ONE
	var middle := ((frame.origin - origin) / side).floor()
	var inverse := frame.affine_inverse()
	var cells := get_rect(manager, frame)
	if cells.get_area() > MOST_CELLS:
		return centers
	for y in range(cells.position.y, cells.end.y):
		for x in range(cells.position.x, cells.end.x):
			var cell := Vector2(x, y)
			var center := origin + cell * side + half
			if cell == middle or has_point(inverse * center):
				centers.append(center)
	return centers


## The cells of the grid in the rectangle around the shape.
func get_rect(manager: FlowFieldManager, frame: Transform2D) -> Rect2i:
	var bounds := frame * get_bounds()
	var most := Vector2.ONE * MOST_CELL
	var first := ((bounds.position - manager.origin) / manager.cell_size).clamp(-most, most)
	var last := ((bounds.end - manager.origin) / manager.cell_size).clamp(-most, most)
	var start := Vector2i(first.floor())
	var grid := Rect2i(Vector2i.ZERO, manager.grid_size)
	return Rect2i(start, Vector2i(last.floor()) - start + Vector2i.ONE).intersection(grid)
