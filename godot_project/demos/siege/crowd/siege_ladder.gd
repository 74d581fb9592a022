class_name SiegeLadder
extends Node3D
## A ladder against the wall. A party that stands at its foot for a while raises it; from then on it
## is a link that takes time, from the ground to the wall walk.

signal raised

## How far before the middle of the wall the foot stands.
const FOOT_OUT := 4.25
## The time in which a party raises it, and how long it takes to swing up, in seconds.
const PARTY_TIME := 5.0
const SWING_TIME := 1.4
const CLIMB_TIME := 3.4
## How far climbers are above the straight line between both ends: it leads over the breastwork.
const ARC := 2.7
## In cells; a little dearer than the time that it takes.
const COST := 30.0
const WIDTH := 0.7
const LEAN_TOP := 12.3
const LEAN_OUT := 2.0

var link := 0
var foot := Vector2.ZERO
var landing := Vector2.ZERO

var _field: SiegeBattlefield
var _waited := 0.0
var _swing := 0.0
var _low := 0.0
var _high := 0.0
var _lean := 0.0


func _init(field: SiegeBattlefield, x: float, material: Material) -> void:
	_field = field
	var wall := SiegeGround.OUTLINE[0].y
	foot = _field.manager.get_cell_center(_field.manager.get_cell(Vector2(x, wall + FOOT_OUT)))
	landing = _find_landing(foot.x, wall)
	_low = _field.manager.get_height(foot)
	_high = SiegeWall.TOP
	position = Vector3(foot.x, _low, foot.y + 0.2)
	var top := Vector3(0.0, LEAN_TOP - _low, wall + LEAN_OUT - position.z)
	_lean = atan2(-top.z, top.y)
	_build(top.length(), material)
	reset()


func _process(delta: float) -> void:
	_swing = minf(1.0, _swing + delta / SWING_TIME) if link != 0 else 0.0
	var flat := PI * 0.5 - 0.04
	rotation.x = lerpf(flat, -_lean, _swing * _swing * (3.0 - 2.0 * _swing))


func reset() -> void:
	if link != 0:
		_field.manager.remove_link(link)
	link = 0
	_waited = 0.0
	visible = false
	_field.manager.set_terrain(_field.manager.get_cell(foot), SiegeBattlefield.LADDER_FOOT)


## Counts the time for which enough of a party has been at the foot.
func wait(delta: float) -> void:
	if link != 0:
		return
	visible = true
	_waited += delta
	if _waited >= PARTY_TIME:
		raise()


func raise() -> void:
	if link != 0:
		return
	visible = true
	var manager := _field.manager
	link = manager.add_link(
		manager.get_cell(foot),
		manager.get_cell(landing),
		COST,
		false,
		FlowFieldManager.LINK_TIMED,
		CLIMB_TIME,
		ARC
	)
	raised.emit()


func leads_over(place: Vector2) -> bool:
	var along := place.y > landing.y - 0.3 and place.y < foot.y + 0.3
	return along and absf(place.x - foot.x) < 0.3


func _find_landing(x: float, wall: float) -> Vector2:
	for step in 8:
		var place := Vector2(x, wall + 1.25 - 0.5 * step)
		var off := absf(_field.manager.get_height(place) - SiegeWall.TOP)
		if _field.is_free(place) and off < 0.05:
			return _field.manager.get_cell_center(_field.manager.get_cell(place))
	push_error("siege: there is no wall walk behind a ladder at %.2f" % x)
	return Vector2(x, wall)


func _build(length: float, material: Material) -> void:
	var masonry := SiegeMasonry.new()
	for side: float in [-0.5, 0.5]:
		var rail := Vector3(side * WIDTH, 0.0, 0.0)
		masonry.block(rail, Vector3(0.09, length, 0.09), SiegeMasonry.BEAM, false)
	for rung in int(length / 0.42):
		var at := Vector3(0.0, 0.3 + 0.42 * rung, 0.0)
		masonry.block(at, Vector3(WIDTH, 0.06, 0.06), SiegeMasonry.BEAM, false)
	masonry.commit(self, "Ladder", material)
