extends "res://tests/test_suite.gd"
## FlowFieldManager.bake_terrain_3d: floors above each other from real nodes, and agents on them.

const CELL := 0.5

var manager: FlowFieldManager
var root: Node3D
var results: Array[int] = []


## A manager over some metres, and a floor of that size with its top at 0.
func _set_up(width: float, depth: float) -> void:
	manager = new_manager(Vector2i(Vector2(width, depth) / CELL), CELL)
	root = Node3D.new()
	scene.add_child(root)
	_block(Vector3(0.0, -1.0, 0.0), Vector3(width, 0.0, depth))


func _shape(place: Transform3D, shape: Shape3D) -> StaticBody3D:
	var body := StaticBody3D.new()
	var child := CollisionShape3D.new()
	child.shape = shape
	body.add_child(child)
	body.transform = place
	root.add_child(body)
	return body


func _block(low: Vector3, high: Vector3) -> StaticBody3D:
	var box := BoxShape3D.new()
	box.size = high - low
	return _shape(Transform3D(Basis.IDENTITY, (low + high) / 2.0), box)


## A ramp along z from height 0 at `foot` to 3 at `top`.
func _ramp(foot: float, top: float) -> void:
	var wedge := ConvexPolygonShape3D.new()
	var points := PackedVector3Array()
	for x: float in [13.0, 17.0]:
		for corner: Vector2 in [Vector2(foot, 0.0), Vector2(top, 3.0), Vector2(top, 0.0)]:
			points.append(Vector3(x, corner.y, corner.x))
	wedge.points = points
	_shape(Transform3D.IDENTITY, wedge)


func _make_bridge() -> void:
	_set_up(30.0, 40.0)
	_block(Vector3(13.0, 2.5, 14.0), Vector3(17.0, 3.0, 26.0))
	_ramp(4.0, 14.0)
	_ramp(36.0, 26.0)


func _bake(what: String, source: FlowSourceGeometry = null) -> void:
	check_eq(manager.bake_terrain_3d(root, source), OK, what)


## The terrain ids of a cell on all layers.
func _ids(x: float, z: float) -> Array[int]:
	var cell := Vector2i((Vector2(x, z) / CELL).floor())
	var ids: Array[int] = []
	for layer in manager.layer_count:
		ids.append(manager.get_terrain_at(manager.cell_on_layer(cell, layer)))
	return ids


func _leads(from: Vector2, from_layer: int, to: Vector2, to_layer: int) -> bool:
	var goal := manager.create_goal(PackedVector2Array([manager.on_layer(to, to_layer)]))
	var status := manager.get_query_status(goal, manager.on_layer(from, from_layer))
	manager.release_goal(goal)
	return status == FlowFieldManager.QUERY_OK


func test_a_bridge_is_crossed_above_and_below() -> void:
	_make_bridge()
	_bake("bridge")
	check_eq(manager.layer_count, 2, "the ground and the deck")
	check_eq(_ids(15.0, 20.0), [1, 1] as Array[int], "both floors")
	check_eq(_ids(2.0, 20.0), [1, WALL] as Array[int], "ground alone")
	check(manager.get_links().size() >= 8, "links at both ramps")
	var over := manager.create_goal(PackedVector2Array([Vector2(15.0, 39.0)]))
	var under := manager.create_goal(PackedVector2Array([Vector2(29.0, 20.0)]))
	var swarm := new_swarm(manager)
	swarm.set_group_goal(0, over)
	swarm.set_group_goal(1, under)
	swarm.arrival_action = EnemySwarm.ARRIVAL_DESPAWN
	var type := SwarmAgentType.new()
	type.max_speed = 3.0
	type.radius = 0.2
	swarm.agent_types = [type] as Array[SwarmAgentType]
	var deck := manager.on_layer(Vector2(15.0, 20.0), 1)
	for i in 12:
		swarm.spawn(deck + Vector2(0.5 * (i % 3) - 0.5, 0.5 * (i / 3)), 0, 0)
		swarm.spawn(Vector2(1.0 + 0.6 * (i % 3), 19.0 + 0.6 * (i / 3)), 0, 1)
	check_eq(swarm.get_agent_count(), 24, "spawned")
	var below := 0
	for tick in 1200:
		manager.update()
		steps(swarm, 1)
		for at in swarm.query_circle(Vector2(15.0, 20.0), 1.5):
			below += 1
		if swarm.get_agent_count() == 0:
			break
	check_eq(swarm.get_agent_count(), 0, "all have arrived")
	check(below > 0, "some went below the deck")


func test_places_in_3d_are_on_the_floors_of_a_bake() -> void:
	_make_bridge()
	_bake("bridge")
	for position: Vector3 in [
		Vector3(15.0, 0.0, 20.0), Vector3(15.0, 3.0, 20.0), Vector3(15.0, 0.4, 6.0)
	]:
		var place := manager.get_place(position)
		check_near(manager.get_height(place), position.y, 0.3, "the floor at %s" % position)
	var deck := manager.get_place(Vector3(15.0, 4.5, 20.0))
	check_eq(deck, manager.on_layer(Vector2(15.0, 20.0), 1), "a jump on the deck")
	var edge := manager.get_place(Vector3(16.9, 3.0, 20.0))
	check_eq(manager.get_layer(edge), 1, "the edge of the deck")


func test_agents_walk_up_stairs() -> void:
	_set_up(20.0, 12.0)
	for step in 15:
		var x := 2.0 + 0.5 * step
		_block(Vector3(x, -0.5, 4.0), Vector3(x + 0.5, 0.2 * (step + 1), 7.0))
	_block(Vector3(9.5, 2.7, 2.0), Vector3(16.0, 3.0, 9.0))
	_bake("stairs")
	check_eq(manager.layer_count, 2, "below the balcony and on it")
	var target := manager.on_layer(Vector2(14.0, 5.5), 1)
	var swarm := new_swarm(manager, manager.create_goal(PackedVector2Array([target])))
	var type := SwarmAgentType.new()
	type.max_speed = 3.0
	type.radius = 0.2
	swarm.agent_types = [type] as Array[SwarmAgentType]
	var ids := PackedInt64Array()
	for i in 10:
		ids.append(swarm.spawn(Vector2(0.75, 1.0 + i)))
	var last := swarm.get_positions()
	var farthest := 0.0
	for tick in 900:
		manager.update()
		steps(swarm, 1)
		var positions := swarm.get_positions()
		for i in positions.size():
			farthest = maxf(farthest, positions[i].distance_to(last[i]))
		last = positions
	var layers := swarm.get_layers()
	check_eq(layers.count(1), 10, "all are on the balcony")
	check(farthest < 0.2, "no agent hops: %f" % farthest)


func test_every_kind_of_body_is_read() -> void:
	_set_up(20.0, 20.0)
	var faces := ConcavePolygonShape3D.new()
	var plane := PlaneMesh.new()
	plane.size = Vector2(4.0, 4.0)
	faces.set_faces(plane.get_faces())
	_shape(Transform3D(Basis.IDENTITY, Vector3(4.0, 3.0, 4.0)), faces)
	_bake("faces")
	check_eq(_ids(4.0, 4.0), [1, 1] as Array[int], "a sheet is a floor")
	var heights := HeightMapShape3D.new()
	heights.map_width = 5
	heights.map_depth = 5
	var data := PackedFloat32Array()
	data.resize(25)
	data.fill(0.5)
	heights.map_data = data
	_shape(Transform3D(Basis.IDENTITY, Vector3(4.0, 0.0, 4.0)), heights)
	_bake("height map")
	check_eq(manager.layer_count, 2, "a hill below the sheet")
	for shape: Shape3D in [SphereShape3D.new(), CylinderShape3D.new(), CapsuleShape3D.new()]:
		var body := _shape(Transform3D(Basis.IDENTITY, Vector3(15.0, 0.0, 15.0)), shape)
		_bake("round")
		check_eq(_ids(15.0, 15.0)[0], WALL, "%s is no floor" % shape.get_class())
		body.free()
	var map := GridMap.new()
	map.cell_size = Vector3(2.0, 2.0, 2.0)
	var library := MeshLibrary.new()
	library.create_item(0)
	var box := BoxShape3D.new()
	box.size = Vector3(2.0, 0.2, 2.0)
	library.set_item_shapes(0, [box, Transform3D.IDENTITY])
	var mesh := BoxMesh.new()
	mesh.size = box.size
	library.set_item_mesh(0, mesh)
	map.mesh_library = library
	map.set_cell_item(Vector3i(6, 1, 1), 0)
	root.add_child(map)
	_bake("grid map")
	check_eq(_ids(13.0, 3.0), [1, 1] as Array[int], "an item")
	map.collision_layer = 2
	var source := FlowSourceGeometry.new()
	source.parsed_collision_mask = 1
	_bake("masked", source)
	check_eq(_ids(13.0, 3.0), [1, WALL] as Array[int], "not on this layer")
	source.parsed_geometry_type = FlowSourceGeometry.PARSED_GEOMETRY_BOTH
	_bake("meshes too", source)
	check_eq(_ids(13.0, 3.0), [1, 1] as Array[int], "the mesh of the item")


func test_meshes_and_csg_shapes_are_read_if_asked_for() -> void:
	_set_up(20.0, 12.0)
	var instance := MeshInstance3D.new()
	var box := BoxMesh.new()
	box.size = Vector3(4.0, 0.4, 4.0)
	instance.mesh = box
	instance.position = Vector3(4.0, 3.0, 6.0)
	# A mirrored body has its faces outside too.
	instance.scale = Vector3(-1.0, 1.0, 1.0)
	root.add_child(instance)
	var csg := CSGBox3D.new()
	csg.size = Vector3(4.0, 0.4, 4.0)
	csg.position = Vector3(14.0, 3.0, 6.0)
	root.add_child(csg)
	await physics_frames(2)
	var source := FlowSourceGeometry.new()
	check_eq(
		source.parsed_geometry_type,
		FlowSourceGeometry.PARSED_GEOMETRY_STATIC_COLLIDERS,
		"colliders by default"
	)
	_bake("colliders", source)
	check_eq(manager.layer_count, 1, "no meshes")
	source.parsed_geometry_type = FlowSourceGeometry.PARSED_GEOMETRY_BOTH
	_bake("both", source)
	check_eq(_ids(4.0, 6.0), [1, 1] as Array[int], "the mesh")
	check_eq(_ids(14.0, 6.0), [1, 1] as Array[int], "the CSG box")
	source.parsed_geometry_type = FlowSourceGeometry.PARSED_GEOMETRY_MESH_INSTANCES
	_bake("meshes", source)
	check_eq(manager.layer_count, 1, "two plates and no ground")
	check_eq(_ids(4.0, 6.0), [1] as Array[int], "a plate")
	check_eq(_ids(9.0, 6.0), [WALL] as Array[int], "nothing")


func test_agents_parameters_choose_floors() -> void:
	_set_up(12.0, 12.0)
	_block(Vector3(4.0, 1.6, 4.0), Vector3(8.0, 2.0, 8.0))
	var source := FlowSourceGeometry.new()
	_bake("room enough", source)
	check_eq(manager.layer_count, 2, "1.6 m below the plate")
	source.agent_height = 1.8
	_bake("taller", source)
	check_eq(manager.layer_count, 1, "no room below the plate")
	source.agent_max_climb = 1.7
	source.cell_height = 0.1
	_block(Vector3(4.0, 0.0, 2.0), Vector3(8.0, 1.0, 4.0))
	_bake("climbers", source)
	check(_leads(Vector2(1.0, 1.0), 0, Vector2(6.0, 6.0), 0), "over the block")
	source.agent_max_climb = 0.25
	_bake("no climbers", source)
	check(not _leads(Vector2(1.0, 1.0), 0, Vector2(6.0, 6.0), 0), "too high")
	source.agent_max_slope = 10.0
	_ramp(11.0, 1.0)
	_bake("flat", source)
	check_near(source.agent_max_slope, 10.0, 0.001, "slope")
	# Cells keep their terrain if asked to.
	manager.set_terrain(Vector2i(1, 1), 7)
	source.keep_terrain = true
	_bake("kept", source)
	check_eq(manager.get_terrain_at(Vector2i(1, 1)), 7, "swamp")
	source.keep_terrain = false
	_bake("not kept", source)
	check_eq(manager.get_terrain_at(Vector2i(1, 1)), 1, "clear")


func test_a_changed_box_is_baked_again() -> void:
	_make_bridge()
	_bake("bridge")
	var by_hand := manager.add_link(Vector2i(0, 0), Vector2i(2, 2))
	var links := manager.get_links()
	var before := [manager.get_terrain_bytes(0), manager.get_terrain_bytes(1)]
	var crate := _block(Vector3(20.0, 0.0, 20.0), Vector3(22.0, 2.0, 22.0))
	var bounds := AABB(Vector3(19.0, 0.0, 19.0), Vector3(4.0, 3.0, 4.0))
	check_eq(manager.rebake_terrain_3d(bounds), OK, "a crate")
	check_eq(_ids(20.25, 20.25)[0], WALL, "its edge")
	check_eq(manager.get_links(), links, "links far away stay")
	crate.free()
	check_eq(manager.rebake_terrain_3d(bounds), OK, "no crate")
	check_eq([manager.get_terrain_bytes(0), manager.get_terrain_bytes(1)], before, "as before")
	# A gate on the deck shuts the bridge.
	check(_leads(Vector2(15.0, 5.0), 0, Vector2(15.0, 23.0), 1), "open")
	_block(Vector3(12.0, 3.0, 19.5), Vector3(18.0, 5.0, 20.5))
	bounds = AABB(Vector3(12.0, 3.0, 19.0), Vector3(6.0, 1.0, 2.0))
	check_eq(manager.rebake_terrain_3d(bounds), OK, "a gate")
	check_eq(_ids(15.0, 20.0)[0], 1, "the road is open")
	var goal := manager.create_goal(PackedVector2Array([manager.on_layer(Vector2(15.0, 17.0), 1)]))
	var path := manager.get_path_from(goal, manager.on_layer(Vector2(15.0, 23.0), 1))
	check(path.size() > 40, "the long way round: %d" % path.size())
	manager.release_goal(goal)
	# A new bake replaces its links and no others.
	for body in root.get_children().slice(1):
		body.free()
	_bake("ground alone")
	check_eq(manager.layer_count, 1, "one layer")
	check_eq(manager.get_links(), PackedInt64Array([by_hand]), "the link by hand")


func test_a_bake_runs_in_the_background() -> void:
	_make_bridge()
	manager.worker_threads = 2
	var told: Array[float] = []
	manager.bake_progress.connect(func(progress: float) -> void: told.append(progress))
	manager.bake_finished.connect(func(result: int) -> void: results.append(result))
	check_eq(manager.get_bake_progress(), 1.0, "nothing is running")
	check_eq(manager.bake_terrain_3d_async(root, null), OK, "started")
	check_eq(manager.layer_count, 1, "not yet in use")
	expect_error(["bake_terrain_3d", "running"], manager.bake_terrain_3d.bind(root, null))
	for frame in 600:
		manager.update()
		if not results.is_empty():
			break
		await physics_frames(1)
	check_eq(results, [OK] as Array[int], "finished once")
	check_eq(manager.layer_count, 2, "in use")
	check_eq(manager.get_bake_progress(), 1.0, "done")
	for progress in told:
		check(progress > 0.0 and progress <= 1.0, "share: %f" % progress)
	check_eq(manager.bake_terrain_3d_async(root, null), OK, "again")
	manager.cancel_bake()
	await physics_frames(3)
	check_eq(results.size(), 1, "cancelled")
	check_eq(manager.rebake_terrain_3d(AABB(Vector3.ONE, Vector3.ONE)), OK, "as before")


func test_bad_input_is_refused() -> void:
	_make_bridge()
	var box := AABB(Vector3.ZERO, Vector3.ONE)
	expect_error(["bake_terrain_3d", "root"], manager.bake_terrain_3d.bind(null, null))
	expect_error(["rebake_terrain_3d"], manager.rebake_terrain_3d.bind(box))
	var source := FlowSourceGeometry.new()
	for name: String in ["agent_height", "agent_max_climb", "cell_height"]:
		for value: float in [-1.0, NAN, INF]:
			expect_error([name], source.set.bind(name, value))
	for value: float in [0.0, 90.0, NAN]:
		expect_error(["agent_max_slope"], source.set.bind("agent_max_slope", value))
	expect_error(["parsed_geometry_type", "3"], source.set.bind("parsed_geometry_type", 3))
	source.agent_max_climb = 2.0
	expect_error(
		["bake_terrain_3d", "agent_max_climb", "2"], manager.bake_terrain_3d.bind(root, source)
	)
	# Too many floors above each other.
	for floor in 70:
		var low := Vector3(1.0, 4.0 + 2.0 * floor, 1.0)
		_block(low, low + Vector3(2.0, 0.2, 2.0))
	expect_error(["bake_terrain_3d", "layers", "64"], manager.bake_terrain_3d.bind(root, null))
	check_eq(manager.layer_count, 1, "nothing is changed")
	for body in root.get_children().slice(4):
		body.free()
	_bake("bridge")
	_block(Vector3(2.0, 8.0, 2.0), Vector3(4.0, 8.2, 4.0))
	_block(Vector3(2.0, 5.0, 2.0), Vector3(4.0, 5.2, 4.0))
	box.size = Vector3(5.0, 1.0, 5.0)
	expect_error(["rebake_terrain_3d", "layers", "3"], manager.rebake_terrain_3d.bind(box))
	box.position.x = -90.0
	expect_error(["rebake_terrain_3d", "bounds"], manager.rebake_terrain_3d.bind(box))
	box.position.x = NAN
	expect_error(["rebake_terrain_3d", "bounds"], manager.rebake_terrain_3d.bind(box))
	manager.grid_size = Vector2i(20, 20)
	box.position.x = 0.0
	allow_errors(["rebake_terrain_3d", "links"], manager.rebake_terrain_3d.bind(box))
	root.free()
	expect_error(["rebake_terrain_3d", "root"], manager.rebake_terrain_3d.bind(box))
