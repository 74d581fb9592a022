@tool
extends RefCounted
## Outlines of cells as pairs of points, in cells: what is under the mouse, and what a release would
## paint.


## The border of the cells that a mask covers, from the corner of its square.
static func of_mask(mask: PackedByteArray, size: int) -> PackedVector2Array:
	var lines: PackedVector2Array = []
	for y in size + 1:
		for x in size + 1:
			var here := _is_covered(mask, size, x, y)
			if here != _is_covered(mask, size, x - 1, y):
				lines.append_array([Vector2(x, y), Vector2(x, y + 1)])
			if here != _is_covered(mask, size, x, y - 1):
				lines.append_array([Vector2(x, y), Vector2(x + 1, y)])
	return lines


## The border of a rectangle.
static func of_rect(rect: Rect2) -> PackedVector2Array:
	var corners: PackedVector2Array = [
		rect.position,
		Vector2(rect.end.x, rect.position.y),
		rect.end,
		Vector2(rect.position.x, rect.end.y),
	]
	var lines: PackedVector2Array = []
	for i in 4:
		lines.append_array([corners[i], corners[(i + 1) % 4]])
	return lines


static func _is_covered(mask: PackedByteArray, size: int, x: int, y: int) -> bool:
	return x >= 0 and y >= 0 and x < size and y < size and mask[y * size + x] > 0
