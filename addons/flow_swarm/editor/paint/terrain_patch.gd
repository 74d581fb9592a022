@tool
extends RefCounted
## A change of parts of a terrain that can be undone and done again. It holds the changed blocks
## of cells, compressed.

## The edge length of a block in cells.
const EDGE := 32
const COMPRESSION := FileAccess.COMPRESSION_ZSTD

var _terrain: FlowTerrain
var _size: Vector2i
## Column and row of each block.
var _blocks: PackedInt32Array = []
var _before: PackedByteArray = []
var _after: PackedByteArray = []
## The number of bytes of each side once [member _before] and [member _after] are compressed.
var _packed_from := 0


func _init(terrain: FlowTerrain) -> void:
	_terrain = terrain
	_size = terrain.size


## The cells of a block, less those beyond the edge of a terrain.
static func rect_of(block: Vector2i, size: Vector2i) -> Rect2i:
	var rect := Rect2i(block * EDGE, Vector2i(EDGE, EDGE))
	return rect.intersection(Rect2i(Vector2i.ZERO, size))


func is_empty() -> bool:
	return _blocks.is_empty()


## Adds a block before and after the change.
func add(block: Vector2i, before: PackedByteArray, after: PackedByteArray) -> void:
	_blocks.append(block.x)
	_blocks.append(block.y)
	_before.append_array(before)
	_after.append_array(after)


## Compresses the cells. No block may be added any more.
func pack() -> void:
	_packed_from = _before.size()
	_before = _before.compress(COMPRESSION)
	_after = _after.compress(COMPRESSION)


## The bytes that are kept.
func memory() -> int:
	return _blocks.size() * 4 + _before.size() + _after.size()


## Gives the cells the ids from after the change, or from before.
func apply(is_done: bool) -> void:
	if _terrain.size != _size:
		push_error(
			"A stroke on a terrain of %s cells does not fit one of %s." % [_size, _terrain.size]
		)
		return
	var cells := _after if is_done else _before
	if _packed_from > 0:
		cells = cells.decompress(_packed_from, COMPRESSION)
	var at := 0
	for i in range(0, _blocks.size(), 2):
		var rect := rect_of(Vector2i(_blocks[i], _blocks[i + 1]), _size)
		_terrain.set_region(rect, cells.slice(at, at + rect.get_area()))
		at += rect.get_area()
