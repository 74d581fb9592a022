@tool
@icon("../icons/FlowStamp.svg")
class_name FlowPlacedStamp
extends Resource
## A [FlowStamp] and where it lies: an entry of [member FlowLayout.stamps].

## What is laid over the terrain. Several entries may share a stamp; a change of its cells changes
## them all.
@export var stamp: FlowStamp:
	set(value):
		if stamp != null:
			stamp.changed.disconnect(emit_changed)
		stamp = value
		if stamp != null:
			stamp.changed.connect(emit_changed)
		emit_changed()
## The cell of the corner with the least x and y.
@export var cell := Vector2i.ZERO:
	set(value):
		cell = value
		emit_changed()
## The layer of the grid.
@export_range(0, 63) var layer := 0:
	set(value):
		layer = value
		emit_changed()
## How often the stamp is turned by a quarter, from +x towards +y.
@export_range(0, 3) var quarter_turns := 0:
	set(value):
		quarter_turns = posmod(value, 4)
		emit_changed()


## Returns the cells that the turned stamp lies on, those included that leave the terrain.
func get_rect() -> Rect2i:
	if stamp == null:
		return Rect2i(cell, Vector2i.ZERO)
	var size := stamp.size
	return Rect2i(cell, size if quarter_turns % 2 == 0 else Vector2i(size.y, size.x))
