class_name RtsCursor
extends Node
## Shows at the pointer whether the selected units can get there: a stop sign if none of them can.
## Only islands are compared, so every movement of the mouse costs little (Emerson, Game AI Pro,
## 23.14).

## The time in seconds between two updates of the selected units' positions.
const REFRESH := 0.25

var manager: FlowFieldManager
var swarm: EnemySwarm
var selection: RtsSelection

var is_blocked := false
## Whether the pointer is for orders. Tools have other pointers.
var is_active := true

## One unit for each kind and island among the selected units: its position and kind.
var _standing: Array[Array] = []
var _age := REFRESH
var _pointer := Vector2.ZERO
var _stop_sign := _draw_stop_sign()


func _process(delta: float) -> void:
	_age += delta
	if _age >= REFRESH:
		refresh()


func point_at(place: Vector2) -> void:
	_pointer = place
	_show()


## Updates the positions of the selected units.
func refresh() -> void:
	_age = 0.0
	_standing.clear()
	var seen: Dictionary[Vector2i, bool] = {}
	for id: int in selection.get_ids():
		var kind := RtsUnits.kind_of(swarm.get_agent_type(id))
		var place := swarm.get_agent_position(id)
		var key := Vector2i(kind, manager.get_island(place, kind))
		if not seen.has(key):
			seen[key] = true
			_standing.append([place, kind])
	_show()


## Whether any of the selected units can reach a position.
func can_reach(place: Vector2) -> bool:
	if not manager.is_in_grid(manager.get_cell(place)):
		return false
	for unit: Array in _standing:
		if manager.is_reachable(unit[0] as Vector2, place, unit[1] as int):
			return true
	return false


func _show() -> void:
	var blocked := is_active and not _standing.is_empty() and not can_reach(_pointer)
	if blocked == is_blocked:
		return
	is_blocked = blocked
	Input.set_custom_mouse_cursor(_stop_sign if blocked else null, Input.CURSOR_ARROW, _hot_spot())


func _exit_tree() -> void:
	Input.set_custom_mouse_cursor(null)


func _hot_spot() -> Vector2:
	return Vector2(16.0, 16.0) if is_blocked else Vector2.ZERO


static func _draw_stop_sign() -> ImageTexture:
	var image := Image.create_empty(32, 32, false, Image.FORMAT_RGBA8)
	for y in 32:
		for x in 32:
			var off := Vector2(x - 15.5, y - 15.5)
			var reach := off.length()
			var is_bar := absf(off.dot(Vector2(0.7071, -0.7071))) < 2.4 and reach < 12.0
			if is_bar or absf(reach - 11.5) < 2.4:
				image.set_pixel(x, y, Color("ff5a52"))
			elif reach < 15.5 and reach > 13.0:
				image.set_pixel(x, y, Color(0.1, 0.05, 0.05, 0.7))
			elif reach < 9.5:
				image.set_pixel(x, y, Color(0.15, 0.02, 0.02, 0.35))
	return ImageTexture.create_from_image(image)
