@tool
extends Node2D
## A layer of the debug view: the borders of sectors, the portal windows in them, and the sectors
## that have a tile. The view itself is one quad with a shader; these are plain lines.

const BORDER := Color(0.95, 0.75, 0.2, 0.55)
const PORTAL := Color(0.2, 0.95, 0.9, 0.9)
const TILE := Color(0.3, 0.9, 0.4, 0.18)

var _bounds := Rect2()
var _cell_size := 1.0
var _side := 0
var _portals: Array[Rect2i] = []
var _built: Array[Rect2i] = []


## Shows the given cells. If [param side], the sectors' edge length in cells, is 0, no borders are
## drawn.
func show_cells(
	bounds: Rect2, cell_size: float, side: int, portals: Array[Rect2i], built: Array[Rect2i]
) -> void:
	_bounds = bounds
	_cell_size = cell_size
	_side = side
	_portals = portals
	_built = built
	queue_redraw()


func _draw() -> void:
	for cells: Rect2i in _built:
		draw_rect(_place_of(cells), TILE)
	var borders := _borders()
	if not borders.is_empty():
		draw_multiline(borders, BORDER)
	var windows := PackedVector2Array()
	for cells: Rect2i in _portals:
		var place := _place_of(cells)
		# A window is two cells deep; the line runs along the border between them.
		var along := Vector2(0.0, place.size.y)
		var across := Vector2(0.5 * place.size.x, 0.0)
		if _is_level(cells):
			along = Vector2(place.size.x, 0.0)
			across = Vector2(0.0, 0.5 * place.size.y)
		windows.append(place.position + across)
		windows.append(place.position + across + along)
	if not windows.is_empty():
		draw_multiline(windows, PORTAL, 0.25 * _cell_size)


## Whether a window lies along a border between an upper and a lower sector.
func _is_level(cells: Rect2i) -> bool:
	return cells.size.y == 2 and (cells.position.y + 1) % maxi(_side, 1) == 0


func _place_of(cells: Rect2i) -> Rect2:
	return Rect2(_bounds.position + _cell_size * cells.position, _cell_size * cells.size)


func _borders() -> PackedVector2Array:
	var lines := PackedVector2Array()
	if _side == 0:
		return lines
	var step := _side * _cell_size
	var last := _bounds.end
	for column in range(1, ceili(_bounds.size.x / step)):
		var x := _bounds.position.x + column * step
		lines.append_array([Vector2(x, _bounds.position.y), Vector2(x, last.y)])
	for row in range(1, ceili(_bounds.size.y / step)):
		var y := _bounds.position.y + row * step
		lines.append_array([Vector2(_bounds.position.x, y), Vector2(last.x, y)])
	return lines
