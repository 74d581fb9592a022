extends "res://tests/test_suite.gd"
## EnemySwarm: what reaches the MultiMesh, read back from it.

const STRIDE_2D := 16
const STRIDE_3D := 20
const COUNT := 120

var manager: FlowFieldManager
var swarm: EnemySwarm


func _moving_swarm(output: Node, motion: bool) -> void:
	manager = new_manager(Vector2i(40, 30))
	swarm = EnemySwarm.new()
	swarm.manager = manager
	swarm.auto_step = false
	var type := SwarmAgentType.new()
	type.color = Color.TAN
	swarm.agent_types = [type]
	swarm.custom_data_preset = EnemySwarm.CUSTOM_MOTION if motion else EnemySwarm.CUSTOM_NONE
	if output != null:
		scene.add_child(output)
		swarm.output = output
	scene.add_child(swarm)
	swarm.set_group_goal(0, new_goal(manager, Vector2i(38, 15)))
	var places := PackedVector2Array()
	for i in COUNT:
		places.append(Vector2(30.0 + 12.0 * (i % 12), 60.0 + 12.0 * (i / 12)))
	swarm.spawn_many(places)
	steps(swarm, 40)


## Puts the origins read from the buffer beside the positions of the agents, in any order.
func _check_origins(origins: PackedVector2Array) -> void:
	var expected: Array[Vector2] = []
	expected.assign(swarm.get_positions())
	var actual: Array[Vector2] = []
	actual.assign(origins)
	expected.sort()
	actual.sort()
	check_eq(actual.size(), expected.size(), "instances")
	var worst := 0.0
	for i in mini(actual.size(), expected.size()):
		worst = maxf(worst, actual[i].distance_to(expected[i]))
	check(worst < 0.01, "an instance is %f away from its agent" % worst)


func test_2d_instances_stand_where_the_agents_are() -> void:
	var output := MultiMeshInstance2D.new()
	_moving_swarm(output, true)
	var mesh := output.multimesh
	check_eq(mesh.transform_format, MultiMesh.TRANSFORM_2D, "format")
	check_eq(mesh.visible_instance_count, COUNT, "visible")
	check(mesh.instance_count >= COUNT, "capacity")
	var buffer := mesh.buffer
	check_eq(buffer.size(), mesh.instance_count * STRIDE_2D, "stride")
	var origins := PackedVector2Array()
	for i in COUNT:
		origins.append(Vector2(buffer[i * STRIDE_2D + 3], buffer[i * STRIDE_2D + 7]))
	_check_origins(origins)


func test_2d_instances_have_the_size_and_the_heading_of_the_agents() -> void:
	var output := MultiMeshInstance2D.new()
	_moving_swarm(output, true)
	var buffer := output.multimesh.buffer
	var positions := swarm.get_positions()
	var velocities := swarm.get_velocities()
	var headings := swarm.get_headings()
	check_eq(headings.size(), COUNT, "headings")
	for i in COUNT:
		var at := i * STRIDE_2D
		var forward := Vector2(buffer[at], buffer[at + 4])
		check_near(forward.length(), 8.0, 0.01, "diameter of %d" % i)
		var agent := positions.find(Vector2(buffer[at + 3], buffer[at + 7]))
		var heading := velocities[agent]
		check_near_vector(headings[agent], forward.normalized(), 0.001, "get_headings")
		if heading.length() > 20.0:
			check(
				forward.normalized().dot(heading.normalized()) > 0.9, "instance %d faces ahead" % i
			)
		check_near_vector(
			Vector2(buffer[at + 12], buffer[at + 13]), forward.normalized(), 0.01, "custom heading"
		)
		check(buffer[at + 14] >= 0.0 and buffer[at + 14] <= 1.001, "speed share")
		check_eq(int(buffer[at + 15]), 0, "state")


func test_3d_instances_lie_in_the_xz_plane() -> void:
	var output := MultiMeshInstance3D.new()
	_moving_swarm(output, true)
	var mesh := output.multimesh
	check_eq(mesh.transform_format, MultiMesh.TRANSFORM_3D, "format")
	check_eq(mesh.visible_instance_count, COUNT, "visible")
	var buffer := mesh.buffer
	check_eq(buffer.size(), mesh.instance_count * STRIDE_3D, "stride")
	var origins := PackedVector2Array()
	for i in COUNT:
		var at := i * STRIDE_3D
		origins.append(Vector2(buffer[at + 3], buffer[at + 11]))
		check_near(buffer[at + 7], 0.0, 1e-4, "height of %d" % i)
		var basis_x := Vector3(buffer[at], buffer[at + 4], buffer[at + 8])
		check_near(basis_x.length(), 8.0, 0.01, "size of %d" % i)
	_check_origins(origins)


func test_height_lifts_the_plane_in_3d() -> void:
	var output := MultiMeshInstance3D.new()
	_moving_swarm(output, false)
	swarm.height = 7.5
	swarm.step(1.0 / 60.0)
	var buffer := output.multimesh.buffer
	for i in COUNT:
		check_near(buffer[i * 16 + 7], 7.5, 1e-4, "height of %d" % i)
	check(output.multimesh.custom_aabb.has_point(Vector3(50.0, 7.5, 50.0)), "inside custom_aabb")
	for value: float in [NAN, INF]:
		expect_error(["EnemySwarm.height"], func() -> void: swarm.set(&"height", value))
	check_eq(swarm.height, 7.5, "unchanged")


func test_bounds_are_set_so_that_nothing_is_culled() -> void:
	var output := MultiMeshInstance3D.new()
	_moving_swarm(output, false)
	var box := output.multimesh.custom_aabb
	var bounds := manager.get_bounds()
	check(box.size.x >= bounds.size.x and box.size.z >= bounds.size.y, "custom_aabb %s" % box)


func test_without_custom_data_the_stride_is_smaller() -> void:
	var output := MultiMeshInstance2D.new()
	_moving_swarm(output, false)
	check(not output.multimesh.use_custom_data, "no custom data")
	check_eq(output.multimesh.buffer.size(), output.multimesh.instance_count * 12, "stride")


func test_instance_size_scales() -> void:
	var output := MultiMeshInstance2D.new()
	_moving_swarm(output, false)
	swarm.instance_size = 2.5
	swarm.step(1.0 / 60.0)
	var buffer := output.multimesh.buffer
	check_near(Vector2(buffer[0], buffer[4]).length(), 20.0, 0.01, "diameter")


func test_without_face_movement_instances_stay_upright() -> void:
	var output := MultiMeshInstance2D.new()
	_moving_swarm(output, false)
	swarm.face_movement = false
	swarm.step(1.0 / 60.0)
	var buffer := output.multimesh.buffer
	for i in COUNT:
		check_near_vector(
			Vector2(buffer[i * 12], buffer[i * 12 + 4]), Vector2(8.0, 0.0), 0.01, "instance %d" % i
		)


func test_a_default_output_is_made_where_none_is_set() -> void:
	_moving_swarm(null, false)
	var made := swarm.find_children("*", "MultiMeshInstance2D", true, false)
	if made.is_empty():
		for child: Node in swarm.get_children(true):
			if child is MultiMeshInstance2D:
				made.append(child)
	if check_eq(made.size(), 1, "one child"):
		var output := made[0] as MultiMeshInstance2D
		check_eq(output.multimesh.visible_instance_count, COUNT, "visible")
		check(output.multimesh.mesh != null, "with a mesh")


func test_the_default_output_can_be_put_behind_others() -> void:
	_moving_swarm(null, false)
	var output := swarm.output as CanvasItem
	check(output.get_parent() == swarm, "the node that was added")
	output.z_index = -1
	steps(swarm, 2)
	check(swarm.output == output, "the same")
	check_eq(output.z_index, -1, "not changed by drawing")


func test_the_count_of_instances_follows_the_agents() -> void:
	var output := MultiMeshInstance2D.new()
	_moving_swarm(output, false)
	swarm.despawn(swarm.get_ids().slice(0, 100))
	swarm.step(1.0 / 60.0)
	check_eq(output.multimesh.visible_instance_count, COUNT - 100, "fewer")
	swarm.clear()
	swarm.step(1.0 / 60.0)
	check_eq(output.multimesh.visible_instance_count, 0, "none")
	var places := PackedVector2Array()
	for i in 1500:
		places.append(Vector2(30.0 + 10.0 * (i % 50), 30.0 + 10.0 * (i / 50)))
	swarm.spawn_many(places)
	swarm.step(1.0 / 60.0)
	check_eq(output.multimesh.visible_instance_count, 1500, "more than before")


func test_a_freed_output_is_reported_once_and_agents_walk_on() -> void:
	var output := MultiMeshInstance2D.new()
	_moving_swarm(output, false)
	var before := swarm.get_positions()
	output.free()
	expect_error(["EnemySwarm", "output"], func() -> void: steps(swarm, 30))
	check(swarm.get_positions() != before, "they walk on")


func test_an_output_of_another_class_is_refused() -> void:
	manager = new_manager()
	swarm = new_swarm(manager)
	var other := Node2D.new()
	scene.add_child(other)
	var before := swarm.output
	expect_error(["EnemySwarm.output", "Node2D"], func() -> void: swarm.set(&"output", other))
	check(swarm.output == before, "unchanged")


func test_instance_size_must_be_positive_and_finite() -> void:
	swarm = new_swarm(new_manager())
	for value: float in [0.0, -1.0, NAN, INF]:
		expect_error(
			["EnemySwarm", "instance_size"], func() -> void: swarm.set(&"instance_size", value)
		)
		check_eq(swarm.instance_size, 1.0, "unchanged")


func test_an_unknown_custom_data_preset_is_refused() -> void:
	swarm = new_swarm(new_manager())
	expect_error(
		["EnemySwarm", "custom_data_preset", "9"],
		func() -> void: swarm.set(&"custom_data_preset", 9)
	)
	check_eq(swarm.custom_data_preset, 0, "unchanged")
