class_name LabStamps
extends Node2D
## The stamp tool: places a hut under the pointer and removes it again, shows a preview, and
## outlines the huts on the map.

## The corners leave the terrain unchanged. The inside is clear ground behind a door.
const HUT: PackedStringArray = [
	".#####.",
	"##   ##",
	"#     #",
	"##   ##",
	".## ##.",
]
const PLACE_COLOR := Color("ffd479")
const OUTLINE_COLOR := Color("ffd479")

var manager: FlowFieldManager
## Whether the tool is active.
var active := false:
	set(value):
		active = value
		queue_redraw()

var _stamp := FlowStamp.new()
var _turns := 0
var _pointer := Vector2i(-1, -1)


func _init() -> void:
	_stamp.size = Vector2i(HUT[0].length(), HUT.size())
	_stamp.leave_id = 0
	for y in HUT.size():
		for x in HUT[y].length():
			_stamp.set_terrain(Vector2i(x, y), _id_of(HUT[y][x]))


func _draw() -> void:
	if manager == null:
		return
	for id: int in manager.get_stamps():
		_draw_cells(manager.get_stamp_cells(id), Color(OUTLINE_COLOR, 0.16))
	if active and manager.is_in_grid(_pointer):
		_draw_cells(_ghost_cells(), Color(PLACE_COLOR, 0.45))


## The cells that a stamp at the pointer would cover.
func _ghost_cells() -> PackedVector2Array:
	var cells := PackedVector2Array()
	var first := _corner_at(_pointer)
	for y in HUT.size():
		for x in HUT[y].length():
			if HUT[y][x] == "#":
				cells.append(Vector2(first + _turned(Vector2i(x, y))))
	return cells


## Places a hut around a cell. Huts near the edge are moved inwards.
func place(cell: Vector2i) -> int:
	var id := manager.place_stamp(_stamp, _corner_at(cell), _turns)
	queue_redraw()
	return id


## Removes the hut that was last placed on a cell.
func remove_at(cell: Vector2i) -> void:
	var ids := manager.get_stamps()
	ids.reverse()
	for id: int in ids:
		if manager.get_stamp_cells(id).has(Vector2(cell)):
			manager.remove_stamp(id)
			queue_redraw()
			return


func remove_all() -> void:
	manager.remove_stamps(manager.get_stamps())
	queue_redraw()


## Turns the next hut by a quarter turn.
func turn() -> void:
	_turns = (_turns + 1) % 4
	queue_redraw()


func point_at(cell: Vector2i) -> void:
	_pointer = cell
	if active:
		queue_redraw()


## The size in cells with the present rotation.
func get_turned_size() -> Vector2i:
	var size := _stamp.size
	return size if _turns % 2 == 0 else Vector2i(size.y, size.x)


func _corner_at(cell: Vector2i) -> Vector2i:
	var size := get_turned_size()
	return (cell - size / 2).clamp(Vector2i.ZERO, manager.grid_size - size)


func _turned(cell: Vector2i) -> Vector2i:
	var last := _stamp.size - Vector2i.ONE
	match _turns:
		1:
			return Vector2i(last.y - cell.y, cell.x)
		2:
			return last - cell
		3:
			return Vector2i(cell.y, last.x - cell.x)
		_:
			return cell


func _id_of(letter: String) -> int:
	match letter:
		"#":
			return LabPresets.WALL
		" ":
			return LabPresets.CLEAR
		_:
			return _stamp.leave_id


func _draw_cells(cells: PackedVector2Array, color: Color) -> void:
	var side := Vector2.ONE * manager.cell_size
	for cell: Vector2 in cells:
		draw_rect(Rect2(manager.get_cell_center(Vector2i(cell)) - side * 0.5, side), color)
