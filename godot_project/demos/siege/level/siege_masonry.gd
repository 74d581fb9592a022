class_name SiegeMasonry
extends RefCounted
## Collects boxes, roofs and round towers, and makes one mesh and one static body of them. The alpha
## of a paint selects the pattern that stone.gdshader draws.

const STONE := Color(0.66, 0.64, 0.60, 0.25)
const DARK_STONE := Color(0.56, 0.545, 0.52, 0.25)
const PLANKS := Color(0.50, 0.37, 0.25, 0.5)
const BEAM := Color(0.46, 0.36, 0.27, 1.0)
const PLASTER := Color(0.86, 0.81, 0.71, 1.0)
const TILES := Color(0.70, 0.37, 0.26, 0.75)
const SLATE := Color(0.44, 0.48, 0.53, 0.75)
const IRON := Color(0.30, 0.30, 0.32, 1.0)
const HOLE := Color(0.25, 0.235, 0.22, 1.0)
const BANNER := Color(0.26, 0.38, 0.64, 1.0)
const ENEMY_BANNER := Color(0.70, 0.20, 0.17, 1.0)

var _vertices := PackedVector3Array()
var _normals := PackedVector3Array()
var _colors := PackedColorArray()
var _body := StaticBody3D.new()


## A box around the origin of `place`.
func box(place: Transform3D, size: Vector3, paint: Color, solid := true) -> void:
	var half := size * 0.5
	for axis in 3:
		for side: float in [-1.0, 1.0]:
			var normal := Vector3.ZERO
			normal[axis] = side
			var u := Vector3.ZERO
			u[(axis + 1) % 3] = half[(axis + 1) % 3]
			var v := Vector3.ZERO
			v[(axis + 2) % 3] = half[(axis + 2) % 3]
			var middle := normal * half
			_face(place, [middle - u - v, middle + u - v, middle + u + v, middle - u + v], paint)
	if solid:
		var shape := BoxShape3D.new()
		shape.size = size
		_collide(shape, place)


## A box that stands on a point, turned about Y.
func block(foot: Vector3, size: Vector3, paint: Color, solid := true, yaw := 0.0) -> void:
	var middle := foot + Vector3.UP * size.y * 0.5
	box(Transform3D(Basis(Vector3.UP, yaw), middle), size, paint, solid)


## A gabled roof over the origin of `place`, with its ridge along X.
func roof(place: Transform3D, size: Vector3, paint: Color, gable: Color) -> void:
	var x := size.x * 0.5
	var z := size.z * 0.5
	var near: Array[Vector3] = [Vector3(-x, 0, z), Vector3(x, 0, z)]
	var far: Array[Vector3] = [Vector3(-x, 0, -z), Vector3(x, 0, -z)]
	var ridge: Array[Vector3] = [Vector3(-x, size.y, 0), Vector3(x, size.y, 0)]
	_face(place, [near[0], near[1], ridge[1], ridge[0]], paint)
	_face(place, [far[0], far[1], ridge[1], ridge[0]], paint)
	_face(place, [near[0], near[1], far[1], far[0]], gable)
	for end in 2:
		_face(place, [near[end], far[end], ridge[end]], gable)
	var shape := ConvexPolygonShape3D.new()
	shape.points = PackedVector3Array(near + far + ridge)
	_collide(shape, place)


## An upright body with many sides from `foot`, which may taper to a point.
func round_tower(
	foot: Vector3, radii: Vector2, height: float, paint: Color, sides := 10, solid := true
) -> void:
	var place := Transform3D(Basis.IDENTITY, foot)
	var low: Array[Vector3] = []
	var high: Array[Vector3] = []
	for i in sides + 1:
		var way := Vector3(cos(TAU * i / sides), 0.0, sin(TAU * i / sides))
		low.append(way * radii.x)
		high.append(way * radii.y + Vector3.UP * height)
	for i in sides:
		var corners: Array[Vector3] = [low[i], low[i + 1], high[i + 1]]
		if radii.y > 0.0:
			corners.append(high[i])
			_face(place, [high[i], high[i + 1], Vector3.UP * height], paint, Vector3.ZERO)
		_face(place, corners, paint)
		_face(place, [low[i], low[i + 1], Vector3.ZERO], paint, Vector3.UP * height)
	if solid:
		var shape := ConvexPolygonShape3D.new()
		shape.points = PackedVector3Array(low + high)
		_collide(shape, place)


## Adds what was collected below a node.
func commit(parent: Node3D, part_name: String, material: Material) -> void:
	var arrays := []
	arrays.resize(Mesh.ARRAY_MAX)
	arrays[Mesh.ARRAY_VERTEX] = _vertices
	arrays[Mesh.ARRAY_NORMAL] = _normals
	arrays[Mesh.ARRAY_COLOR] = _colors
	var mesh := ArrayMesh.new()
	mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
	mesh.surface_set_material(0, material)
	var instance := MeshInstance3D.new()
	instance.name = part_name
	instance.mesh = mesh
	parent.add_child(instance)
	_body.name = part_name + "Body"
	parent.add_child(_body)


func _collide(shape: Shape3D, place: Transform3D) -> void:
	var node := CollisionShape3D.new()
	node.shape = shape
	node.transform = place
	_body.add_child(node)


## A flat polygon that faces away from `inside`, both in the space of `place`.
func _face(
	place: Transform3D, corners: Array[Vector3], paint: Color, inside := Vector3(0.0, 0.1, 0.0)
) -> void:
	var middle := Vector3.ZERO
	for corner in corners:
		middle += corner / corners.size()
	var normal := (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized()
	var outward := normal.dot(middle - inside) > 0.0
	for i in range(2, corners.size()):
		# The engine draws faces whose corners run clockwise.
		var order := [0, i, i - 1] if outward else [0, i - 1, i]
		for at: int in order:
			_vertices.append(place * corners[at])
			_normals.append(place.basis * (normal if outward else -normal))
			_colors.append(paint)
