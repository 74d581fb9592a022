@tool
extends RefCounted
## What a stroke changes: remembers the cells before, by blocks, as far as the stroke comes.

const Patch := preload("terrain_patch.gd")

var _terrain: FlowTerrain
var _before: Dictionary[Vector2i, PackedByteArray] = {}


func _init(terrain: FlowTerrain) -> void:
	_terrain = terrain


## Must be called with each rectangle before cells in it are painted. The rectangle may reach
## beyond the terrain.
func touch(rect: Rect2i) -> void:
	var part := rect.intersection(Rect2i(Vector2i.ZERO, _terrain.size))
	if not part.has_area():
		return
	var last := (part.end - Vector2i.ONE) / Patch.EDGE
	for y in range(part.position.y / Patch.EDGE, last.y + 1):
		for x in range(part.position.x / Patch.EDGE, last.x + 1):
			var block := Vector2i(x, y)
			if not _before.has(block):
				_before[block] = _terrain.get_region(Patch.rect_of(block, _terrain.size))


## The change since the begin of the stroke; null if no cell is different.
func finish() -> Patch:
	var patch := Patch.new(_terrain)
	for block: Vector2i in _before:
		var after := _terrain.get_region(Patch.rect_of(block, _terrain.size))
		if after != _before[block]:
			patch.add(block, _before[block], after)
	return null if patch.is_empty() else patch


## Takes the stroke back.
func revert() -> void:
	for block: Vector2i in _before:
		_terrain.set_region(Patch.rect_of(block, _terrain.size), _before[block])
	_before.clear()
