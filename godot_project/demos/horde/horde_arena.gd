class_name HordeArena
extends RefCounted
## The arena's ground plan: a walled square with a plaza, a broken ring of walls and ruins, the same
## in all four quarters. All open cells are joined, and no gap is too narrow for a brute.

const SIZE := Vector2i(240, 240)
const CELL := 24.0
const WALL := 255
const CLEAR := 1
## Thickness of the outer wall, in cells.
const EDGE := 3
const PLAZA_RADIUS := 13.0

const RING_RADIUS := 44.0
const RING_THICKNESS := 2.6
## Half the angle of the ring's gates; there is one every 45 degrees.
const GATE := 0.15

## Walls of the first quarter, counted from the centre.
const RUINS: Array[Rect2i] = [
	Rect2i(16, 16, 3, 3),
	Rect2i(26, 7, 3, 3),
	Rect2i(7, 26, 3, 3),
	Rect2i(62, 10, 3, 16),
	Rect2i(62, 10, 14, 3),
	Rect2i(10, 62, 16, 3),
	Rect2i(10, 62, 3, 14),
	Rect2i(58, 58, 18, 3),
	Rect2i(58, 58, 3, 18),
	Rect2i(70, 74, 3, 3),
	Rect2i(76, 70, 3, 3),
	Rect2i(88, 24, 3, 22),
	Rect2i(24, 88, 22, 3),
	Rect2i(94, 60, 4, 4),
	Rect2i(60, 94, 4, 4),
	Rect2i(90, 90, 14, 3),
	Rect2i(90, 90, 3, 14),
	Rect2i(102, 8, 4, 4),
	Rect2i(8, 102, 4, 4),
]


## Terrain, one id per cell, row by row.
static func build() -> PackedByteArray:
	var cells := PackedByteArray()
	cells.resize(SIZE.x * SIZE.y)
	for y in SIZE.y:
		for x in SIZE.x:
			var wall := _is_edge(x, y) or _is_ring(x, y)
			cells[y * SIZE.x + x] = WALL if wall else CLEAR
	for ruin in RUINS:
		_mirror(cells, ruin)
	return cells


## The middle of the plaza, in world units.
static func get_center() -> Vector2:
	return Vector2(SIZE) * CELL * 0.5


static func _is_edge(x: int, y: int) -> bool:
	return mini(mini(x, SIZE.x - 1 - x), mini(y, SIZE.y - 1 - y)) < EDGE


static func _is_ring(x: int, y: int) -> bool:
	var place := Vector2(x + 0.5, y + 0.5) - Vector2(SIZE) * 0.5
	if absf(place.length() - RING_RADIUS) > RING_THICKNESS * 0.5:
		return false
	return absf(wrapf(place.angle(), -PI / 8.0, PI / 8.0)) > GATE


static func _mirror(cells: PackedByteArray, ruin: Rect2i) -> void:
	var middle := SIZE / 2
	for y in range(ruin.position.y, ruin.end.y):
		for x in range(ruin.position.x, ruin.end.x):
			for cell: Vector2i in [
				middle + Vector2i(x, y),
				middle + Vector2i(-1 - x, y),
				middle + Vector2i(x, -1 - y),
				middle + Vector2i(-1 - x, -1 - y),
			]:
				cells[cell.y * SIZE.x + cell.x] = WALL
