class_name HordeRun
extends Node
## Runs the game without a player. After `--`: with `--demo-seconds=N` the hero plays automatically
## for N seconds, then the game quits; `--screenshot=FILE` saves the last image before that;
## `--enemies=N` begins with the last wave, with N enemies. Prints one line of figures.

## The distance at which the hero looks for free ground, the width of that ground, and the number of
## directions.
const SIGHT := 150.0
const ROOM := 95.0
const WAYS := 12
## The number of enemies within reach for which the hero fires a nova.
const CROWD := 60
## The hero's levels at the start for each thousand enemies of the first wave, so that it can
## survive.
const LEVELS_PER_THOUSAND := 0.28

## The size of the wave in a run without a number, and the distances at which waves appear in such a
## run and in others.
const SHOWN := 12000
const NEAR_BY := 330.0
const FAR_OFF := 820.0

@export var game: Horde

var _seconds := 0.0
var _first_wave := 0
var _screenshot := ""
var _step_times: Array[float] = []
var _tick_times: Array[float] = []
var _tick_begin := 0
var _first_tick_begin := 0


func _enter_tree() -> void:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--demo-seconds="):
			_seconds = argument.get_slice("=", 1).to_float()
		elif argument.begins_with("--screenshot="):
			_screenshot = argument.trim_prefix("--screenshot=")
		elif argument.begins_with("--enemies="):
			_first_wave = argument.get_slice("=", 1).to_int()
	if _first_wave > 0:
		_begin_with(_first_wave, FAR_OFF)
	elif _seconds > 0.0:
		# A short run should show a fight.
		_begin_with(SHOWN, NEAR_BY)


func _ready() -> void:
	set_physics_process(_seconds > 0.0)
	if _seconds <= 0.0:
		return
	# There is no viewer, so only the screenshot is drawn.
	RenderingServer.render_loop_enabled = false
	(game.get_node(^"Interface/Hud") as HordeHud).shows_rate = false
	get_tree().physics_frame.connect(_begin_tick)
	get_tree().create_timer(_seconds).timeout.connect(_finish)


func _physics_process(_delta: float) -> void:
	_play()
	# Runs after all nodes, and after the manager and the swarm, which work in deferred calls.
	_end_tick.call_deferred()


func _begin_tick() -> void:
	_tick_begin = Time.get_ticks_usec()
	if _tick_times.is_empty():
		_first_tick_begin = _tick_begin


func _end_tick() -> void:
	_tick_times.append((Time.get_ticks_usec() - _tick_begin) / 1000.0)
	_step_times.append(game.swarm.get_stats()["total_ms"] as float)


func _begin_with(size: int, nearest: float) -> void:
	var waves: HordeWaves = game.get_node(^"Waves")
	waves.nearest = nearest
	waves.first = waves.sizes.size() - 1
	waves.sizes[waves.first] = size
	waves.breather = 0.0
	game.start_level = 1 + int(size * 0.001 * LEVELS_PER_THOUSAND)


## Walks in the direction with the fewest enemies, and fires a nova when there are many.
func _play() -> void:
	var player := game.player
	var best := Vector2.ZERO
	var least := INF
	for i in WAYS:
		var way := Vector2.from_angle(TAU * i / WAYS)
		var place := player.position + way * SIGHT
		var dread := float(game.swarm.query_circle(place, ROOM).size())
		dread += game.manager.get_closest_walls(place, ROOM * 0.5).size() * 4.0
		var near := player.position + way * ROOM * 0.5
		dread += game.manager.get_closest_walls(near, HordePlayer.RADIUS * 2.0).size() * 40.0
		dread += place.distance_to(HordeArena.get_center()) * 0.01
		dread -= way.dot(player.facing) * 3.0
		if dread < least:
			least = dread
			best = way
	player.autopilot = best
	if game.swarm.query_circle(player.position, game.nova.radius).size() >= CROWD:
		game.nova.fire()


func _finish() -> void:
	RenderingServer.render_loop_enabled = true
	if _screenshot != "" and DisplayServer.get_name() != "headless":
		await RenderingServer.frame_post_draw
		await RenderingServer.frame_post_draw
		var error := get_viewport().get_texture().get_image().save_png(_screenshot)
		if error != OK:
			printerr("horde: cannot write %s: %s" % [_screenshot, error_string(error)])
			get_tree().quit(1)
			return
	print(_figures())
	get_tree().quit()


func _figures() -> String:
	return (
		(
			"horde: %d enemies, %d slain, health %d, level %d; %.1f steps a second, "
			+ "step %.2f ms, whole tick %.2f ms (medians)"
		)
		% [
			game.enemies.count(),
			game.kills,
			ceili(game.player.health),
			game.growth.level,
			_rate(),
			_median(_step_times),
			_median(_tick_times),
		]
	)


## The number of ticks a second, from the first to the last.
func _rate() -> float:
	var duration := (_tick_begin - _first_tick_begin) / 1_000_000.0
	return (_tick_times.size() - 1) / duration if duration > 0.0 else 0.0


func _median(times: Array[float]) -> float:
	if times.is_empty():
		return 0.0
	times.sort()
	return times[times.size() / 2]
