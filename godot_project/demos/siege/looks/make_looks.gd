extends Node
## Makes the looks of the attackers from the animated scenes in ../models. Run make_looks.tscn with
## a display, since pictures for the farthest level of detail are rendered.

const FOLDER := "res://demos/siege/looks"
const MODELS := "res://demos/siege/models"
## How many of its triangles the middle level of detail keeps at most.
const KEPT := 0.4


func _ready() -> void:
	await get_tree().process_frame
	var strides: Dictionary[String, Dictionary] = {
		"soldier": {"walk": SiegeSoldierClips.WALK_CYCLE, "run": SiegeSoldierClips.RUN_CYCLE},
		"beast": {"walk": SiegeBeastClips.WALK_CYCLE, "run": SiegeBeastClips.RUN_CYCLE},
	}
	for model: String in strides:
		var scene := (load("%s/%s.glb" % [MODELS, model]) as PackedScene).instantiate()
		var options := {"strides": strides[model], "frame_rate": 24.0}
		var look := SwarmCharacterBaker.bake(scene, options)
		scene.free()
		var impostor := await FlowImpostor.bake_impostor(look, 96, 8)
		var simple := _simplified(look.mesh as ArrayMesh)
		look.lod_meshes = [simple, impostor]
		var path := "%s/%s.res" % [FOLDER, model]
		var error := ResourceSaver.save(look, path, ResourceSaver.FLAG_COMPRESS)
		print(
			(
				"%s: %d and %d triangles, %s"
				% [path, _triangles(look.mesh), _triangles(simple), error_string(error)]
			)
		)
	get_tree().quit()


static func _triangles(mesh: Mesh) -> int:
	var count := 0
	for surface in mesh.get_surface_count():
		var arrays := mesh.surface_get_arrays(surface)
		var indices: Variant = arrays[Mesh.ARRAY_INDEX]
		var vertices: PackedVector3Array = arrays[Mesh.ARRAY_VERTEX]
		count += (
			(indices as PackedInt32Array).size() / 3 if indices != null else vertices.size() / 3
		)
	return count


## The same character with fewer triangles, as the engine's importer simplifies meshes.
static func _simplified(mesh: ArrayMesh) -> ArrayMesh:
	var result := ArrayMesh.new()
	for surface in mesh.get_surface_count():
		var arrays := mesh.surface_get_arrays(surface)
		var all: PackedInt32Array = arrays[Mesh.ARRAY_INDEX]
		var importer := ImporterMesh.new()
		# Simplified as one smooth skin: hard edges would keep all vertices.
		var plain := []
		plain.resize(Mesh.ARRAY_MAX)
		plain[Mesh.ARRAY_VERTEX] = arrays[Mesh.ARRAY_VERTEX]
		plain[Mesh.ARRAY_NORMAL] = arrays[Mesh.ARRAY_NORMAL]
		plain[Mesh.ARRAY_INDEX] = all
		importer.add_surface(Mesh.PRIMITIVE_TRIANGLES, plain)
		importer.generate_lods(60.0, 25.0, [])
		for lod in importer.get_surface_lod_count(0):
			var fewer := importer.get_surface_lod_indices(0, lod)
			if fewer.size() >= 12:
				arrays[Mesh.ARRAY_INDEX] = fewer
			if fewer.size() <= all.size() * KEPT:
				break
		var flags := mesh.surface_get_format(surface)
		result.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, _used_alone(arrays), [], {}, flags)
		result.surface_set_material(surface, mesh.surface_get_material(surface))
	result.custom_aabb = mesh.custom_aabb
	return result


## The arrays without the vertices that no triangle has.
static func _used_alone(arrays: Array) -> Array:
	var indices: PackedInt32Array = arrays[Mesh.ARRAY_INDEX]
	var count := (arrays[Mesh.ARRAY_VERTEX] as PackedVector3Array).size()
	var places: Dictionary[int, int] = {}
	var used := PackedInt32Array()
	var renamed := PackedInt32Array()
	for index in indices:
		if not places.has(index):
			places[index] = used.size()
			used.append(index)
		renamed.append(places[index])
	var result := arrays.duplicate()
	for kind in Mesh.ARRAY_INDEX:
		if arrays[kind] == null:
			continue
		var width: int = arrays[kind].size() / count
		var part: Variant = arrays[kind].duplicate()
		part.resize(used.size() * width)
		for i in used.size():
			for k in width:
				part[i * width + k] = arrays[kind][used[i] * width + k]
		result[kind] = part
	result[Mesh.ARRAY_INDEX] = renamed
	return result
