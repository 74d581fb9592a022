class_name SiegeModelMesh
extends RefCounted
## Collects flat-shaded facets that follow bones, and makes one skinned mesh of them with a surface
## for each material.

## Axes of the rings of a loft: around something upright, around something along Z, and around
## something along X.
const UPRIGHT: Array[Vector3] = [Vector3.RIGHT, Vector3.BACK]
const LENGTHWISE: Array[Vector3] = [Vector3.RIGHT, Vector3.UP]
const SIDEWAYS: Array[Vector3] = [Vector3.BACK, Vector3.UP]


## A cross section of a loft: where it is, how wide along the two axes, and what it follows: the
## name of a bone, or shares of several.
class Ring:
	var center: Vector3
	var radii: Vector2
	var weights: Dictionary

	func _init(at: Vector3, half: Vector2, follows: Variant) -> void:
		center = at
		radii = half
		weights = follows if follows is Dictionary else {follows: 1.0}


class Surface:
	var vertices := PackedVector3Array()
	var normals := PackedVector3Array()
	var bones := PackedInt32Array()
	var weights := PackedFloat32Array()
	var indices := PackedInt32Array()


var rig: SiegeModelRig
var _surfaces: Dictionary[StringName, Surface] = {}


func _init(of: SiegeModelRig) -> void:
	rig = of


## Connects rings to a closed body. Four sides make a box of the given half widths.
func loft(material: StringName, rings: Array[Ring], sides := 6, axes := UPRIGHT) -> void:
	for i in rings.size() - 1:
		var near := rings[i]
		var far := rings[i + 1]
		var middle := (near.center + far.center) * 0.5
		for side in sides:
			var corners: Array[Vector3] = [
				_corner(near, side, sides, axes),
				_corner(near, side + 1, sides, axes),
				_corner(far, side + 1, sides, axes),
				_corner(far, side, sides, axes),
			]
			var follows: Array[Dictionary] = [near.weights, near.weights, far.weights, far.weights]
			facet(material, corners, follows, middle)
	_cap(material, rings[0], rings[1].center, sides, axes)
	_cap(material, rings[-1], rings[-2].center, sides, axes)


## A loft and its mirror image, with bones of the other side.
func loft_pair(material: StringName, rings: Array[Ring], sides := 6, axes := UPRIGHT) -> void:
	loft(material, rings, sides, axes)
	var mirrored: Array[Ring] = []
	for ring in rings:
		var weights := {}
		for bone: StringName in ring.weights:
			var other := String(bone)
			if other.ends_with("_l"):
				other = other.trim_suffix("_l") + "_r"
			weights[StringName(other)] = ring.weights[bone]
		mirrored.append(Ring.new(ring.center * Vector3(-1.0, 1.0, 1.0), ring.radii, weights))
	loft(material, mirrored, sides, axes)


func box(material: StringName, center: Vector3, size: Vector3, bone: StringName) -> void:
	var half := Vector2(size.x, size.z) * 0.5
	var up := Vector3.UP * size.y * 0.5
	loft(material, [Ring.new(center - up, half, bone), Ring.new(center + up, half, bone)], 4)


## A pointed body from the middle of its base to its tip.
func spike(
	material: StringName,
	base: Vector3,
	tip: Vector3,
	half: Vector2,
	bone: StringName,
	axes := UPRIGHT
) -> void:
	loft(material, [Ring.new(base, half, bone), Ring.new(tip, Vector2.ZERO, bone)], 4, axes)


## Adds one flat polygon that faces away from a point inside.
func facet(
	material: StringName, corners: Array[Vector3], follows: Array[Dictionary], inside: Vector3
) -> void:
	var points: Array[Vector3] = []
	var shares: Array[Dictionary] = []
	for i in corners.size():
		if not corners[i].is_equal_approx(corners[i - 1]):
			points.append(corners[i])
			shares.append(follows[i])
	if points.size() < 3:
		return
	var normal := Vector3.ZERO
	var middle := Vector3.ZERO
	for i in points.size():
		normal += points[i - 1].cross(points[i])
		middle += points[i] / points.size()
	normal = normal.normalized()
	# The engine draws faces whose corners run clockwise.
	if normal.dot(middle - inside) > 0.0:
		points.reverse()
		shares.reverse()
	else:
		normal = -normal
	_append(material, points, shares, normal)


func build(materials: Dictionary[StringName, Material]) -> ArrayMesh:
	var mesh := ArrayMesh.new()
	for material: StringName in materials:
		var surface: Surface = _surfaces[material]
		var arrays := []
		arrays.resize(Mesh.ARRAY_MAX)
		arrays[Mesh.ARRAY_VERTEX] = surface.vertices
		arrays[Mesh.ARRAY_NORMAL] = surface.normals
		arrays[Mesh.ARRAY_BONES] = surface.bones
		arrays[Mesh.ARRAY_WEIGHTS] = surface.weights
		arrays[Mesh.ARRAY_INDEX] = surface.indices
		mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
		var index := mesh.get_surface_count() - 1
		mesh.surface_set_name(index, material)
		mesh.surface_set_material(index, materials[material])
	return mesh


func _corner(ring: Ring, side: int, sides: int, axes: Array[Vector3]) -> Vector3:
	var angle := TAU * (side + 0.5) / sides
	var reach := 1.0 / cos(PI / sides) if sides == 4 else 1.0
	var across := axes[0] * (cos(angle) * ring.radii.x)
	return ring.center + (across + axes[1] * (sin(angle) * ring.radii.y)) * reach


func _cap(
	material: StringName, ring: Ring, inside: Vector3, sides: int, axes: Array[Vector3]
) -> void:
	var corners: Array[Vector3] = []
	var follows: Array[Dictionary] = []
	for side in sides:
		corners.append(_corner(ring, side, sides, axes))
		follows.append(ring.weights)
	facet(material, corners, follows, inside)


func _append(
	material: StringName, points: Array[Vector3], shares: Array[Dictionary], normal: Vector3
) -> void:
	var surface: Surface = _surfaces.get_or_add(material, Surface.new())
	var first := surface.vertices.size()
	for i in points.size():
		surface.vertices.append(points[i])
		surface.normals.append(normal)
		var bones: Array = shares[i].keys()
		for slot in 4:
			var used := slot < bones.size()
			surface.bones.append(rig.index_of(bones[slot] as StringName) if used else 0)
			surface.weights.append(shares[i][bones[slot]] as float if used else 0.0)
	for i in range(2, points.size()):
		surface.indices.append_array([first, first + i - 1, first + i])
