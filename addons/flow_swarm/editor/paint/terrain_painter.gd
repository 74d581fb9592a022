@tool
extends RefCounted
## The tools: what presses, moves and releases of the mouse over cells paint. It knows neither the
## editor nor views.

## Emitted at the end of a stroke that has changed cells.
signal stroke_ended(patch: Patch)
## Emitted when the picker has read a terrain id.
signal id_picked(id: int)

## The tools of the panel. STAMP and LINK paint no cells: see stamp_tool.gd and link_tool.gd.
enum Tool { PAINT, LINE, RECT, FILL, PICK, STAMP, LINK }

const Brush := preload("brush.gd")
const CellLine := preload("cell_line.gd")
const Patch := preload("terrain_patch.gd")
const Stroke := preload("stroke.gd")
const CLEAR := 1

var terrain: FlowTerrain
var brush := Brush.new()
## The terrain id that is painted.
var id := 255

var _stroke: Stroke
var _tool := Tool.PAINT
var _painted_id := CLEAR
var _first := Vector2i.ZERO
var _last := Vector2i.ZERO


## Whether a stroke has begun.
func is_busy() -> bool:
	return _stroke != null


## Begins to use a tool at a cell, which may be outside the terrain. Erasing paints clear ground.
func press(cell: Vector2i, tool: Tool, erases := false) -> void:
	if is_busy() or terrain == null:
		return
	if tool == Tool.PICK:
		_pick(cell)
		return
	_stroke = Stroke.new(terrain)
	_tool = tool
	_painted_id = CLEAR if erases else id
	_first = cell
	_last = cell
	if tool == Tool.PAINT:
		_dab(cell)
	elif tool == Tool.FILL:
		_fill(cell)


func move(cell: Vector2i) -> void:
	if not is_busy():
		return
	if _tool == Tool.PAINT:
		_draw_line(_last, cell)
	_last = cell


func release() -> void:
	if not is_busy():
		return
	if _tool == Tool.LINE:
		_draw_line(_first, _last)
	elif _tool == Tool.RECT:
		_fill_rect(rect())
	var patch := _stroke.finish()
	_stroke = null
	if patch != null:
		patch.pack()
		stroke_ended.emit(patch)


## Ends the stroke and takes back what it has painted.
func cancel() -> void:
	if is_busy():
		_stroke.revert()
		_stroke = null


## The tool of the stroke.
func stroke_tool() -> Tool:
	return _tool


## The ends of the line that a release would draw.
func line() -> Array[Vector2i]:
	return [_first, _last]


## The rectangle that a release would fill.
func rect() -> Rect2i:
	var low := _first.min(_last)
	return Rect2i(low, _first.max(_last) - low + Vector2i.ONE)


func _is_inside(cell: Vector2i) -> bool:
	return Rect2i(Vector2i.ZERO, terrain.size).has_point(cell)


func _pick(cell: Vector2i) -> void:
	if _is_inside(cell):
		id_picked.emit(terrain.get_terrain(cell))


func _draw_line(from: Vector2i, to: Vector2i) -> void:
	for cell: Vector2i in CellLine.cells(from, to):
		_dab(cell)


func _dab(cell: Vector2i) -> void:
	var area := brush.area(cell)
	_stroke.touch(area)
	terrain.fill_masked(area, brush.mask(), _painted_id)


func _fill_rect(cells: Rect2i) -> void:
	var part := cells.intersection(Rect2i(Vector2i.ZERO, terrain.size))
	if part.has_area():
		_stroke.touch(part)
		terrain.fill_region(part, _painted_id)


func _fill(cell: Vector2i) -> void:
	if not _is_inside(cell) or terrain.get_terrain(cell) == _painted_id:
		return
	_stroke.touch(terrain.get_area(cell))
	terrain.fill_area(cell, _painted_id)
