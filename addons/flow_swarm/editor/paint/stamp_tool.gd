@tool
extends RefCounted
## The stamp tool: which stamp is placed, how it is turned, and where it lies under the mouse.

const LayoutEdits := preload("layout_edits.gd")

## Null until one is chosen.
var stamp: FlowStamp
var quarter_turns := 0:
	set(value):
		quarter_turns = posmod(value, 4)

var _edits: LayoutEdits


func _init(edits: LayoutEdits) -> void:
	_edits = edits


## The stamp as it would be placed with a cell in its middle.
func preview(cell: Vector2i, layer: int) -> FlowPlacedStamp:
	var placed := FlowPlacedStamp.new()
	placed.stamp = stamp
	placed.layer = layer
	placed.quarter_turns = quarter_turns
	placed.cell = cell - (placed.get_rect().size - Vector2i.ONE) / 2
	return placed


## Why a stamp cannot be placed here; empty if it can.
func refusal(manager: FlowFieldManager, placed: FlowPlacedStamp) -> String:
	if stamp == null:
		return "Choose a stamp, or make a new one."
	var trouble := FlowLayout.find_stamp_trouble(placed, manager)
	if not trouble.is_empty():
		return "The stamp cannot be placed: %s." % trouble
	for other in LayoutEdits.stamps_of(manager):
		if other != null and _is_same(other, placed):
			return "The stamp lies here already."
	return ""


## The topmost stamp over a cell, or null.
static func find(manager: FlowFieldManager, cell: Vector2i, layer: int) -> FlowPlacedStamp:
	var stamps := LayoutEdits.stamps_of(manager)
	for i in range(stamps.size() - 1, -1, -1):
		var placed := stamps[i]
		if placed != null and placed.layer == layer and placed.get_rect().has_point(cell):
			return placed
	return null


func place(manager: FlowFieldManager, root: Node, placed: FlowPlacedStamp) -> void:
	_edits.add_stamp(manager, root, placed)


## Takes the topmost stamp over a cell away.
func erase(manager: FlowFieldManager, root: Node, cell: Vector2i, layer: int) -> void:
	var placed := find(manager, cell, layer)
	if placed != null:
		_edits.remove_stamp(manager, root, placed)


static func _is_same(one: FlowPlacedStamp, other: FlowPlacedStamp) -> bool:
	return (
		one.stamp == other.stamp
		and one.cell == other.cell
		and one.layer == other.layer
		and one.quarter_turns == other.quarter_turns
	)
