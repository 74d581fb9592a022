class_name SiegeWall
extends RefCounted
## The town wall: a walk on top behind battlements, bastions at the corners, the gatehouse, and
## stairs up from the town.

const STEP := Vector2(0.4, 0.25)
const STEPS := 21
## The height of the walk over the ground of the town, and the thickness of the wall.
const WALK := STEP.y * STEPS
const THICKNESS := 3.6
const PARAPET := 0.5
## The heights of the breastwork and of the merlons on it: a defender sees over both.
const BREAST := 0.8
const MERLON := 0.55
## The width and height of the gate's opening.
const GATE := Vector2(5.0, 4.1)
## How far the towers of the gate stand before the middle of the wall: the walk passes behind them.
const GATE_TOWER_OUT := 3.5
const STAIRS_AT := 13.0
const STAIRS_WIDTH := 2.2
## How far bastions reach along the wall from its corners.
const BASTION := 2.2

const BOTTOM := SiegeGround.TOWN_HEIGHT - 3.0
const TOP := SiegeGround.TOWN_HEIGHT + WALK


static func build(masonry: SiegeMasonry) -> void:
	var outline := SiegeGround.OUTLINE
	for i in outline.size():
		var from := outline[i]
		var to := outline[(i + 1) % outline.size()]
		if i == 0:
			var middle := (from + to) * 0.5
			var along := (to - from).normalized() * GATE.x * 0.5
			_add_run(masonry, from, middle - along, Vector2(BASTION, 0.0))
			_add_run(masonry, middle + along, to, Vector2(0.0, BASTION))
		else:
			_add_run(masonry, from, to, Vector2(BASTION, BASTION))
		_add_bastion(masonry, from, (from - outline[i - 1]).normalized(), (to - from).normalized())
	_add_gatehouse(masonry)
	for side: float in [-1.0, 1.0]:
		_add_stairs(masonry, side)


## A straight part of the wall. `bare` is how far the battlements end before its ends.
static func _add_run(masonry: SiegeMasonry, from: Vector2, to: Vector2, bare: Vector2) -> void:
	var middle := (from + to) * 0.5
	var length := from.distance_to(to)
	var along := (to - from) / length
	var basis := Basis(Vector3.UP, -along.angle())
	var place := Transform3D(basis, Vector3(middle.x, 0.0, middle.y))
	var height := TOP - BOTTOM
	var body := place.translated_local(Vector3(0.0, BOTTOM + height * 0.5, 0.0))
	masonry.box(body, Vector3(length, height, THICKNESS), SiegeMasonry.STONE)
	# A wider foot and a course below the battlements give the wall weight.
	var foot := place.translated_local(Vector3(0.0, SiegeGround.TOWN_HEIGHT - 1.0, 0.25))
	masonry.box(foot, Vector3(length, 3.6, THICKNESS + 0.1), SiegeMasonry.DARK_STONE, false)
	var course := place.translated_local(Vector3(0.0, TOP - 0.28, 0.16))
	masonry.box(course, Vector3(length, 0.24, THICKNESS), SiegeMasonry.DARK_STONE, false)
	var shown := place.translated_local(Vector3((bare.x - bare.y) * 0.5, 0.0, 0.0))
	var off := THICKNESS * 0.5 - PARAPET * 0.5 + 0.08
	_add_battlements(masonry, shown, length - bare.x - bare.y, off)


## A breastwork with merlons along X of `place`, at a distance on its Z.
static func _add_battlements(
	masonry: SiegeMasonry, place: Transform3D, length: float, off: float
) -> void:
	var low := place.translated_local(Vector3(0.0, TOP + BREAST * 0.5, off))
	masonry.box(low, Vector3(length, BREAST, PARAPET), SiegeMasonry.STONE)
	var count := maxi(1, int(length / 2.1))
	for i in count:
		var along := (i + 0.5) / count * length - length * 0.5
		var merlon := place.translated_local(Vector3(along, TOP + BREAST + MERLON * 0.5, off))
		masonry.box(merlon, Vector3(1.05, MERLON, PARAPET), SiegeMasonry.STONE)
		var cap := place.translated_local(Vector3(along, TOP + BREAST + MERLON + 0.05, off))
		masonry.box(cap, Vector3(1.17, 0.1, PARAPET + 0.12), SiegeMasonry.DARK_STONE, false)


## A platform at the height of the walk, with battlements outside and a roof on posts.
static func _add_bastion(
	masonry: SiegeMasonry, at: Vector2, before: Vector2, after: Vector2
) -> void:
	var side := 8.0
	var outward := (before.orthogonal() + after.orthogonal()).normalized() * -1.0
	var yaw := -(outward.angle() - PI * 0.5)
	var middle := at + outward * 1.2
	var place := Transform3D(Basis(Vector3.UP, yaw), Vector3(middle.x, 0.0, middle.y))
	var height := TOP - BOTTOM
	var body := place.translated_local(Vector3(0.0, BOTTOM + height * 0.5, 0.0))
	masonry.box(body, Vector3(side, height, side), SiegeMasonry.STONE)
	var foot := place.translated_local(Vector3(0.0, SiegeGround.TOWN_HEIGHT - 1.0, 0.0))
	masonry.box(foot, Vector3(side + 0.5, 3.8, side + 0.5), SiegeMasonry.DARK_STONE, false)
	_add_battlements(masonry, place, side, side * 0.5 - PARAPET * 0.5)
	for turn: float in [-PI * 0.5, PI * 0.5]:
		var flank := place * Transform3D(Basis(Vector3.UP, turn), Vector3.ZERO)
		# The walk comes in from both sides at the back.
		var front := flank.translated_local(Vector3(-signf(turn) * side * 0.29, 0.0, 0.0))
		_add_battlements(masonry, front, side * 0.42, side * 0.5 - PARAPET * 0.5)
	for x: float in [-3.2, 3.2]:
		for z: float in [-3.2, 3.2]:
			var post := place.translated_local(Vector3(x, TOP + 1.7, z))
			masonry.box(post, Vector3(0.28, 3.4, 0.28), SiegeMasonry.BEAM, false)
	var eaves := place * Vector3(0.0, TOP + 3.3, 0.0)
	masonry.round_tower(eaves, Vector2(6.0, 0.0), 3.6, SiegeMasonry.SLATE, 8, false)
	var pole := eaves + Vector3.UP * 3.2
	masonry.block(pole, Vector3(0.1, 2.8, 0.1), SiegeMasonry.BEAM, false)
	var flag := pole + Vector3(0.75, 1.9, 0.0)
	masonry.block(flag, Vector3(1.4, 0.8, 0.05), SiegeMasonry.BANNER, false)


## Two towers before the wall, and the walk over the opening between them.
static func _add_gatehouse(masonry: SiegeMasonry) -> void:
	var front := SiegeGround.OUTLINE[0].y
	var town := SiegeGround.TOWN_HEIGHT
	var over := WALK - GATE.y
	var lintel := Transform3D(Basis.IDENTITY, Vector3(0.0, TOP - over * 0.5, front))
	masonry.box(lintel, Vector3(GATE.x, over, THICKNESS), SiegeMasonry.DARK_STONE)
	var walk := Transform3D(Basis.IDENTITY, Vector3(0.0, 0.0, front))
	_add_battlements(masonry, walk, GATE.x, THICKNESS * 0.5 - PARAPET * 0.5 + 0.08)
	for side: float in [-1.0, 1.0]:
		var foot := Vector3(side * 5.9, BOTTOM, front + GATE_TOWER_OUT)
		masonry.round_tower(foot, Vector2(3.3, 3.0), WALK + 3.0 + 3.2, SiegeMasonry.STONE, 12)
		var top := foot + Vector3.UP * (WALK + 3.0 + 3.2)
		masonry.round_tower(top, Vector2(3.35, 3.35), 0.5, SiegeMasonry.DARK_STONE, 12, false)
		masonry.round_tower(
			top + Vector3.UP * 0.5, Vector2(3.6, 0.0), 4.6, SiegeMasonry.SLATE, 12, false
		)
		for slit: float in [2.2, 5.4]:
			var window := Vector3(side * 5.9, town + slit, front + GATE_TOWER_OUT + 2.95)
			masonry.block(window, Vector3(0.22, 1.2, 0.3), SiegeMasonry.HOLE, false)
		var banner := Vector3(side * 5.9, town + 4.9, front + GATE_TOWER_OUT + 3.18)
		masonry.block(banner, Vector3(1.5, 0.1, 0.24), SiegeMasonry.BEAM, false)
		var cloth := banner - Vector3.UP * 2.3
		masonry.block(cloth, Vector3(1.2, 2.3, 0.1), SiegeMasonry.BANNER, false)


## Steps along the inner face of the wall, away from the gate, and a landing at the top.
static func _add_stairs(masonry: SiegeMasonry, side: float) -> void:
	var z := SiegeGround.OUTLINE[0].y - THICKNESS * 0.5 - STAIRS_WIDTH * 0.5
	var bottom := SiegeGround.TOWN_HEIGHT - 0.5
	for i in STEPS:
		var foot := Vector3(side * (STAIRS_AT + (i + 0.5) * STEP.x), bottom, z)
		var size := Vector3(STEP.x, 0.5 + (i + 1) * STEP.y, STAIRS_WIDTH)
		masonry.block(foot, size, SiegeMasonry.DARK_STONE)
	var landing := Vector3(side * (STAIRS_AT + STEPS * STEP.x + 1.2), bottom, z)
	masonry.block(landing, Vector3(2.4, 0.5 + WALK, STAIRS_WIDTH), SiegeMasonry.DARK_STONE)
