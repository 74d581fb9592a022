@tool
extends RefCounted
## The shape of a brush: which cells it covers.

enum Shape { SQUARE, ROUND }

const MOST_SIZE := 64
## How much less the radius of a round brush is than half its size: otherwise a brush of 3 cells
## would be a square.
const INSET := 0.1
const COVERED := 255

## The width and height in cells, 1 to 64.
var size := 1:
	set(value):
		size = clampi(value, 1, MOST_SIZE)
		_mask = []
var shape := Shape.SQUARE:
	set(value):
		shape = value
		_mask = []
## The outer share of the radius, 0 to 1, in which fewer and fewer cells are covered.
var falloff := 0.0:
	set(value):
		falloff = clampf(value, 0.0, 1.0)
		_mask = []

## Packed arrays are shared: a mask that was handed out never changes.
var _mask: PackedByteArray = []


## The square of cells around a cell in which the brush covers cells.
func area(cell: Vector2i) -> Rect2i:
	var before := (size - 1) / 2
	return Rect2i(cell - Vector2i(before, before), Vector2i(size, size))


## One entry for each cell of [method area], row by row, as [method FlowTerrain.fill_masked] takes
## it.
func mask() -> PackedByteArray:
	if _mask.is_empty():
		_mask.resize(size * size)
		for i in _mask.size():
			_mask[i] = roundi(COVERED * _strength(Vector2i(i % size, i / size)))
	return _mask


func _strength(cell: Vector2i) -> float:
	var distance := _distance(cell)
	if falloff == 0.0:
		return 1.0 if distance <= 1.0 else 0.0
	return clampf((1.0 - distance) / falloff, 0.0, 1.0)


## The distance of the middle of a cell from that of the brush; 1 is at the edge.
func _distance(cell: Vector2i) -> float:
	var half := 0.5 * size
	var away := Vector2(cell) + Vector2(0.5, 0.5) - Vector2(half, half)
	if shape == Shape.SQUARE:
		return maxf(absf(away.x), absf(away.y)) / half
	return away.length() / (half - INSET)
