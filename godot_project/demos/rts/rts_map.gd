class_name RtsMap
extends RefCounted
## Makes the map: plateaus with ramps, rivers with bridges, a lake with an island, woods and rocks.
## The same seed makes the same map.

const SIZE := Vector2i(512, 512)
## The cells where the armies start, and the radius that is cleared for them.
const BASES: Array[Vector2i] = [Vector2i(92, 108), Vector2i(418, 120), Vector2i(236, 424)]
const BASE_RADIUS := 34
## The middle and radius of each plateau, and the angles of its ramps in turns.
const PLATEAUS: Array[Array] = [
	[Vector2i(250, 78), 44, [0.08, 0.42]],
	[Vector2i(84, 288), 46, [0.0, 0.30, 0.78]],
	[Vector2i(428, 296), 48, [0.22, 0.5, 0.75]],
	[Vector2i(370, 452), 34, [0.55, 0.85]],
]
const LAKE := Vector2i(256, 252)
const LAKE_RADIUS := 46
const ISLAND_RADIUS := 15
## The courses of the rivers, in cells; each flows on or off the map, or into the lake.
const RIVERS: Array[Array] = [
	[Vector2(166, -12), Vector2(178, 90), Vector2(152, 170), Vector2(206, 222), Vector2(250, 248)],
	[Vector2(262, 252), Vector2(330, 236), Vector2(352, 170), Vector2(330, 90), Vector2(338, -12)],
	[Vector2(246, 262), Vector2(190, 320), Vector2(150, 380), Vector2(140, 450), Vector2(120, 524)],
	[Vector2(268, 270), Vector2(310, 340), Vector2(318, 400), Vector2(290, 470), Vector2(302, 524)],
]
const RIVER_WIDTH := 6.5
## Of each bridge: the index of its river, its position along the course from 0 to 1, and its width
## in cells.
const BRIDGES: Array[Array] = [
	[0, 0.16, 8],
	[0, 0.44, 10],
	[1, 0.55, 10],
	[1, 0.84, 6],
	[2, 0.34, 10],
	[2, 0.78, 6],
	[3, 0.36, 10],
	[3, 0.76, 8],
]

var cells := PackedByteArray()

var _random := RandomNumberGenerator.new()
var _rough: PackedByteArray


static func make(random_seed := 11) -> RtsMap:
	var map := RtsMap.new()
	map._random.seed = random_seed
	map._rough = map._noise(random_seed, 0.02, 4)
	map._plant_woods(map._noise(random_seed + 1, 0.024, 4))
	map._scatter_rocks()
	for plateau: Array in PLATEAUS:
		map._raise_plateau(plateau[0] as Vector2i, plateau[1] as int, plateau[2] as Array)
	map._flood()
	for base: Vector2i in BASES:
		map._clear_base(base)
	for bridge: Array in BRIDGES:
		map._build_bridge(bridge[0] as int, bridge[1] as float, bridge[2] as int)
	return map


## The cell in the middle of a bridge.
static func bridge_at(index: int) -> Vector2i:
	return Vector2i(_on_course(RIVERS[BRIDGES[index][0]], BRIDGES[index][1] as float))


func at(cell: Vector2i) -> int:
	return cells[cell.y * SIZE.x + cell.x]


func _init() -> void:
	cells.resize(SIZE.x * SIZE.y)
	cells.fill(RtsGround.GRASS)


## A byte of smooth noise for each cell.
func _noise(random_seed: int, frequency: float, octaves: int) -> PackedByteArray:
	var noise := FastNoiseLite.new()
	noise.seed = random_seed
	noise.noise_type = FastNoiseLite.TYPE_SIMPLEX_SMOOTH
	noise.frequency = frequency
	noise.fractal_octaves = octaves
	return noise.get_image(SIZE.x, SIZE.y).get_data()


func _plant_woods(noise: PackedByteArray) -> void:
	for i in cells.size():
		if noise[i] > 158:
			cells[i] = RtsGround.FOREST


func _scatter_rocks() -> void:
	for n in 150:
		var middle := Vector2i(
			_random.randi_range(6, SIZE.x - 7), _random.randi_range(6, SIZE.y - 7)
		)
		for stone in _random.randi_range(1, 4):
			var off := Vector2i(_random.randi_range(-3, 3), _random.randi_range(-3, 3))
			_disc(middle + off, _random.randf_range(0.8, 2.6), RtsGround.ROCK)


## High ground with a cliff around it, which ramps lead through.
func _raise_plateau(middle: Vector2i, radius: int, ramps: Array) -> void:
	var reach := radius + 14
	for y in range(middle.y - reach, middle.y + reach + 1):
		for x in range(middle.x - reach, middle.x + reach + 1):
			if not _has(x, y):
				continue
			var away := Vector2(x - middle.x, y - middle.y)
			var edge := radius + (_rough[y * SIZE.x + x] - 128) * 0.17
			var inside := edge - away.length()
			if inside > 2.6:
				cells[y * SIZE.x + x] = RtsGround.PLATEAU
			elif inside > -0.6:
				var is_ramp := inside > -9.0 and _is_on_ramp(away, ramps)
				cells[y * SIZE.x + x] = RtsGround.RAMP if is_ramp else RtsGround.CLIFF
			elif inside > -7.0 and _is_on_ramp(away, ramps):
				cells[y * SIZE.x + x] = RtsGround.RAMP


func _is_on_ramp(away: Vector2, ramps: Array) -> bool:
	for turns: float in ramps:
		var along := Vector2.from_angle(turns * TAU)
		if away.dot(along) > 0.0 and absf(away.cross(along)) < 4.6:
			return true
	return false


func _flood() -> void:
	for river: Array in RIVERS:
		var length := 150
		for step in length + 1:
			var place := _on_course(river, float(step) / length)
			var width := RIVER_WIDTH + 2.2 * sin(step * 0.16)
			_pour(Vector2i(place), width)
	for y in range(LAKE.y - LAKE_RADIUS - 14, LAKE.y + LAKE_RADIUS + 15):
		for x in range(LAKE.x - LAKE_RADIUS - 14, LAKE.x + LAKE_RADIUS + 15):
			var away := Vector2(x - LAKE.x, y - LAKE.y).length()
			var rough := (_rough[y * SIZE.x + x] - 128) * 0.15
			_wet(x, y, minf(LAKE_RADIUS + rough - away, away - ISLAND_RADIUS - rough))


func _pour(middle: Vector2i, width: float) -> void:
	var reach := ceili(width) + 3
	for y in range(middle.y - reach, middle.y + reach + 1):
		for x in range(middle.x - reach, middle.x + reach + 1):
			if _has(x, y):
				_wet(x, y, width - Vector2(x - middle.x, y - middle.y).length())


## Makes a cell water by its distance `inside` the shore, in cells: shallow water near the shore.
func _wet(x: int, y: int, inside: float) -> void:
	var index := y * SIZE.x + x
	if inside > 2.2:
		cells[index] = RtsGround.WATER
	elif inside > 0.0 and cells[index] != RtsGround.WATER:
		cells[index] = RtsGround.SHALLOWS
	elif inside > -2.5 and cells[index] >= RtsGround.PLATEAU:
		# No cliffs right beside the water, so that units can walk along the shore.
		cells[index] = RtsGround.GRASS


func _clear_base(middle: Vector2i) -> void:
	for y in range(middle.y - BASE_RADIUS, middle.y + BASE_RADIUS + 1):
		for x in range(middle.x - BASE_RADIUS, middle.x + BASE_RADIUS + 1):
			var id := cells[y * SIZE.x + x]
			var is_dry := id != RtsGround.WATER and id != RtsGround.SHALLOWS
			if is_dry and Vector2(x - middle.x, y - middle.y).length() < BASE_RADIUS:
				cells[y * SIZE.x + x] = RtsGround.GRASS


## A straight strip across a river that reaches both shores. Its edges are at even cells, where
## walls can end, so that walls can close it.
func _build_bridge(river: int, share: float, width: int) -> void:
	var middle := Vector2i(_on_course(RIVERS[river], share))
	var ahead := _on_course(RIVERS[river], share + 0.02) - _on_course(RIVERS[river], share - 0.02)
	# Along rows or columns, because a diagonal edge would have steps.
	var across := Vector2i.RIGHT if absf(ahead.y) > absf(ahead.x) else Vector2i.DOWN
	var side := Vector2i(across.y, across.x)
	var first := (maxi(middle.x * side.x, middle.y * side.y) - width / 2) / 2 * 2
	for way: int in [1, -1]:
		for step in 40:
			var touches_water := false
			for lane in width:
				var cell := (middle + across * step * way) * across + side * (first + lane)
				if not _has(cell.x, cell.y):
					continue
				var id := at(cell)
				touches_water = touches_water or id == RtsGround.WATER or id == RtsGround.SHALLOWS
				cells[cell.y * SIZE.x + cell.x] = RtsGround.ROAD
			if step > RIVER_WIDTH and not touches_water:
				break


## A point on the smooth curve through all points of a course: 0 is its first point, 1 its last.
static func _on_course(course: Array, share: float) -> Vector2:
	var place := clampf(share, 0.0, 0.9999) * (course.size() - 1)
	var index := int(place)
	var before: Vector2 = course[maxi(index - 1, 0)]
	var from: Vector2 = course[index]
	var to: Vector2 = course[index + 1]
	var after: Vector2 = course[mini(index + 2, course.size() - 1)]
	return from.cubic_interpolate(to, before, after, place - index)


func _disc(middle: Vector2i, radius: float, id: int) -> void:
	var reach := ceili(radius)
	for y in range(middle.y - reach, middle.y + reach + 1):
		for x in range(middle.x - reach, middle.x + reach + 1):
			if _has(x, y) and Vector2(x - middle.x, y - middle.y).length() <= radius:
				cells[y * SIZE.x + x] = id


func _has(x: int, y: int) -> bool:
	return x >= 0 and y >= 0 and x < SIZE.x and y < SIZE.y
