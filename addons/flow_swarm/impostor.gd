class_name FlowImpostor
extends RefCounted
## Bakes billboards: pictures of a look's mesh from several directions, for its farthest level of
## detail.

const SHADER: Shader = preload("shaders/impostor.gdshader")
const MOST_SIZE := 1024
const MOST_VIEWS := 64


## Returns a square mesh with a material that shows the first mesh of [param look] as a billboard,
## for the last of SwarmLook.lod_meshes; null after an error. The mesh is rendered without light
## from [param views] directions around it (1 to 64), in pictures of [param size] texels a side (8
## to 1024), which takes one frame more than there are directions: await the call, in a _ready(),
## too. It needs a renderer: in headless mode it fails. Save the result with ResourceSaver to bake
## only once.
static func bake_impostor(look: SwarmLook, size := 128, views := 8) -> Mesh:
	var trouble := _trouble(look, size, views)
	if trouble != "":
		push_error("FlowImpostor.bake_impostor: " + trouble)
		return null
	var tree := Engine.get_main_loop() as SceneTree
	var box := _box_around(look.mesh.get_aabb())
	var viewport := _stage(look, size, box)
	# The root takes no children while it is adding others, as in a _ready().
	tree.root.add_child.call_deferred(viewport)
	await viewport.tree_entered
	var camera := viewport.get_node(^"Camera") as Camera3D
	var atlas := Image.create_empty(size * views, size, false, Image.FORMAT_RGBA8)
	for view in views:
		var turned := Basis(Vector3.UP, TAU * view / views)
		# The first camera is before the mesh, whose front is -z.
		camera.transform = Transform3D(
			turned * Basis(Vector3.UP, PI), box.get_center() + turned * Vector3.FORWARD * box.size.x
		)
		viewport.render_target_update_mode = SubViewport.UPDATE_ONCE
		await RenderingServer.frame_post_draw
		var image := viewport.get_texture().get_image()
		image.convert(Image.FORMAT_RGBA8)
		atlas.blit_rect(image, Rect2i(0, 0, size, size), Vector2i(size * view, 0))
	viewport.queue_free()
	return _billboard(atlas, views, box)


static func _trouble(look: SwarmLook, size: int, views: int) -> String:
	if look == null or look.mesh == null:
		return "look must have a mesh"
	if size < 8 or size > MOST_SIZE:
		return "size must be from 8 to %d, not %d" % [MOST_SIZE, size]
	if views < 1 or views > MOST_VIEWS:
		return "views must be from 1 to %d, not %d" % [MOST_VIEWS, views]
	if DisplayServer.get_name() == "headless":
		return "there is no renderer in headless mode"
	if not look.mesh.get_aabb().has_surface():
		return "the mesh of look is empty"
	return ""


## The cube around the axis of y that has room for a mesh in any direction.
static func _box_around(bounds: AABB) -> AABB:
	var reach := 0.0
	for corner in 8:
		var point := bounds.get_endpoint(corner)
		reach = maxf(reach, Vector2(point.x, point.z).length())
	var side := maxf(2.0 * reach, bounds.size.y) * 1.04
	var low := bounds.get_center().y - 0.5 * side
	return AABB(Vector3(-0.5 * side, low, -0.5 * side), Vector3.ONE * side)


## A viewport with the mesh in even light, and a camera that sees the box.
static func _stage(look: SwarmLook, size: int, box: AABB) -> SubViewport:
	var viewport := SubViewport.new()
	viewport.size = Vector2i(size, size)
	viewport.own_world_3d = true
	viewport.transparent_bg = true
	viewport.msaa_3d = Viewport.MSAA_4X
	viewport.render_target_update_mode = SubViewport.UPDATE_DISABLED
	var environment := Environment.new()
	environment.ambient_light_source = Environment.AMBIENT_SOURCE_COLOR
	environment.ambient_light_color = Color.WHITE
	var camera := Camera3D.new()
	camera.name = "Camera"
	camera.projection = Camera3D.PROJECTION_ORTHOGONAL
	camera.size = box.size.y
	camera.near = 0.001 * box.size.x
	camera.far = 2.0 * box.size.x
	camera.environment = environment
	viewport.add_child(camera)
	var model := MeshInstance3D.new()
	model.mesh = look.mesh
	model.material_override = look.material
	viewport.add_child(model)
	return viewport


static func _billboard(atlas: Image, views: int, box: AABB) -> Mesh:
	atlas.fix_alpha_edges()
	atlas.generate_mipmaps()
	var material := ShaderMaterial.new()
	material.shader = SHADER
	material.set_shader_parameter(&"atlas", ImageTexture.create_from_image(atlas))
	material.set_shader_parameter(&"views", views)
	var mesh := QuadMesh.new()
	mesh.size = Vector2(box.size.x, box.size.y)
	mesh.center_offset = Vector3(0.0, box.get_center().y, 0.0)
	mesh.material = material
	return mesh
