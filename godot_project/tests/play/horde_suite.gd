extends "res://tests/play/play_base.gd"
## The horde demo, played with the keyboard.

const HORDE_SCENE := "res://demos/horde/horde.tscn"

var game: Horde


## Opens the game with waves of these sizes, the first of them at once. Drawing it in software takes
## most of the time of a test, so only what is looked at is drawn.
func _open_game(sizes: Array[int], breather := 0.1) -> void:
	game = (load(HORDE_SCENE) as PackedScene).instantiate() as Horde
	var waves: HordeWaves = game.get_node(^"Waves")
	waves.sizes = PackedInt32Array(sizes)
	waves.breather = breather
	scene.add_child(game)
	RenderingServer.render_loop_enabled = false
	game.tree_exited.connect(func() -> void: RenderingServer.render_loop_enabled = true)
	await frames(3)


## Draws what there is now.
func _look() -> void:
	RenderingServer.render_loop_enabled = true
	await RenderingServer.frame_post_draw


## Waits until something is so, for `limit` ticks at most, and returns whether it came true.
func _until(condition: Callable, limit: int) -> bool:
	for tick in limit:
		if condition.call():
			return true
		await ticks(1)
	return condition.call()


## Puts some enemies of a kind around the hero, at a distance.
func _surround(kind: HordeEnemies.Kind, count: int, distance: float) -> void:
	var places := PackedVector2Array()
	for i in count:
		places.append(game.player.position + Vector2.from_angle(TAU * i / count) * distance)
	game.enemies.add(kind, places)


func test_keys_move_the_hero_and_walls_stop_them() -> void:
	await _open_game([1], 1000.0)
	var start := game.player.position
	await hold(KEY_D, 20)
	var moved := game.player.position - start
	check(moved.x > 30.0 and absf(moved.y) < 1.0, "D leads right: %s" % moved)
	await hold(KEY_UP, 20)
	check(game.player.position.y < start.y - 30.0, "the arrow leads up")
	# Straight at a pillar, then along it.
	var pillar := HordeArena.get_center() + Vector2(HordeArena.RUINS[0].position) * HordeArena.CELL
	game.player.reset(pillar + Vector2(-60.0, 30.0))
	await hold(KEY_D, 60)
	check_near(
		game.player.position.x, pillar.x - HordePlayer.RADIUS, 0.1, "its disc ends at the wall"
	)
	check_near(game.player.position.y, pillar.y + 30.0, 0.1, "and was not pushed aside")
	await _send_key(KEY_D, true)
	await hold(KEY_S, 25)
	await _send_key(KEY_D, false)
	check(game.player.position.y > pillar.y + 60.0, "pressed to the wall, it slides along")


func test_the_camera_follows_and_the_horde_chases() -> void:
	await _open_game([60])
	await _until(func() -> bool: return game.enemies.count() == 60, 120)
	check_eq(game.enemies.count(), 60, "the wave has come")
	await hold(KEY_A, 90)
	var player := game.player.position
	check(game.camera.position.distance_to(player) < 120.0, "the camera is with the hero")
	var before := _mean_distance(player)
	await ticks(60)
	check(_mean_distance(player) < before - 40.0, "they come nearer")


func _mean_distance(to: Vector2) -> float:
	var sum := 0.0
	for place in game.swarm.get_positions():
		sum += place.distance_to(to)
	return sum / maxi(game.enemies.count(), 1)


func test_weapons_slay_and_experience_grows() -> void:
	await _open_game([1], 1000.0)
	_surround(HordeEnemies.Kind.WALKER, 40, 130.0)
	check(await _until(func() -> bool: return game.kills >= 30, 600), "%d slain" % game.kills)
	check_eq(game.enemies.count(), 40 - game.kills, "the slain are gone")
	check(game.growth.experience > 0.0 or game.growth.level > 1, "they were worth something")
	check(game.player.alive, "the hero lives")


func test_space_fires_the_nova_once_until_it_is_ready() -> void:
	await _open_game([1], 1000.0)
	_surround(HordeEnemies.Kind.WALKER, 30, 100.0)
	_surround(HordeEnemies.Kind.WALKER, 30, 210.0)
	await ticks(2)
	await key(KEY_SPACE)
	await ticks(3)
	check(game.kills >= 30, "those that were near have fallen: %d" % game.kills)
	check(game.nova.wait > 1.0, "it has to load")
	var outward := 0
	var places := game.swarm.get_positions()
	var velocities := game.swarm.get_velocities()
	for i in places.size():
		if velocities[i].dot(places[i] - game.player.position) > 0.0:
			outward += 1
	check(outward > 20, "the others fly back: %d" % outward)
	var kills := game.kills
	_surround(HordeEnemies.Kind.BRUTE, 6, 120.0)
	await key(KEY_SPACE)
	check(game.nova.wait > 0.0 and game.kills - kills < 20, "a second blow must wait")


func test_waves_end_and_the_last_one_is_won() -> void:
	await _open_game([8, 12])
	for wave in 2:
		check(await _until(func() -> bool: return game.waves.running, 120), "wave %d began" % wave)
		var size := game.waves.sizes[wave]
		await _until(func() -> bool: return game.enemies.count() == size, 300)
		# To where the blades are: waiting for them to walk there takes half a minute.
		var places := PackedVector2Array()
		for i in size:
			places.append(game.player.position + Vector2.from_angle(TAU * i / size) * 75.0)
		game.swarm.set_agent_positions(game.swarm.get_ids(), places)
		check(
			await _until(func() -> bool: return game.waves.wave == wave + 1, 900),
			"wave %d is over" % wave
		)
	check_eq(game.state, Horde.State.WON, "the last wave wins the game")
	check_eq(game.kills, 20, "all of both waves")


func test_contact_kills_and_enter_begins_anew() -> void:
	await _open_game([1], 1000.0)
	game.blades.count = 0
	game.bolts.count = 0
	_surround(HordeEnemies.Kind.WALKER, 60, 40.0)
	check(
		await _until(func() -> bool: return game.player.health < HordePlayer.FULL_HEALTH, 300),
		"touching hurts"
	)
	check(game.player.pain > 0.0, "and shows")
	check(
		await _until(func() -> bool: return game.state == Horde.State.LOST, 900),
		"in the end the hero falls: %f left" % game.player.health
	)
	await _look()
	await save_picture("horde_lost")
	await key(KEY_SPACE)
	check_eq(game.nova.wait, 0.0, "the dead strike no more")
	await key(KEY_ENTER)
	check_eq(game.state, Horde.State.PLAYING, "a new game")
	check_eq(game.enemies.count(), 0, "with no enemy there yet")
	check_eq(game.player.health, HordePlayer.FULL_HEALTH, "and full health")
	check_eq(game.player.position, HordeArena.get_center(), "in the middle")
	check_eq(game.blades.count, 2, "and the first weapons")


func test_escape_pauses_and_resumes() -> void:
	await _open_game([40])
	await _until(func() -> bool: return game.enemies.count() > 10, 200)
	await key(KEY_ESCAPE)
	check_eq(game.state, Horde.State.PAUSED, "paused")
	var before := game.swarm.state_hash()
	await ticks(10)
	check_eq(game.swarm.state_hash(), before, "nothing moves")
	await key(KEY_ESCAPE)
	await ticks(10)
	check(game.swarm.state_hash() != before, "they go on")


func test_the_wheel_zooms() -> void:
	await _open_game([1], 1000.0)
	var before := game.camera.zoom.x
	await press(Vector2(400.0, 300.0), MOUSE_BUTTON_WHEEL_DOWN)
	await release(Vector2(400.0, 300.0), MOUSE_BUTTON_WHEEL_DOWN)
	check(game.camera.zoom.x < before, "farther away")


func test_thousands_look_like_a_horde() -> void:
	await _open_game([4000])
	game.start_level = 9
	game.restart()
	await _until(func() -> bool: return game.enemies.count() >= 3000, 900)
	await ticks(240)
	await _look()
	var image := await shown_image()
	check(_count_like(image, HordePalette.WALKER) > 400, "walkers are seen")
	await save_picture("horde")


## How many points of a coarse raster over an image have about the hue of a colour.
func _count_like(image: Image, color: Color) -> int:
	var found := 0
	for y in range(0, image.get_height(), 4):
		for x in range(0, image.get_width(), 4):
			var pixel := image.get_pixel(x, y)
			if pixel.v > 0.25 and pixel.s > 0.3 and absf(pixel.h - color.h) < 0.05:
				found += 1
	return found
