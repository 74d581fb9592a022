@tool
extends RefCounted
## A short text that changes if what a bake reads has changed: properties of nodes, their places,
## and the resources in them.

## Resources that are no part of a shape.
const LEFT_OUT: Array[StringName] = [&"Script", &"Material", &"Texture", &"Shader", &"Animation"]
## Properties that say nothing about shapes. The place of a node counts as its global transform.
const NAMES_LEFT_OUT: Array[StringName] = [
	&"script",
	&"transform",
	&"position",
	&"rotation",
	&"scale",
	&"skew",
	&"resource_name",
	&"resource_path",
	&"resource_local_to_scene",
	&"editor_description",
	&"modulate",
	&"self_modulate",
	&"debug_color",
	&"debug_fill",
]

## To what places of nodes are rounded.
const STEP := 1e-4

## The resources that are being read, against circles.
var _open: Array[Resource] = []


## The fingerprint of any values, and of nodes and resources in them.
static func of(values: Array) -> String:
	var plain: Variant = new()._plain(values)
	var hashing := HashingContext.new()
	hashing.start(HashingContext.HASH_SHA256)
	hashing.update(var_to_bytes(plain))
	return hashing.finish().hex_encode().left(24)


## A value without objects.
func _plain(value: Variant) -> Variant:
	if value is Array:
		return (value as Array).map(_plain)
	if value is Dictionary:
		var pairs := []
		for key: Variant in value:
			pairs.append([_plain(key), _plain((value as Dictionary)[key])])
		return pairs
	if value is Node:
		return _plain_node(value as Node)
	if value is Resource:
		return _plain_resource(value as Resource)
	return null if value is Object or value is Callable or value is RID else value


func _plain_node(node: Node) -> Array:
	var parts := [node.get_class(), _place(node), _groups(node)]
	return parts + _properties(node)


func _plain_resource(resource: Resource) -> Variant:
	if LEFT_OUT.any(func(type: StringName) -> bool: return resource.is_class(type)):
		return null
	if resource in _open:
		return resource.get_class()
	_open.append(resource)
	var parts := [resource.get_class()] + _properties(resource)
	_open.pop_back()
	return parts


func _properties(object: Object) -> Array:
	var parts := []
	for property: Dictionary in object.get_property_list():
		var name: StringName = property["name"]
		if not property["usage"] & PROPERTY_USAGE_STORAGE or name in NAMES_LEFT_OUT:
			continue
		if name.begins_with("metadata/") or property["type"] == TYPE_NODE_PATH:
			continue
		var value: Variant = object.get(name)
		if not value is Node:
			parts.append([name, _plain(value)])
	return parts


## The vectors of the global transform, rounded: to move a node there and back is no change.
static func _place(node: Node) -> Array:
	if node is Node2D:
		var flat := (node as Node2D).global_transform
		return [_rounded(flat.x), _rounded(flat.y), _rounded(flat.origin)]
	if node is Node3D:
		var place := (node as Node3D).global_transform
		var basis := place.basis
		return [basis.x, basis.y, basis.z, place.origin].map(_rounded)
	return []


static func _rounded(vector: Variant) -> Variant:
	# Adding zero makes zero of minus zero, which has other bytes.
	return vector.snappedf(STEP) + 0.0 * vector


## Bakes may read the nodes of a group.
static func _groups(node: Node) -> Array:
	var names := Array(node.get_groups()).map(func(name: StringName) -> String: return name)
	names = names.filter(func(name: String) -> bool: return not name.begins_with("_"))
	names.sort()
	return names
