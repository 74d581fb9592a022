@tool
extends RefCounted
## Errors and warnings of a bake, each once, with the name of the method.

var has_failed := false
var _method: String
var _warned := {}


func _init(method: String) -> void:
	_method = method


## Reports an error. Returns null, for callers that return a resource.
func refuse(reason: String) -> RefCounted:
	has_failed = true
	push_error("%s: %s" % [_method, reason])
	return null


func warn(reason: String) -> void:
	if not _warned.has(reason):
		_warned[reason] = true
		push_warning("%s: %s" % [_method, reason])


## The warnings so far.
func warnings() -> PackedStringArray:
	return PackedStringArray(_warned.keys())
