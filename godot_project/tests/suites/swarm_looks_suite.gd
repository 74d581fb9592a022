extends "res://tests/test_suite.gd"
## EnemySwarm: colours, and what shaders read of agents.

const COUNT := 12

var swarm: EnemySwarm
var output: MultiMeshInstance2D
var ids: PackedInt64Array


func _crowd(preset := EnemySwarm.CUSTOM_NONE) -> void:
	var manager := new_manager(Vector2i(40, 30))
	swarm = new_swarm(manager, new_goal(manager, Vector2i(38, 15)))
	output = MultiMeshInstance2D.new()
	scene.add_child(output)
	swarm.output = output
	swarm.custom_data_preset = preset
	var places := PackedVector2Array()
	for i in COUNT:
		places.append(Vector2(40.0 + 10.0 * (i % 4), 100.0 + 10.0 * (i / 4)))
	ids = swarm.spawn_many(places)
	swarm.step(1.0 / 60.0)


## The last four numbers of each instance.
func _tails() -> Array[Color]:
	var stride := output.multimesh.buffer.size() / output.multimesh.instance_count
	var tails: Array[Color] = []
	for i in output.multimesh.visible_instance_count:
		var end := (i + 1) * stride
		var four := output.multimesh.buffer.slice(end - 4, end)
		tails.append(Color(four[0], four[1], four[2], four[3]))
	return tails


func test_white_crowds_have_no_colors_and_colored_ones_keep_theirs() -> void:
	_crowd()
	check(not output.multimesh.use_colors, "no colours")
	check_eq(output.multimesh.buffer.size(), output.multimesh.instance_count * 8, "stride")
	swarm.group_colors = [Color.RED]
	swarm.step(1.0 / 60.0)
	check(output.multimesh.use_colors, "colours")
	check_eq(output.multimesh.buffer.size(), output.multimesh.instance_count * 12, "stride")
	check_eq(output.multimesh.visible_instance_count, COUNT, "all are drawn")
	check_eq(_tails()[3], Color.RED, "red")
	swarm.group_colors = []
	swarm.step(1.0 / 60.0)
	check(output.multimesh.use_colors, "no second change of the layout")
	check_eq(_tails()[3], Color.WHITE, "white")


func test_colors_of_type_state_and_group_are_multiplied() -> void:
	_crowd()
	var type := SwarmAgentType.new()
	type.color = Color(0.5, 1.0, 1.0)
	swarm.agent_types = [type]
	swarm.state_colors = [Color.WHITE, Color(1.0, 0.5, 1.0)]
	swarm.group_colors = [Color.WHITE, Color(1.0, 1.0, 0.25, 0.5)]
	swarm.set_agent_state(ids.slice(0, 1), EnemySwarm.AGENT_IDLE)
	swarm.spawn(Vector2(300.0, 300.0), 0, 1)
	swarm.step(1.0 / 60.0)
	var colors := _tails()
	check_eq(colors[0], Color(0.5, 0.5, 1.0, 1.0), "idle")
	check_eq(colors[1], Color(0.5, 1.0, 1.0, 1.0), "following")
	check_eq(colors[COUNT], Color(0.5, 1.0, 0.25, 0.5), "the other group")


func test_an_invisible_swarm_moves_and_is_not_drawn() -> void:
	_crowd()
	check_eq(output.multimesh.visible_instance_count, swarm.get_agent_count(), "all are drawn")
	swarm.visible = false
	check_eq(output.multimesh.visible_instance_count, 0, "hidden at once")
	swarm.set_agent_state(ids.slice(0, 1), EnemySwarm.AGENT_SCRIPTED)
	swarm.set_scripted_velocities(ids.slice(0, 1), [Vector2(60.0, 0.0)])
	var before := swarm.get_agent_position(ids[0])
	steps(swarm, 10)
	check(swarm.get_agent_position(ids[0]).x > before.x + 5.0, "they move on")
	swarm.draw_agents()
	check_eq(output.multimesh.visible_instance_count, 0, "still hidden")
	swarm.visible = true
	swarm.draw_agents()
	check_eq(output.multimesh.visible_instance_count, swarm.get_agent_count(), "drawn again")


func _red(_index: int) -> Color:
	return Color.RED


func test_bad_colors_are_refused() -> void:
	_crowd()
	swarm.state_colors = [Color.RED]
	expect_error(
		["EnemySwarm.state_colors", "6"],
		func() -> void: swarm.set(&"state_colors", PackedColorArray(range(6).map(_red)))
	)
	check_eq(swarm.state_colors, PackedColorArray([Color.RED]), "unchanged")
	var many := PackedColorArray()
	many.resize(257)
	expect_error(
		["EnemySwarm.group_colors", "257"], func() -> void: swarm.set(&"group_colors", many)
	)
	expect_error(
		["EnemySwarm.group_colors", "color"],
		func() -> void: swarm.group_colors = [Color(NAN, 0.0, 0.0)]
	)
	check_eq(swarm.group_colors, PackedColorArray(), "unchanged")


func test_sprites_know_direction_speed_and_clip() -> void:
	_crowd(EnemySwarm.CUSTOM_SPRITE)
	swarm.set_agent_state(ids, EnemySwarm.AGENT_SCRIPTED)
	var velocities := PackedVector2Array()
	velocities.resize(COUNT)
	velocities.fill(Vector2(0.0, -30.0))
	swarm.set_scripted_velocities(ids, velocities)
	swarm.set_user_ints(ids.slice(2, 3), [5])
	steps(swarm, 60)
	var shown := _tails()
	for i in COUNT:
		check(shown[i].r >= 0.0 and shown[i].r < 1.0, "phase %f" % shown[i].r)
		check_near(shown[i].g, 0.75, 0.01, "turned up")
		check_near(shown[i].b, 0.5, 0.01, "at half the speed")
		check_eq(shown[i].a, 5.0 if i == 2 else 0.0, "clip")


func test_the_walk_follows_the_way() -> void:
	_crowd(EnemySwarm.CUSTOM_SPRITE)
	swarm.walk_cycle = 2.5
	swarm.set_agent_state(ids, EnemySwarm.AGENT_SCRIPTED)
	var velocities := PackedVector2Array()
	velocities.resize(COUNT)
	velocities.fill(Vector2(60.0, 0.0))
	swarm.set_scripted_velocities(ids, velocities)
	steps(swarm, 2)
	var before := _tails()
	# A sixth of a second is 10 px, half of 2.5 diameters of 8 px.
	steps(swarm, 10)
	var after := _tails()
	var distinct := {}
	for i in COUNT:
		check_near(fposmod(after[i].r - before[i].r, 1.0), 0.5, 0.01, "half a cycle")
		distinct[snappedf(before[i].r, 0.01)] = true
	check(distinct.size() > COUNT / 2, "they do not walk in step")


func test_vertices_and_user_columns() -> void:
	_crowd(EnemySwarm.CUSTOM_VERTICES)
	swarm.set_user_ints(ids, PackedInt32Array(range(COUNT)))
	swarm.set_user_floats(ids.slice(4, 5), [0.25])
	swarm.set_user_ints(ids.slice(4, 5), [-9], 1)
	swarm.set_user_floats(ids.slice(4, 5), [1.5], 1)
	swarm.step(1.0 / 60.0)
	check_eq(_tails()[4].b, 4.0, "clip")
	check_eq(_tails()[4].a, 0.25, "user float")
	check_eq(_tails()[5].a, 0.0, "another's")
	swarm.custom_data_preset = EnemySwarm.CUSTOM_USER
	swarm.step(1.0 / 60.0)
	check_eq(_tails()[4], Color(0.25, 1.5, 4.0, -9.0), "columns")


func test_in_3d_custom_data_brings_colors() -> void:
	_crowd(EnemySwarm.CUSTOM_MOTION)
	check(not output.multimesh.use_colors, "none in 2D")
	var solid := MultiMeshInstance3D.new()
	scene.add_child(solid)
	swarm.output = solid
	swarm.step(1.0 / 60.0)
	check(solid.multimesh.use_colors, "the Compatibility renderer needs them")
	check_eq(solid.multimesh.buffer.size(), solid.multimesh.instance_count * 20, "stride")


func test_a_walk_cycle_must_be_positive() -> void:
	_crowd()
	for value: float in [0.0, -1.0, NAN, INF]:
		expect_error(
			["EnemySwarm.walk_cycle", "walk_cycle"], func() -> void: swarm.set(&"walk_cycle", value)
		)
	check_eq(swarm.walk_cycle, 4.0, "unchanged")


func test_sprites_get_an_upright_square() -> void:
	var manager := new_manager()
	swarm = new_swarm(manager)
	swarm.custom_data_preset = EnemySwarm.CUSTOM_SPRITE
	swarm.spawn(Vector2(40.0, 40.0))
	swarm.step(1.0 / 60.0)
	var mesh := (swarm.output as MultiMeshInstance2D).multimesh.mesh
	var arrays := mesh.surface_get_arrays(0)
	var points: PackedVector2Array = arrays[Mesh.ARRAY_VERTEX]
	var uvs: PackedVector2Array = arrays[Mesh.ARRAY_TEX_UV]
	for i in points.size():
		check_near_vector(points[i] + Vector2(0.5, 0.5), uvs[i], 1e-5, "corner %d" % i)


func test_the_shipped_shaders_compile() -> void:
	for name: String in ["sprite_sheet", "vertex_animation", "impostor", "character"]:
		var shader := load("res://addons/flow_swarm/shaders/%s.gdshader" % name) as Shader
		check(shader.get_shader_uniform_list().size() > 2, "%s has uniforms" % name)


func test_several_swarms_share_a_manager() -> void:
	_crowd()
	var second_output := MultiMeshInstance3D.new()
	scene.add_child(second_output)
	var second := EnemySwarm.new()
	second.manager = swarm.manager
	second.auto_step = false
	second.output = second_output
	second.random_seed = 5
	scene.add_child(second)
	var type := SwarmAgentType.new()
	type.radius = 2.0
	second.agent_types = [type]
	second.set_group_goal(0, new_goal(swarm.manager, Vector2i(1, 1)))
	var others := second.spawn_many([Vector2(500.0, 400.0), Vector2(520.0, 400.0)])
	var first_before := swarm.get_positions()
	var second_before := second.get_positions()
	for i in 30:
		swarm.step(1.0 / 60.0)
		second.step(1.0 / 60.0)
	check(swarm.get_positions()[0].x > first_before[0].x, "the first goes right")
	check(second.get_positions()[0].x < second_before[0].x, "the second goes left")
	check_eq(output.multimesh.visible_instance_count, COUNT, "the first is drawn")
	check_eq(second_output.multimesh.visible_instance_count, 2, "the second too")
	check_eq(second_output.multimesh.transform_format, MultiMesh.TRANSFORM_3D, "in its format")
	check_eq(swarm.query_circle(Vector2(500.0, 400.0), 100.0).size(), 0, "each has its own agents")
	check_eq(second.query_circle(second.get_positions()[0], 100.0).size(), others.size(), "its own")
	second.free()
	var walked := swarm.get_positions()
	steps(swarm, 10)
	check(swarm.get_positions() != walked, "one goes, the other stays")
