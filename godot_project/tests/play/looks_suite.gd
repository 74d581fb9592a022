extends "res://tests/play/play_base.gd"
## Looks and levels of detail on a real graphics driver: which mesh is shown where.

const SIZE := Vector2i(800, 450)
const BANDS: Array[Color] = [Color.RED, Color.GREEN, Color.BLUE]

var swarm: EnemySwarm
var viewport: SubViewport
var camera: Camera3D


func _stage() -> void:
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
	camera = Camera3D.new()
	viewport.add_child(camera)
	camera.make_current()
	var output := MultiMeshInstance3D.new()
	viewport.add_child(output)
	swarm = EnemySwarm.new()
	swarm.manager = new_manager(Vector2i(120, 120), 1.0)
	swarm.output = output
	swarm.auto_step = false
	scene.add_child(swarm)


func _colored(mesh: PrimitiveMesh, color: Color) -> Mesh:
	var material := StandardMaterial3D.new()
	material.albedo_color = color
	material.shading_mode = BaseMaterial3D.SHADING_MODE_UNSHADED
	mesh.material = material
	return mesh


func _types(looks: Array[SwarmLook]) -> void:
	var types: Array[SwarmAgentType] = []
	for look: SwarmLook in looks:
		var type := SwarmAgentType.new()
		type.radius = 0.5
		type.max_speed = 1.0
		type.look = look
		types.append(type)
	swarm.agent_types = types


func _shown() -> Image:
	swarm.draw_agents()
	await frames(3)
	await RenderingServer.frame_post_draw
	return viewport.get_texture().get_image()


func _save(image: Image, name: String) -> void:
	if _artifacts() != "":
		DirAccess.make_dir_recursive_absolute(_artifacts())
		image.save_png(_artifacts().path_join(name + ".png"))


## The colour where a point of the world is seen.
func _color_at(image: Image, point: Vector3) -> Color:
	return image.get_pixelv(Vector2i(camera.unproject_position(point)))


func test_each_band_and_look_has_its_mesh() -> void:
	_stage()
	var looks: Array[SwarmLook] = [SwarmLook.new(), SwarmLook.new()]
	for i in 2:
		var meshes: Array[Mesh] = []
		for color: Color in BANDS:
			var mesh: PrimitiveMesh = SphereMesh.new() if i == 0 else BoxMesh.new()
			meshes.append(_colored(mesh, color if i == 0 else color.lerp(Color.WHITE, 0.5)))
		looks[i].mesh = meshes[0]
		looks[i].lod_meshes = [meshes[1], meshes[2]]
		looks[i].lod_distances = [20.0, 40.0]
		looks[i].max_distance = 60.0
	_types(looks)
	var ids := PackedInt64Array()
	for row in 28:
		for column in 9:
			var place := Vector2(44.0 + 4.0 * column, 110.0 - 4.0 * row)
			ids.append(swarm.spawn(place, column % 2))
	swarm.set_agent_state(ids, EnemySwarm.AGENT_IDLE)
	swarm.step(0.01)
	camera.position = Vector3(60.0, 14.0, 116.0)
	camera.rotation_degrees = Vector3(-24.0, 0.0, 0.0)
	var image := await _shown()
	_save(image, "look_bands")
	var seen := {}
	for id: int in ids:
		var place := swarm.get_agent_position(id)
		var point := Vector3(place.x, 0.0, place.y)
		var distance := point.distance_to(camera.position)
		var pixel := camera.unproject_position(point)
		if not Rect2(Vector2(8, 8), SIZE - Vector2i(16, 16)).has_point(pixel):
			continue
		var band := int(distance >= 20.0) + int(distance >= 40.0) + int(distance >= 60.0)
		var kind := swarm.get_agent_type(id)
		var expected := Color.BLACK
		if band < 3:
			expected = BANDS[band] if kind == 0 else BANDS[band].lerp(Color.WHITE, 0.5)
		var shown := _color_at(image, point)
		# Agents that are not drawn are behind others.
		if band < 3:
			check(color_distance(shown, expected) < 0.2, "band %d: %s at %s" % [band, shown, pixel])
		seen[[band, kind]] = true
	check_eq(seen.size(), 8, "both looks in all bands")
	var sky := _color_at(image, camera.position + Vector3(0.0, -2.0, -10.0).normalized() * 100.0)
	check(color_distance(sky, Color.BLACK) < 0.1, "nothing beyond the greatest distance: %s" % sky)


## A body whose sides have different colours: front yellow, left cyan, back magenta, right white.
func _sided_mesh() -> Mesh:
	var tool := SurfaceTool.new()
	tool.begin(Mesh.PRIMITIVE_TRIANGLES)
	var colors: Array[Color] = [Color.YELLOW, Color.CYAN, Color.MAGENTA, Color.WHITE]
	for side in 4:
		var turned := Basis(Vector3.UP, 0.5 * PI * side)
		tool.set_color(colors[side])
		for corner: Vector2 in [
			Vector2(-1, 0),
			Vector2(1, 0),
			Vector2(1, 2),
			Vector2(-1, 0),
			Vector2(1, 2),
			Vector2(-1, 2)
		]:
			tool.set_normal(turned * Vector3.FORWARD)
			tool.add_vertex(turned * Vector3(0.3 * corner.x, 0.5 * corner.y, -0.3))
	var material := StandardMaterial3D.new()
	material.vertex_color_use_as_albedo = true
	material.vertex_color_is_srgb = true
	material.cull_mode = BaseMaterial3D.CULL_DISABLED
	material.shading_mode = BaseMaterial3D.SHADING_MODE_UNSHADED
	tool.set_material(material)
	return tool.commit()


## Bakes while its parent is adding it.
class BakesInReady:
	extends Node
	var look: SwarmLook
	var baked: Mesh

	func _ready() -> void:
		baked = await FlowImpostor.bake_impostor(look, 64, 2)


func test_impostors_are_baked_in_a_ready_function() -> void:
	var node := BakesInReady.new()
	node.look = SwarmLook.new()
	node.look.mesh = _sided_mesh()
	scene.get_tree().root.add_child(node)
	for i in 30:
		await scene.get_tree().process_frame
		if node.baked != null:
			break
	check(node.baked is QuadMesh, "baked")
	node.free()


func test_impostors_show_the_side_that_is_seen() -> void:
	_stage()
	var look := SwarmLook.new()
	look.mesh = _sided_mesh()
	var impostor: Mesh = await FlowImpostor.bake_impostor(look)
	if not check(impostor != null, "baked"):
		return
	var material := impostor.surface_get_material(0) as ShaderMaterial
	var atlas := material.get_shader_parameter(&"atlas") as Texture2D
	check_eq(Vector2i(atlas.get_size()), Vector2i(8 * 128, 128), "size of the atlas")
	_save(atlas.get_image(), "impostor_atlas")
	look.lod_meshes = [impostor]
	look.lod_distances = [1000.0]
	_types([look])
	var ids := PackedInt64Array()
	var velocities := PackedVector2Array()
	# Away from the camera, to the left, towards it and to the right.
	for i in 4:
		ids.append(swarm.spawn(Vector2(54.0 + 4.0 * i, 50.0)))
		velocities.append(Vector2.UP.rotated(-0.5 * PI * i + 0.05))
	swarm.set_agent_state(ids, EnemySwarm.AGENT_SCRIPTED)
	swarm.set_scripted_velocities(ids, velocities)
	steps(swarm, 60)
	camera.position = Vector3(60.0, 1.0, 70.0)
	camera.fov = 45.0
	var sides: Array[Color] = [Color.MAGENTA, Color.CYAN, Color.YELLOW, Color.WHITE]
	for level in 2:
		look.lod_distances = [1000.0 if level == 0 else 1.0]
		var image := await _shown()
		_save(image, "impostor_%d" % level)
		for i in 4:
			var place := swarm.get_agent_position(ids[i])
			for height: float in [0.2, 0.8]:
				var shown := _color_at(image, Vector3(place.x, height, place.y))
				var off := color_distance(shown, sides[i])
				check(off < 0.25, "level %d, agent %d: %s" % [level, i, shown])
			for point: Vector3 in [Vector3(0.8, 0.5, 0.0), Vector3(0.0, 1.3, 0.0)]:
				var shown := _color_at(image, Vector3(place.x, 0.0, place.y) + point)
				check(shown.v < 0.1, "level %d, beside agent %d: %s" % [level, i, shown])
