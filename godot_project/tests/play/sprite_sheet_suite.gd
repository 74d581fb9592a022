extends "res://tests/play/play_base.gd"
## The shader for sprite sheets, on a real graphics driver: which frame each agent shows.

const FRAMES := 4
const DIRECTIONS := 4
const CLIPS := 2
## Every cell of the sheet has the colour of its column and row, and a white upper edge.
const CELL := 16

var swarm: EnemySwarm
var output: MultiMeshInstance2D
var ids: PackedInt64Array


func _sheet() -> ImageTexture:
	var rows := CLIPS * DIRECTIONS
	var image := Image.create_empty(FRAMES * CELL, rows * CELL, false, Image.FORMAT_RGBA8)
	for row in rows:
		for column in FRAMES:
			var color := Color((column + 0.5) / FRAMES, (row + 0.5) / rows, 0.5)
			image.fill_rect(Rect2i(column * CELL, row * CELL, CELL, CELL), color)
			image.fill_rect(Rect2i(column * CELL, row * CELL, CELL, 3), Color.WHITE)
			image.fill_rect(Rect2i(column * CELL, row * CELL, 3, 3), Color.BLACK)
	return ImageTexture.create_from_image(image)


## Eight agents in two rows: those above walk right, down, left and up.
func _crowd() -> ShaderMaterial:
	var manager := new_manager(Vector2i(60, 40))
	var material := ShaderMaterial.new()
	material.shader = load("res://addons/flow_swarm/shaders/sprite_sheet.gdshader")
	material.set_shader_parameter(&"frames", FRAMES)
	material.set_shader_parameter(&"directions", DIRECTIONS)
	material.set_shader_parameter(&"clips", CLIPS)
	output = MultiMeshInstance2D.new()
	output.texture = _sheet()
	output.material = material
	output.texture_filter = CanvasItem.TEXTURE_FILTER_NEAREST
	scene.add_child(output)
	swarm = EnemySwarm.new()
	swarm.manager = manager
	swarm.output = output
	swarm.auto_step = false
	swarm.separation = false
	swarm.face_movement = false
	swarm.instance_size = 8.0
	swarm.custom_data_preset = EnemySwarm.CUSTOM_SPRITE
	scene.add_child(swarm)
	var places := PackedVector2Array()
	var velocities := PackedVector2Array()
	for i in 8:
		places.append(Vector2(150.0 + 100.0 * (i % 4), 150.0 + 150.0 * (i / 4)))
		# A little askew: an agent that goes exactly backwards does not know which way to turn.
		velocities.append(Vector2.RIGHT.rotated(0.5 * PI * (i % 4) + 0.2) * 40.0)
	ids = swarm.spawn_many(places)
	swarm.set_agent_state(ids, EnemySwarm.AGENT_SCRIPTED)
	swarm.set_scripted_velocities(ids, velocities)
	swarm.set_user_ints(ids.slice(4, 8), [1, 1, 1, 1])
	return material


## The colour of a point of an agent's sprite, from -0.5 to 0.5 to both sides of its middle.
func _color_at(image: Image, agent: int, offset: Vector2) -> Color:
	var place := swarm.get_agent_position(ids[agent]) + offset * 64.0
	var root := scene.get_tree().root
	var pixel := root.get_final_transform() * (root.canvas_transform * place)
	return image.get_pixelv(Vector2i(pixel))


## Column and row of the sheet that an agent shows.
func _cell_of(image: Image, agent: int) -> Vector2i:
	var color := _color_at(image, agent, Vector2(0.1, 0.1))
	return Vector2i(floori(color.r * FRAMES), floori(color.g * CLIPS * DIRECTIONS))


func _phase_of(agent: int) -> float:
	return output.multimesh.buffer[agent * 12 + 8]


func test_agents_show_the_frame_of_their_way_direction_and_clip() -> void:
	_crowd()
	# Until all have turned to where they go.
	steps(swarm, 30)
	for round_number in 4:
		steps(swarm, 12)
		await frames(2)
		var image := await shown_image()
		for i in 4:
			var phase := _phase_of(i)
			# Where a frame has just begun rounding may show the one before.
			if absf(phase * FRAMES - roundf(phase * FRAMES)) > 0.02:
				check_eq(_cell_of(image, i), Vector2i(floori(phase * FRAMES), i), "agent %d" % i)
			check_eq(_cell_of(image, 4 + i).y, DIRECTIONS + i, "clip of agent %d" % (4 + i))
			var edge := _color_at(image, i, Vector2(0.2, -0.45))
			check(color_distance(edge, Color.WHITE) < 0.1, "agent %d is upright: %s" % [i, edge])
	await save_picture("sprite_sheet")


func test_clips_run_by_time_and_standing_agents_idle() -> void:
	var material := _crowd()
	material.set_shader_parameter(&"idle_clip", 1)
	material.set_shader_parameter(&"frame_rate", 20.0)
	steps(swarm, 30)
	swarm.set_agent_state(ids, EnemySwarm.AGENT_IDLE)
	steps(swarm, 30)
	var seen := {}
	for round_number in 12:
		await frames(3)
		var image := await shown_image()
		for i in 8:
			check_eq(_cell_of(image, i).y, DIRECTIONS + i % 4, "idle clip of agent %d" % i)
		seen[_cell_of(image, 0).x] = true
	check(seen.size() > 1, "frames go on: %s" % [seen])


func test_sheets_of_one_direction_are_mirrored() -> void:
	var material := _crowd()
	material.set_shader_parameter(&"directions", 1)
	material.set_shader_parameter(&"clips", CLIPS * DIRECTIONS)
	material.set_shader_parameter(&"mirror", true)
	steps(swarm, 30)
	await frames(2)
	var image := await shown_image()
	check_eq(_cell_of(image, 1).y, 0, "one row")
	check_eq(_cell_of(image, 5).y, 1, "the second clip")
	var left := Vector2(-0.45, -0.45)
	var right := Vector2(0.45, -0.45)
	for agent: int in [0, 2]:
		var mark := left if agent == 0 else right
		var other := right if agent == 0 else left
		check(_color_at(image, agent, mark).v < 0.2, "black corner of %d" % agent)
		check(_color_at(image, agent, other).v > 0.8, "white corner of %d" % agent)
