class_name RtsRun
extends Node
## Runs the demo without a player. After `--`: with `--demo-seconds=N` the armies change places
## repeatedly, and the demo quits after N seconds; `--screenshot=FILE` saves the last image before
## that. Prints one line of figures.

## Seconds between orders.
const PAUSE := 6.0

@export var rts: Rts

var _seconds := 0.0
var _screenshot := ""
var _orders := 0


func _ready() -> void:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--demo-seconds="):
			_seconds = argument.get_slice("=", 1).to_float()
		elif argument.begins_with("--screenshot="):
			_screenshot = argument.trim_prefix("--screenshot=")
	if _seconds <= 0.0:
		return
	_begin.call_deferred()
	get_tree().create_timer(_seconds).timeout.connect(_finish)


func _begin() -> void:
	rts.selection.select(rts.swarm.query_circle(rts.camera.position, 1000.0))
	_send_armies()
	var pause := Timer.new()
	pause.timeout.connect(_send_armies)
	add_child(pause)
	pause.start(PAUSE)


## Sends every army to the base of another one.
func _send_armies() -> void:
	_orders += 1
	for army in RtsUnits.ARMIES:
		var per_army := rts.swarm.get_agent_count() / RtsUnits.ARMIES
		# In the order in which they were mustered.
		var ids := rts.swarm.get_group_agents(0)
		var members := ids.slice(army * per_army, (army + 1) * per_army)
		var base := RtsMap.BASES[(army + _orders) % RtsMap.BASES.size()]
		rts.orders.send(members, PackedVector2Array([rts.manager.get_cell_center(base)]))


func _finish() -> void:
	if _screenshot != "" and DisplayServer.get_name() != "headless":
		await RenderingServer.frame_post_draw
		var error := get_viewport().get_texture().get_image().save_png(_screenshot)
		if error != OK:
			printerr("rts: cannot write %s: %s" % [_screenshot, error_string(error)])
			get_tree().quit(1)
			return
	print(
		(
			"rts: %d units, tick %.2f ms (median), %.2f ms (worst), %d tiles built"
			% [
				rts.swarm.get_agent_count(),
				rts.clock.get_median(),
				rts.clock.get_worst(),
				rts.manager.get_tile_stats()["tiles_built"],
			]
		)
	)
	get_tree().quit()
