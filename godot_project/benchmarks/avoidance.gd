extends SceneTree
## NavigationServer2D's avoidance against EnemySwarm's, by contacts, ORCA and separation, in one
## process.
##
## Every agent walks through a crowd to a place of its own. All contestants have the same agents,
## places, radius, speed, neighbours and time horizon, and take turns, some ticks each. A tick is
## all that a game pays for it: telling the engine where all agents are and want to go, computing
## velocities, handing them out and moving. The engine's threads are as its project settings have
## them, so all cores. The last line is JSON. After `--`: `--counts=1000,2000`, `--engine-most=N`
## (the largest crowd that the engine has to move), `--ticks=N`, `--warm-up=N`, `--seed=N`,
## `--json=FILE`.

const Crowd := preload("res://benchmarks/avoidance/crowd.gd")
const ServerCrowd := preload("res://benchmarks/avoidance/server_crowd.gd")
const SwarmCrowd := preload("res://benchmarks/avoidance/swarm_crowd.gd")
const OverlapMeter := preload("res://benchmarks/avoidance/overlap_meter.gd")

const COUNTS := "1000,2000,5000,10000,20000,50000,100000,250000"
const THREADS_SETTING := "navigation/avoidance/thread_model/avoidance_use_multiple_threads"
## Ticks that each contestant has before the next: the first finds the caches full of the others'.
const TURN := 10

var _ticks := 60
var _warm_up := 60
var _seed := 1


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	_ticks = _option("ticks", "60").to_int()
	_warm_up = _option("warm-up", "60").to_int()
	_seed = _option("seed", "1").to_int()
	var engine_most := _option("engine-most", "20000").to_int()
	# One tick a frame, so that a tick is what lies between two signals.
	Engine.max_physics_steps_per_frame = 1
	print(_heading())
	var rows: Array[Dictionary] = []
	for count in _option("counts", COUNTS).split(","):
		var row := await _race(count.to_int(), engine_most)
		rows.append(row)
		print(_line(row))
	_report(rows)
	quit()


## All contestants in turn on one crowd.
func _race(count: int, engine_most: int) -> Dictionary:
	var start := Crowd.new(count, _seed)
	var crowds: Dictionary[String, RefCounted] = {}
	if count <= engine_most:
		crowds["server"] = ServerCrowd.new(start, self)
	crowds["contact"] = SwarmCrowd.new(start, SwarmAgentType.AVOIDANCE_CONTACT, root)
	crowds["orca"] = SwarmCrowd.new(start, SwarmAgentType.AVOIDANCE_ORCA, root)
	crowds["separation"] = SwarmCrowd.new(start, SwarmAgentType.AVOIDANCE_SEPARATION, root)
	var times: Dictionary[String, PackedFloat64Array] = {}
	for name in crowds:
		times[name] = PackedFloat64Array()
		for tick in _warm_up:
			await crowds[name].tick()
	for turn in _ticks / TURN:
		for name in crowds:
			var spent := PackedFloat64Array()
			for tick in TURN:
				spent.append(await crowds[name].tick())
			times[name].append_array(spent)
	var row := {"agents": count}
	for name in crowds:
		var crowd := crowds[name]
		var meter := OverlapMeter.new(Crowd.RADIUS)
		meter.look(crowd.get_positions())
		row[name + "_ms"] = snappedf(_median(times[name]), 0.001)
		row[name + "_agents_per_ms"] = roundf(count / _median(times[name]))
		row[name + "_overlapping"] = snappedf(meter.get_share(), 0.0001)
		row[name + "_overlap"] = snappedf(meter.get_mean_depth(), 0.0001)
		row[name + "_progress"] = snappedf(start.progress(crowd.get_positions()), 0.001)
		if name == "server":
			row["script_ms"] = snappedf(_median(crowd.script_times), 0.001)
		elif row.has("server_ms"):
			var alone: float = row["server_ms"] - row["script_ms"]
			row["server_per_" + name] = snappedf(row["server_ms"] / row[name + "_ms"], 0.01)
			row["engine_alone_per_" + name] = snappedf(alone / row[name + "_ms"], 0.01)
		crowd.free_all()
	return row


func _median(times: PackedFloat64Array) -> float:
	var sorted := times.duplicate()
	sorted.sort()
	return sorted[sorted.size() / 2]


func _heading() -> String:
	return (
		"%8s%14s%12s%14s%10s%12s%12s%10s%10s%15s%12s%14s   %s"
		% [
			"agents",
			"server [ms]",
			"script [ms]",
			"contact [ms]",
			"ORCA [ms]",
			"separ. [ms]",
			"/ contact",
			"/ ORCA",
			"/ separ.",
			"alone/contact",
			"alone/ORCA",
			"alone/separ.",
			"overlapping, mean depth in radii, progress",
		]
	)


func _line(row: Dictionary) -> String:
	var has_server := row.has("server_ms")
	var text := "%8d" % row["agents"]
	text += "%14.2f%12.2f" % [row["server_ms"], row["script_ms"]] if has_server else "%26s" % "-"
	text += "%14.2f%10.2f%12.2f" % [row["contact_ms"], row["orca_ms"], row["separation_ms"]]
	if has_server:
		text += (
			"%12.1f%10.1f%10.1f%15.1f%12.1f%14.1f"
			% [
				row["server_per_contact"],
				row["server_per_orca"],
				row["server_per_separation"],
				row["engine_alone_per_contact"],
				row["engine_alone_per_orca"],
				row["engine_alone_per_separation"],
			]
		)
	else:
		text += "%73s" % "-"
	for name: String in ["server", "contact", "orca", "separation"]:
		if row.has(name + "_ms"):
			text += (
				"   %s %.1f %%, %.3f, %.2f"
				% [
					name,
					100.0 * row[name + "_overlapping"],
					row[name + "_overlap"],
					row[name + "_progress"],
				]
			)
	return text


func _report(rows: Array[Dictionary]) -> void:
	var result := {
		"benchmark": "avoidance",
		"engine": Engine.get_version_info()["string"],
		"engine_avoidance_threads": ProjectSettings.get_setting_with_override(THREADS_SETTING),
		"cores": OS.get_processor_count(),
		"ticks": _ticks,
		"seed": _seed,
		"radius": Crowd.RADIUS,
		"max_speed": Crowd.MAX_SPEED,
		"neighbour_radius": Crowd.NEIGHBOUR_RADIUS,
		"max_neighbours": Crowd.MAX_NEIGHBOURS,
		"time_horizon": Crowd.TIME_HORIZON,
		"crowds": rows,
	}
	var file := _option("json", "")
	if file != "":
		var out := FileAccess.open(file, FileAccess.WRITE)
		if out == null:
			push_error("cannot write %s: %s" % [file, error_string(FileAccess.get_open_error())])
		else:
			out.store_string(JSON.stringify(result, "\t") + "\n")
	print(JSON.stringify(result))


func _option(name: String, fallback: String) -> String:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--%s=" % name):
			return argument.get_slice("=", 1)
	return fallback
