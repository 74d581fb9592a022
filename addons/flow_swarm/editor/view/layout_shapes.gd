@tool
extends RefCounted
## What the views show of stamps and links while a manager is painted, as shapes in cells: fills and
## lines with a colour and the layers of their points.

const Colors := preload("terrain_colors.gd")
const CellOutline := preload("cell_outline.gd")
const LayoutEdits := preload("../paint/layout_edits.gd")
const StampRuns := preload("../paint/stamp_runs.gd")

const FILL := 0.75
const STAMP_COLOR := Color(1.0, 1.0, 1.0, 0.7)
const LINK_COLOR := Color(0.35, 0.95, 1.0, 0.95)
## Of what cannot be placed.
const REFUSED_COLOR := Color(1.0, 0.15, 0.15, 0.9)
## How much fainter things of other layers are.
const OTHER_LAYER := 0.3
## Half the width of an arrow's head, and its length, in cells.
const HEAD := Vector2(0.25, 0.55)

## Fills: [code]points[/code] of a polygon, [code]layer[/code] and [code]color[/code].
var fills: Array[Dictionary] = []
## Lines: pairs of [code]points[/code], a layer for each point in [code]layers[/code], and
## [code]color[/code].
var lines: Array[Dictionary] = []

## By placed stamp.
var _runs: Dictionary[FlowPlacedStamp, StampRuns] = {}
var _preview_runs := StampRuns.new()
var _manager: FlowFieldManager
var _layer := 0


## Begins anew with the stamps and links of a manager.
func begin(manager: FlowFieldManager, layer: int) -> void:
	fills.clear()
	lines.clear()
	_manager = manager
	_layer = layer
	var known: Dictionary[FlowPlacedStamp, StampRuns] = {}
	for placed in LayoutEdits.stamps_of(manager):
		if FlowLayout.find_stamp_trouble(placed, manager).is_empty():
			known[placed] = _runs.get(placed, StampRuns.new())
			if placed.layer == layer:
				_add_stamp(placed, known[placed], STAMP_COLOR, false)
	_runs = known
	for placed in LayoutEdits.links_of(manager):
		if FlowLayout.find_link_trouble(placed, manager).is_empty():
			_add_link(placed, LINK_COLOR)


## Adds the stamp under the mouse.
func add_stamp_preview(placed: FlowPlacedStamp, is_refused: bool) -> void:
	var color := REFUSED_COLOR if is_refused else Color.WHITE
	_add_stamp(placed, _preview_runs, color, is_refused)


## Adds the link that is being drawn.
func add_link_preview(placed: FlowPlacedLink, is_refused: bool) -> void:
	_add_link(placed, REFUSED_COLOR if is_refused else LINK_COLOR)


func _add_stamp(
	placed: FlowPlacedStamp, runs: StampRuns, color: Color, fills_in_color: bool
) -> void:
	for run in runs.of(placed.stamp, placed.quarter_turns):
		var rect: Rect2i = run["rect"]
		rect.position += placed.cell
		var fill := Colors.color_of(_manager.terrain_set, run["id"])
		if fills_in_color:
			fill = color
		elif fill.a == 0.0:
			fill = Color(0.6, 0.6, 0.6, 0.5)
		fill.a *= FILL
		fills.append({"points": _corners(rect), "layer": placed.layer, "color": fill})
	_add_lines(CellOutline.of_rect(placed.get_rect()), placed.layer, placed.layer, color)


func _add_link(placed: FlowPlacedLink, color: Color) -> void:
	if placed.from_layer != _layer and placed.to_layer != _layer:
		color.a *= OTHER_LAYER
	var middle := Vector2(0.5, 0.5)
	var from := Vector2(placed.from) + middle
	var to := Vector2(placed.to) + middle
	_add_lines([from, to], placed.from_layer, placed.to_layer, color)
	_add_head(from, to, placed.to_layer, color)
	if placed.both_ways:
		_add_head(to, from, placed.from_layer, color)
	for end: Array in [[placed.from, placed.from_layer], [placed.to, placed.to_layer]]:
		var outline := CellOutline.of_rect(Rect2(end[0] as Vector2i, Vector2.ONE).grow(-0.12))
		_add_lines(outline, end[1] as int, end[1] as int, color)


## The head of an arrow at its end.
func _add_head(from: Vector2, to: Vector2, layer: int, color: Color) -> void:
	var ahead := from.direction_to(to)
	if ahead == Vector2.ZERO:
		return
	var back := to - HEAD.y * ahead
	var side := HEAD.x * ahead.orthogonal()
	_add_lines([to, back + side, to, back - side], layer, layer, color)


## Pairs of points, each from one layer to another.
func _add_lines(points: PackedVector2Array, from: int, to: int, color: Color) -> void:
	lines.append({"points": points, "layers": Vector2i(from, to), "color": color})


static func _corners(rect: Rect2i) -> PackedVector2Array:
	return [
		Vector2(rect.position),
		Vector2(rect.end.x, rect.position.y),
		Vector2(rect.end),
		Vector2(rect.position.x, rect.end.y),
	]
