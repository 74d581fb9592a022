extends "res://tests/test_suite.gd"
## EnemySwarm: which agents are drawn, in which order, and where between two steps.

const STRIDE := 8
const SIDE := 20

var manager: FlowFieldManager
var swarm: EnemySwarm
var output: Node


## A swarm of 20 by 20 agents, 20 px apart, drawn into a viewport of 200 by 100 px.
func _crowd(canvas: Node, steady := true) -> SubViewport:
	manager = new_manager(Vector2i(40, 40))
	var viewport := SubViewport.new()
	viewport.size = Vector2i(200, 100)
	scene.add_child(viewport)
	viewport.add_child(canvas)
	output = canvas
	swarm = EnemySwarm.new()
	swarm.manager = manager
	swarm.auto_step = false
	swarm.output = canvas
	swarm.face_movement = false
	scene.add_child(swarm)
	var places := PackedVector2Array()
	for i in SIDE * SIDE:
		places.append(Vector2(30.0 + 20.0 * (i % SIDE), 30.0 + 20.0 * (i / SIDE)))
	var ids := swarm.spawn_many(places)
	if steady:
		swarm.set_agent_state(ids, EnemySwarm.AGENT_IDLE)
	swarm.step(1.0 / 60.0)
	return viewport


func _drawn() -> PackedVector2Array:
	var mesh: MultiMesh = output.get(&"multimesh")
	var in_3d := mesh.transform_format == MultiMesh.TRANSFORM_3D
	var buffer := mesh.buffer
	var places := PackedVector2Array()
	for i in mesh.visible_instance_count:
		if in_3d:
			places.append(Vector2(buffer[i * 12 + 3], buffer[i * 12 + 11]))
		else:
			places.append(Vector2(buffer[i * STRIDE + 3], buffer[i * STRIDE + 7]))
	return places


## Those that reach into a rectangle: radius 4 and so half a diagonal of 5.66 px, and a margin.
func _count_in(rect: Rect2, margin := 0.0) -> int:
	var count := 0
	for place: Vector2 in swarm.get_positions():
		var reach := 4.0 * sqrt(2.0) + margin
		count += int(rect.grow(reach).has_point(place))
	return count


func test_without_a_rectangle_all_agents_are_drawn() -> void:
	_crowd(MultiMeshInstance2D.new())
	check_eq(_drawn().size(), SIDE * SIDE, "drawn")


func test_only_agents_in_the_rectangle_are_drawn() -> void:
	_crowd(MultiMeshInstance2D.new())
	swarm.view_rect = Rect2(100.0, 100.0, 80.0, 50.0)
	swarm.draw_agents()
	check_eq(_drawn().size(), _count_in(swarm.view_rect), "drawn")
	check(_drawn().size() < 40, "a part of them")
	for place: Vector2 in _drawn():
		check(swarm.view_rect.grow(6.0).has_point(place), "%s is in it" % place)
	swarm.view_margin = 30.0
	swarm.draw_agents()
	check_eq(_drawn().size(), _count_in(swarm.view_rect, 30.0), "drawn with a margin")
	swarm.view_rect = Rect2(-500.0, 0.0, 10.0, 10.0)
	swarm.draw_agents()
	check_eq(_drawn().size(), 0, "none")
	swarm.view_rect = Rect2()
	swarm.draw_agents()
	check_eq(_drawn().size(), SIDE * SIDE, "all again")


func test_a_culled_multimesh_gives_room_back() -> void:
	_crowd(MultiMeshInstance2D.new())
	var mesh := (output as MultiMeshInstance2D).multimesh
	check_eq(mesh.instance_count, 512, "room for all")
	swarm.view_rect = Rect2(100.0, 100.0, 10.0, 10.0)
	for i in 70:
		swarm.draw_agents()
	check_eq(mesh.instance_count, 64, "room for few")
	check_eq(_drawn().size(), _count_in(swarm.view_rect), "drawn")
	swarm.view_rect = Rect2()
	swarm.draw_agents()
	check_eq(_drawn().size(), SIDE * SIDE, "room again")


func test_cull_to_view_follows_the_viewport() -> void:
	var viewport := _crowd(MultiMeshInstance2D.new())
	swarm.cull_to_view = true
	for place: Vector2 in [Vector2(100.0, 80.0), Vector2(250.0, 300.0)]:
		# Twice as large: it shows 100 by 50 px.
		viewport.canvas_transform = Transform2D(0.0, Vector2(2.0, 2.0), 0.0, -2.0 * place)
		swarm.draw_agents()
		check_eq(_drawn().size(), _count_in(Rect2(place, Vector2(100.0, 50.0))), "at %s" % place)
		check(_drawn().size() > 5 and _drawn().size() < 40, "some")


func test_cull_to_view_follows_the_camera_in_3d() -> void:
	var viewport := _crowd(MultiMeshInstance3D.new())
	var camera := Camera3D.new()
	viewport.add_child(camera)
	camera.projection = Camera3D.PROJECTION_ORTHOGONAL
	camera.size = 50.0
	camera.far = 100.0
	camera.position = Vector3(150.0, 50.0, 130.0)
	camera.rotation_degrees = Vector3(-90.0, 0.0, 0.0)
	camera.make_current()
	swarm.cull_to_view = true
	swarm.draw_agents()
	# 100 by 50 metres around the camera.
	var seen := Rect2(100.0, 105.0, 100.0, 50.0)
	check_eq(_drawn().size(), _count_in(seen), "drawn")
	check(_drawn().size() > 5 and _drawn().size() < 40, "some")
	camera.rotation_degrees = Vector3(90.0, 0.0, 0.0)
	swarm.draw_agents()
	check_eq(_drawn().size(), 0, "none above")


## Agents of which a sphere around the capsule in the middle of an instance is in the frustum.
func _count_in_frustum(camera: Camera3D, reach: float) -> int:
	var count := 0
	for place: Vector2 in swarm.get_positions():
		var at := Vector3(place.x, 0.0, place.y)
		var is_seen := func(plane: Plane) -> bool: return plane.distance_to(at) <= reach
		count += int(camera.get_frustum().all(is_seen))
	return count


func test_cull_to_view_follows_the_frustum_of_the_camera() -> void:
	var viewport := _crowd(MultiMeshInstance3D.new())
	var camera := Camera3D.new()
	viewport.add_child(camera)
	camera.fov = 12.0
	camera.far = 1000.0
	camera.make_current()
	swarm.cull_to_view = true
	# Over a corner, along the diagonal: the view is far from a rectangle.
	camera.look_at_from_position(Vector3(10.0, 30.0, 10.0), Vector3(200.0, 0.0, 200.0))
	swarm.draw_agents()
	# A capsule of 8 px by 12.8 px reaches 4 to 8.6 px in a direction.
	var least := _count_in_frustum(camera, 4.0)
	var most := _count_in_frustum(camera, 8.6)
	var drawn := _drawn().size()
	check(drawn >= least and drawn <= most, "%d of %d to %d" % [drawn, least, most])
	check(least > 20 and most < 280, "a part of them: %d to %d" % [least, most])
	var rect := Rect2(_drawn()[0], Vector2.ZERO)
	for place: Vector2 in _drawn():
		rect = rect.expand(place)
	check(1.4 * drawn < _count_in(rect), "%d, %d in the rectangle" % [drawn, _count_in(rect)])
	swarm.view_rect = Rect2(0.0, 0.0, 10.0, 10.0)
	swarm.draw_agents()
	check_eq(_drawn().size(), drawn, "the camera counts, not the rectangle")


func test_tall_instances_are_drawn_whose_heads_are_in_view() -> void:
	var viewport := _crowd(MultiMeshInstance3D.new())
	var mesh: MultiMesh = output.get(&"multimesh")
	mesh.mesh = BoxMesh.new()
	var camera := Camera3D.new()
	viewport.add_child(camera)
	camera.projection = Camera3D.PROJECTION_ORTHOGONAL
	camera.size = 10.0
	camera.position = Vector3(220.0, 50.0, 800.0)
	camera.far = 1000.0
	camera.make_current()
	swarm.cull_to_view = true
	swarm.draw_agents()
	check_eq(_drawn().size(), 0, "the camera looks over their heads")
	# As the vertices of animated characters go farther than their mesh has them.
	(mesh.mesh as BoxMesh).custom_aabb = AABB(Vector3(-0.5, 0.0, -0.5), Vector3(1.0, 6.0, 1.0))
	swarm.draw_agents()
	check_eq(_drawn().size(), 2 * SIDE, "48 px tall, in two columns")
	mesh.mesh = BoxMesh.new()
	swarm.view_margin = 42.0
	swarm.draw_agents()
	check(_drawn().size() > 2 * SIDE, "a margin")


func test_all_agents_are_drawn_without_a_camera_and_for_a_headset() -> void:
	var viewport := _crowd(MultiMeshInstance3D.new())
	swarm.cull_to_view = true
	swarm.draw_agents()
	check_eq(_drawn().size(), SIDE * SIDE, "without a camera")
	var camera := XRCamera3D.new()
	viewport.add_child(camera)
	camera.rotation_degrees = Vector3(90.0, 0.0, 0.0)
	camera.make_current()
	swarm.draw_agents()
	check_eq(_drawn().size(), SIDE * SIDE, "a headset has two eyes")
	swarm.view_rect = Rect2(100.0, 100.0, 80.0, 50.0)
	swarm.draw_agents()
	check_eq(_drawn().size(), _count_in(swarm.view_rect), "then the rectangle counts")


func test_sorted_by_y_lower_agents_come_later() -> void:
	_crowd(MultiMeshInstance2D.new())
	var ids := swarm.get_ids()
	swarm.despawn(ids.slice(0, 30))
	swarm.spawn_many([Vector2(50.0, 33.0), Vector2(60.0, 333.0)])
	swarm.y_sort = true
	swarm.draw_agents()
	var drawn := _drawn()
	check_eq(drawn.size(), swarm.get_agent_count(), "all")
	for i in drawn.size() - 1:
		check(drawn[i].y <= drawn[i + 1].y, "%s before %s" % [drawn[i], drawn[i + 1]])
	swarm.view_rect = Rect2(100.0, 100.0, 80.0, 150.0)
	swarm.draw_agents()
	drawn = _drawn()
	check_eq(drawn.size(), _count_in(swarm.view_rect), "with a view")
	for i in drawn.size() - 1:
		check(drawn[i].y <= drawn[i + 1].y, "%s before %s" % [drawn[i], drawn[i + 1]])


func test_y_sort_warns_in_3d() -> void:
	_crowd(MultiMeshInstance3D.new())
	check_eq(swarm.get_setup_warnings().size(), 0, "no warnings")
	swarm.y_sort = true
	check_eq(swarm.get_setup_warnings().size(), 1, "a warning")
	check(swarm.get_setup_warnings()[0].contains("y_sort"), "of y_sort")


func test_agents_are_drawn_between_steps() -> void:
	_crowd(MultiMeshInstance2D.new(), false)
	swarm.interpolate = true
	swarm.set_group_goal(0, new_goal(manager, Vector2i(38, 38)))
	steps(swarm, 20)
	var before := swarm.get_positions()
	swarm.step(1.0 / 60.0)
	var after := swarm.get_positions()
	check(before != after, "they walk")
	for fraction: float in [0.0, 0.25, 1.0]:
		swarm.draw_agents(fraction)
		var drawn := _drawn()
		for i in drawn.size():
			var place := before[i].lerp(after[i], fraction)
			check_near_vector(drawn[i], place, 0.001, "agent %d at %f" % [i, fraction])
	var id := swarm.get_ids()[0]
	swarm.set_agent_positions([id], [Vector2(300.0, 500.0)])
	swarm.draw_agents(0.5)
	check_near_vector(_drawn()[0], Vector2(300.0, 500.0), 0.001, "a jump is not smeared")


func test_interpolation_draws_in_frames_and_not_in_steps() -> void:
	_crowd(MultiMeshInstance2D.new(), false)
	check(not swarm.is_processing_internal(), "without it frames do nothing")
	swarm.interpolate = true
	check(swarm.is_processing_internal(), "with it they do")
	swarm.clear()
	swarm.step(1.0 / 60.0)
	check_eq(_drawn().size(), SIDE * SIDE, "a step has not drawn")
	swarm.spawn(Vector2(50.0, 50.0))
	await scene.get_tree().process_frame
	await scene.get_tree().process_frame
	check_eq(_drawn().size(), SIDE * SIDE, "without auto_step it is up to the script")
	swarm.auto_step = true
	await scene.get_tree().process_frame
	await scene.get_tree().process_frame
	check_eq(_drawn().size(), 1, "a frame has drawn")
	swarm.interpolate = false
	check(not swarm.is_processing_internal(), "off again")


func test_bad_views_are_refused() -> void:
	_crowd(MultiMeshInstance2D.new())
	for rect: Rect2 in [Rect2(NAN, 0.0, 1.0, 1.0), Rect2(0.0, 0.0, -1.0, 1.0)]:
		expect_error(["EnemySwarm.view_rect"], func() -> void: swarm.set(&"view_rect", rect))
	check_eq(swarm.view_rect, Rect2(), "unchanged")
	for margin: float in [-1.0, NAN, INF]:
		expect_error(["EnemySwarm.view_margin"], func() -> void: swarm.set(&"view_margin", margin))
	check_eq(swarm.view_margin, 0.0, "unchanged")
	for fraction: float in [-0.5, 1.5, NAN]:
		expect_error(
			["EnemySwarm.draw_agents", "fraction"], func() -> void: swarm.draw_agents(fraction)
		)
