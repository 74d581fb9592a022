@tool
extends RefCounted
## Which properties of a spawner's node the inspector shows: only those that have an effect.

const AreaShape := preload("../shared/area_shape.gd")


static func validate(property: Dictionary, shape: int, has_waves: bool, has_type: bool) -> void:
	var has_effect := {
		&"rate": not has_waves,
		&"loop": has_waves,
		&"agent_type": not has_type,
		&"radius": shape == AreaShape.CIRCLE,
		&"size": shape == AreaShape.RECTANGLE,
	}
	if not has_effect.get(property["name"], true):
		property["usage"] &= ~PROPERTY_USAGE_EDITOR
