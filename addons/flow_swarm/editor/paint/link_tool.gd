@tool
extends RefCounted
## The link tool: links are drawn from the cell of a press to that of a release, which may be on
## another layer.

const LayoutEdits := preload("layout_edits.gd")
## How far from a link, in cells, a click removes it.
const REACH := 0.75

## The settings of the links that are drawn.
var settings := FlowPlacedLink.new()

var _edits: LayoutEdits
var _from := Vector2i.ZERO
var _from_layer := 0
var _is_busy := false


func _init(edits: LayoutEdits) -> void:
	_edits = edits


## Whether a link is being drawn.
func is_busy() -> bool:
	return _is_busy


func begin(cell: Vector2i, layer: int) -> void:
	_from = cell
	_from_layer = layer
	_is_busy = true


func cancel() -> void:
	_is_busy = false


## The link that a release in a cell would draw.
func preview(cell: Vector2i, layer: int) -> FlowPlacedLink:
	var placed := settings.duplicate() as FlowPlacedLink
	placed.from = _from
	placed.from_layer = _from_layer
	placed.to = cell
	placed.to_layer = layer
	return placed


## Ends the link in a cell. Returns why it cannot; empty if it is drawn.
func finish(manager: FlowFieldManager, root: Node, cell: Vector2i, layer: int) -> String:
	_is_busy = false
	var placed := preview(cell, layer)
	var trouble := FlowLayout.find_link_trouble(placed, manager)
	if not trouble.is_empty():
		return "The link cannot be drawn: %s." % trouble
	for other in LayoutEdits.links_of(manager):
		if other != null and _is_same(other, placed):
			return "These cells are joined by a link already."
	_edits.add_link(manager, root, placed)
	return ""


## The link on a layer that is nearest to a cell, as far as links are removed by a click; or null.
static func find(manager: FlowFieldManager, cell: Vector2i, layer: int) -> FlowPlacedLink:
	var best: FlowPlacedLink = null
	var least := REACH
	for placed in LayoutEdits.links_of(manager):
		if placed == null or (placed.from_layer != layer and placed.to_layer != layer):
			continue
		var nearest := Geometry2D.get_closest_point_to_segment(cell, placed.from, placed.to)
		var distance := nearest.distance_to(cell)
		if distance < least:
			least = distance
			best = placed
	return best


func erase(manager: FlowFieldManager, root: Node, cell: Vector2i, layer: int) -> void:
	var placed := find(manager, cell, layer)
	if placed != null:
		_edits.remove_link(manager, root, placed)


static func _is_same(one: FlowPlacedLink, other: FlowPlacedLink) -> bool:
	var ends := [one.from, one.from_layer, one.to, one.to_layer]
	if ends == [other.from, other.from_layer, other.to, other.to_layer]:
		return true
	var turned := [other.to, other.to_layer, other.from, other.from_layer]
	return one.both_ways and other.both_ways and ends == turned
