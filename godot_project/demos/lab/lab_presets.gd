class_name LabPresets
extends RefCounted
## The maps of the lab: terrain bytes and positions of the start and the goal.

const CLEAR := 1
const ROUGH := 8
const WALL := 255
const NAMES: PackedStringArray = ["Rooms", "Open", "Corridor", "Caves"]

var size: Vector2i
var cells: PackedByteArray
var start: Vector2i
var goal: Vector2i


func _init(map_size: Vector2i) -> void:
	size = map_size
	start = Vector2i(4, size.y / 2)
	goal = Vector2i(size.x - 5, size.y / 2)
	cells.resize(size.x * size.y)
	cells.fill(CLEAR)


## Builds the map with the given index into [constant NAMES].
static func build(index: int, map_size: Vector2i) -> LabPresets:
	var map := LabPresets.new(map_size)
	match index:
		0:
			map._build_rooms()
		2:
			map._build_corridor()
		3:
			map._build_caves()
		_:
			pass
	map._free_place(map.start)
	map._free_place(map.goal)
	return map


func get_cell(cell: Vector2i) -> int:
	return cells[cell.y * size.x + cell.x]


func set_cell(cell: Vector2i, id: int) -> void:
	if Rect2i(Vector2i.ZERO, size).has_point(cell):
		cells[cell.y * size.x + cell.x] = id


func _fill_rect(rect: Rect2i, id: int) -> void:
	for y in range(rect.position.y, rect.end.y):
		for x in range(rect.position.x, rect.end.x):
			set_cell(Vector2i(x, y), id)


func _fill_disc(center: Vector2, radius: float, id: int) -> void:
	var reach := ceili(radius)
	for y in range(-reach, reach + 1):
		for x in range(-reach, reach + 1):
			if Vector2(x, y).length() <= radius:
				set_cell(Vector2i(center) + Vector2i(x, y), id)


func _free_place(cell: Vector2i) -> void:
	_fill_rect(Rect2i(cell - Vector2i(2, 2), Vector2i(5, 5)), CLEAR)


## Halls with wide doors, pillars and patches of rough ground.
func _build_rooms() -> void:
	var columns: Array[int] = [15, 31, 48]
	var rows: Array[int] = [13, 30]
	start = Vector2i(4, 21)
	goal = Vector2i(57, 7)
	_fill_disc(Vector2(23, 21), 4.4, ROUGH)
	_fill_disc(Vector2(39, 38), 4.6, ROUGH)
	_fill_disc(Vector2(55, 21), 3.6, ROUGH)
	_fill_disc(Vector2(8, 5), 3.4, ROUGH)
	for x: int in columns:
		_fill_rect(Rect2i(x, 0, 1, size.y), WALL)
	for y: int in rows:
		_fill_rect(Rect2i(0, y, size.x, 1), WALL)
	# Doors in the vertical walls, then in the horizontal ones.
	var upright: Array[Vector2i] = [
		Vector2i(15, 4),
		Vector2i(15, 19),
		Vector2i(15, 35),
		Vector2i(31, 6),
		Vector2i(31, 33),
		Vector2i(31, 20),
		Vector2i(48, 3),
		Vector2i(48, 36),
		Vector2i(48, 22),
	]
	for door: Vector2i in upright:
		_fill_rect(Rect2i(door, Vector2i(1, 6)), CLEAR)
	var level: Array[Vector2i] = [
		Vector2i(5, 13),
		Vector2i(20, 13),
		Vector2i(38, 13),
		Vector2i(53, 13),
		Vector2i(6, 30),
		Vector2i(21, 30),
		Vector2i(36, 30),
		Vector2i(54, 30),
	]
	for door: Vector2i in level:
		_fill_rect(Rect2i(door, Vector2i(6, 1)), CLEAR)
	# One hall without a dividing wall, and furniture.
	_fill_rect(Rect2i(31, 14, 1, 16), CLEAR)
	for y: int in [17, 25]:
		for x: int in [28, 34, 40]:
			_fill_rect(Rect2i(x, y, 2, 2), WALL)
	_fill_disc(Vector2(23, 37), 2.6, WALL)
	_fill_rect(Rect2i(20, 5, 6, 2), WALL)
	_fill_rect(Rect2i(36, 5, 2, 4), WALL)
	_fill_rect(Rect2i(42, 4, 2, 5), WALL)
	_fill_rect(Rect2i(4, 36, 7, 1), WALL)
	_fill_rect(Rect2i(54, 36, 2, 4), WALL)
	_fill_rect(Rect2i(58, 34, 2, 4), WALL)


## One narrow corridor that winds through the whole map, with short spikes that narrow it further.
func _build_corridor() -> void:
	start = Vector2i(3, 3)
	goal = Vector2i(size.x - 4, size.y - 4)
	var upper := true
	var left := 6
	while left < size.x - 5:
		_fill_rect(Rect2i(left, 0 if upper else 5, 2, size.y - 5), WALL)
		for y in range(10, size.y - 10, 8):
			_fill_rect(Rect2i(left + (2 if upper else -2), y, 2, 1), WALL)
		upper = not upper
		left += 7


## Caves by a cellular automaton. Only the largest cave stays open.
func _build_caves() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 20
	for i in cells.size():
		cells[i] = WALL if random.randf() < 0.43 else CLEAR
	_free_place(start)
	_free_place(goal)
	for round_index in 5:
		var next := cells.duplicate()
		for y in size.y:
			for x in size.x:
				var walls := _walls_around(Vector2i(x, y))
				next[y * size.x + x] = WALL if walls >= 5 else CLEAR
		cells = next
	_keep_largest_cave()


func _walls_around(cell: Vector2i) -> int:
	var walls := 0
	for y in range(cell.y - 1, cell.y + 2):
		for x in range(cell.x - 1, cell.x + 2):
			if not Rect2i(Vector2i.ZERO, size).has_point(Vector2i(x, y)):
				walls += 1
			elif get_cell(Vector2i(x, y)) == WALL:
				walls += 1
	return walls


func _keep_largest_cave() -> void:
	var largest: Array[Vector2i] = []
	var seen := PackedByteArray()
	seen.resize(cells.size())
	for i in cells.size():
		if cells[i] != WALL and seen[i] == 0:
			var cave := _flood(Vector2i(i % size.x, i / size.x), seen)
			if cave.size() > largest.size():
				largest = cave
	cells.fill(WALL)
	start = largest[0]
	goal = largest[0]
	for cell: Vector2i in largest:
		set_cell(cell, CLEAR)
		if cell.x - absi(cell.y - size.y / 2) / 2 < start.x - absi(start.y - size.y / 2) / 2:
			start = cell
		if cell.x + absi(cell.y - size.y / 2) / 2 > goal.x + absi(goal.y - size.y / 2) / 2:
			goal = cell
	start += Vector2i(3, 0)
	goal -= Vector2i(3, 0)


func _flood(from: Vector2i, seen: PackedByteArray) -> Array[Vector2i]:
	var found: Array[Vector2i] = [from]
	seen[from.y * size.x + from.x] = 1
	var next := 0
	while next < found.size():
		for step: Vector2i in [Vector2i.LEFT, Vector2i.RIGHT, Vector2i.UP, Vector2i.DOWN]:
			var cell := found[next] + step
			if not Rect2i(Vector2i.ZERO, size).has_point(cell):
				continue
			var index := cell.y * size.x + cell.x
			if seen[index] == 0 and cells[index] != WALL:
				seen[index] = 1
				found.append(cell)
		next += 1
	return found
