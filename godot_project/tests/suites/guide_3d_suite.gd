extends "res://tests/test_suite.gd"
## The code of docs/guide_3d.md, which is one script in blocks, on hills with a bridge, stairs and a
## ladder.

const PAGE := "../docs/guide_3d.md"
const SOLDIER := "res://examples/hills_3d/soldier.glb"
const TOP := 3.0
## How many times as fast as usual the scene runs.
const PACE := 20

var main: Node3D
var manager: FlowFieldManager
var swarm: EnemySwarm
var hero: CharacterBody3D
var level: Node3D


## The blocks of code of the page, one after another.
func _code() -> String:
	var path := ProjectSettings.globalize_path("res://").path_join(PAGE)
	var page := FileAccess.get_file_as_string(path)
	var code := ""
	for block in page.split("```gdscript\n").slice(1):
		code += block.get_slice("```", 0) + "\n\n"
	return code


func _named(node: Node, name: String, parent: Node) -> Node:
	node.name = name
	parent.add_child(node)
	return node


func _block(low: Vector3, high: Vector3) -> StaticBody3D:
	var box := BoxShape3D.new()
	box.size = high - low
	var shape := CollisionShape3D.new()
	shape.shape = box
	var body := StaticBody3D.new()
	body.position = (low + high) / 2.0
	body.add_child(shape)
	level.add_child(body)
	return body


## Waves of half a metre, with vertices one metre apart.
func _add_hills() -> void:
	var hills := HeightMapShape3D.new()
	hills.map_width = 49
	hills.map_depth = 49
	var heights := PackedFloat32Array()
	for z in 49:
		for x in 49:
			heights.append(0.5 * sin(0.4 * x) * sin(0.3 * z) if z > 28 else 0.0)
	hills.map_data = heights
	var shape := CollisionShape3D.new()
	shape.shape = hills
	var body := StaticBody3D.new()
	body.add_child(shape)
	level.add_child(body)


## The scene of the page: a platform on pillars, with stairs in the west.
func _set_up() -> bool:
	main = Node3D.new()
	manager = _named(FlowFieldManager.new(), "Manager", main) as FlowFieldManager
	manager.cell_size = 0.75
	manager.grid_size = Vector2i(64, 64)
	manager.origin = Vector2(-24.0, -24.0)
	var output := _named(MultiMeshInstance3D.new(), "Agents", main) as MultiMeshInstance3D
	output.multimesh = MultiMesh.new()
	output.multimesh.transform_format = MultiMesh.TRANSFORM_3D
	output.multimesh.mesh = CapsuleMesh.new()
	swarm = _named(EnemySwarm.new(), "Swarm", main) as EnemySwarm
	swarm.manager = manager
	swarm.output = output
	level = _named(Node3D.new(), "Level", main) as Node3D
	hero = _named(CharacterBody3D.new(), "Hero", main) as CharacterBody3D
	_add_hills()
	_block(Vector3(-6.0, TOP - 0.4, -16.0), Vector3(12.0, TOP, -6.0))
	for step in 12:
		var x := -15.0 + 0.75 * step
		_block(Vector3(x, -0.5, -14.0), Vector3(x + 0.75, 0.25 * (step + 1), -8.0))
	var script := GDScript.new()
	script.source_code = _code()
	if not check_eq(script.reload(), OK, "the code of the page compiles"):
		main.free()
		return false
	main.set_script(script)
	scene.add_child(main)
	main.call("bake_level")
	var model := (load(SOLDIER) as PackedScene).instantiate()
	main.call("make_type", model)
	model.free()
	return true


## Runs the scene for some seconds of its own time.
func _run_for(seconds: int) -> void:
	Engine.time_scale = PACE
	Engine.physics_ticks_per_second = 60 * PACE
	Engine.max_physics_steps_per_frame = 60
	await physics_frames(60 * seconds)
	Engine.time_scale = 1.0
	Engine.physics_ticks_per_second = 60
	Engine.max_physics_steps_per_frame = 8


func _stand(at: Vector3) -> void:
	hero.position = at


func _tell(call: String, arguments := []) -> Variant:
	return main.callv(call, arguments)


func test_agents_chase_up_the_stairs_and_die_on_their_layer() -> void:
	if not _set_up():
		return
	check_eq(manager.layer_count, 2, "the ground and the platform")
	check_eq(swarm.get_setup_warnings(), PackedStringArray(), "no warnings")
	_stand(Vector3(3.0, TOP, -11.0))
	_tell("start_chase")
	check_eq(manager.get_layer(manager.get_goal_targets(1)[0]), 1, "the goal is on the platform")
	var ids: PackedInt64Array = _tell("spawn_soldiers", [60, Vector3(-10.0, 0.0, 12.0)])
	var below: PackedInt64Array = _tell("spawn_soldiers", [1, Vector3(13.0, 0.0, -6.0)])
	await _run_for(20)
	check(swarm.get_layers().count(1) > 50, "on the platform: %d" % swarm.get_layers().count(1))
	for id in ids:
		var at := swarm.get_agent_position(id)
		var layer := swarm.get_agent_layer(id)
		if layer == 1 and at.x > -4.0:
			check_near(manager.get_height(manager.on_layer(at, layer)), TOP, 0.01, "its ground")
	swarm.set_agent_state(below, EnemySwarm.AGENT_IDLE)
	swarm.set_agent_positions(below, [Vector2(3.0, -11.0)])
	var dead: PackedInt64Array = _tell("explode", [hero.position])
	check(dead.size() > 10, "dead: %d" % dead.size())
	check(not dead.has(below[0]), "the one below is spared")
	check_eq(swarm.get_corpses().size(), dead.size(), "corpses")
	_tell("report")


func test_a_ladder_is_climbed() -> void:
	if not _set_up():
		return
	_stand(Vector3(10.0, TOP, -11.0))
	_tell("start_chase")
	var link: int = _tell("add_ladder", [Vector3(14.5, 0, -11), Vector3(10.5, TOP, -11), 2.0])
	check_eq(manager.get_link_travel(link), FlowFieldManager.LINK_TIMED, "a ladder")
	_tell("spawn_soldiers", [20, Vector3(12.0, 0.0, 4.0)])
	var climbing := 0
	for second in 12:
		await _run_for(1)
		climbing = maxi(climbing, swarm.get_travelling_agents().size())
	check(climbing > 0, "agents climb")
	check(swarm.get_layers().count(1) > 10, "and get up: %d" % swarm.get_layers().count(1))


func test_levels_of_detail_and_a_body_that_breaks() -> void:
	if not _set_up():
		return
	var camera := Camera3D.new()
	camera.position = Vector3(0.0, 2.0, 20.0)
	main.add_child(camera)
	_tell("add_levels")
	var look := swarm.agent_types[0].look
	check_eq(look.lod_distances, PackedFloat32Array([60.0]), "bands")
	look.lod_distances = PackedFloat32Array([14.0])
	_tell("spawn_soldiers", [40, Vector3(0.0, 0.0, 12.0)])
	await physics_frames(3)
	var levels := PackedInt32Array([0, 0])
	for drawn in swarm.get_drawn_counts():
		if drawn["look"] != null:
			levels[drawn["level"]] += drawn["count"]
	check(levels[0] > 0 and levels[1] > 0, "both levels are drawn: %s" % levels)
	var wall := _block(Vector3(-2.0, -1.0, 0.0), Vector3(2.0, 2.0, 2.0))
	var cell := manager.get_cell(Vector2(0.0, 1.0))
	manager.rebake_terrain_3d(AABB(Vector3(-4.0, -2.0, -2.0), Vector3(8.0, 6.0, 6.0)))
	check_eq(manager.get_height(Vector2(0.0, 1.0), 0), 2.0, "the top of the wall")
	_tell("break_body", [wall, Vector3(4.0, 3.0, 2.0)])
	check_eq(manager.get_terrain_at(cell), 1, "free")
	check_near(manager.get_height(Vector2(0.0, 1.0)), 0.0, 0.01, "the ground again")
