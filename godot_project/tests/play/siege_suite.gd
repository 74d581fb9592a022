extends "res://tests/play/play_base.gd"
## The siege demo, played with keys and the mouse.

const SIEGE_SCENE := "res://demos/siege/siege.tscn"

var game: Siege


## Opens the game with waves of these sizes, the first of them after `breather` seconds. Drawing it
## in software takes most of the time of a test, so only what is looked at is drawn.
func _open_game(sizes: Array[int] = [1], breather := 1000.0) -> void:
	Input.use_accumulated_input = false
	game = (load(SIEGE_SCENE) as PackedScene).instantiate() as Siege
	var waves: SiegeWaves = game.get_node(^"Waves")
	waves.sizes = PackedInt32Array(sizes)
	waves.breather = breather
	scene.add_child(game)
	# In the Compatibility renderer a sky that is freed before it was drawn leaks its textures.
	await RenderingServer.frame_post_draw
	RenderingServer.render_loop_enabled = false
	game.tree_exited.connect(func() -> void: RenderingServer.render_loop_enabled = true)
	await ticks(20)


func _look() -> void:
	RenderingServer.render_loop_enabled = true
	await frames(2)
	await RenderingServer.frame_post_draw


func _until(condition: Callable, limit: int) -> bool:
	for tick in limit:
		if condition.call():
			return true
		await ticks(1)
	return condition.call()


## Turns the player by moving the mouse, in pixels.
func _turn(by: Vector2) -> void:
	var event := InputEventMouseMotion.new()
	event.relative = by
	event.screen_relative = by
	Input.parse_input_event(event)
	await frames(1)


## Points the player at a place by moving the mouse.
func _aim_at(place: Vector3) -> void:
	var aim := game.player.get_aim()
	var local := aim.affine_inverse() * place
	var yaw := atan2(local.x, -local.z)
	await _turn(Vector2(yaw / SiegePlayer.LOOK_SPEED, 0.0))
	local = game.player.get_aim().affine_inverse() * place
	var pitch := atan2(local.y, Vector2(local.x, local.z).length())
	await _turn(Vector2(0.0, -pitch / SiegePlayer.LOOK_SPEED))


func test_the_player_walks_on_the_wall_and_stays_on_it() -> void:
	await _open_game()
	var player := game.player
	check_near(player.position.y, SiegeWall.TOP, 0.05, "stands on the walk over the gate")
	check(player.is_on_floor(), "on its feet")
	# It looks out over the gate, so its left is the east.
	await hold(KEY_A, 90)
	check(player.position.x > 4.0, "A leads along the wall: %s" % player.position)
	check_near(player.position.y, SiegeWall.TOP, 0.05, "still on the walk")
	await hold(KEY_W, 60)
	var front := SiegeGround.OUTLINE[0].y + SiegeWall.THICKNESS * 0.5
	check(player.position.z < front, "the breastwork stops it: %s" % player.position)
	check_near(player.position.y, SiegeWall.TOP, 0.05, "and it does not climb it")
	await key(KEY_SPACE)
	await _send_key(KEY_SPACE, true)
	var jumped := await _until(func() -> bool: return player.position.y > SiegeWall.TOP + 0.5, 60)
	await _send_key(KEY_SPACE, false)
	check(jumped, "Space jumps")


func test_the_mouse_turns_the_player() -> void:
	await _open_game()
	var before := game.player.rotation.y
	await _turn(Vector2(200.0, 0.0))
	var turned := angle_difference(game.player.rotation.y, before)
	check_near(turned, 200.0 * SiegePlayer.LOOK_SPEED, 0.001, "right")
	await _turn(Vector2(0.0, 5000.0))
	check_near(game.player.camera.rotation.x, -SiegePlayer.STEEPEST_LOOK, 0.001, "down, to a limit")


func test_stairs_are_walked_up_and_down() -> void:
	await _open_game()
	var player := game.player
	var z := SiegeGround.OUTLINE[0].y - SiegeWall.THICKNESS * 0.5 - SiegeWall.STAIRS_WIDTH * 0.5
	# Before the lowest step, with the stairs ahead in the direction of +X.
	player.reset(Vector3(SiegeWall.STAIRS_AT - 2.0, SiegeGround.TOWN_HEIGHT + 0.1, z), -PI * 0.5)
	await ticks(5)
	check_near(player.position.y, SiegeGround.TOWN_HEIGHT, 0.1, "in the town")
	await hold(KEY_W, 175)
	check_near(player.position.y, SiegeWall.TOP, 0.06, "up to the walk: %s" % player.position)
	await hold(KEY_S, 175)
	check_near(player.position.y, SiegeGround.TOWN_HEIGHT, 0.3, "and down again")


func test_the_bridge_is_passed_above_and_below() -> void:
	await _open_game()
	var player := game.player
	var middle := (SiegeOutworks.BRIDGE_FROM + SiegeOutworks.BRIDGE_TO) * 0.5
	player.reset(Vector3(0.0, 7.0, SiegeOutworks.BRIDGE_FROM + 2.0), PI)
	await ticks(30)
	await hold(KEY_W, 130)
	check(player.position.z > middle, "over the bridge: %s" % player.position)
	check_near(player.position.y, SiegeGround.ROAD[2].y, 0.3, "on its deck")
	var floor_height := SiegeGround.height_at(-9.0, middle)
	player.reset(Vector3(-9.0, floor_height + 0.3, middle), -PI * 0.5)
	await hold(KEY_W, 220)
	check(player.position.x > 5.0, "through below it: %s" % player.position)
	check(player.position.y < SiegeGround.ROAD[2].y - 2.2, "with room for its head")


func test_a_grenade_flies_in_an_arc_and_explodes() -> void:
	await _open_game()
	var explosions: Array[Vector3] = []
	game.grenades.exploded.connect(
		func(place: Vector3, radius: float, damage: float) -> void:
			check(radius > 1.0 and damage > 0.0, "it does something")
			explosions.append(place)
	)
	var target := Vector3(4.0, SiegeGround.height_at(4.0, 56.0), 56.0)
	game.crowd.spawn(SiegeCrowd.Kind.SOLDIER, 40, target)
	await _aim_at(target)
	await press(Vector2(400.0, 300.0), MOUSE_BUTTON_RIGHT)
	await release(Vector2(400.0, 300.0), MOUSE_BUTTON_RIGHT)
	check_eq(game.grenades.thrown, 1, "thrown")
	await key(KEY_G)
	check_eq(game.grenades.thrown, 1, "the next one is not at hand yet")
	check(await _until(func() -> bool: return not explosions.is_empty(), 300), "it explodes")
	if explosions.is_empty():
		return
	var at := explosions[0]
	check(at.z > 40.0, "beyond the middle of the ditch: %s" % at)
	var on_deck := SiegeOutworks.is_on_bridge(Vector2(at.x, at.z))
	var below := SiegeOutworks.BRIDGE_TOP if on_deck else SiegeGround.surface_at(at.x, at.z)
	check(absf(at.y - below) < 1.0, "on what is below it: %s" % at)
	await ticks(6)
	await _look()
	await save_picture("siege_grenade")


func test_grenades_and_the_beam_fell_attackers() -> void:
	await _open_game()
	game.crowd.spawn(SiegeCrowd.Kind.SOLDIER, 60, Vector3(3.0, 4.0, 60.0))
	await ticks(2)
	check(game.crowd.damage_sphere(Vector3(3.0, 4.0, 60.0), 6.0, 10.0) > 3, "by a blast")
	check_eq(game.crowd.count_alive(), 60 - game.kills, "the fallen are counted")
	var kills := game.kills
	await _send_button(Vector2(400.0, 300.0), MOUSE_BUTTON_LEFT, true, false)
	var fell := await _until(
		func() -> bool:
			var places := game.crowd.swarm.get_positions()
			if not places.is_empty():
				var ground := SiegeGround.height_at(places[0].x, places[0].y)
				_aim_at(Vector3(places[0].x, ground + 0.3, places[0].y))
			return game.kills > kills,
		170
	)
	check(fell, "by the beam")
	check(game.beam.burning, "it burns while the button is held")
	await _look()
	await save_picture("siege_beam")
	await _send_button(Vector2(400.0, 300.0), MOUSE_BUTTON_LEFT, false, false)
	await ticks(2)
	check(not game.beam.burning, "and ends with it")


func test_the_beam_runs_out_of_charge() -> void:
	await _open_game()
	var rays: Array[Vector3] = []
	game.beam.beam_hit.connect(func(_from: Vector3, to: Vector3) -> void: rays.append(to))
	await _aim_at(Vector3(0.0, SiegeGround.height_at(0.0, 70.0), 70.0))
	await _send_button(Vector2(400.0, 300.0), MOUSE_BUTTON_LEFT, true, false)
	await ticks(3)
	await _until(func() -> bool: return not game.beam.burning, 300)
	await _send_button(Vector2(400.0, 300.0), MOUSE_BUTTON_LEFT, false, false)
	var expected := SiegeBeam.FIRE_TIME * Engine.physics_ticks_per_second
	check(absf(rays.size() - expected) < 20, "it burned its time: %d ticks" % rays.size())
	check(
		not rays.is_empty() and rays[0].z > 40.0 and rays[0].y < 8.0,
		"down to the ground: %s" % rays[0]
	)


func test_attackers_break_the_gate_and_take_the_keep() -> void:
	await _open_game()
	var gate := game.level.gate
	var states: Array[int] = []
	gate.state_changed.connect(func(state: int) -> void: states.append(state))
	gate.take_damage(SiegeGate.FULL_HEALTH - 60.0)
	check_eq(gate.state, SiegeGate.State.CRACKED, "half of its hit points are gone")
	await ticks(20)
	await _show_from(Vector3(1.5, 8.0, 31.0), Vector3(0.0, 8.0, 20.0), "siege_gate_cracked")
	game.crowd.spawn(SiegeCrowd.Kind.SOLDIER, 80, Vector3(0.0, 5.8, 26.0), SiegeCrowd.Party.GATE)
	check(await _until(func() -> bool: return gate.is_open(), 900), "attackers break it")
	check_eq(states, [SiegeGate.State.CRACKED, SiegeGate.State.BROKEN] as Array[int], "once each")
	check(
		await _until(func() -> bool: return _count_in_town() > 30, 900),
		"they come in: %d" % _count_in_town()
	)
	await _show_from(Vector3(2.5, 10.5, 2.0), Vector3(0.0, 7.0, 21.0), "siege_gate_broken")
	game.keep.health = 40.0
	check(
		await _until(func() -> bool: return game.state == Siege.State.LOST, 1500), "the keep falls"
	)
	await _look()
	await save_picture("siege_lost")
	await key(KEY_ENTER)
	check_eq(game.state, Siege.State.PLAYING, "a new game")
	check(not gate.is_open() and gate.health == SiegeGate.FULL_HEALTH, "with a whole gate")
	check_eq(game.crowd.count_alive(), 0, "and no enemy there yet")


func _count_in_town() -> int:
	var inside := 0
	for place in game.crowd.swarm.get_positions():
		if SiegeGround.distance_to_town(place) < -2.0:
			inside += 1
	return inside


## Saves a picture as seen from elsewhere.
func _show_from(from: Vector3, to: Vector3, picture: String) -> void:
	var camera := Camera3D.new()
	game.add_child(camera)
	camera.far = 900.0
	camera.look_at_from_position(from, to)
	camera.make_current()
	await _look()
	await save_picture(picture)
	RenderingServer.render_loop_enabled = false
	camera.queue_free()
	game.player.camera.make_current()


## Real input against a party on a ladder, with pictures of ladders and bridge.
func test_ladders_are_raised_climbed_and_defended() -> void:
	await _open_game()
	var crowd := game.crowd
	var ladder := crowd.ladders[1]
	var foot := Vector3(ladder.foot.x, 6.0, ladder.foot.y + 3.0)
	crowd.spawn(SiegeCrowd.Kind.SOLDIER, 40, foot, SiegeCrowd.Party.LADDERS)
	var below := Vector3(-22.0, 1.0, 40.0)
	crowd.spawn(SiegeCrowd.Kind.SOLDIER, 20, below, SiegeCrowd.Party.DITCH_EAST)
	var road := Vector3(4.0, 5.0, 60.0)
	crowd.spawn(SiegeCrowd.Kind.SOLDIER, 60, road, SiegeCrowd.Party.GATE)
	crowd.spawn(SiegeCrowd.Kind.BEAST, 12, road, SiegeCrowd.Party.GATE)
	var is_over := func(id: int) -> bool:
		var place := crowd.get_place(id)
		return SiegeOutworks.is_on_bridge(Vector2(place.x, place.z)) and place.y > 5.4
	var crossing := func() -> bool: return Array(crowd.swarm.get_ids()).filter(is_over).size() > 8
	check(await _until(crossing, 900), "over the bridge")
	await _show_from(Vector3(16.0, 8.5, 34.0), Vector3(0.0, 4.0, 42.0), "siege_bridge")
	var climbs := func() -> bool: return crowd.swarm.get_travelling_agents().size() > 3
	check(await _until(climbs, 1200), "they climb")
	await ticks(60)
	await _show_from(Vector3(25.0, 10.5, 29.0), Vector3(17.0, 9.5, 21.0), "siege_ladder")
	var is_up := func(id: int) -> bool: return crowd.get_place(id).y > SiegeWall.TOP - 0.05
	var up := func() -> bool: return Array(crowd.swarm.get_ids()).filter(is_up).size() > 5
	check(await _until(up, 900), "onto the wall walk")
	# A grenade at the foot, from beside the tower.
	game.player.reset(Vector3(11.0, SiegeWall.TOP + 0.05, 20.0), PI)
	var kills := game.kills
	await _aim_at(Vector3(16.0, SiegeWall.TOP, 20.0))
	await key(KEY_G)
	check(await _until(func() -> bool: return game.kills > kills, 300), "defended")
	await _look()
	await save_picture("siege_defended")
	RenderingServer.render_loop_enabled = false


func test_waves_end_and_the_last_one_is_won() -> void:
	await _open_game([6, 8], 0.1)
	for wave in 2:
		check(await _until(func() -> bool: return game.waves.running, 120), "wave %d began" % wave)
		var size := game.waves.sizes[wave]
		await _until(func() -> bool: return game.crowd.count_alive() == size, 900)
		check_eq(game.crowd.count_alive(), size, "all have come")
		game.crowd.damage_sphere(Vector3.ZERO, 150.0, 100.0)
		check(
			await _until(func() -> bool: return game.waves.wave == wave + 1, 60), "wave %d" % wave
		)
	check_eq(game.state, Siege.State.WON, "the last wave wins the game")
	check_eq(game.kills, 14, "all of both waves")


func test_escape_pauses_and_resumes() -> void:
	await _open_game()
	await key(KEY_ESCAPE)
	check_eq(game.state, Siege.State.PAUSED, "paused")
	var before := game.player.position
	await hold(KEY_A, 20)
	check_eq(game.player.position, before, "nothing moves")
	await key(KEY_ESCAPE)
	await hold(KEY_A, 20)
	check(game.player.position != before, "they go on")


func test_models_have_their_clips_and_keep_their_feet() -> void:
	var clips := {
		"soldier": ["attack", "climb", "death", "hit", "idle", "run", "walk"],
		"beast": ["attack", "death", "hit", "idle", "run", "walk"],
	}
	for model: String in clips:
		var file: PackedScene = load("res://demos/siege/models/%s.glb" % model)
		var instance := file.instantiate()
		scene.add_child(instance)
		var player: AnimationPlayer = instance.get_node(^"AnimationPlayer")
		check_eq(Array(player.get_animation_list()), clips[model], "clips of the %s" % model)
		for clip: String in clips[model]:
			var loops := player.get_animation(clip).loop_mode == Animation.LOOP_LINEAR
			check_eq(loops, clip in ["idle", "walk", "run", "climb"], "%s loops" % clip)
		var skeleton: Skeleton3D = instance.get_node(^"Skeleton3D")
		check(skeleton.get_bone_count() in range(15, 26), "its bones")
		var body: MeshInstance3D = skeleton.get_node(^"Body")
		check(body.mesh.get_surface_count() >= 2 and body.skin != null, "its surfaces")
		instance.free()


## A foot on the ground moves back as fast as the ground does under a body that walks.
func test_feet_do_not_slide() -> void:
	var file: PackedScene = load("res://demos/siege/models/soldier.glb")
	var instance := file.instantiate()
	scene.add_child(instance)
	var player: AnimationPlayer = instance.get_node(^"AnimationPlayer")
	var skeleton: Skeleton3D = instance.get_node(^"Skeleton3D")
	var foot := skeleton.find_bone("foot_l")
	var length := player.get_animation("walk").length
	player.play("walk")
	var ball := SiegeSoldierModel.BALL
	var start := 0.0
	for i in range(2, 11):
		var share := i * 0.05
		player.seek(share * length, true)
		var place := skeleton.get_bone_global_pose(foot) * ball
		# On the ground, its place in the world is the same all the time.
		var on_ground := place.z + share * SiegeSoldierClips.WALK_CYCLE
		if i == 2:
			start = on_ground
		check_near(on_ground, start, 0.02, "at %.2f of the cycle" % share)
		check(absf(place.y) < 0.03, "on the ground: %.3f" % place.y)
	instance.free()
