class_name VersusMap
extends RefCounted
## The battlefield: two keeps, three flags between them, and rocks, the same for both sides.

const SIZE := Vector2i(80, 45)
const CELL := 20.0
const WALL := 255
## Where the keeps are, in cells.
const KEEPS: Array[Vector2] = [Vector2(7.0, 22.5), Vector2(73.0, 22.5)]
const FLAGS: Array[Vector2] = [Vector2(40.0, 8.0), Vector2(40.0, 22.5), Vector2(40.0, 37.0)]
const COLORS: Array[Color] = [Color("5b8cff"), Color("ff6b7a")]
const NAMES: PackedStringArray = ["Blue", "Red"]
## Rocks of the left half; those of the right half mirror them.
const ROCKS: Array[Rect2i] = [
	Rect2i(14, 6, 4, 9),
	Rect2i(14, 30, 4, 9),
	Rect2i(21, 19, 3, 7),
	Rect2i(27, 4, 7, 3),
	Rect2i(27, 38, 7, 3),
	Rect2i(28, 12, 4, 6),
	Rect2i(28, 27, 4, 6),
	Rect2i(36, 14, 4, 3),
	Rect2i(36, 28, 4, 3),
]


static func rocks() -> Array[Rect2i]:
	var all := ROCKS.duplicate()
	for rock: Rect2i in ROCKS:
		all.append(Rect2i(SIZE.x - rock.end.x, rock.position.y, rock.size.x, rock.size.y))
	return all


static func keep(side: int) -> Vector2:
	return KEEPS[side] * CELL


static func flag(number: int) -> Vector2:
	return FLAGS[number] * CELL
