extends SceneTree
## Makes the models of the siege demo: meshes, skeletons and clips from the numbers in this folder,
## written as glTF files. They are CC0: use them for anything.
##
## After an import of the project:
## godot --headless --path godot_project --script res://demos/siege/models/make_models.gd

const FOLDER := "res://demos/siege/models"


func _init() -> void:
	var soldier := SiegeSoldierModel.new()
	var beast := SiegeBeastModel.new()
	var failed := (
		_write("soldier", soldier.rig, soldier.build_mesh(), SiegeSoldierClips.all(), soldier.solve)
		or _write("beast", beast.rig, beast.build_mesh(), SiegeBeastClips.all(), beast.solve)
	)
	quit(1 if failed else 0)


## Returns whether writing failed.
func _write(
	model: String, rig: SiegeModelRig, mesh: ArrayMesh, clips: Dictionary, solve: Callable
) -> bool:
	var scene := _build_scene(model, rig, mesh, clips, solve)
	var document := GLTFDocument.new()
	var state := GLTFState.new()
	state.copyright = "CC0 1.0, the authors of Flow Swarm"
	var error := document.append_from_scene(scene, state)
	if error == OK:
		error = document.write_to_filesystem(state, FOLDER.path_join(model + ".glb"))
	scene.free()
	if error != OK:
		printerr("cannot write %s: %s" % [model, error_string(error)])
	return error != OK


func _build_scene(
	model: String, rig: SiegeModelRig, mesh: ArrayMesh, clips: Dictionary, solve: Callable
) -> Node3D:
	var scene := Node3D.new()
	scene.name = model.capitalize()
	var skeleton := rig.build_skeleton()
	scene.add_child(skeleton)
	var body := MeshInstance3D.new()
	body.name = "Body"
	body.mesh = mesh
	body.skin = skeleton.create_skin_from_rest_transforms()
	skeleton.add_child(body)
	body.skeleton = NodePath("..")
	var library := AnimationLibrary.new()
	for clip: String in clips:
		var parts: Array = clips[clip]
		# The importer reads from the suffix that a clip loops, and removes it.
		var clip_name := clip + "-loop" if parts[1] else clip
		var animation := SiegeModelClip.sample(
			parts[0] as float, parts[1] as bool, parts[2] as Callable, solve
		)
		library.add_animation(clip_name, animation)
	var player := AnimationPlayer.new()
	player.name = "AnimationPlayer"
	scene.add_child(player)
	player.add_animation_library(&"", library)
	for node: Node in [skeleton, body, player]:
		node.owner = scene
	return scene
