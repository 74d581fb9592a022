class_name SiegeOutworks
extends RefCounted
## What stands outside the wall: the bridge of the road over the ditch, and the camps.

const BRIDGE_FROM := 31.0
const BRIDGE_TO := 50.0
const BRIDGE_WIDTH := 6.4
const DECK := 0.5
const BRIDGE_TOP := 5.66
## The middles of the camps, far from the town.
const CAMPS: Array[Vector2] = [
	Vector2(20.0, 88.0), Vector2(-62.0, 78.0), Vector2(74.0, 66.0), Vector2(-84.0, 30.0)
]


static func build(masonry: SiegeMasonry) -> void:
	_add_bridge(masonry)
	var random := RandomNumberGenerator.new()
	random.seed = 9
	for camp in CAMPS:
		_add_camp(masonry, camp, random)


## Whether a point of the plane is on the deck of the bridge, or below it.
static func is_on_bridge(place: Vector2) -> bool:
	var along := place.y > BRIDGE_FROM and place.y < BRIDGE_TO
	return along and absf(place.x) < BRIDGE_WIDTH * 0.5


## The deck is level with the road, and high enough over the ditch to walk below it.
static func _add_bridge(masonry: SiegeMasonry) -> void:
	var length := BRIDGE_TO - BRIDGE_FROM
	var z := (BRIDGE_FROM + BRIDGE_TO) * 0.5
	var top := BRIDGE_TOP
	var deck := Vector3(0.0, top - DECK, z)
	masonry.block(deck, Vector3(BRIDGE_WIDTH, DECK, length), SiegeMasonry.STONE)
	for side: float in [-1.0, 1.0]:
		var x := side * (BRIDGE_WIDTH * 0.5 - 0.2)
		var rail := Vector3(x, top, z)
		masonry.block(rail, Vector3(0.4, 0.85, length), SiegeMasonry.STONE)
		masonry.block(
			rail + Vector3.UP * 0.85, Vector3(0.55, 0.14, length), SiegeMasonry.DARK_STONE, false
		)
		for end: float in [BRIDGE_FROM, BRIDGE_TO]:
			var pillar := Vector3(x, top - 1.0, end)
			masonry.block(pillar, Vector3(0.8, 2.5, 0.8), SiegeMasonry.DARK_STONE)
	for pier: float in [-4.6, 4.6]:
		var at := z + pier
		var foot := Vector3(0.0, SiegeGround.ROAD[2].y - SiegeGround.DITCH_DEPTH - 1.0, at)
		var tall := top - DECK - foot.y
		masonry.block(foot, Vector3(BRIDGE_WIDTH - 0.6, tall, 1.1), SiegeMasonry.DARK_STONE)
		var corbel := foot + Vector3.UP * (tall - 0.5)
		masonry.block(corbel, Vector3(BRIDGE_WIDTH - 0.3, 0.5, 2.0), SiegeMasonry.DARK_STONE, false)


static func _add_camp(masonry: SiegeMasonry, camp: Vector2, random: RandomNumberGenerator) -> void:
	for i in 5:
		var at := camp + Vector2.from_angle(TAU * i / 5.0 + random.randf()) * 9.0
		var road := SiegeGround.nearest_on_road(at)
		var on_road := at.distance_to(Vector2(road.x, road.z)) < 5.5
		if on_road or maxf(absf(at.x), absf(at.y)) > 95.0:
			continue
		var foot := Vector3(at.x, SiegeGround.height_at(at.x, at.y) - 0.3, at.y)
		var shade := random.randf_range(0.75, 1.05)
		var canvas := Color(0.80 * shade, 0.74 * shade, 0.62 * shade, 1.0)
		masonry.round_tower(foot, Vector2(2.3, 2.2), 1.8, canvas, 8)
		var band := foot + Vector3.UP * 1.75
		masonry.round_tower(band, Vector2(2.5, 2.4), 0.2, SiegeMasonry.ENEMY_BANNER, 8, false)
		masonry.round_tower(foot + Vector3.UP * 1.9, Vector2(2.45, 0.0), 1.9, canvas, 8, false)
	var pole := Vector3(camp.x, SiegeGround.height_at(camp.x, camp.y) - 0.5, camp.y)
	masonry.block(pole, Vector3(0.2, 8.0, 0.2), SiegeMasonry.BEAM, false)
	var flag := pole + Vector3(1.3, 5.8, 0.0)
	masonry.block(flag, Vector3(2.4, 1.9, 0.06), SiegeMasonry.ENEMY_BANNER, false)
