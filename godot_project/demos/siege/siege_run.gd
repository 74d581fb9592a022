class_name SiegeRun
extends Node
## Runs the game without a player. After `--`: with `--demo-seconds=N` the defender throws grenades
## by itself for N seconds, then the game quits; `--screenshot=FILE` saves the last image before
## that; `--attackers=N` begins with N attackers, all over the land. Prints one line of figures.

## Attackers on the road in a run without a number, so that a short run shows a fight.
const SHOWN := 400

@export var game: Siege

var _seconds := 0.0
var _attackers := 0
var _screenshot := ""


func _enter_tree() -> void:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--demo-seconds="):
			_seconds = argument.get_slice("=", 1).to_float()
		elif argument.begins_with("--screenshot="):
			_screenshot = argument.trim_prefix("--screenshot=")
		elif argument.begins_with("--attackers="):
			_attackers = argument.get_slice("=", 1).to_int()
	var waves: SiegeWaves = game.get_node(^"Waves")
	if _attackers > 0:
		waves.breather = INF
	elif _seconds > 0.0:
		waves.sizes[0] = SHOWN
		waves.breather = 0.0


func _ready() -> void:
	if _attackers > 0:
		_fill_land.call_deferred()
	if _seconds <= 0.0:
		set_physics_process(false)
		return
	# There is no viewer, so only the screenshot is drawn.
	RenderingServer.render_loop_enabled = false
	(game.get_node(^"Interface/Hud") as SiegeHud).shows_rate = false
	if _attackers == 0:
		_begin.call_deferred()
	get_tree().create_timer(_seconds).timeout.connect(_finish)


func _physics_process(_delta: float) -> void:
	if game.grenades.wait <= 0.0 and Engine.get_physics_frames() % 90 == 0:
		game.grenades.throw()


func _fill_land() -> void:
	game.crowd.spawn_over_land(_attackers)


## Some are on the road already.
func _begin() -> void:
	for z: float in [54.0, 62.0, 70.0]:
		var road := SiegeGround.nearest_on_road(Vector2(4.0, z))
		game.crowd.spawn(SiegeCrowd.Kind.SOLDIER, 60, road)
		game.crowd.spawn(SiegeCrowd.Kind.BEAST, 14, road)


func _finish() -> void:
	RenderingServer.render_loop_enabled = true
	if _screenshot != "" and DisplayServer.get_name() != "headless":
		await RenderingServer.frame_post_draw
		await RenderingServer.frame_post_draw
		var error := get_viewport().get_texture().get_image().save_png(_screenshot)
		if error != OK:
			printerr("siege: cannot write %s: %s" % [_screenshot, error_string(error)])
			get_tree().quit(1)
			return
	var stats := game.crowd.swarm.get_stats()
	print(
		(
			"siege: %d attackers, %d fallen, gate %d, keep %d; step %.2f ms, packing %.2f ms"
			% [
				game.crowd.count_alive(),
				game.kills,
				ceili(game.level.gate.health),
				ceili(game.keep.health),
				stats["step_ms"],
				stats["pack_ms"],
			]
		)
	)
	get_tree().quit()
