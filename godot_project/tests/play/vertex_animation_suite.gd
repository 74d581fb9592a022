extends "res://tests/play/play_base.gd"
## The shader for animation by vertices, on a real graphics driver: where agents' meshes are.

const SIZE := Vector2i(300, 150)

var swarm: EnemySwarm
var viewport: SubViewport
var ids: PackedInt64Array


## A square whose vertices all lie in its middle: only the texture makes it visible.
func _mesh() -> ArrayMesh:
	var arrays := []
	arrays.resize(Mesh.ARRAY_MAX)
	var nothing := PackedVector3Array()
	nothing.resize(4)
	var up := PackedVector3Array()
	up.resize(4)
	up.fill(Vector3.UP)
	arrays[Mesh.ARRAY_VERTEX] = nothing
	arrays[Mesh.ARRAY_NORMAL] = up
	arrays[Mesh.ARRAY_TEX_UV] = PackedVector2Array([Vector2(), Vector2(), Vector2(), Vector2()])
	arrays[Mesh.ARRAY_INDEX] = PackedInt32Array([0, 1, 2, 0, 2, 3, 0, 2, 1, 0, 3, 2])
	var mesh := ArrayMesh.new()
	mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
	return mesh


## Frame 0 is in the middle, frame 1 half a square to the right, frame 2 a whole one below.
func _positions() -> ImageTexture:
	var image := Image.create_empty(4, 3, false, Image.FORMAT_RGBF)
	var offsets: Array[Vector3] = [Vector3.ZERO, Vector3(0.5, 0.0, 0.0), Vector3(0.0, 0.0, 1.0)]
	var corners: Array[Vector2] = [
		Vector2(), Vector2(1.0, 0.0), Vector2(1.0, 1.0), Vector2(0.0, 1.0)
	]
	for frame in 3:
		for i in 4:
			var corner := corners[i] - Vector2(0.5, 0.5)
			var place := Vector3(corner.x, 0.0, corner.y) + offsets[frame]
			image.set_pixel(i, frame, Color(place.x, place.y, place.z))
	return ImageTexture.create_from_image(image)


## Four agents of 20 m, 60 m apart in a row, seen from above: a pixel is a metre.
func _crowd() -> ShaderMaterial:
	var manager := new_manager(Vector2i(40, 20))
	viewport = SubViewport.new()
	viewport.size = SIZE
	viewport.own_world_3d = true
	viewport.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	scene.add_child(viewport)
	var environment := Environment.new()
	environment.background_mode = Environment.BG_COLOR
	environment.background_color = Color.BLACK
	environment.ambient_light_source = Environment.AMBIENT_SOURCE_COLOR
	environment.ambient_light_color = Color.WHITE
	var world := WorldEnvironment.new()
	world.environment = environment
	viewport.add_child(world)
	var camera := Camera3D.new()
	camera.projection = Camera3D.PROJECTION_ORTHOGONAL
	camera.size = SIZE.y
	camera.position = Vector3(0.5 * SIZE.x, 50.0, 0.5 * SIZE.y)
	camera.rotation_degrees = Vector3(-90.0, 0.0, 0.0)
	viewport.add_child(camera)
	camera.make_current()
	var material := ShaderMaterial.new()
	material.shader = load("res://addons/flow_swarm/shaders/vertex_animation.gdshader")
	material.set_shader_parameter(&"positions", _positions())
	var clips := PackedInt32Array([0, 1, 1, 1, 2, 1])
	clips.resize(32)
	material.set_shader_parameter(&"clip_frames", clips)
	material.set_shader_parameter(&"user_color", Color.RED)
	var output := MultiMeshInstance3D.new()
	output.multimesh = MultiMesh.new()
	output.multimesh.mesh = _mesh()
	output.material_override = material
	viewport.add_child(output)
	swarm = EnemySwarm.new()
	swarm.manager = manager
	swarm.output = output
	swarm.auto_step = false
	swarm.face_movement = false
	swarm.custom_data_preset = EnemySwarm.CUSTOM_VERTICES
	var type := SwarmAgentType.new()
	type.radius = 10.0
	swarm.agent_types = [type]
	scene.add_child(swarm)
	ids = swarm.spawn_many([Vector2(60, 60), Vector2(120, 60), Vector2(180, 60), Vector2(240, 60)])
	return material


func _shown() -> Image:
	swarm.step(1.0 / 60.0)
	await frames(3)
	await RenderingServer.frame_post_draw
	return viewport.get_texture().get_image()


## Whether there is something at a place, which is a pixel.
func _is_lit(image: Image, place: Vector2) -> bool:
	return image.get_pixelv(Vector2i(place)).v > 0.3


func test_clips_move_the_vertices() -> void:
	_crowd()
	swarm.set_user_ints(ids.slice(1, 3), [1, 2])
	var image := await _shown()
	for i in 3:
		var at := swarm.get_agent_position(ids[i])
		var offsets: Array[Vector2] = [Vector2.ZERO, Vector2(10.0, 0.0), Vector2(0.0, 20.0)]
		var middle := at + offsets[i]
		for corner: Vector2 in [Vector2(-1, -1), Vector2(1, -1), Vector2(1, 1), Vector2(-1, 1)]:
			check(_is_lit(image, middle + corner * 8.0), "agent %d within" % i)
			check(not _is_lit(image, middle + corner * 12.0), "agent %d without" % i)
	if _artifacts() != "":
		image.save_png(_artifacts().path_join("vertex_animation.png"))


func test_user_floats_flash() -> void:
	_crowd()
	swarm.set_user_floats(ids.slice(3, 4), [1.0])
	var image := await _shown()
	var plain := image.get_pixelv(Vector2i(swarm.get_agent_position(ids[0])))
	var flash := image.get_pixelv(Vector2i(swarm.get_agent_position(ids[3])))
	check(plain.g > 0.5, "white: %s" % plain)
	check(flash.r > 0.5 and flash.g < 0.2, "red: %s" % flash)


func test_the_walk_goes_from_frame_to_frame() -> void:
	var material := _crowd()
	# The walk has the first two frames: from the middle half a square to the right and back.
	var clips := PackedInt32Array([0, 2])
	clips.resize(32)
	material.set_shader_parameter(&"clip_frames", clips)
	var image := await _shown()
	var output := swarm.output as MultiMeshInstance3D
	for i in 4:
		var buffer := output.multimesh.buffer
		var stride := buffer.size() / output.multimesh.instance_count
		var phase := buffer[(i + 1) * stride - 4]
		var share := 1.0 - absf(2.0 * phase - 1.0)
		var at := swarm.get_agent_position(ids[i])
		var right_edge := at.x + 10.0 + 10.0 * share
		check(_is_lit(image, Vector2(right_edge - 1.5, at.y)), "agent %d up to its edge" % i)
		check(not _is_lit(image, Vector2(right_edge + 1.5, at.y)), "agent %d no farther" % i)
