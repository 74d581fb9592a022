@tool
extends RefCounted
## Which properties of a goal's node the inspector shows: only those that have an effect.

const AreaShape := preload("../shared/area_shape.gd")


static func validate(property: Dictionary, kind: int, shape: int) -> void:
	var is_of := {
		&"mode": kind == FlowFieldManager.GOAL_KIND_SEEK,
		&"flee_distance": kind == FlowFieldManager.GOAL_KIND_FLEE,
		&"min_distance": kind == FlowFieldManager.GOAL_KIND_RANGE,
		&"max_distance": kind == FlowFieldManager.GOAL_KIND_RANGE,
		&"radius": shape == AreaShape.CIRCLE,
		&"size": shape == AreaShape.RECTANGLE,
	}
	var name: StringName = property["name"]
	# The names of the constants say again what the property is.
	if name == &"kind":
		property["hint_string"] = "Go To:0,Flee:1,Keep Distance:2"
	if name == &"mode":
		property["hint_string"] = "Full:0,Tiled:1"
	if not is_of.get(name, true):
		property["usage"] &= ~PROPERTY_USAGE_EDITOR
