@tool
extends RefCounted
## What the dock asks for beside the kind of a bake.

## The layer of the grid that is filled, if the kind fills one.
var layer := 0
## Whether cells that nothing covers keep their terrain.
var keeps_terrain := false
## The custom data layer of tile sets that has terrain ids.
var data_layer := "flow_cost"
## The steepest slope of heights that can be walked on, in degrees.
var max_slope := 45.0
## Which nodes are read, and as what; null for the defaults.
var source: FlowSourceGeometry


## Settings as to_dictionary() has returned them.
static func from(kept: Dictionary) -> RefCounted:
	var settings := new()
	settings.layer = kept.get("layer", 0)
	settings.keeps_terrain = kept.get("keeps_terrain", false)
	settings.data_layer = kept.get("data_layer", "flow_cost")
	settings.max_slope = kept.get("max_slope", 45.0)
	settings.source = kept.get("source", null)
	return settings


func to_dictionary() -> Dictionary:
	return {
		"layer": layer,
		"keeps_terrain": keeps_terrain,
		"data_layer": data_layer,
		"max_slope": max_slope,
		"source": source,
	}


## What is read of a scene, as FlowFieldManager takes it.
func get_source() -> FlowSourceGeometry:
	var chosen := source if source != null else FlowSourceGeometry.new()
	if keeps_terrain and not chosen.keep_terrain:
		chosen = chosen.duplicate() as FlowSourceGeometry
		chosen.keep_terrain = true
	return chosen
