extends "res://tests/test_suite.gd"
## SwarmLook: levels of detail by the distance to the camera.

const SIDE := 20

var swarm: EnemySwarm
var look: SwarmLook
var output: Node
var viewport: SubViewport
var camera: Camera3D


## 20 by 20 agents, 20 m apart, and a camera at the height of 30 m above one corner.
func _crowd(canvas: Node) -> void:
	var manager := new_manager(Vector2i(40, 40))
	viewport = SubViewport.new()
	viewport.size = Vector2i(400, 200)
	viewport.own_world_3d = true
	scene.add_child(viewport)
	output = canvas
	viewport.add_child(output)
	camera = Camera3D.new()
	viewport.add_child(camera)
	camera.position = Vector3(30.0, 30.0, 30.0)
	look = SwarmLook.new()
	look.mesh = _mesh(5000)
	look.lod_meshes = [_mesh(500), _mesh(4)]
	look.lod_distances = [100.0, 250.0]
	var type := SwarmAgentType.new()
	type.look = look
	swarm = new_swarm(manager)
	swarm.output = output
	swarm.agent_types = [type]
	var places := PackedVector2Array()
	for i in SIDE * SIDE:
		places.append(Vector2(30.0 + 20.0 * (i % SIDE), 30.0 + 20.0 * (i / SIDE)))
	swarm.set_agent_state(swarm.spawn_many(places), EnemySwarm.AGENT_IDLE)
	swarm.step(1.0 / 60.0)


## A mesh with a number of vertices.
func _mesh(vertices: int) -> ArrayMesh:
	var points := PackedVector3Array()
	for i in vertices:
		points.append(Vector3(i % 7, i % 11, i % 13) * 0.1)
	while points.size() % 3 != 0:
		points.append(Vector3.ZERO)
	points.resize(points.size())
	var arrays := []
	arrays.resize(Mesh.ARRAY_MAX)
	arrays[Mesh.ARRAY_VERTEX] = points
	var indices := PackedInt32Array(range(points.size()))
	arrays[Mesh.ARRAY_INDEX] = indices
	var mesh := ArrayMesh.new()
	mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
	return mesh


## The counts of the bands of the look.
func _bands() -> Array[int]:
	var counts: Array[int] = []
	for drawn: Dictionary in swarm.get_drawn_counts():
		if drawn["look"] != null:
			counts.append(drawn["count"])
	return counts


## How many agents are from one distance to another from a point.
func _count_from(eye: Vector3, from: float, to: float) -> int:
	var count := 0
	for place: Vector2 in swarm.get_positions():
		var distance := Vector3(place.x, swarm.height, place.y).distance_to(eye)
		count += int(distance >= from and distance < to)
	return count


func _check_bands(eye: Vector3, what: String) -> void:
	swarm.draw_agents()
	var expected: Array[int] = [
		_count_from(eye, 0.0, 100.0), _count_from(eye, 100.0, 250.0), _count_from(eye, 250.0, INF)
	]
	check_eq(_bands(), expected, what)


func test_bands_follow_the_camera() -> void:
	_crowd(MultiMeshInstance3D.new())
	_check_bands(camera.position, "near the corner")
	check(not _bands().has(0), "all are used")
	camera.position = Vector3(200.0, 40.0, 333.0)
	_check_bands(camera.position, "elsewhere")
	swarm.height = -77.0
	_check_bands(camera.position, "height counts")
	camera.v_offset = 50.0
	_check_bands(camera.get_camera_transform().origin, "offset")
	var drawn := swarm.get_drawn_counts()
	for level in 3:
		check_eq(drawn[level + 1]["level"], level, "level")
		var mesh: Mesh = look.mesh if level == 0 else look.lod_meshes[level - 1]
		check(drawn[level + 1]["mesh"] == mesh, "its mesh")


func test_the_head_is_the_eye_of_a_headset() -> void:
	_crowd(MultiMeshInstance3D.new())
	var origin := XROrigin3D.new()
	viewport.add_child(origin)
	var head := XRCamera3D.new()
	origin.add_child(head)
	origin.position = Vector3(300.0, 1.0, 100.0)
	head.position = Vector3(20.0, 1.7, 0.0)
	head.make_current()
	head.projection = Camera3D.PROJECTION_ORTHOGONAL
	_check_bands(head.global_position, "XR")


func test_without_a_camera_all_are_near() -> void:
	_crowd(MultiMeshInstance3D.new())
	camera.free()
	swarm.draw_agents()
	check_eq(_bands(), [SIDE * SIDE, 0, 0] as Array[int], "no camera")
	viewport.remove_child(output)
	swarm.draw_agents()
	check_eq(_bands(), [SIDE * SIDE, 0, 0] as Array[int], "outside of the tree")
	viewport.add_child(output)


func test_an_orthographic_camera_counts_by_its_size() -> void:
	_crowd(MultiMeshInstance3D.new())
	camera.projection = Camera3D.PROJECTION_ORTHOGONAL
	var all := SIDE * SIDE
	# 100 m away, a camera of 75 degrees shows a height of 153 m.
	for case: Array in [[150.0, 0], [156.0, 1], [380.0, 1], [390.0, 2]]:
		camera.size = case[0]
		swarm.draw_agents()
		check_eq(_bands()[case[1]], all, "size %s: %s" % [case[0], _bands()])
	camera.keep_aspect = Camera3D.KEEP_WIDTH
	for case: Array in [[300.0, 0], [312.0, 1]]:
		camera.size = case[0]
		swarm.draw_agents()
		check_eq(_bands()[case[1]], all, "width %s: %s" % [case[0], _bands()])


func test_in_2d_the_zoom_counts() -> void:
	_crowd(MultiMeshInstance2D.new())
	var all := SIDE * SIDE
	# 200 px of height are 130 away.
	check_eq(_bands(), [0, all, 0] as Array[int], "unscaled")
	viewport.canvas_transform = Transform2D().scaled(Vector2(2.0, 2.0))
	swarm.draw_agents()
	check_eq(_bands(), [all, 0, 0] as Array[int], "near")
	viewport.canvas_transform = Transform2D().scaled(Vector2(0.1, 0.1))
	swarm.draw_agents()
	check_eq(_bands(), [0, 0, all] as Array[int], "far")


func test_shadows_and_instances_end() -> void:
	_crowd(MultiMeshInstance3D.new())
	look.shadow_distance = 180.0
	look.max_distance = 300.0
	swarm.draw_agents()
	var ends: Array[float] = [0.0, 100.0, 180.0, 250.0, 300.0]
	var drawn := swarm.get_drawn_counts()
	check_eq(drawn.size(), 5, "the output and four bands")
	var left := SIDE * SIDE
	for i in 4:
		var count := _count_from(camera.position, ends[i], ends[i + 1])
		check(count > 0, "some")
		check_eq(drawn[i + 1]["count"], count, "band %d" % i)
		check_eq(drawn[i + 1]["casts_shadow"], i < 2, "shadow of band %d" % i)
		var node: MultiMeshInstance3D = drawn[i + 1]["node"]
		var off := GeometryInstance3D.SHADOW_CASTING_SETTING_OFF
		check_eq(node.cast_shadow == off, i >= 2, "setting of band %d" % i)
		left -= count
	check(left > 0, "some are too far away")
	look.max_distance = 0.0
	look.shadow_distance = 0.0
	_check_bands(camera.position, "no limits")


func test_agents_out_of_view_are_in_no_band() -> void:
	_crowd(MultiMeshInstance3D.new())
	swarm.cull_to_view = true
	camera.fov = 20.0
	camera.look_at(Vector3(400.0, 0.0, 40.0))
	swarm.draw_agents()
	var seen := 0
	for count: int in _bands():
		seen += count
	check(seen > 20 and seen < SIDE * SIDE, "some are in view: %s" % [_bands()])
	camera.rotate_y(PI)
	swarm.draw_agents()
	check_eq(_bands(), [0, 0, 0] as Array[int], "none behind the camera")


func test_levels_may_be_incomplete() -> void:
	_crowd(MultiMeshInstance3D.new())
	var far := look.lod_meshes[1]
	look.lod_meshes = [null, far]
	_check_bands(camera.position, "the same bands")
	check(swarm.get_drawn_counts()[2]["mesh"] == look.mesh, "empty: the mesh before")
	look.lod_meshes = [far]
	swarm.draw_agents()
	check_eq(_bands().size(), 2, "a distance without a mesh does not count")
	var warnings := "\n".join(swarm.get_setup_warnings())
	check(warnings.contains("1 lod_meshes and 2 lod_distances"), "a warning: %s" % warnings)
	look.lod_distances = PackedFloat32Array()
	swarm.draw_agents()
	check_eq(_bands(), [SIDE * SIDE] as Array[int], "no levels")
	look.lod_meshes = [far]
	look.lod_distances = [0.0]
	swarm.draw_agents()
	check_eq(_bands(), [SIDE * SIDE] as Array[int], "from 0 on")
	check(swarm.get_drawn_counts()[1]["mesh"] == far, "the second mesh only")


func test_meshes_of_levels_keep_their_materials() -> void:
	_crowd(MultiMeshInstance3D.new())
	look.material = StandardMaterial3D.new()
	var own := StandardMaterial3D.new()
	look.lod_meshes[1].surface_set_material(0, own)
	swarm.draw_agents()
	var materials: Array[Material] = []
	for drawn: Dictionary in swarm.get_drawn_counts().slice(1):
		materials.append((drawn["node"] as MultiMeshInstance3D).material_override)
	check(materials[0] == look.material and materials[1] == look.material, "those of the look")
	check(materials[2] == null, "the mesh has its own")


func test_bad_distances_are_refused() -> void:
	look = SwarmLook.new()
	look.lod_distances = [5.0, 9.0]
	for bad: Array in [[-1.0], [5.0, 4.0], [NAN], [INF], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]:
		var set_bad := func() -> void: look.lod_distances = PackedFloat32Array(bad)
		expect_error(["SwarmLook.lod_distances"], set_bad)
	check_eq(look.lod_distances, PackedFloat32Array([5.0, 9.0]), "unchanged")
	for property: String in ["shadow_distance", "max_distance"]:
		for bad: float in [-1.0, NAN, INF, 2e9]:
			var set_bad := func() -> void: look.set(property, bad)
			expect_error(["SwarmLook." + property], set_bad)
		check_eq(look.get(property), 0.0, "unchanged")
	var many: Array[Mesh] = []
	many.resize(6)
	expect_error(["SwarmLook.lod_meshes", "6"], func() -> void: look.lod_meshes = many)
	expect_error(["SwarmLook.lod_meshes", "[0]"], func() -> void: look.set(&"lod_meshes", [7]))
	check_eq(look.lod_meshes.size(), 0, "unchanged")


func test_drawing_does_not_change_steps() -> void:
	var states: Array = []
	for near: bool in [true, false]:
		_crowd(MultiMeshInstance3D.new())
		camera.position = Vector3(0.0, 5.0 if near else 5000.0, 0.0)
		swarm.set_agent_state(swarm.get_ids(), EnemySwarm.AGENT_FOLLOWING)
		swarm.set_group_goal(0, new_goal(swarm.manager, Vector2i(38, 38)))
		steps(swarm, 30)
		states.append(swarm.get_positions())
	check(states[0] == states[1], "the same positions")


func test_50000_characters_draw_a_tenth_of_the_vertices() -> void:
	_crowd(MultiMeshInstance3D.new())
	swarm.clear()
	var manager := new_manager(Vector2i(300, 300), 1.0)
	swarm.manager = manager
	swarm.agent_types[0].radius = 0.4
	# One per 1.4 m², as a battle of 265 m of width.
	var places := PackedVector2Array()
	for i in 50_000:
		places.append(Vector2(10.0 + 1.18 * (i % 224), 10.0 + 1.18 * (i / 224)))
	swarm.spawn_many(places)
	# A camera above the shoulders of the first rank.
	camera.position = Vector3(142.0, 6.0, 2.0)
	look.lod_distances = [25.0, 80.0]
	swarm.draw_agents()
	var vertices := 0
	var total := 0
	for drawn: Dictionary in swarm.get_drawn_counts().slice(1):
		var mesh: ArrayMesh = drawn["mesh"]
		vertices += (drawn["count"] as int) * mesh.surface_get_array_len(0)
		total += drawn["count"] as int
	var without := 50_000 * (look.mesh as ArrayMesh).surface_get_array_len(0)
	check_eq(total, 50_000, "all are drawn")
	check(not _bands().has(0), "in all three bands: %s" % [_bands()])
	print("50,000 characters: bands %s, %d vertices of %d" % [_bands(), vertices, without])
	check(vertices * 10 <= without, "%d vertices of %d" % [vertices, without])
