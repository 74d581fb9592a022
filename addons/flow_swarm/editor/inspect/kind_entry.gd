@tool
extends RefCounted
## Cost and speed of a kind of terrain, for all movement types or for one of them, and their change
## as one undoable step.

const ResourceStep := preload("resource_step.gd")


## The cost for a movement type; that for all types with an empty name.
static func cost(kind: FlowTerrainKind, type: String) -> int:
	return kind.costs.get(StringName(type), kind.cost)


## The speed for a movement type; that for all types with an empty name. 0 follows from the cost.
static func speed(kind: FlowTerrainKind, type: String) -> float:
	return kind.speeds.get(StringName(type), kind.speed)


static func set_cost(kind: FlowTerrainKind, type: String, value: int) -> void:
	if type.is_empty():
		set_property(kind, &"cost", value)
	else:
		set_property(kind, &"costs", _with(kind.costs, type, value))


static func set_speed(kind: FlowTerrainKind, type: String, value: float) -> void:
	var speed := 0.0 if value <= 0.0 else maxf(value, 0.1)
	if type.is_empty():
		set_property(kind, &"speed", speed)
	else:
		set_property(kind, &"speeds", _with(kind.speeds, type, speed))


static func set_property(kind: FlowTerrainKind, property: StringName, value: Variant) -> void:
	ResourceStep.change(kind, "Set %s of terrain" % property, {property: value})


## A copy, because resources share dictionaries with their duplicates.
static func _with(entries: Dictionary, type: String, value: Variant) -> Dictionary:
	var copy := entries.duplicate()
	copy[StringName(type)] = value
	return copy
