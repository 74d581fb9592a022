class_name SiegeGround
extends RefCounted
## The shape of the land: hills, the plateau of the town, the road and the ditch, as heights in
## metres at points of the plane. Everything that stands on the ground asks here.

## The side of the playable map, with its middle in the origin.
const SIZE := 200.0
const TOWN_HEIGHT := 6.0
## The centre line of the town wall, clockwise as seen from above. The gate is in the first side.
const OUTLINE: Array[Vector2] = [
	Vector2(-46.0, 20.0),
	Vector2(46.0, 20.0),
	Vector2(58.0, -22.0),
	Vector2(36.0, -70.0),
	Vector2(-36.0, -70.0),
	Vector2(-58.0, -22.0),
]
## The middle of the road from the keep outwards, with heights.
const ROAD: Array[Vector3] = [
	Vector3(0.0, 6.0, -36.0),
	Vector3(0.0, 6.0, 20.0),
	Vector3(0.0, 5.6, 30.0),
	Vector3(0.0, 5.6, 52.0),
	Vector3(5.0, 4.4, 64.0),
	Vector3(17.0, 2.8, 80.0),
	Vector3(20.0, 2.4, 102.0),
	Vector3(14.0, 4.0, 160.0),
]
const ROAD_WIDTH := 5.0
## The ditch runs along X and fades out at its ends, where it can be entered.
const DITCH_MIDDLE := 40.0
const DITCH_DEPTH := 4.5
const DITCH_FLOOR := 3.4
const DITCH_BANK := 6.6
const DITCH_ENDS := Vector2(36.0, 58.0)

static var _noise := _make_noise()
static var _heights := PackedFloat32Array()


static func height_at(x: float, z: float) -> float:
	var place := Vector2(x, z)
	var height := _natural_height(place)
	height = lerpf(TOWN_HEIGHT, height, smoothstep(4.0, 26.0, distance_to_town(place)))
	var road := nearest_on_road(place)
	var off_road := place.distance_to(Vector2(road.x, road.z))
	height = lerpf(road.y, height, smoothstep(ROAD_WIDTH * 0.6, 13.0, off_road))
	return height - DITCH_DEPTH * ditch_share(place)


## The heights of all corners of squares of a metre, row by row, as the collision shape has them.
static func get_heights() -> PackedFloat32Array:
	if _heights.is_empty():
		var side := int(SIZE) + 1
		_heights.resize(side * side)
		for row in side:
			for column in side:
				_heights[row * side + column] = height_at(column - SIZE * 0.5, row - SIZE * 0.5)
	return _heights


## The height of the collision shape at a point: close to height_at(), and much faster.
static func surface_at(x: float, z: float) -> float:
	var heights := get_heights()
	var side := int(SIZE) + 1
	var at := Vector2(x, z) + Vector2.ONE * SIZE * 0.5
	at = at.clampf(0.0, SIZE - 0.001)
	var corner := Vector2i(at)
	var part := at - Vector2(corner)
	var first := corner.y * side + corner.x
	var above := lerpf(heights[first], heights[first + 1], part.x)
	var below := lerpf(heights[first + side], heights[first + side + 1], part.x)
	return lerpf(above, below, part.y)


## 1 on the floor of the ditch, 0 outside it.
static func ditch_share(place: Vector2) -> float:
	var off := absf(place.y - DITCH_MIDDLE - 1.5 * sin(place.x * 0.07))
	var across := 1.0 - smoothstep(DITCH_FLOOR, DITCH_BANK, off)
	return across * (1.0 - smoothstep(DITCH_ENDS.x, DITCH_ENDS.y, absf(place.x)))


## Negative inside the town.
static func distance_to_town(place: Vector2) -> float:
	var nearest := INF
	for i in OUTLINE.size():
		var from := OUTLINE[i]
		var to := OUTLINE[(i + 1) % OUTLINE.size()]
		var closest := Geometry2D.get_closest_point_to_segment(place, from, to)
		nearest = minf(nearest, place.distance_to(closest))
	var inside := Geometry2D.is_point_in_polygon(place, PackedVector2Array(OUTLINE))
	return -nearest if inside else nearest


static func nearest_on_road(place: Vector2) -> Vector3:
	var best := ROAD[0]
	var least := INF
	for i in ROAD.size() - 1:
		var from := Vector2(ROAD[i].x, ROAD[i].z)
		var to := Vector2(ROAD[i + 1].x, ROAD[i + 1].z)
		var at := Geometry2D.get_closest_point_to_segment(place, from, to)
		var distance := place.distance_squared_to(at)
		if distance < least:
			least = distance
			best = ROAD[i].lerp(ROAD[i + 1], from.distance_to(at) / from.distance_to(to))
	return best


static func _natural_height(place: Vector2) -> float:
	var far := place.length()
	var hills := _noise.get_noise_2dv(place) * (5.0 + maxf(0.0, far - 90.0) * 0.16)
	return 4.6 + hills + 3.5 * smoothstep(75.0, 130.0, far) + 26.0 * smoothstep(130.0, 420.0, far)


static func _make_noise() -> FastNoiseLite:
	var noise := FastNoiseLite.new()
	noise.seed = 11
	noise.noise_type = FastNoiseLite.TYPE_SIMPLEX_SMOOTH
	noise.frequency = 0.013
	noise.fractal_octaves = 3
	noise.fractal_gain = 0.35
	return noise
