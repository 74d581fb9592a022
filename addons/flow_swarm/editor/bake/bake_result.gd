@tool
extends RefCounted
## What a bake has found, ready to be given to the manager.

## The number of layers; 0 if it stays.
var layer_count := 0
## The terrain ids of all cells, by layer. Other layers stay.
var terrains: Dictionary[int, PackedByteArray] = {}
## The heights of all corners, by layer. Other layers stay.
var heights: Dictionary[int, PackedFloat32Array] = {}
## Whether links are replaced.
var has_links := false
var link_starts: PackedVector2Array = []
var link_ends: PackedVector2Array = []
## Saves tiles to a file, and returns an error code; invalid without tiles.
var save_tiles := Callable()


## Takes the terrain of a layer, and its heights if there are any.
func take_layer(manager: FlowFieldManager, layer: int, with_heights: bool) -> void:
	terrains[layer] = manager.get_terrain_bytes(layer)
	if with_heights:
		heights[layer] = manager.get_heights(layer)


## Takes everything that a bake of floors has made.
func take_storeys(manager: FlowFieldManager) -> void:
	layer_count = manager.layer_count
	for layer in layer_count:
		take_layer(manager, layer, true)
	has_links = true
	for link in manager.get_links():
		var cells := manager.get_link_cells(link)
		link_starts.append(cells[0])
		link_ends.append(cells[1])
