extends "res://tests/test_suite.gd"
## Heights of the ground: set_heights and the like, where agents are drawn, and speeds on slopes.


## Stands in for the data of a Terrain3D node.
class TerrainData:
	extends RefCounted
	var result: Variant = null

	func get_height(position: Vector3) -> Variant:
		if result != null:
			return result
		return NAN if position.x > 6.5 else 0.5 * position.x + position.y


class Terrain:
	extends Node
	var data: Variant = TerrainData.new()


class OldTerrain:
	extends Node
	var storage := TerrainData.new()


class BareTerrain:
	extends Node

	func get_height(position: Vector3) -> float:
		return -position.z


func new_ground(size := Vector2i(8, 6), layers := 1) -> FlowFieldManager:
	var manager := new_manager(size, 1.0)
	manager.layer_count = layers
	return manager


func slope(size: Vector2i, along_x: float, along_z: float) -> PackedFloat32Array:
	var heights := PackedFloat32Array()
	for z in size.y + 1:
		for x in size.x + 1:
			heights.append(along_x * x + along_z * z)
	return heights


func new_output(swarm: EnemySwarm) -> MultiMeshInstance3D:
	var output := MultiMeshInstance3D.new()
	swarm.add_child(output)
	swarm.output = output
	return output


## The transform of the first instance, from the buffer: headless, the engine knows no others.
func drawn(output: MultiMeshInstance3D) -> Transform3D:
	var row := output.multimesh.buffer.slice(0, 12)
	var basis := Basis(
		Vector3(row[0], row[4], row[8]),
		Vector3(row[1], row[5], row[9]),
		Vector3(row[2], row[6], row[10])
	)
	return Transform3D(basis, Vector3(row[3], row[7], row[11]))


func test_heights_are_bilinear_and_change_by_rectangles() -> void:
	var manager := new_ground()
	check(is_nan(manager.get_height(Vector2(2, 2))), "no heights yet")
	check_eq(manager.get_normal(Vector2(2, 2)), Vector3.UP, "no normal yet")
	check_eq(manager.set_heights(slope(Vector2i(8, 6), 0.5, -1.0)), OK, "set")
	check_near(manager.get_height(Vector2(3.25, 2.5)), 1.625 - 2.5, 1e-5, "height")
	var normal := Vector3(-0.5, 1.0, 1.0).normalized()
	check(manager.get_normal(Vector2(7.9, 0.1)).is_equal_approx(normal), "normal")
	var rect := Rect2i(2, 2, 2, 1)
	check_eq(manager.set_heights_rect(rect, PackedFloat32Array([9.0, NAN])), OK, "rect")
	var beside := 0.25 * (-0.5 + 0.0 - 1.5 + 9.0)
	check_near(manager.get_height(Vector2(1.5, 1.5)), beside, 1e-4, "beside it")
	check(is_nan(manager.get_height(Vector2(3.5, 2.5))), "a hole")
	check(is_nan(manager.get_height(Vector2(-1.0, 2.0))), "outside")
	check_eq(manager.get_terrain_at(Vector2i(3, 2)), 1, "terrain stays")
	check_eq(manager.clear_heights(), OK, "clear")
	check(is_nan(manager.get_height(Vector2(1.5, 1.5))), "cleared")


func test_layers_have_heights_of_their_own() -> void:
	var manager := new_ground(Vector2i(8, 6), 2)
	var flat := PackedFloat32Array()
	flat.resize(48)
	flat.fill(3.0)
	check_eq(manager.set_heights(flat, 1), OK, "centres")
	var at := Vector2(4, 4)
	check(is_nan(manager.get_height(at)), "layer 0")
	check_eq(manager.get_height(at, 1), 3.0, "layer 1")
	check_eq(manager.get_height(manager.on_layer(at, 1)), 3.0, "by place")
	check_eq(manager.get_normal(at, 1), Vector3.UP, "flat")
	for layer: int in [-1, 2]:
		expect_error(
			["FlowFieldManager.get_height", "layer", str(layer)],
			func() -> float: return manager.get_height(at, layer)
		)


func test_places_are_on_the_floor_at_or_below() -> void:
	var manager := new_ground(Vector2i(10, 8), 2)
	var at := Vector3(2.5, 9.0, 2.5)
	check_eq(manager.get_place(at), Vector2(2.5, 2.5), "without heights")
	# A deck in a corner of the upper layer, and a hill of nearly its height on the lower one.
	manager.set_heights(slope(Vector2i(10, 8), 0.0, 0.0))
	var deck := PackedFloat32Array()
	deck.resize(16)
	deck.fill(3.0)
	manager.set_heights_rect(Rect2i(1, 1, 4, 4), deck, 1)
	var hill := PackedFloat32Array()
	hill.resize(8)
	hill.fill(2.95)
	manager.set_heights_rect(Rect2i(7, 1, 2, 4), hill)
	var cases := {
		Vector3(2.5, 3.0, 2.5): 1,
		Vector3(2.5, 9.0, 2.5): 1,
		Vector3(2.5, 2.92, 2.5): 1,
		Vector3(2.5, 2.8, 2.5): 0,
		Vector3(2.5, 0.0, 2.5): 0,
		Vector3(2.5, -5.0, 2.5): 0,
		Vector3(4.5, 3.0, 2.5): 1,  # the edge of the deck
		Vector3(5.5, 3.0, 2.5): 0,  # beside it
		Vector3(7.5, 2.95, 2.5): 0,
		Vector3(7.5, 9.0, 2.5): 0,
	}
	for position: Vector3 in cases:
		var flat := Vector2(position.x, position.z)
		var place := manager.on_layer(flat, cases[position] as int)
		check_eq(manager.get_place(position), place, "place of %s" % position)
	# A hole in all layers, and outside of the grid.
	var hole := PackedFloat32Array([NAN, NAN, NAN, NAN])
	manager.set_heights_rect(Rect2i(7, 6, 2, 2), hole)
	var below := manager.get_place(Vector3(7.5, 9.0, 6.5))
	check_eq(manager.off_layer(below), Vector2(7.5, 6.5), "a hole")
	check(is_nan(manager.get_height(below)), "no height there")
	check_eq(manager.get_place(Vector3(-2.0, 0.5, 3.0)), Vector2(-2.0, 3.0), "outside")
	for bad: Vector3 in [Vector3(NAN, 0.0, 0.0), Vector3(0.0, INF, 0.0), Vector3(0.0, 0.0, -INF)]:
		var place: Variant = expect_error(
			["FlowFieldManager.get_place", "position", "finite"], manager.get_place.bind(bad)
		)
		check_eq(place, Vector2.INF, "no place for %s" % bad)


func test_loaded_heights_are_kept_and_terrain_too_if_asked() -> void:
	var manager := new_ground(Vector2i(4, 1))
	manager.set_terrain_bytes(PackedByteArray([9, 7, 5, 3]))
	var row: Array[float] = [0.0, 0.0, 0.5, 4.0, NAN]
	var heights := PackedFloat32Array(row + row)
	check_eq(manager.load_height_map(heights, 45.0, 8, 0, true), OK, "keep")
	check_eq(manager.get_terrain_bytes(), PackedByteArray([9, 7, WALL, WALL]), "swamp stays")
	check_near(manager.get_height(Vector2(1.5, 0.5)), 0.25, 1e-5, "height")
	check_eq(manager.load_height_map(heights), OK, "load")
	check_eq(manager.get_terrain_bytes(), PackedByteArray([1, 5, WALL, WALL]), "as before")
	manager.set_terrain_bytes(PackedByteArray([9, 7, 5, 3]))
	var image := Image.create_empty(5, 2, false, Image.FORMAT_RF)
	image.fill(Color(0.5, 0.0, 0.0))
	check_eq(manager.load_height_image(image, 4.0, 45.0, 8, 0, true), OK, "image")
	check_eq(manager.get_terrain_bytes(), PackedByteArray([9, 7, 5, 3]), "flat")
	check_eq(manager.get_height(Vector2(1.5, 0.5)), 2.0, "height of the image")


func test_a_height_map_shape_is_read_in_its_transform() -> void:
	var manager := new_ground(Vector2i(8, 6))
	var shape := HeightMapShape3D.new()
	shape.map_width = 5
	shape.map_depth = 4
	var data := shape.map_data
	for z in 4:
		for x in 5:
			data[z * 5 + x] = 0.1 * x - 0.2 * z
	shape.map_data = data
	# A quarter turn: x of the map runs along -z of the world.
	var basis := Basis(Vector3.UP, PI / 2.0).scaled(Vector3(2.0, 3.0, 2.0))
	var node := CollisionShape3D.new()
	node.shape = shape
	scene.add_child(node)
	node.global_transform = Transform3D(basis, Vector3(4.0, 10.0, 3.0))
	check_eq(manager.load_height_shape(node), OK, "load")
	var inverse := node.global_transform.affine_inverse()
	for at: Vector2 in [Vector2(1.5, 0.5), Vector2(6.5, 5.5), Vector2(4.2, 3.3)]:
		var local := inverse * Vector3(at.x, 10.0, at.y)
		var expected := 10.0 + 3.0 * (0.1 * (local.x + 2.0) - 0.2 * (local.z + 1.5))
		check_near(manager.get_height(at), expected, 1e-3, "height at %s" % at)
	check(is_nan(manager.get_height(Vector2(0.5, 3.0))), "outside the shape")
	check_eq(manager.get_terrain_at(Vector2i(0, 3)), WALL, "no ground")
	check(manager.get_terrain_at(Vector2i(4, 3)) < WALL, "a slope")
	# The same shape by itself beside it leaves the heights of the first.
	var before := manager.get_height(Vector2(4.2, 3.3))
	var beside := Transform3D(Basis.IDENTITY, Vector3(-9.0, 0.0, 3.0))
	check_eq(manager.load_height_shape(shape, beside, 60.0, 2, 0, true), OK, "a shape")
	check_eq(manager.get_height(Vector2(4.2, 3.3)), before, "kept")
	var method := "FlowFieldManager.load_height_shape"
	var tilted := Transform3D(Basis(Vector3.RIGHT, 0.3), Vector3.ZERO)
	expect_error([method, "tilt"], func() -> int: return manager.load_height_shape(shape, tilted))
	var wild := Transform3D(Basis.IDENTITY, Vector3(NAN, 0.0, 0.0))
	expect_error([method, "finite"], func() -> int: return manager.load_height_shape(shape, wild))
	expect_error([method, "source", "null"], func() -> int: return manager.load_height_shape(null))
	expect_error(
		[method, "source", "FlowFieldManager"],
		func() -> int: return manager.load_height_shape(manager)
	)
	node.shape = BoxShape3D.new()
	expect_error(
		[method, "HeightMapShape3D"], func() -> int: return manager.load_height_shape(node)
	)
	scene.remove_child(node)
	expect_error([method, "tree"], func() -> int: return manager.load_height_shape(node))
	node.free()
	check_eq(manager.get_height(Vector2(4.2, 3.3)), before, "nothing has changed")


func test_terrain_3d_is_read_by_its_methods() -> void:
	var manager := new_ground(Vector2i(8, 6))
	for terrain: Node in [Terrain.new(), OldTerrain.new()] as Array[Node]:
		manager.clear_heights()
		check_eq(manager.load_terrain_3d(terrain), OK, "load")
		check_near(manager.get_height(Vector2(3.3, 2.2)), 1.65, 1e-4, "height")
		check(is_nan(manager.get_height(Vector2(6.5, 2.2))), "a hole")
		check_eq(manager.get_terrain_at(Vector2i(7, 2)), WALL, "no ground")
		check_eq(manager.get_terrain_at(Vector2i(3, 2)), 5, "a slope")
		terrain.free()
	var bare := BareTerrain.new()
	manager.set_terrain_rect(Rect2i(0, 0, 8, 6), 9)
	check_eq(manager.load_terrain_3d(bare, 50.0, 2, 0, true), OK, "a method of the node")
	check_near(manager.get_height(Vector2(3.3, 2.2)), -2.2, 1e-4, "height")
	check_eq(manager.get_terrain_at(Vector2i(3, 2)), 9, "kept")
	bare.free()
	var method := "FlowFieldManager.load_terrain_3d"
	expect_error([method, "node", "null"], func() -> int: return manager.load_terrain_3d(null))
	var plain := Node.new()
	expect_error([method, "get_height"], func() -> int: return manager.load_terrain_3d(plain))
	plain.free()
	var odd := Terrain.new()
	odd.data.set("result", "high")
	expect_error([method, "float", "high"], func() -> int: return manager.load_terrain_3d(odd))
	odd.data.set("result", INF)
	expect_error([method, "heights", "inf"], func() -> int: return manager.load_terrain_3d(odd))
	odd.free()
	check_near(manager.get_height(Vector2(3.3, 2.2)), -2.2, 1e-4, "nothing has changed")


func test_bad_heights_are_refused() -> void:
	var manager := new_ground(Vector2i(3, 2), 2)
	var method := "FlowFieldManager.set_heights"
	var short := PackedFloat32Array([0.0])
	expect_error([method, "heights", "12", "1"], func() -> int: return manager.set_heights(short))
	var all := slope(Vector2i(3, 2), 1.0, 0.0)
	all[3] = INF
	expect_error([method, "heights", "inf"], func() -> int: return manager.set_heights(all))
	expect_error([method, "layer", "7"], func() -> int: return manager.set_heights(all, 7))
	method = "FlowFieldManager.set_heights_rect"
	for rect: Rect2i in [Rect2i(4, 0, 1, 1), Rect2i(-1, 0, 1, 1), Rect2i(0, 3, 1, 1)]:
		expect_error(
			[method, "corner", "3x2"], func() -> int: return manager.set_heights_rect(rect, short)
		)
	var negative := Rect2i(0, 0, -1, 1)
	expect_error(
		[method, "rect", "-1"], func() -> int: return manager.set_heights_rect(negative, short)
	)
	expect_error(
		["FlowFieldManager.clear_heights", "layer"], func() -> int: return manager.clear_heights(2)
	)
	expect_error(
		["FlowFieldManager.get_normal", "position"],
		func() -> Vector3: return manager.get_normal(Vector2(NAN, 0.0))
	)
	check(is_nan(manager.get_height(Vector2.ONE)), "nothing was set")


func test_agents_and_their_nodes_stand_on_the_ground() -> void:
	var manager := new_ground(Vector2i(16, 16))
	manager.set_heights(slope(Vector2i(16, 16), 0.5, 0.0))
	var swarm := new_swarm(manager)
	var output := new_output(swarm)
	swarm.height = 0.25
	swarm.layer_height = 100.0
	var kind := SwarmAgentType.new()
	kind.radius = 0.5
	kind.tilt = 1.0
	swarm.agent_types = [kind]
	var id := swarm.spawn(Vector2(9.0, 8.0))
	var node := Node3D.new()
	swarm.add_child(node)
	check_eq(swarm.attach_node(id, node), OK, "attach")
	steps(swarm, 1)
	var instance := drawn(output)
	check_near(instance.origin.y, 4.75, 1e-3, "height")
	check_near(node.global_position.y, 4.75, 1e-3, "height of the node")
	var up := Vector3(-0.5, 1.0, 0.0).normalized()
	check(instance.basis.y.normalized().is_equal_approx(up), "tilt %s" % instance.basis.y)
	kind.max_tilt = 10.0
	steps(swarm, 1)
	instance = drawn(output)
	check_near(rad_to_deg(instance.basis.y.angle_to(Vector3.UP)), 10.0, 0.01, "max_tilt")
	var box := output.multimesh.custom_aabb
	check(box.has_point(Vector3(0.1, 0.2, 1.0)), "the lowest height in %s" % box)
	check(box.has_point(Vector3(15.9, 8.2, 1.0)), "the greatest height in %s" % box)
	# An edit is seen by the next drawing, without a step.
	manager.set_heights_rect(Rect2i(0, 0, 17, 17), slope(Vector2i(16, 16), 0.0, 0.0))
	swarm.draw_agents()
	check_near(drawn(output).origin.y, 0.25, 1e-3, "edited")
	var holes := slope(Vector2i(16, 16), NAN, NAN)
	manager.set_heights(holes)
	steps(swarm, 1)
	check_near(drawn(output).origin.y, 0.25, 1e-3, "in a hole")
	for angle: float in [-1.0, 90.0, NAN]:
		expect_error(["SwarmAgentType.max_tilt", "0 to 89"], func() -> void: kind.max_tilt = angle)
	expect_error(["SwarmAgentType.tilt", "2"], func() -> void: kind.tilt = 2.0)


func test_in_2d_heights_may_move_agents_up() -> void:
	var manager := new_ground(Vector2i(16, 16))
	manager.set_heights(slope(Vector2i(16, 16), 0.5, 0.0))
	var swarm := new_swarm(manager)
	swarm.height_offset_2d = 2.0
	var id := swarm.spawn(Vector2(9.0, 8.0))
	var node := Node2D.new()
	swarm.add_child(node)
	check_eq(swarm.attach_node(id, node), OK, "attach")
	steps(swarm, 1)
	var output: MultiMeshInstance2D = swarm.output
	check_near(output.multimesh.buffer[7], -1.0, 1e-3, "drawn")
	check_near(node.global_position.y, -1.0, 1e-3, "the node")
	check_near(swarm.get_positions()[0].y, 8.0, 1e-3, "the agent")
	check(output.multimesh.custom_aabb.has_point(Vector3(9.0, -15.9, 0.0)), "custom_aabb")
	expect_error(
		["EnemySwarm.height_offset_2d", "NaN"], func() -> void: swarm.height_offset_2d = NAN
	)


func test_slopes_change_speeds() -> void:
	var times: Array[float] = []
	for uphill: float in [1.0, 0.5]:
		var manager := new_ground(Vector2i(40, 5))
		manager.set_heights(slope(Vector2i(40, 5), 1.0, 0.0))
		var movement := FlowMovementType.new()
		movement.uphill_speed = uphill
		movement.downhill_speed = 1.5
		manager.movement_types = [movement]
		var swarm := new_swarm(manager, new_goal(manager, Vector2i(39, 2)))
		var kind := SwarmAgentType.new()
		kind.radius = 0.3
		kind.max_speed = 3.0
		swarm.agent_types = [kind]
		swarm.spawn(Vector2(1.5, 2.5))
		steps(swarm, 240)
		times.append(swarm.get_positions()[0].x - 1.5)
	check_near(times[1] / times[0], 0.5, 0.03, "half the speed uphill")
	var movement := FlowMovementType.new()
	expect_error(
		["FlowMovementType.uphill_speed", "0"], func() -> void: movement.uphill_speed = 0.0
	)
	expect_error(
		["FlowMovementType.downhill_speed", "9"], func() -> void: movement.downhill_speed = 9.0
	)


func test_a_view_of_hills_has_agents_above_and_below() -> void:
	var manager := new_ground(Vector2i(32, 32))
	var heights := slope(Vector2i(32, 32), 1.0, 0.0)
	manager.set_heights(heights)
	var swarm := new_swarm(manager)
	var output := new_output(swarm)
	swarm.cull_to_view = true
	var kind := SwarmAgentType.new()
	kind.radius = 0.3
	swarm.agent_types = [kind]
	swarm.spawn_many(PackedVector2Array([Vector2(30.0, 16.0), Vector2(2.0, 16.0)]))
	var camera := Camera3D.new()
	swarm.add_child(camera)
	# Beside the upper agent, level, and far above the other one.
	camera.global_position = Vector3(30.0, 30.5, 19.0)
	camera.far = 10.0
	camera.make_current()
	steps(swarm, 1)
	check_eq(output.multimesh.visible_instance_count, 1, "the upper agent alone")
	camera.global_position = Vector3(30.0, 90.0, 19.0)
	steps(swarm, 1)
	check_eq(output.multimesh.visible_instance_count, 0, "no agent")
