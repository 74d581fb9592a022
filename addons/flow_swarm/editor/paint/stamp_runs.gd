@tool
extends RefCounted
## The cells of a turned stamp that change the terrain, as rows of one terrain id: what is drawn of
## a stamp. Read from a stamp again only if it has changed.

## The longest row in cells: longer ones would cut through hills.
const LONGEST := 8

## What the runs were made of.
var _cells: PackedByteArray = []
var _shape: Array = []
var _runs: Array[Dictionary] = []


## The id of a cell of a turned stamp.
static func id_at(stamp: FlowStamp, turns: int, cell: Vector2i) -> int:
	var last := stamp.size - Vector2i.ONE
	var source := cell
	match posmod(turns, 4):
		1:
			source = Vector2i(cell.y, last.y - cell.x)
		2:
			source = last - cell
		3:
			source = Vector2i(last.x - cell.y, cell.x)
	return stamp.cells[source.y * stamp.size.x + source.x]


## The rows as [code]rect[/code], from the corner of the stamp, and [code]id[/code].
func of(stamp: FlowStamp, turns: int) -> Array[Dictionary]:
	var shape := [stamp.size, stamp.leave_id, turns]
	if shape != _shape or stamp.cells != _cells:
		_shape = shape
		_cells = stamp.cells
		_read(stamp, turns)
	return _runs


func _read(stamp: FlowStamp, turns: int) -> void:
	_runs = []
	var size := stamp.size if turns % 2 == 0 else Vector2i(stamp.size.y, stamp.size.x)
	for y in size.y:
		var begin := 0
		for x in range(1, size.x + 1):
			var id := id_at(stamp, turns, Vector2i(begin, y))
			if x < size.x and x - begin < LONGEST and id_at(stamp, turns, Vector2i(x, y)) == id:
				continue
			if id != stamp.leave_id:
				_runs.append({"rect": Rect2i(begin, y, x - begin, 1), "id": id})
			begin = x
