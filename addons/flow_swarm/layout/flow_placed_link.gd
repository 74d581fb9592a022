@tool
@icon("../icons/FlowFieldManager.svg")
class_name FlowPlacedLink
extends Resource
## A link from cell to cell: an entry of [member FlowLayout.links]. What its properties mean is
## described in [method FlowFieldManager.add_link].

## The first cell.
@export var from := Vector2i.ZERO:
	set(value):
		from = value
		emit_changed()
## The layer of the first cell.
@export_range(0, 63) var from_layer := 0:
	set(value):
		from_layer = value
		emit_changed()
## The last cell.
@export var to := Vector2i.ZERO:
	set(value):
		to = value
		emit_changed()
## The layer of the last cell.
@export_range(0, 63) var to_layer := 0:
	set(value):
		to_layer = value
		emit_changed()
## The cost of taking the link, in cells of clear ground.
@export_range(1.0, 1000.0, 0.1, "or_greater") var cost := 1.0:
	set(value):
		cost = value
		emit_changed()
## Whether agents take the link in both directions.
@export var both_ways := true:
	set(value):
		both_ways = value
		emit_changed()
## How agents get over the link.
@export var travel := FlowFieldManager.LINK_AT_ONCE:
	set(value):
		travel = value
		emit_changed()
## How long agents are on a link of LINK_TIMED.
@export_range(0.001, 60.0, 0.001, "or_greater") var seconds := 1.0:
	set(value):
		seconds = value
		emit_changed()
## How high the arc of a link of LINK_TIMED is, in world units.
@export_range(0.0, 100.0, 0.1, "or_greater") var arc := 0.0:
	set(value):
		arc = value
		emit_changed()
