class_name RtsSelectTool
extends RtsTool
## Draws a box with the left button and selects the units in it. A click selects one unit, a double
## click all units of its kind in view.

const BOX_COLOR := Color("9fffa8")
## A box smaller than this in the window, in pixels, is a click.
const CLICK_REACH := 6.0
## The distance from a unit's rim, in pixels of the window, within which it can be clicked.
const MARGIN := 6.0

var swarm: EnemySwarm
var selection: RtsSelection
var camera: RtsCamera

var _from := Vector2.ZERO
var _to := Vector2.ZERO
var _is_dragging := false


func press(place: Vector2, _shift: bool) -> void:
	_from = place
	_to = place
	_is_dragging = true


func press_again(place: Vector2, shift: bool) -> void:
	var id := _unit_at(place)
	if id != 0:
		_select_all_like(id, shift)


func point_at(place: Vector2) -> void:
	_to = place
	if _is_dragging:
		queue_redraw()


func release(place: Vector2, shift: bool) -> void:
	if not _is_dragging:
		return
	_to = place
	_is_dragging = false
	queue_redraw()
	if _is_click():
		_click(place, shift)
	else:
		selection.select(swarm.query_rect(_box()), shift)


func stop() -> void:
	_is_dragging = false
	queue_redraw()


func _draw() -> void:
	if _is_dragging and not _is_click():
		draw_rect(_box(), Color(BOX_COLOR, 0.13))
		draw_rect(_box(), BOX_COLOR, false, 1.5 / camera.zoom.x)


func _box() -> Rect2:
	return Rect2(_from, _to - _from).abs()


func _is_click() -> bool:
	return _from.distance_to(_to) * camera.zoom.x < CLICK_REACH


func _click(place: Vector2, shift: bool) -> void:
	var id := _unit_at(place)
	if id != 0:
		selection.select(PackedInt64Array([id]), shift)
	elif not shift:
		selection.select(PackedInt64Array())


## The unit whose rim is nearest: the centre of a large unit under the pointer may be far away.
func _unit_at(place: Vector2) -> int:
	var margin := MARGIN / camera.zoom.x
	var best := 0
	var least := margin
	for id: int in swarm.query_circle(place, RtsUnits.RADII[RtsUnits.Kind.WALKER] + margin):
		var off := (
			swarm.get_agent_position(id).distance_to(place)
			- RtsUnits.RADII[RtsUnits.kind_of(swarm.get_agent_type(id))]
		)
		if off < least:
			least = off
			best = id
	return best


## Selects the units of one kind in view, of all armies.
func _select_all_like(id: int, shift: bool) -> void:
	var alike := SwarmQuery.new()
	for army in RtsUnits.ARMIES:
		var kind := RtsUnits.kind_of(swarm.get_agent_type(id))
		alike.types += PackedInt32Array([army * RtsUnits.NAMES.size() + kind])
	selection.select(swarm.query_rect(camera.get_view(), alike), shift)
