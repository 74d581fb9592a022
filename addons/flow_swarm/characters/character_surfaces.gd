@tool
extends RefCounted
## The meshes of a scene, merged by material. Each vertex knows its joints and their weights.
##
## They are in one array of four floats, each twice the joint plus the weight: of smaller numbers
## the Compatibility renderer reads only the first one or two.

const Joints := preload("character_joints.gd")
const Materials := preload("character_materials.gd")
const Report := preload("character_report.gd")

const WEIGHTS := 4
const FORMAT := Mesh.ARRAY_CUSTOM_RGBA_FLOAT << Mesh.ARRAY_FORMAT_CUSTOM0_SHIFT


## The vertices of a material.
class Group:
	extends RefCounted
	var material: Material
	var vertices := PackedVector3Array()
	var normals := PackedVector3Array()
	var tangents := PackedFloat32Array()
	var uvs := PackedVector2Array()
	var colors := PackedColorArray()
	var joints := PackedFloat32Array()
	var indices := PackedInt32Array()


var _groups: Array[Group] = []
var _joints: Joints
var _report: Report


func _init(joints: Joints, report: Report) -> void:
	_joints = joints
	_report = report


func is_empty() -> bool:
	return _groups.is_empty()


## Adds all visible meshes of a scene.
func collect(scene: Node) -> void:
	for node: Node in scene.find_children("*", "MeshInstance3D", true, false):
		_add_part(node as MeshInstance3D)


## The merged mesh.
func mesh(materials: Materials, bounds: AABB) -> ArrayMesh:
	var merged := ArrayMesh.new()
	for group: Group in _groups:
		var arrays := []
		arrays.resize(Mesh.ARRAY_MAX)
		arrays[Mesh.ARRAY_VERTEX] = group.vertices
		arrays[Mesh.ARRAY_NORMAL] = group.normals
		arrays[Mesh.ARRAY_TEX_UV] = group.uvs
		arrays[Mesh.ARRAY_CUSTOM0] = group.joints
		arrays[Mesh.ARRAY_INDEX] = group.indices
		if Materials.needs_tangents(group.material):
			arrays[Mesh.ARRAY_TANGENT] = group.tangents
		if Materials.needs_colors(group.material):
			arrays[Mesh.ARRAY_COLOR] = group.colors
		merged.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays, [], {}, FORMAT)
		var last := merged.get_surface_count() - 1
		merged.surface_set_material(last, materials.of(group.material))
		if group.material != null:
			merged.surface_set_name(last, group.material.resource_name)
	merged.custom_aabb = bounds
	return merged


func _add_part(part: MeshInstance3D) -> void:
	if part.mesh == null or part.mesh.get_surface_count() == 0:
		_report.warn("%s has no mesh and is left out" % part.name)
		return
	if part.mesh is ArrayMesh and (part.mesh as ArrayMesh).get_blend_shape_count() > 0:
		_report.warn("%s has blend shapes, which are left out" % part.name)
	var rest := _joints.placed(part)
	if absf(rest.basis.determinant()) < 1e-12:
		_report.warn("%s is scaled to nothing and is left out" % part.name)
		return
	for surface in part.mesh.get_surface_count():
		var arrays := _triangles(part, surface)
		if not arrays.is_empty():
			_add_surface(part, arrays, _group_of(_material_of(part, surface)), rest)


## The arrays of a surface with normals, tangents and indices; empty if it has no triangles.
func _triangles(part: MeshInstance3D, surface: int) -> Array:
	var array_mesh := part.mesh as ArrayMesh
	var primitive := Mesh.PRIMITIVE_TRIANGLES
	if array_mesh != null:
		primitive = array_mesh.surface_get_primitive_type(surface)
	var arrays := part.mesh.surface_get_arrays(surface)
	if primitive != Mesh.PRIMITIVE_TRIANGLES or arrays.is_empty():
		_report.warn("surface %d of %s has no triangles and is left out" % [surface, part.name])
		return []
	var vertices: PackedVector3Array = arrays[Mesh.ARRAY_VERTEX]
	if vertices.is_empty():
		_report.warn("surface %d of %s has no triangles and is left out" % [surface, part.name])
		return []
	var needs_tangents := (
		arrays[Mesh.ARRAY_TANGENT] == null
		and arrays[Mesh.ARRAY_TEX_UV] != null
		and Materials.needs_tangents(_material_of(part, surface))
	)
	if arrays[Mesh.ARRAY_NORMAL] == null or needs_tangents:
		var tool := SurfaceTool.new()
		tool.create_from_arrays(arrays)
		if arrays[Mesh.ARRAY_NORMAL] == null:
			tool.generate_normals()
		if needs_tangents:
			tool.generate_tangents()
		arrays = tool.commit_to_arrays()
	return arrays


func _add_surface(part: MeshInstance3D, arrays: Array, group: Group, rest: Transform3D) -> void:
	var first := group.vertices.size()
	var vertices: PackedVector3Array = rest * (arrays[Mesh.ARRAY_VERTEX] as PackedVector3Array)
	var count := vertices.size()
	# Bones first: a surface that is refused adds nothing.
	if not _add_weights(part, arrays, vertices, group, rest):
		return
	group.vertices.append_array(vertices)
	var upright := Transform3D(rest.basis.inverse().transposed(), Vector3.ZERO)
	for normal: Vector3 in upright * (arrays[Mesh.ARRAY_NORMAL] as PackedVector3Array):
		group.normals.append(normal.normalized())
	group.tangents.append_array(_tangents(arrays[Mesh.ARRAY_TANGENT], rest.basis, count))
	var uvs := PackedVector2Array()
	if arrays[Mesh.ARRAY_TEX_UV] != null:
		uvs = arrays[Mesh.ARRAY_TEX_UV]
	uvs.resize(count)
	group.uvs.append_array(uvs)
	var colors := PackedColorArray()
	if arrays[Mesh.ARRAY_COLOR] != null:
		colors = arrays[Mesh.ARRAY_COLOR]
	else:
		colors.resize(count)
		colors.fill(Color.WHITE)
	group.colors.append_array(colors)
	var indices := PackedInt32Array()
	if arrays[Mesh.ARRAY_INDEX] != null:
		indices = arrays[Mesh.ARRAY_INDEX]
	if indices.is_empty():
		indices = PackedInt32Array(range(count))
	# A mirrored part would show its inside.
	var is_mirrored := rest.basis.determinant() < 0.0
	for i in indices.size():
		var corner := i - i % 3 + 2 - i % 3 if is_mirrored else i
		group.indices.append(first + indices[corner])


static func _tangents(found: Variant, basis: Basis, count: int) -> PackedFloat32Array:
	var tangents := PackedFloat32Array()
	tangents.resize(4 * count)
	if found == null:
		for i in count:
			tangents[4 * i] = 1.0
			tangents[4 * i + 3] = 1.0
		return tangents
	var given: PackedFloat32Array = found
	for i in count:
		var at := 4 * i
		var tangent := basis * Vector3(given[at], given[at + 1], given[at + 2])
		tangent = tangent.normalized()
		tangents[at] = tangent.x
		tangents[at + 1] = tangent.y
		tangents[at + 2] = tangent.z
		tangents[at + 3] = given[at + 3]
	return tangents


## Adds the joints and weights of the vertices of a surface. Returns false after an error.
func _add_weights(
	part: MeshInstance3D,
	arrays: Array,
	vertices: PackedVector3Array,
	group: Group,
	rest: Transform3D
) -> bool:
	var skeleton := part.get_node_or_null(part.skeleton) as Skeleton3D
	if skeleton == null or arrays[Mesh.ARRAY_BONES] == null:
		var joint := _joints.of_part(part, rest)
		for vertex: Vector3 in vertices:
			_add_vertex(group, vertex, PackedInt32Array([joint]), PackedFloat32Array([1.0]))
		return true
	var skin := part.skin if part.skin != null else skeleton.create_skin_from_rest_transforms()
	var bones: PackedInt32Array = arrays[Mesh.ARRAY_BONES]
	var weights: PackedFloat32Array = arrays[Mesh.ARRAY_WEIGHTS]
	var each := bones.size() / vertices.size()
	if each > WEIGHTS:
		_report.warn(
			"%s has %d weights a vertex; the %d greatest are kept" % [part.name, each, WEIGHTS]
		)
	var of_binds := {}
	for i in vertices.size():
		var joints := PackedInt32Array()
		var shares := PackedFloat32Array()
		for k: int in _greatest(weights, i * each, each):
			var bind := bones[k]
			if not of_binds.has(bind):
				of_binds[bind] = _joint_of_bind(part, skeleton, skin, bind, rest)
			if of_binds[bind] < 0:
				return false
			joints.append(of_binds[bind])
			shares.append(weights[k])
		_add_vertex(group, vertices[i], joints, shares)
	return true


## The joint of an entry of a skin; -1 after an error.
func _joint_of_bind(
	part: MeshInstance3D, skeleton: Skeleton3D, skin: Skin, bind: int, rest: Transform3D
) -> int:
	var bone := -1
	if bind < skin.get_bind_count():
		var name := skin.get_bind_name(bind)
		bone = skin.get_bind_bone(bind) if name.is_empty() else skeleton.find_bone(name)
	if bone < 0 or bone >= skeleton.get_bone_count():
		_report.refuse(
			"%s has vertices of bone %d, which %s has not" % [part.name, bind, skeleton.name]
		)
		return -1
	return _joints.of_bone(part, skeleton, bone, skin.get_bind_pose(bind), rest)


## The indices of the greatest weights, at most four and above 0; the first one if none is.
static func _greatest(weights: PackedFloat32Array, first: int, count: int) -> PackedInt32Array:
	var found := PackedInt32Array()
	for k in range(first, first + count):
		if weights[k] > 0.0:
			found.append(k)
	if found.is_empty():
		return PackedInt32Array([first])
	while found.size() > WEIGHTS:
		var least := 0
		for i in found.size():
			if weights[found[i]] < weights[found[least]]:
				least = i
		found.remove_at(least)
	return found


func _add_vertex(
	group: Group, vertex: Vector3, joints: PackedInt32Array, shares: PackedFloat32Array
) -> void:
	var sum := 0.0
	for share: float in shares:
		sum += share
	var at := group.joints.size()
	group.joints.resize(at + WEIGHTS)
	for i in joints.size():
		var share := shares[i] / sum if sum > 0.0 else 1.0
		group.joints[at + i] = 2.0 * joints[i] + share
		_joints.joint(joints[i]).add_vertex(vertex, share)


func _group_of(material: Material) -> Group:
	for group: Group in _groups:
		if group.material == material:
			return group
	var group := Group.new()
	group.material = material
	_groups.append(group)
	return group


static func _material_of(part: MeshInstance3D, surface: int) -> Material:
	if part.material_override != null:
		return part.material_override
	var own := part.get_surface_override_material(surface)
	return own if own != null else part.mesh.surface_get_material(surface)
