extends "res://tests/test_suite.gd"
## SwarmClips, and the clips that agents play.

const STEP := 1.0 / 64.0

var swarm: EnemySwarm
var clips: SwarmClips
var ids: PackedInt64Array


func _clips() -> SwarmClips:
	var made := SwarmClips.new()
	made.names = ["stay", "go", "rush", "hit", "fall"]
	made.first_frames = [0, 10, 20, 30, 40]
	made.frame_counts = [10, 10, 10, 10, 10]
	made.lengths = [2.0, 1.0, 0.5, 1.0, 1.5]
	made.loops = [1, 1, 1, 0, 0]
	made.idle_clip = "stay"
	made.walk_clip = "go"
	made.run_clip = "rush"
	made.attack_clip = "hit"
	made.death_clip = "fall"
	made.walk_stride = 2.0
	made.run_stride = 3.0
	return made


## Agents of a type with clips, and one of a type without.
func _crowd() -> void:
	var manager := new_manager(Vector2i(40, 30), 1.0)
	swarm = new_swarm(manager)
	var output := MultiMeshInstance3D.new()
	scene.add_child(output)
	swarm.output = output
	swarm.custom_data_preset = EnemySwarm.CUSTOM_CHARACTER
	clips = _clips()
	var types: Array[SwarmAgentType] = []
	for i in 2:
		var type := SwarmAgentType.new()
		type.radius = 0.5
		type.acceleration = 10000.0
		type.avoidance = SwarmAgentType.AVOIDANCE_NONE
		types.append(type)
	types[0].look = SwarmLook.new()
	types[0].look.clips = clips
	swarm.agent_types = types
	ids = swarm.spawn_many([Vector2(5, 5), Vector2(5, 8), Vector2(5, 11)])
	ids.append(swarm.spawn(Vector2(5, 14), 1))
	swarm.step(STEP)


## The custom data of an agent.
func _custom(index: int) -> Color:
	# The agents with clips are drawn by the node of their look, in the order of all agents.
	var node: MultiMeshInstance3D = swarm.get_drawn_counts()[1]["node"]
	var buffer := node.multimesh.buffer
	var drawn := Array(swarm.get_ids()).filter(func(id: int) -> bool: return id in ids.slice(0, 3))
	var end := 20 * (drawn.find(ids[index]) + 1)
	return Color(buffer[end - 4], buffer[end - 3], buffer[end - 2], buffer[end - 1])


func _walk(speed: float) -> void:
	swarm.set_agent_state(ids.slice(0, 1), EnemySwarm.AGENT_SCRIPTED)
	swarm.set_scripted_velocities(ids.slice(0, 1), [Vector2(speed, 0.0)])


func test_clips_are_found_by_name_and_role() -> void:
	clips = _clips()
	check_eq(clips.find_clip("rush"), 2, "by name")
	check_eq(clips.find_clip("run"), 2, "by role")
	check_eq(clips.find_clip("attack"), 3, "by role")
	check_eq(clips.find_clip(""), -1, "none")
	check_eq(clips.find_clip("jump"), -1, "none")
	check_eq(SwarmClips.new().find_clip("idle"), -1, "none")


func test_bad_numbers_of_clips_are_refused() -> void:
	clips = _clips()
	for length: float in [0.0, -1.0, NAN, INF, 20000.0]:
		expect_error(
			["SwarmClips.lengths", "must be"],
			func() -> void: clips.set(&"lengths", PackedFloat32Array([1.0, length]))
		)
	for stride: float in [-1.0, NAN, INF]:
		for property: StringName in [&"walk_stride", &"run_stride"]:
			expect_error(
				["SwarmClips.%s" % property, "must be"], func() -> void: clips.set(property, stride)
			)
	check_eq(clips.lengths.size(), 5, "unchanged")
	check_eq([clips.walk_stride, clips.run_stride], [2.0, 3.0], "unchanged")


func test_the_walk_follows_the_stride_at_the_size_of_instances() -> void:
	_crowd()
	# Strides of 2 units of the mesh, drawn at half the size: strides of a metre.
	swarm.instance_size = 0.5
	_walk(1.0)
	steps(swarm, 64, STEP)
	check_near(_custom(0).g, 1.0, 1e-3, "it walks")
	check_near(_custom(1).g, 0.0, 1e-3, "it stands")
	var before := _custom(0).r
	steps(swarm, 16, STEP)
	check_near(fposmod(_custom(0).r - before, 1.0), 0.25, 1e-3, "a quarter of a stride")
	clips.walk_stride = 4.0
	steps(swarm, 1, STEP)
	before = _custom(0).r
	steps(swarm, 16, STEP)
	check_near(fposmod(_custom(0).r - before, 1.0), 0.125, 1e-3, "the stride has changed")


func test_strides_follow_the_size_of_the_look() -> void:
	_crowd()
	swarm.instance_size = 8.0
	swarm.agent_types[0].look.instance_size = 0.5
	_walk(1.0)
	steps(swarm, 64, STEP)
	check_near(_custom(0).g, 1.0, 1e-3, "it walks")
	var before := _custom(0).r
	steps(swarm, 16, STEP)
	check_near(fposmod(_custom(0).r - before, 1.0), 0.25, 1e-3, "a quarter of a stride")


func test_another_type_plays_its_own_clip_of_the_name_or_the_role() -> void:
	_crowd()
	var other := _clips()
	other.names = ["fall", "stay", "bite", "rush", "x"]
	other.lengths = [3.0, 2.0, 4.0, 1.0, 1.0]
	other.attack_clip = "bite"
	other.walk_clip = ""
	var look := SwarmLook.new()
	look.clips = other
	swarm.agent_types[1].look = look
	swarm.step(STEP)
	swarm.play_clip(ids.slice(0, 1), "hit", false, 0.0)
	swarm.play_clip(ids.slice(1, 2), "go", false, 0.0)
	swarm.set_agent_state(ids.slice(2, 3), EnemySwarm.AGENT_CORPSE)
	steps(swarm, 32, STEP)
	check_near(_custom(0).a, 0.5, 1e-6, "half of it")
	check_eq(swarm.set_agent_type(ids, 1), OK, "another type")
	var names := Array(ids.slice(0, 3)).map(swarm.get_agent_clip)
	check_eq(names, ["bite", "", "fall"], "by role, none, by name")
	swarm.draw_agents()
	var node: MultiMeshInstance3D = swarm.get_drawn_counts()[2]["node"]
	var end := 20 * (swarm.get_ids().find(ids[0]) + 1)
	var custom := node.multimesh.buffer.slice(end - 4, end)
	check_eq(custom[2], 3.0 * 32.0 + 31.0, "clip and weight")
	check_near(custom[3], 0.5, 1e-6, "at the same share")
	expect_error(["EnemySwarm.set_agent_type", "9"], swarm.set_agent_type.bind(ids, 9))
	check_eq(swarm.get_agent_clip(ids[0]), "bite", "unchanged")
	# Back to a type without clips for it.
	swarm.agent_types[0].look.clips = null
	check_eq(swarm.set_agent_type(ids.slice(0, 1), 0), OK, "no clips")
	check_eq(swarm.get_agent_clip(ids[0]), "", "none")


func test_agents_play_clips_once_or_until_they_are_stopped() -> void:
	_crowd()
	check_eq(swarm.play_clip(ids.slice(0, 1), "attack"), OK, "by role")
	check_eq(swarm.play_clip(ids.slice(1, 2), "rush", false, 0.0), OK, "by name")
	check_eq(swarm.get_agent_clip(ids[0]), "hit", "the clip")
	check_eq(swarm.get_agent_clip(ids[2]), "", "no clip")
	steps(swarm, 32, STEP)
	check_eq(_custom(0).b, 4.0 * 32.0 + 31.0, "clip and weight")
	check_near(_custom(0).a, 0.5, 1e-6, "half of it")
	check_eq(_custom(1).b, 3.0 * 32.0 + 31.0, "clip and weight")
	check_eq(_custom(2).b, 0.0, "none")
	steps(swarm, 40, STEP)
	check_eq(swarm.get_agent_clip(ids[0]), "", "over")
	check_eq(swarm.get_agent_clip(ids[1]), "rush", "it repeats")
	check_eq(swarm.stop_clip(ids.slice(1, 2)), OK, "stopped")
	steps(swarm, 1, STEP)
	check_eq(swarm.get_agent_clip(ids[1]), "", "over")


func test_the_dead_play_the_clip_of_their_death() -> void:
	_crowd()
	swarm.set_agent_state(ids.slice(0, 1), EnemySwarm.AGENT_CORPSE)
	check_eq(swarm.get_agent_clip(ids[0]), "fall", "at once")
	steps(swarm, 48, STEP)
	check_near(_custom(0).a, 0.5, 1e-6, "half of it")
	var saved := swarm.save_state()
	steps(swarm, 100, STEP)
	check_near(_custom(0).a, 1.0, 0.0, "the last frame")
	check_eq(_custom(0).b, 5.0 * 32.0 + 31.0, "it lies")
	check_eq(swarm.load_state(saved), OK, "loaded")
	swarm.step(STEP)
	check_near(_custom(0).a, 0.5 + STEP / 1.5, 1e-6, "where it was")


func test_bad_calls_are_refused() -> void:
	_crowd()
	var play := func(who: PackedInt64Array, clip: String, blend: float) -> Error:
		return swarm.play_clip(who, clip, true, blend)
	var none: Variant = expect_error(
		["EnemySwarm.play_clip", "type 0", "jump"], play.bind(ids.slice(0, 1), "jump", 0.1)
	)
	check_eq(none, ERR_DOES_NOT_EXIST, "no such clip")
	expect_error(["EnemySwarm.play_clip", "type 1", "attack"], play.bind(ids, "attack", 0.1))
	for blend: float in [-1.0, NAN, 61.0]:
		expect_error(["EnemySwarm.play_clip", "blend"], play.bind(ids.slice(0, 2), "attack", blend))
	expect_error(["EnemySwarm.play_clip", "agent"], play.bind(PackedInt64Array([7]), "hit", 0.1))
	expect_error(
		["EnemySwarm.stop_clip", "agent"], func() -> Error: return swarm.stop_clip([ids[0], 7])
	)
	expect_error(
		["EnemySwarm.get_agent_clip", "agent"], func() -> String: return swarm.get_agent_clip(7)
	)
	check_eq(swarm.get_agent_clip(ids[0]), "", "nothing plays")
