extends "res://tests/test_suite.gd"
## What the editor warns about beside a node.

const SPRITE_SHEET: Shader = preload("res://addons/flow_swarm/shaders/sprite_sheet.gdshader")


func test_a_manager_with_defaults_has_nothing_to_warn_about() -> void:
	check_eq(new_manager().get_setup_warnings().size(), 0, "warnings")


func test_a_manager_warns_of_a_terrain_of_another_size() -> void:
	var manager := new_manager(Vector2i(4, 4))
	manager.terrain = FlowTerrain.new()
	var warnings := manager.get_setup_warnings()
	check_eq(warnings.size(), 1, "warnings")
	check(warnings[0].contains("(64, 64)") and warnings[0].contains("(4, 4)"), warnings[0])
	manager.terrain.size = Vector2i(4, 4)
	check_eq(manager.get_setup_warnings().size(), 0, "warnings once the sizes agree")


func test_a_manager_warns_of_a_grid_too_far_from_the_origin() -> void:
	var manager := new_manager()
	manager.origin = Vector2(1.0e7, 0)
	var warnings := manager.get_setup_warnings()
	check_eq(warnings.size(), 1, "warnings")
	check(warnings[0].contains("grid"), warnings[0])


func test_a_swarm_warns_while_it_has_no_manager() -> void:
	var swarm := EnemySwarm.new()
	scene.add_child(swarm)
	var warnings := swarm.get_setup_warnings()
	check_eq(warnings.size(), 1, "warnings")
	check(warnings[0].contains("manager"), warnings[0])
	var manager := new_manager()
	swarm.manager = manager
	check_eq(swarm.get_setup_warnings().size(), 0, "warnings with a manager")
	manager.free()
	check_eq(swarm.get_setup_warnings().size(), 1, "warnings once it is freed")


func test_a_swarm_warns_of_agents_that_do_not_fit() -> void:
	var manager := new_manager()
	var swarm := new_swarm(manager)
	var small := SwarmAgentType.new()
	small.radius = 8.0
	var large := SwarmAgentType.new()
	large.radius = 8.5
	large.movement_type = 1
	manager.movement_types = [FlowMovementType.new(), FlowMovementType.new()]
	swarm.agent_types = [small, large]
	var warnings := swarm.get_setup_warnings()
	check_eq(warnings.size(), 1, "warnings")
	for word: String in ["type 1", "8.5", "clearance_radius"]:
		check(warnings[0].contains(word), warnings[0])
	var type := FlowMovementType.new()
	type.clearance_radius = 8.5
	manager.movement_types = [null, type]
	check_eq(swarm.get_setup_warnings().size(), 0, "warnings with room for both")


func _warning_with(warnings: PackedStringArray, words: Array[String]) -> void:
	check_eq(warnings.size(), 1, "warnings %s" % warnings)
	for word: String in words:
		check(warnings.size() == 1 and warnings[0].contains(word), "%s in %s" % [word, warnings])


func test_a_swarm_warns_of_types_that_are_missing() -> void:
	var manager := new_manager()
	var swarm := new_swarm(manager)
	swarm.agent_types = [SwarmAgentType.new(), null]
	_warning_with(swarm.get_setup_warnings(), ["agent_types[1]", "empty"])
	var type := SwarmAgentType.new()
	type.movement_type = 3
	swarm.agent_types = [type]
	_warning_with(swarm.get_setup_warnings(), ["type 0", "movement_type 3", "1"])
	swarm.spawn(Vector2(40, 40))
	# At run time too, once.
	var step_twice := func() -> void: steps(swarm, 2)
	expect_error(["EnemySwarm.step", "movement", "3"], step_twice)
	manager.movement_types = [null]
	_warning_with(manager.get_setup_warnings(), ["movement_types[0]", "empty"])


func test_a_swarm_warns_of_agents_that_see_too_little() -> void:
	var swarm := new_swarm(new_manager())
	var type := SwarmAgentType.new()
	type.avoidance = SwarmAgentType.AVOIDANCE_ORCA
	type.radius = 7.0
	type.neighbour_radius = 14.0
	swarm.agent_types = [type]
	_warning_with(swarm.get_setup_warnings(), ["neighbour_radius", "14", "7"])
	type.neighbour_radius = 14.1
	check_eq(swarm.get_setup_warnings().size(), 0, "a little more")


func test_a_swarm_warns_in_3d_without_a_3d_output() -> void:
	var space := Node3D.new()
	scene.add_child(space)
	var swarm := EnemySwarm.new()
	swarm.manager = new_manager()
	space.add_child(swarm)
	_warning_with(swarm.get_setup_warnings(), ["3D", "MultiMeshInstance3D"])
	var output := MultiMeshInstance3D.new()
	space.add_child(output)
	swarm.output = output
	_warning_with(swarm.get_setup_warnings(), ["no mesh", "capsule"])
	output.multimesh = MultiMesh.new()
	_warning_with(swarm.get_setup_warnings(), ["no mesh"])
	output.multimesh.mesh = BoxMesh.new()
	check_eq(swarm.get_setup_warnings().size(), 0, "with a mesh")
	output.position.y = 2.0
	_warning_with(swarm.get_setup_warnings(), ["moved"])


func test_a_3d_scene_that_is_drawn_in_2d_is_told_once() -> void:
	var space := Node3D.new()
	scene.add_child(space)
	var make := func(output: Node) -> void:
		var swarm := EnemySwarm.new()
		swarm.manager = new_manager()
		space.add_child(swarm)
		# As the script of a parent does in its _ready().
		if output != null:
			space.add_child(output)
			swarm.output = output
		await physics_frames(5)
	var words: Array[String] = ["EnemySwarm.output", "3D", "MultiMeshInstance3D"]
	await expect_warnings(1, words, make.bind(null))
	await expect_warnings(0, words, make.bind(MultiMeshInstance3D.new()))
	await expect_warnings(0, words, make.bind(MultiMeshInstance2D.new()))


func test_an_output_needs_no_mesh_if_all_types_have_one() -> void:
	for canvas: Node in [MultiMeshInstance2D.new(), MultiMeshInstance3D.new()]:
		var swarm := new_swarm(new_manager())
		scene.add_child(canvas)
		canvas.set(&"multimesh", MultiMesh.new())
		swarm.output = canvas
		var type := SwarmAgentType.new()
		type.look = SwarmLook.new()
		swarm.agent_types = [type]
		_warning_with(swarm.get_setup_warnings(), ["no mesh"])
		type.look.mesh = BoxMesh.new()
		check_eq(swarm.get_setup_warnings().size(), 0, "the look has a mesh")
		swarm.agent_types = [type, SwarmAgentType.new()]
		_warning_with(swarm.get_setup_warnings(), ["no mesh"])
		# Managers over the same ground are warned of.
		var manager := swarm.manager
		swarm.free()
		manager.free()


func test_a_swarm_warns_of_clips_that_no_shader_is_told_of() -> void:
	var swarm := new_swarm(new_manager())
	var type := SwarmAgentType.new()
	type.look = SwarmLook.new()
	type.look.clips = SwarmClips.new()
	type.look.clips.names = ["hit"]
	type.look.clips.lengths = [1.0]
	var material := ShaderMaterial.new()
	material.shader = SPRITE_SHEET
	type.look.material = material
	swarm.agent_types = [type]
	_warning_with(swarm.get_setup_warnings(), ["clips", "CUSTOM_CHARACTER"])
	var ids := swarm.spawn_many([Vector2(40, 40)])
	var play := func() -> void: check_eq(swarm.play_clip(ids, "hit"), OK, "played")
	var words: Array[String] = ["EnemySwarm.play_clip", "CUSTOM_CHARACTER"]
	await expect_warnings(1, words, play)
	await expect_warnings(0, words, play)
	swarm.custom_data_preset = EnemySwarm.CUSTOM_CHARACTER
	check_eq(swarm.get_setup_warnings().size(), 0, "with the preset")
	await expect_warnings(0, words, play)
	swarm.custom_data_preset = EnemySwarm.CUSTOM_USER
	await expect_warnings(1, words, play)


func test_a_canvas_between_means_2d() -> void:
	var space := Node3D.new()
	var canvas := Node2D.new()
	scene.add_child(space)
	space.add_child(canvas)
	var swarm := EnemySwarm.new()
	swarm.manager = new_manager()
	canvas.add_child(swarm)
	check_eq(swarm.get_setup_warnings().size(), 0, "warnings")


func test_a_swarm_warns_of_an_output_below_a_moved_parent() -> void:
	var swarm := new_swarm(new_manager())
	var mover := Node2D.new()
	mover.position = Vector2(100.0, 50.0)
	scene.add_child(mover)
	var output := MultiMeshInstance2D.new()
	mover.add_child(output)
	swarm.output = output
	_warning_with(swarm.get_setup_warnings(), ["moved", "world units"])
	mover.position = Vector2.ZERO
	check_eq(swarm.get_setup_warnings().size(), 0, "not moved")


func test_swarms_warn_of_an_output_that_they_share() -> void:
	var manager := new_manager()
	var output := MultiMeshInstance2D.new()
	scene.add_child(output)
	var swarms: Array[EnemySwarm] = [new_swarm(manager), new_swarm(manager)]
	for swarm: EnemySwarm in swarms:
		check_eq(swarm.get_setup_warnings().size(), 0, "one of its own each")
		swarm.output = output
	for swarm: EnemySwarm in swarms:
		_warning_with(swarm.get_setup_warnings(), ["another EnemySwarm"])


func test_a_swarm_warns_of_shaders_that_get_no_custom_data() -> void:
	var swarm := new_swarm(new_manager())
	var material := ShaderMaterial.new()
	material.shader = SPRITE_SHEET
	(swarm.output as MultiMeshInstance2D).material = material
	_warning_with(swarm.get_setup_warnings(), ["INSTANCE_CUSTOM", "custom_data_preset"])
	swarm.custom_data_preset = EnemySwarm.CUSTOM_SPRITE
	check_eq(swarm.get_setup_warnings().size(), 0, "with a preset")
	material.shader = Shader.new()
	material.shader.code = "shader_type canvas_item;"
	swarm.custom_data_preset = EnemySwarm.CUSTOM_NONE
	check_eq(swarm.get_setup_warnings().size(), 0, "a shader that reads none")


func test_a_manager_warns_of_another_one_over_the_same_ground() -> void:
	var one := new_manager(Vector2i(4, 4), 10.0)
	var two := new_manager(Vector2i(4, 4), 10.0)
	for manager: FlowFieldManager in [one, two]:
		_warning_with(manager.get_setup_warnings(), ["another FlowFieldManager", "manager"])
	two.origin = Vector2(40.0, 0.0)
	for manager: FlowFieldManager in [one, two]:
		check_eq(manager.get_setup_warnings().size(), 0, "beside each other")


func test_a_manager_does_not_warn_of_a_debug_view_in_3d() -> void:
	var space := Node3D.new()
	scene.add_child(space)
	var manager := FlowFieldManager.new()
	space.add_child(manager)
	check_eq(manager.get_setup_warnings().size(), 0, "without one")
	manager.debug_view = FlowFieldManager.DEBUG_COST
	check_eq(manager.get_setup_warnings().size(), 0, "it is draped over the ground")
