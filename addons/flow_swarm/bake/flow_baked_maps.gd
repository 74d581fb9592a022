@tool
class_name FlowBakedMaps
extends Resource
## What the Bake dock has found of the ground beside its terrain: heights, and links between layers.
##
## A [FlowBake] gives it to its manager. Its arrays are as [method FlowFieldManager.set_heights] and
## [method FlowFieldManager.add_links] take them.

## The heights of the corners of cells, for each layer; empty for a layer without any.
@export_storage var heights: Array[PackedFloat32Array] = []:
	set(value):
		heights = value
		emit_changed()
## The first cells of links, on which agents walk in both directions.
@export_storage var link_starts := PackedVector2Array():
	set(value):
		link_starts = value
		emit_changed()
## The last cells of these links.
@export_storage var link_ends := PackedVector2Array():
	set(value):
		link_ends = value
		emit_changed()
