@tool
extends RefCounted
## The cells of a straight line.


## The cells from one to another, both included, each beside or diagonally beside the one before.
static func cells(from: Vector2i, to: Vector2i) -> Array[Vector2i]:
	var away := to - from
	var steps := maxi(absi(away.x), absi(away.y))
	var line: Array[Vector2i] = [from]
	for i in range(1, steps + 1):
		# Rounded in whole numbers, half away from zero, so that both directions give mirrored lines.
		line.append(from + Vector2i(_part(away.x, i, steps), _part(away.y, i, steps)))
	return line


static func _part(length: int, step: int, steps: int) -> int:
	return signi(length) * ((2 * absi(length) * step + steps) / (2 * steps))
