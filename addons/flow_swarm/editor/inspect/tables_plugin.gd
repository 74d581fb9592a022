@tool
extends EditorInspectorPlugin
## Tables and grids in the inspector, in place of arrays of bytes and parallel arrays.

const CostTable := preload("cost_table.gd")
const KindTable := preload("kind_table.gd")
const LodTable := preload("lod_table.gd")
const StampGrid := preload("stamp_grid.gd")


func _can_handle(object: Object) -> bool:
	return (
		object is FlowStamp
		or object is FlowMovementType
		or object is FlowTerrainSet
		or object is SwarmLook
	)


func _parse_property(
	object: Object,
	_type: Variant.Type,
	name: String,
	_hint: PropertyHint,
	_hint_text: String,
	_usage: int,
	_wide: bool
) -> bool:
	if object is FlowStamp and name == "cells":
		add_property_editor(name, StampGrid.new(), false, "Cells")
	elif object is FlowMovementType and name == "cost_table":
		_add(["cost_table", "speed_factors"], CostTable.new(), "Costs and speeds")
	elif object is FlowTerrainSet and name == "kinds":
		add_property_editor(name, KindTable.new(), false, "Kinds")
	elif object is SwarmLook and name == "lod_meshes":
		_add(["lod_meshes", "lod_distances"], LodTable.new(), "Meshes by distance")
	else:
		# They are in the table of another property.
		return name == "speed_factors" or name == "lod_distances"
	return true


func _add(names: PackedStringArray, table: EditorProperty, title: String) -> void:
	add_property_editor_for_multiple_properties(title, names, table)
