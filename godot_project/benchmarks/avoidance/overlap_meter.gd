extends RefCounted
## How many agents overlap others, and how deep: whether they really avoid each other.

var _diameter := 1.0
var _agents := 0
var _overlapping := 0
var _depths := 0.0


func _init(radius: float) -> void:
	_diameter = 2.0 * radius


## Counts overlaps. Squares are as wide as an agent: those that touch it are in one of nine.
func look(positions: PackedVector2Array) -> void:
	var squares: Dictionary[Vector2i, PackedInt32Array] = {}
	for index in positions.size():
		var square := Vector2i((positions[index] / _diameter).floor())
		var members: PackedInt32Array = squares.get(square, PackedInt32Array())
		members.append(index)
		squares[square] = members
	for index in positions.size():
		var depth := _deepest(index, positions, squares)
		_agents += 1
		_depths += depth
		if depth > 0.0:
			_overlapping += 1


## The share of agents that overlap another.
func get_share() -> float:
	return float(_overlapping) / maxi(_agents, 1)


## How deep agents are in whom they overlap most, in radii: the mean over all agents.
func get_mean_depth() -> float:
	return _depths / maxi(_agents, 1) / (_diameter * 0.5)


func _deepest(index: int, positions: PackedVector2Array, squares: Dictionary) -> float:
	var at := positions[index]
	var middle := Vector2i((at / _diameter).floor())
	var nearest := _diameter
	for y in range(middle.y - 1, middle.y + 2):
		for x in range(middle.x - 1, middle.x + 2):
			for other: int in squares.get(Vector2i(x, y), PackedInt32Array()):
				if other != index:
					nearest = minf(nearest, at.distance_to(positions[other]))
	return _diameter - nearest
