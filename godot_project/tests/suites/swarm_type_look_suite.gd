extends "res://tests/test_suite.gd"
## SwarmAgentType.look: which node draws which agents, and with what.

const COUNT := 12

var manager: FlowFieldManager
var swarm: EnemySwarm
var output: Node
var looks: Array[SwarmLook]


## Types 0 (without a look), 1 and 2 (with looks), each with COUNT agents.
func _crowd(canvas: Node) -> void:
	manager = new_manager(Vector2i(40, 30))
	output = canvas
	scene.add_child(output)
	swarm = new_swarm(manager)
	swarm.output = output
	looks = [_look(), _look()]
	var types: Array[SwarmAgentType] = []
	for look: SwarmLook in [null, looks[0], looks[1]]:
		var type := SwarmAgentType.new()
		type.look = look
		types.append(type)
	swarm.agent_types = types
	_spawn(swarm)
	swarm.step(1.0 / 60.0)


func _spawn(crowd: EnemySwarm) -> void:
	for kind in 3:
		for i in COUNT:
			var place := Vector2(40.0 + 20.0 * i, 60.0 + 100.0 * kind)
			var ids := crowd.spawn_many([place], kind)
			crowd.set_agent_state(ids, EnemySwarm.AGENT_IDLE)


func _look() -> SwarmLook:
	var look := SwarmLook.new()
	look.mesh = BoxMesh.new()
	look.material = CanvasItemMaterial.new()
	look.texture = GradientTexture2D.new()
	return look


## The counts by MultiMesh.
func _counts(crowd := swarm) -> Array[int]:
	var counts: Array[int] = []
	for drawn: Dictionary in crowd.get_drawn_counts():
		counts.append(drawn["count"])
		check_eq(
			(drawn["node"].multimesh as MultiMesh).visible_instance_count, drawn["count"], "visible"
		)
	return counts


func _node(channel: int) -> Node:
	return swarm.get_drawn_counts()[channel]["node"]


func _nodes_below(parent: Node) -> Array[Node]:
	var nodes: Array[Node] = []
	for node: Node in parent.get_children(true):
		if not node.is_queued_for_deletion():
			nodes.append(node)
	return nodes


## The positions of the instances of a channel, in the plane.
func _places(channel: int) -> Array[Vector2]:
	var mesh: MultiMesh = _node(channel).get(&"multimesh")
	var stride := mesh.buffer.size() / mesh.instance_count
	var in_3d := mesh.transform_format == MultiMesh.TRANSFORM_3D
	var places: Array[Vector2] = []
	for i in mesh.visible_instance_count:
		var y := mesh.buffer[i * stride + (11 if in_3d else 7)]
		places.append(Vector2(mesh.buffer[i * stride + 3], y))
	return places


func test_types_with_looks_are_drawn_by_nodes_of_their_own() -> void:
	for canvas: Node in [MultiMeshInstance2D.new(), MultiMeshInstance3D.new()]:
		_crowd(canvas)
		check_eq(_counts(), [COUNT, COUNT, COUNT] as Array[int], "counts")
		check(_node(0) == output, "agents without a look are drawn by the output")
		for kind in 3:
			for place: Vector2 in _places(kind):
				check_near(place.y, 60.0 + 100.0 * kind, 1.0, "type %d" % kind)
			check_eq(_places(kind).size(), COUNT, "type %d" % kind)
		for i in 2:
			var node := _node(i + 1)
			check(node.get_parent() == output, "a child of the output")
			check_eq(node.get_class(), output.get_class(), "of its class")
			var mesh: MultiMesh = node.get(&"multimesh")
			check(mesh.mesh == looks[i].mesh, "mesh")
			if node is MultiMeshInstance2D:
				check((node as MultiMeshInstance2D).material == looks[i].material, "material")
				check((node as MultiMeshInstance2D).texture == looks[i].texture, "texture")
			else:
				var solid := node as MultiMeshInstance3D
				check(solid.material_override == looks[i].material, "material")
				check(mesh.custom_aabb.has_point(Vector3(50.0, 0.0, 50.0)), "bounds")
			check(swarm.get_drawn_counts()[i + 1]["look"] == looks[i], "look")
		check_eq(output.get_children().size(), 0, "nodes of looks are internal")
		swarm.free()
		check_eq(canvas.get(&"multimesh").visible_instance_count, 0, "hidden")
		await scene.get_tree().process_frame
		check_eq(canvas.get_child_count(true), 0, "a swarm that goes takes its nodes with it")


func test_a_look_changes_and_keeps_its_node() -> void:
	_crowd(MultiMeshInstance3D.new())
	var node := _node(1) as MultiMeshInstance3D
	looks[0].mesh = SphereMesh.new()
	looks[0].material = StandardMaterial3D.new()
	swarm.step(1.0 / 60.0)
	check(_node(1) == node, "the same node")
	check(node.multimesh.mesh == looks[0].mesh, "another mesh")
	check(node.material_override == looks[0].material, "another material")
	looks[0].mesh = null
	looks[0].material = null
	var mesh := (output as MultiMeshInstance3D).multimesh.mesh
	(output as MultiMeshInstance3D).material_override = StandardMaterial3D.new()
	swarm.step(1.0 / 60.0)
	check(mesh != null and node.multimesh.mesh == mesh, "without a mesh that of the output")
	check(node.material_override == output.get(&"material_override"), "with its material")


func test_in_2d_looks_without_material_and_texture_have_those_of_the_output() -> void:
	_crowd(MultiMeshInstance2D.new())
	looks[0].material = null
	looks[0].texture = null
	(output as MultiMeshInstance2D).texture = GradientTexture2D.new()
	swarm.step(1.0 / 60.0)
	var node := _node(1) as MultiMeshInstance2D
	check(node.use_parent_material and node.material == null, "material of the parent")
	check(node.texture == (output as MultiMeshInstance2D).texture, "texture")
	check(not (_node(2) as MultiMeshInstance2D).use_parent_material, "the other has its own")


func test_types_share_a_look_and_lose_it() -> void:
	_crowd(MultiMeshInstance2D.new())
	var types := swarm.agent_types
	types[2].look = looks[0]
	swarm.step(1.0 / 60.0)
	check_eq(_counts(), [COUNT, 2 * COUNT] as Array[int], "shared")
	var weak: WeakRef = weakref(looks[1])
	looks.clear()
	types[1].look = null
	swarm.step(1.0 / 60.0)
	check(weak.get_ref() == null, "a look that no type has is freed")
	check_eq(_counts(), [2 * COUNT, COUNT] as Array[int], "one has none")
	types[2].look = null
	swarm.step(1.0 / 60.0)
	check_eq(_counts(), [3 * COUNT] as Array[int], "none has one")
	check_eq(_nodes_below(output).size(), 0, "no nodes are left")
	types[0].look = _look()
	swarm.step(1.0 / 60.0)
	check_eq(_counts(), [2 * COUNT, COUNT] as Array[int], "a new one")
	swarm.agent_types = [types[1], types[2], types[0]]
	swarm.step(1.0 / 60.0)
	check_eq(_counts(), [2 * COUNT, COUNT] as Array[int], "of another type")
	check_near(_places(1)[0].y, 260.0, 1.0, "type 2")


func test_nodes_follow_the_output() -> void:
	_crowd(MultiMeshInstance3D.new())
	var solid := output as MultiMeshInstance3D
	solid.layers = 6
	solid.cast_shadow = GeometryInstance3D.SHADOW_CASTING_SETTING_OFF
	solid.transparency = 0.25
	solid.gi_mode = GeometryInstance3D.GI_MODE_DISABLED
	swarm.step(1.0 / 60.0)
	var node := _node(1) as MultiMeshInstance3D
	check_eq(node.layers, 6, "layers")
	check_eq(node.cast_shadow, GeometryInstance3D.SHADOW_CASTING_SETTING_OFF, "shadows")
	check_near(node.transparency, 0.25, 1e-6, "transparency")
	check_eq(node.gi_mode, GeometryInstance3D.GI_MODE_DISABLED, "global illumination")
	solid.visible = false
	check(not node.is_visible_in_tree(), "visibility")
	var flat := MultiMeshInstance2D.new()
	flat.light_mask = 4
	flat.visibility_layer = 8
	flat.self_modulate = Color.RED
	scene.add_child(flat)
	swarm.output = flat
	swarm.step(1.0 / 60.0)
	var child := _node(2) as MultiMeshInstance2D
	check(child != null and child.get_parent() == flat, "a new output has new nodes")
	check_eq(_nodes_below(solid).size(), 0, "the old one none")
	check_eq([child.light_mask, child.visibility_layer], [4, 8], "masks")
	check_eq(child.self_modulate, Color.RED, "colour")


func test_a_second_scene_draws_for_itself() -> void:
	var saved := Node.new()
	scene.add_child(saved)
	_crowd(MultiMeshInstance3D.new())
	for node: Node in [manager, output, swarm]:
		node.reparent(saved)
		node.owner = saved
	swarm.step(1.0 / 60.0)
	var packed := PackedScene.new()
	packed.pack(saved)
	var second := packed.instantiate()
	scene.add_child(second)
	await scene.get_tree().process_frame
	var twins_output := second.get_child(1)
	check_eq(twins_output.get_child_count(true), 0, "nodes of looks are not saved")
	_check_twin(second.get_child(2) as EnemySwarm)
	check(_node(0) == output, "each has its own output")
	second.free()
	swarm.step(1.0 / 60.0)
	check_eq(_counts(), [COUNT, COUNT, COUNT] as Array[int], "the first stays")


func test_a_duplicate_draws_for_itself() -> void:
	_crowd(MultiMeshInstance2D.new())
	swarm.output = null
	swarm.free()
	swarm = new_swarm(manager)
	var type := SwarmAgentType.new()
	swarm.agent_types = [type, SwarmAgentType.new(), SwarmAgentType.new()]
	for i in 2:
		swarm.agent_types[i + 1].look = looks[i]
	_spawn(swarm)
	swarm.step(1.0 / 60.0)
	check_eq(_counts(), [COUNT, COUNT, COUNT] as Array[int], "in an output that it has made")
	var twin := swarm.duplicate() as EnemySwarm
	scene.add_child(twin)
	await scene.get_tree().process_frame
	await scene.get_tree().process_frame
	_check_twin(twin)


## Whether a copy of the swarm draws agents of its own, by nodes of its own.
func _check_twin(twin: EnemySwarm) -> void:
	_spawn(twin)
	twin.spawn(Vector2(300.0, 300.0), 2)
	twin.step(1.0 / 60.0)
	swarm.step(1.0 / 60.0)
	check_eq(_counts(twin), [COUNT, COUNT, COUNT + 1] as Array[int], "the second")
	check_eq(_counts(), [COUNT, COUNT, COUNT] as Array[int], "the first")
	for channel in 3:
		var node: Node = twin.get_drawn_counts()[channel]["node"]
		check(node != _node(channel), "nodes of its own")
		check(node.get(&"multimesh") != _node(channel).get(&"multimesh"), "own MultiMeshes")
	check_eq(_nodes_below(twin.output).size(), 2, "one for each look")


func test_hidden_swarms_and_freed_managers_hide_looks() -> void:
	_crowd(MultiMeshInstance2D.new())
	swarm.visible = false
	check_eq(_counts(), [0, 0, 0] as Array[int], "hidden")
	swarm.visible = true
	swarm.step(1.0 / 60.0)
	check_eq(_counts(), [COUNT, COUNT, COUNT] as Array[int], "shown")
	manager.free()
	expect_error(["the manager has been freed"], func() -> void: swarm.step(1.0 / 60.0))
	check_eq(_counts(), [0, 0, 0] as Array[int], "without a manager")
	swarm.manager = new_manager(Vector2i(40, 30))
	swarm.step(1.0 / 60.0)
	check_eq(_counts(), [COUNT, COUNT, COUNT] as Array[int], "drawn again")
	swarm.clear()
	swarm.step(1.0 / 60.0)
	check_eq(_counts(), [0, 0, 0] as Array[int], "empty")


func test_nodes_that_scripts_free_or_change_are_made_anew() -> void:
	_crowd(MultiMeshInstance2D.new())
	_node(1).free()
	swarm.step(1.0 / 60.0)
	check_eq(_counts(), [COUNT, COUNT, COUNT] as Array[int], "freed")
	_node(2).set(&"multimesh", null)
	swarm.step(1.0 / 60.0)
	check_eq(_counts(), [COUNT, COUNT, COUNT] as Array[int], "without a MultiMesh")
	check_eq(_nodes_below(output).size(), 2, "no more nodes than looks")


func test_handlers_may_free_what_is_drawn() -> void:
	_crowd(MultiMeshInstance2D.new())
	var multimesh: MultiMesh = _node(1).get(&"multimesh")
	var free_swarm := func() -> void: swarm.free()
	multimesh.changed.connect(free_swarm, CONNECT_ONE_SHOT)
	for i in 100:
		swarm.spawn(Vector2(40.0 + 5.0 * i, 300.0), 1)
	swarm.step(1.0 / 60.0)
	check(not is_instance_valid(swarm), "the swarm is freed")
	_crowd(MultiMeshInstance2D.new())
	var old := output
	var replace_output := func(_node: Node) -> void: swarm.output = null
	old.child_entered_tree.connect(replace_output, CONNECT_ONE_SHOT)
	swarm.agent_types[0].look = _look()
	swarm.step(1.0 / 60.0)
	check_eq(swarm.get_drawn_counts().size(), 0, "no output any more")
	check_eq(_nodes_below(old).size(), 0, "no node is left")
	swarm.output = old
	swarm.step(1.0 / 60.0)
	check_eq(_counts(), [0, COUNT, COUNT, COUNT] as Array[int], "drawn again")
	looks[0].mesh = SphereMesh.new()
	old.free()
	var draw := func() -> void: swarm.step(1.0 / 60.0)
	expect_error(["the output node has been freed"], draw)


func test_shaders_of_looks_need_custom_data() -> void:
	_crowd(MultiMeshInstance2D.new())
	var material := ShaderMaterial.new()
	material.shader = load("res://addons/flow_swarm/shaders/sprite_sheet.gdshader")
	looks[1].material = material
	var warnings := "\n".join(swarm.get_setup_warnings())
	check(warnings.contains("look of agent type 2 reads INSTANCE_CUSTOM"), warnings)
	swarm.custom_data_preset = EnemySwarm.CUSTOM_SPRITE
	swarm.step(1.0 / 60.0)
	warnings = "\n".join(swarm.get_setup_warnings())
	check(not warnings.contains("INSTANCE_CUSTOM"), "with custom data: %s" % warnings)
	for channel in 3:
		check((_node(channel).get(&"multimesh") as MultiMesh).use_custom_data, "for all looks")


func test_y_order_holds_within_each_look() -> void:
	_crowd(MultiMeshInstance2D.new())
	swarm.y_sort = true
	var random := RandomNumberGenerator.new()
	for id: int in swarm.get_ids():
		var place := Vector2(random.randf_range(30, 600), random.randf_range(30, 400))
		swarm.set_agent_positions([id], [place])
	swarm.draw_agents()
	for channel in 3:
		var places := _places(channel)
		check_eq(places.size(), COUNT, "all")
		for i in range(1, places.size()):
			check(places[i - 1].y <= places[i].y + 0.01, "sorted")


## The widths of the instances of a channel.
func _widths(channel: int) -> Array[float]:
	var mesh: MultiMesh = _node(channel).get(&"multimesh")
	var stride := mesh.buffer.size() / mesh.instance_count
	var widths: Array[float] = []
	for i in mesh.visible_instance_count:
		widths.append(Vector2(mesh.buffer[i * stride], mesh.buffer[i * stride + 4]).length())
	return widths


func test_a_look_may_have_a_size_of_its_own() -> void:
	_crowd(MultiMeshInstance2D.new())
	check_eq(looks[0].instance_size, 0.0, "by default that of the swarm")
	swarm.instance_size = 1.5
	looks[1].instance_size = 4.0
	swarm.step(1.0 / 60.0)
	for channel in 3:
		for width: float in _widths(channel):
			check_near(width, 8.0 * [1.5, 1.5, 4.0][channel], 1e-3, "channel %d" % channel)
	looks[1].instance_size = 0.0
	swarm.step(1.0 / 60.0)
	check_near(_widths(2)[0], 8.0 * 1.5, 1e-3, "that of the swarm again")
	for size: float in [-1.0, NAN, INF, 2.0e6]:
		expect_error(
			["SwarmLook.instance_size", "1000000"],
			func() -> void: looks[1].set(&"instance_size", size)
		)
	check_eq(looks[1].instance_size, 0.0, "unchanged")


func test_bounds_have_room_for_large_and_tall_instances() -> void:
	_crowd(MultiMeshInstance3D.new())
	var tall := BoxMesh.new()
	tall.size = Vector3(1.0, 6.0, 1.0)
	looks[1].mesh = tall
	looks[1].instance_size = 2.0
	var ids := swarm.get_ids()
	swarm.set_agent_scales(ids.slice(2 * COUNT, 2 * COUNT + 1), [3.0])
	swarm.step(1.0 / 60.0)
	var bounds: AABB = (_node(2).get(&"multimesh") as MultiMesh).custom_aabb
	# 16 px wide, three times as large, and six times as tall.
	check(bounds.has_point(Vector3(40.0, 8.0 * 3.0 * 6.0 - 1.0, 260.0)), "bounds %s" % bounds)
