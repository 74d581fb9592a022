@tool
extends RefCounted
## What the setters of the addon's nodes refuse: each call reports one error, in the way of the
## extension's classes.

## The longest distance that a property takes, as in the extension.
const FARTHEST := 1000000.0
const MOST_GROUPS := 256
## The most agents that a spawner makes in all.
const MOST_AGENTS := 1000000


## Whether a number is in a range; NaN never is.
static func is_number(name: String, value: float, least: float, most: float) -> bool:
	if value >= least and value <= most:
		return true
	push_error("%s: must be from %s to %s, not %s" % [name, least, most, value])
	return false


static func is_count(name: String, value: int, least: int, most: int) -> bool:
	if value >= least and value <= most:
		return true
	push_error("%s: must be from %d to %d, not %d" % [name, least, most, value])
	return false


static func is_size(name: String, value: Vector2) -> bool:
	return (
		is_number(name + ".x", value.x, 0.0, FARTHEST)
		and is_number(name + ".y", value.y, 0.0, FARTHEST)
	)


static func are_groups(name: String, values: PackedInt32Array) -> bool:
	for value in values:
		if not is_count(name, value, 0, MOST_GROUPS - 1):
			return false
	return true
