class_name SiegeHouses
extends RefCounted
## The houses of the town, the well, and the keep.

const KEEP := Vector2(0.0, -48.0)
const KEEP_SIDE := 15.0
const KEEP_HEIGHT := 13.0
## Middles of houses, their width and depth, and their turn in degrees.
const HOUSES: Array[Array] = [
	[-10.0, 4.0, 7.5, 9.0, 90.0],
	[10.5, 5.0, 7.0, 8.5, 90.0],
	[-10.5, -7.5, 8.0, 8.0, 90.0],
	[10.0, -6.0, 9.0, 7.0, 90.0],
	[-11.0, -19.5, 9.0, 7.5, 88.0],
	[11.5, -18.0, 10.0, 8.0, 92.0],
	[-23.0, 6.0, 8.0, 7.0, 4.0],
	[24.0, 5.0, 9.0, 7.5, -4.0],
	[-23.5, -6.0, 9.0, 7.0, 0.0],
	[24.5, -7.0, 8.5, 8.0, 6.0],
	[-24.0, -19.0, 8.0, 9.0, 10.0],
	[25.5, -20.0, 9.0, 7.0, -8.0],
	[-37.0, 7.0, 8.0, 7.0, 82.0],
	[37.5, 7.0, 8.0, 7.0, 96.0],
	[-38.5, -6.0, 9.0, 7.5, 86.0],
	[39.0, -7.0, 9.5, 7.5, 94.0],
	[-40.0, -21.0, 8.0, 8.0, 70.0],
	[41.5, -22.0, 9.0, 7.5, 104.0],
	[-27.0, -34.0, 9.0, 7.5, 30.0],
	[27.0, -35.0, 9.0, 7.5, -30.0],
	[-36.5, -40.0, 8.0, 7.0, 62.0],
	[37.0, -41.0, 8.5, 7.0, 118.0],
	[-25.0, -54.0, 8.0, 7.0, 20.0],
	[25.5, -55.0, 8.5, 7.0, -16.0],
]


static func build(masonry: SiegeMasonry) -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 4
	for house in HOUSES:
		var place := Transform3D(
			Basis(Vector3.UP, deg_to_rad(house[4] as float)),
			Vector3(house[0] as float, SiegeGround.TOWN_HEIGHT, house[1] as float)
		)
		_add_house(masonry, place, Vector2(house[2] as float, house[3] as float), random)
	_add_well(masonry, Vector3(0.0, SiegeGround.TOWN_HEIGHT, -27.0))
	_add_keep(masonry)


## Stone below, timber and plaster above, which juts out, and a steep roof.
static func _add_house(
	masonry: SiegeMasonry, place: Transform3D, size: Vector2, random: RandomNumberGenerator
) -> void:
	var low := random.randf_range(2.5, 3.0)
	var high := random.randf_range(2.2, 2.8)
	var shade := random.randf_range(0.88, 1.05)
	var plaster := SiegeMasonry.PLASTER.lerp(Color(0.84, 0.72, 0.54, 1.0), random.randf())
	plaster = Color(plaster.r * shade, plaster.g * shade, plaster.b * shade, 1.0)
	var base := place.translated_local(Vector3(0.0, low * 0.5 - 0.25, 0.0))
	masonry.box(base, Vector3(size.x, low + 0.5, size.y), SiegeMasonry.STONE)
	var wide := Vector3(size.x + 0.5, high, size.y + 0.5)
	var upper := place.translated_local(Vector3(0.0, low + high * 0.5, 0.0))
	masonry.box(upper, wide, plaster)
	_add_timber(masonry, upper, wide)
	var tiles := SiegeMasonry.TILES if random.randf() < 0.7 else SiegeMasonry.SLATE
	tiles = tiles.lerp(Color(0.55, 0.40, 0.30, 0.75), random.randf() * 0.6)
	var eaves := place.translated_local(Vector3(0.0, low + high - 0.1, 0.0))
	var span := Vector3(wide.x + 0.9, wide.z * random.randf_range(0.48, 0.6), wide.z + 1.1)
	masonry.roof(eaves, span, tiles, plaster)
	var chimney := eaves.translated_local(Vector3(size.x * 0.28, span.y * 0.7, size.y * 0.16))
	masonry.box(chimney, Vector3(0.8, 2.6, 0.8), SiegeMasonry.DARK_STONE, false)
	_add_openings(masonry, place, size, low)


static func _add_timber(masonry: SiegeMasonry, upper: Transform3D, wide: Vector3) -> void:
	var thick := 0.2
	for z: float in [-1.0, 1.0]:
		for level: float in [-0.5, 0.5]:
			var rail := Vector3(0.0, level * (wide.y - thick), z * wide.z * 0.5)
			var long := Vector3(wide.x + 0.1, thick, thick)
			masonry.box(upper.translated_local(rail), long, SiegeMasonry.BEAM, false)
		var posts := 5
		for i in posts:
			var x := (float(i) / (posts - 1) - 0.5) * wide.x
			var post := Vector3(x, 0.0, z * wide.z * 0.5)
			var tall := Vector3(thick, wide.y, thick)
			masonry.box(upper.translated_local(post), tall, SiegeMasonry.BEAM, false)
	for x: float in [-1.0, 1.0]:
		for level: float in [-0.5, 0.5]:
			var rail := Vector3(x * wide.x * 0.5, level * (wide.y - thick), 0.0)
			var deep := Vector3(thick, thick, wide.z)
			masonry.box(upper.translated_local(rail), deep, SiegeMasonry.BEAM, false)


## A door, and windows on both long sides.
static func _add_openings(
	masonry: SiegeMasonry, place: Transform3D, size: Vector2, low: float
) -> void:
	for side: float in [-1.0, 1.0]:
		var face := side * size.y * 0.5
		var door := place.translated_local(Vector3(-size.x * 0.18, 1.0, face))
		masonry.box(door, Vector3(1.1, 2.1, 0.16), SiegeMasonry.PLANKS, false)
		var low_window := place.translated_local(Vector3(size.x * 0.22, 1.5, face))
		masonry.box(low_window, Vector3(0.9, 0.8, 0.12), SiegeMasonry.HOLE, false)
		for x: float in [-0.375, -0.125, 0.125, 0.375]:
			var at := Vector3((size.x + 0.5) * x, low + 1.2, face + side * 0.25)
			var window := place.translated_local(at)
			masonry.box(window, Vector3(0.7, 0.9, 0.1), SiegeMasonry.HOLE, false)


static func _add_well(masonry: SiegeMasonry, foot: Vector3) -> void:
	masonry.round_tower(foot, Vector2(1.5, 1.4), 0.9, SiegeMasonry.STONE, 10)
	masonry.round_tower(
		foot + Vector3.UP * 0.88, Vector2(1.0, 1.0), 0.05, SiegeMasonry.HOLE, 10, false
	)
	for x: float in [-1.3, 1.3]:
		masonry.block(foot + Vector3(x, 0.0, 0.0), Vector3(0.2, 2.6, 0.2), SiegeMasonry.BEAM, false)
	var roof := Transform3D(Basis.IDENTITY, foot + Vector3.UP * 2.6)
	masonry.roof(roof, Vector3(3.4, 1.0, 2.2), SiegeMasonry.TILES, SiegeMasonry.PLANKS)


static func _add_keep(masonry: SiegeMasonry) -> void:
	var foot := Vector3(KEEP.x, SiegeGround.TOWN_HEIGHT - 1.0, KEEP.y)
	var height := KEEP_HEIGHT + 1.0
	var wide := Vector3(KEEP_SIDE, height, KEEP_SIDE)
	masonry.block(foot, wide, SiegeMasonry.STONE)
	masonry.block(foot, Vector3(KEEP_SIDE + 0.9, 3.2, KEEP_SIDE + 0.9), SiegeMasonry.DARK_STONE)
	var top := foot + Vector3.UP * height
	var half := KEEP_SIDE * 0.5
	masonry.block(
		top - Vector3.UP * 0.8,
		Vector3(KEEP_SIDE + 0.8, 0.8, KEEP_SIDE + 0.8),
		SiegeMasonry.DARK_STONE
	)
	for i in 7:
		var along := (i / 6.0 - 0.5) * (KEEP_SIDE - 0.6)
		for side: float in [-1.0, 1.0]:
			var merlon := Vector3(1.3, 1.5, 0.8)
			var row := top + Vector3(along, 0.0, side * half)
			masonry.block(row, merlon, SiegeMasonry.STONE, false)
			var column := top + Vector3(side * half, 0.0, along)
			masonry.block(column, Vector3(0.8, 1.5, 1.3), SiegeMasonry.STONE, false)
	for x: float in [-1.0, 1.0]:
		for z: float in [-1.0, 1.0]:
			var turret := foot + Vector3(x * half, 0.0, z * half)
			masonry.round_tower(turret, Vector2(2.3, 2.1), height + 3.0, SiegeMasonry.STONE, 10)
			var tip := turret + Vector3.UP * (height + 3.0)
			masonry.round_tower(tip, Vector2(2.7, 0.0), 4.2, SiegeMasonry.SLATE, 10, false)
	var front := foot + Vector3(0.0, 1.0, half + 0.4)
	masonry.block(front, Vector3(4.2, 4.6, 0.4), SiegeMasonry.DARK_STONE, false)
	masonry.block(front, Vector3(3.0, 3.9, 0.6), SiegeMasonry.PLANKS, false)
	for x: float in [-4.2, 0.0, 4.2]:
		var window := front + Vector3(x, 7.2, -0.5)
		masonry.block(window, Vector3(0.7, 1.7, 0.4), SiegeMasonry.HOLE, false)
	for x: float in [-3.8, 3.8]:
		var cloth := front + Vector3(x, 2.6, 0.0)
		masonry.block(cloth, Vector3(1.6, 4.2, 0.12), SiegeMasonry.BANNER, false)
	masonry.block(top, Vector3(0.22, 9.0, 0.22), SiegeMasonry.BEAM, false)
	masonry.block(top + Vector3(1.7, 6.9, 0.0), Vector3(3.2, 1.9, 0.08), SiegeMasonry.BANNER, false)
