@tool
extends RefCounted
## A point, a circle or a rectangle in the plane of the agents. Its frame, the transform of a node,
## says where it is and how it is turned and scaled.

const POINT := 0
const CIRCLE := 1
const RECTANGLE := 2
## The most cells that the rectangle around a shape may have.
const MOST_CELLS := 65536
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
	return absf(local.x) <= 0.5 * size.x * ROUNDING and absf(local.y) <= 0.5 * size.y * ROUNDING


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


## The cells whose centres are in the shape, in any case the one under its middle; as far as they
## are in the grid. Empty if none is, or if there would be too many.
func find_cells(manager: FlowFieldManager, frame: Transform2D) -> Array[Vector2i]:
	var cells: Array[Vector2i] = []
	if not frame.is_finite():
		return cells
	var middle := get_cell(manager, frame.origin)
	if is_area(frame):
		var inverse := frame.affine_inverse()
		var around := get_rect(manager, frame)
		if around.get_area() > MOST_CELLS:
			return cells
		for y in range(around.position.y, around.end.y):
			for x in range(around.position.x, around.end.x):
				var cell := Vector2i(x, y)
				if cell == middle or has_point(inverse * get_center(manager, cell)):
					cells.append(cell)
	elif manager.is_in_grid(middle):
		cells.append(middle)
	return cells


## The cells of the grid in the rectangle around the shape.
func get_rect(manager: FlowFieldManager, frame: Transform2D) -> Rect2i:
	var bounds := frame * get_bounds()
	var first := get_cell(manager, bounds.position)
	var last := get_cell(manager, bounds.end)
	var grid := Rect2i(Vector2i.ZERO, manager.grid_size)
	return Rect2i(first, last - first + Vector2i.ONE).intersection(grid)


## The cell at a position on the lowest layer. It may be outside of the grid.
static func get_cell(manager: FlowFieldManager, position: Vector2) -> Vector2i:
	var most := Vector2.ONE * 1.0e9
	var cell := ((position - manager.origin) / manager.cell_size).floor()
	return Vector2i(cell.clamp(-most, most))


static func get_center(manager: FlowFieldManager, cell: Vector2i) -> Vector2:
	return manager.origin + (Vector2(cell) + Vector2(0.5, 0.5)) * manager.cell_size
