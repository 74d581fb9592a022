@tool
extends RefCounted
## The colours of terrain ids, as a texture of 256 texels: those of a terrain set, and for other ids
## colours by the number, which is their cost without a set.

## Emitted when the set or one of its kinds has changed.
signal changed

const CLEAR := 1
const WALL := 255
const WALL_COLOR := Color(0.72, 0.25, 0.22)
## The colours of the ids after clear ground and before the wall.
const LEAST_COLOR := Color(0.95, 0.84, 0.4)
const MOST_COLOR := Color(0.86, 0.33, 0.16)

var texture := ImageTexture.new()
## May be null.
var terrain_set: FlowTerrainSet:
	set(value):
		if value == terrain_set and is_instance_valid(texture) and texture.get_width() > 0:
			return
		_follow(terrain_set, false)
		terrain_set = value
		_follow(terrain_set, true)
		_refresh()

var _kinds: Array[FlowTerrainKind] = []


## The colour of a terrain id in a set, or without one.
static func color_of(of_set: FlowTerrainSet, id: int) -> Color:
	var kind := of_set.get_kind(id) if of_set != null else null
	if kind != null:
		return kind.color
	if id <= CLEAR:
		return Color.TRANSPARENT
	if id == WALL:
		return WALL_COLOR
	return LEAST_COLOR.lerp(MOST_COLOR, log(id) / log(WALL))


## What a terrain id is called.
static func name_of(of_set: FlowTerrainSet, id: int) -> String:
	var kind := of_set.get_kind(id) if of_set != null else null
	if kind != null and not kind.resource_name.is_empty():
		return kind.resource_name
	if kind == null and id == CLEAR:
		return "Clear ground"
	if kind == null and id == WALL:
		return "Wall"
	return "Terrain %d" % id


func _follow(of_set: FlowTerrainSet, on: bool) -> void:
	if of_set == null:
		return
	if on:
		of_set.changed.connect(_refresh)
	elif of_set.changed.is_connected(_refresh):
		of_set.changed.disconnect(_refresh)


func _refresh() -> void:
	for kind: FlowTerrainKind in _kinds:
		kind.changed.disconnect(_refresh)
	_kinds.clear()
	if terrain_set != null:
		for kind: FlowTerrainKind in terrain_set.kinds:
			if kind != null and not _kinds.has(kind):
				_kinds.append(kind)
				kind.changed.connect(_refresh)
	var image := Image.create_empty(256, 1, false, Image.FORMAT_RGBA8)
	for id in 256:
		image.set_pixel(id, 0, color_of(terrain_set, id))
	if texture.get_width() > 0:
		texture.update(image)
	else:
		texture.set_image(image)
	changed.emit()
