extends "res://tests/play/play_base.gd"
## Characters of SwarmCharacterBaker on a real graphics driver, beside the scene that they are of.

const Model := preload("res://tests/character_model.gd")

const SIZE := Vector2i(960, 320)
const STEP := 1.0 / 60.0
const WIDTH := 12.0

var swarm: EnemySwarm
var look: SwarmLook
var ids: PackedInt64Array
var crowd_view: SubViewport
var scene_view: SubViewport
var _model: Model


## A view from the side, with a light.
func _view() -> SubViewport:
	var viewport := SubViewport.new()
	viewport.size = SIZE
	viewport.own_world_3d = true
	viewport.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	scene.add_child(viewport)
	var environment := Environment.new()
	environment.background_mode = Environment.BG_COLOR
	environment.background_color = Color(0.05, 0.05, 0.08)
	environment.ambient_light_source = Environment.AMBIENT_SOURCE_COLOR
	environment.ambient_light_color = Color.WHITE
	environment.ambient_light_energy = 0.4
	var world := WorldEnvironment.new()
	world.environment = environment
	viewport.add_child(world)
	var light := DirectionalLight3D.new()
	light.rotation_degrees = Vector3(-40.0, 30.0, 0.0)
	viewport.add_child(light)
	var camera := Camera3D.new()
	camera.projection = Camera3D.PROJECTION_ORTHOGONAL
	camera.keep_aspect = Camera3D.KEEP_WIDTH
	camera.size = WIDTH
	camera.position = Vector3(0.5 * WIDTH, 1.0, 30.0)
	viewport.add_child(camera)
	camera.make_current()
	return viewport


## Five agents in a row that face to the right.
func _crowd() -> void:
	_model = Model.new(8)
	look = SwarmCharacterBaker.bake(_model.root)
	var manager := new_manager(Vector2i(24, 16), 1.0)
	crowd_view = _view()
	scene_view = _view()
	var output := MultiMeshInstance3D.new()
	output.multimesh = MultiMesh.new()
	output.multimesh.mesh = look.mesh
	crowd_view.add_child(output)
	var type := SwarmAgentType.new()
	type.radius = 0.5
	type.max_speed = 4.0
	type.acceleration = 100.0
	type.look = look
	swarm = EnemySwarm.new()
	swarm.manager = manager
	swarm.output = output
	swarm.auto_step = false
	swarm.custom_data_preset = EnemySwarm.CUSTOM_CHARACTER
	swarm.agent_types = [type]
	scene.add_child(swarm)
	var places := PackedVector2Array()
	for i in 5:
		places.append(Vector2(1.4 + 2.2 * i, 8.0))
	ids = swarm.spawn_many(places)
	swarm.step(STEP)


## The custom data of an agent.
func _custom(index: int) -> Color:
	# The output itself draws no agent that has a look.
	var drawn := swarm.get_drawn_counts()[1]
	check_eq(drawn["count"], ids.size(), "all agents have the look")
	var buffer := (drawn["node"] as MultiMeshInstance3D).multimesh.buffer
	var end := 20 * (swarm.get_ids().find(ids[index]) + 1)
	return Color(buffer[end - 4], buffer[end - 3], buffer[end - 2], buffer[end - 1])


## Puts the scene itself where an agent is, at a time of a clip.
func _put_scene(index: int, clip: String, seconds: float, size := 1.0) -> void:
	var copy := _model.copy()
	var at := swarm.get_agent_position(ids[index])
	copy.position = Vector3(at.x, 0.0, at.y)
	copy.rotation_degrees = Vector3(0.0, 90.0, 0.0)
	copy.scale = Vector3.ONE * size
	scene_view.add_child(copy)
	var player := copy.get_node("AnimationPlayer") as AnimationPlayer
	player.play(clip, 0.0)
	player.seek(seconds, true)
	player.pause()


func _shown(viewport: SubViewport) -> Image:
	await frames(3)
	await RenderingServer.frame_post_draw
	return viewport.get_texture().get_image()


## Saves both images, one above the other.
func _save(name: String, above: Image, below: Image) -> void:
	if _artifacts() == "":
		return
	var both := Image.create_empty(SIZE.x, 2 * SIZE.y, false, above.get_format())
	both.blit_rect(above, Rect2i(Vector2i.ZERO, SIZE), Vector2i.ZERO)
	both.blit_rect(below, Rect2i(Vector2i.ZERO, SIZE), Vector2i(0, SIZE.y))
	both.save_png(_artifacts().path_join(name))


## The pixels of the background's colour that only one of the images has, as a share of the others.
func _difference(one: Image, two: Image) -> float:
	var either := 0
	var differing := 0
	for y in SIZE.y:
		for x in SIZE.x:
			var first := one.get_pixel(x, y)
			var second := two.get_pixel(x, y)
			if first.v > 0.12 or second.v > 0.12:
				either += 1
				var by := absf(first.r - second.r) + absf(first.g - second.g)
				if by + absf(first.b - second.b) > 0.15:
					differing += 1
	check(either > 2000, "%d pixels are covered" % either)
	return float(differing) / maxi(either, 1)


func test_agents_look_like_the_scene() -> void:
	_crowd()
	# 0 stands, 1 attacks, 2 dies, 3 walks, 4 dances and is larger.
	swarm.set_agent_state(ids.slice(2, 3), EnemySwarm.AGENT_CORPSE)
	swarm.set_agent_state(ids.slice(3, 4), EnemySwarm.AGENT_SCRIPTED)
	var speed := look.clips.walk_stride / Model.WALK_SECONDS
	swarm.set_scripted_velocities(ids.slice(3, 4), [Vector2(speed, 0.0)])
	swarm.set_agent_scales(ids.slice(4, 5), [1.2])
	check_eq(swarm.play_clip(ids.slice(4, 5), "Dance", false), OK, "a dance")
	for i in 6:
		swarm.step(STEP)
	check_eq(swarm.play_clip(ids.slice(1, 2), "attack"), OK, "an attack")
	for i in 24:
		swarm.step(STEP)
	check_eq(swarm.get_agent_clip(ids[1]), "Attack", "it attacks")
	check_near(_custom(3).g, 1.0, 0.05, "it walks")
	_put_scene(0, "Idle", 2.0 * _custom(0).r)
	_put_scene(1, "Attack", 24.0 * STEP)
	_put_scene(2, "Death", 30.0 * STEP)
	_put_scene(3, "Walk", Model.WALK_SECONDS * _custom(3).r)
	_put_scene(4, "Dance", 30.0 * STEP, 1.2)
	var crowd := await _shown(crowd_view)
	var model := await _shown(scene_view)
	_save("characters.png", crowd, model)
	var difference := _difference(crowd, model)
	print("pixels that differ: %.2f %%" % (100.0 * difference))
	check(difference < 0.03, "%f of the pixels differ" % difference)
	_model.free_scene()


func test_a_corpse_holds_its_last_frame_and_colors_tint() -> void:
	_crowd()
	swarm.set_agent_state(ids.slice(0, 1), EnemySwarm.AGENT_CORPSE)
	swarm.set_agent_colors(ids.slice(1, 2), [Color.RED])
	for i in 150:
		swarm.step(STEP)
	_put_scene(0, "Death", 1.5)
	for i in range(1, 5):
		_put_scene(i, "Idle", 2.0 * _custom(i).r)
	var crowd := await _shown(crowd_view)
	var model := await _shown(scene_view)
	_save("character_tint.png", crowd, model)
	var lying := Rect2i(0, 0, SIZE.x / 5, SIZE.y)
	var first := crowd.get_region(lying)
	var second := model.get_region(lying)
	var error: Dictionary = first.compute_image_metrics(second, true)
	check(error["root_mean_squared"] < 12.0, "the corpse: %s" % error)
	var red := 0
	var other := 0
	for x in range(SIZE.x / 5, 2 * SIZE.x / 5):
		for y in SIZE.y:
			var pixel := crowd.get_pixel(x, y)
			if pixel.v > 0.15:
				red += int(pixel.r > 2.0 * pixel.b)
				other += int(pixel.r <= 2.0 * pixel.b)
	check(red > 4 * other, "%d red pixels, %d others" % [red, other])
	_model.free_scene()
