extends SceneTree
## Whole ticks of the RTS demo without a window: 2,000 units, orders for some of them again and
## again, bridges that are walled off and opened, and rows of walls that come and go.
## The last line is JSON. After `--`: `--ticks=N`, `--threads=N`.

const WARM_UP := 120
const DELTA := 1.0 / 60.0
const ORDER_EVERY := 20
const UNITS_PER_ORDER := 200
const WALL_EVERY := 15
const WALLS_PER_ROW := 10
const ROWS_STANDING := 12
const BRIDGE_EVERY := 90

var _rts: Rts
var _random := RandomNumberGenerator.new()
var _rows: Array[Array] = []
var _on_bridges: Dictionary[int, Array] = {}
var _edits := 0
var _extra := {}
var _last := {}
## Milliseconds of each tick, by what took them.
var _times: Dictionary[StringName, PackedFloat32Array] = {}


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var ticks := _option("ticks", 1800)
	_random.seed = 5
	_rts = (load("res://demos/rts/rts.tscn") as PackedScene).instantiate() as Rts
	(_rts.get_node(^"Manager") as FlowFieldManager).worker_threads = _option("threads", 0)
	root.add_child(_rts)
	for part: StringName in [&"tick", &"orders", &"walls", &"fields", &"step"]:
		_times[part] = PackedFloat32Array()
	for tick in WARM_UP + ticks:
		_tick(tick)
		if tick == WARM_UP - 1:
			for part: StringName in _times:
				_times[part] = PackedFloat32Array()
	_report(ticks)
	quit()


func _tick(tick: int) -> void:
	var begin := Time.get_ticks_usec()
	if tick % ORDER_EVERY == 0:
		_order()
	var ordered := _note(&"orders", begin)
	if tick % WALL_EVERY == 7:
		_change_walls()
	if tick % BRIDGE_EVERY == 40:
		_change_bridge()
	var built := _note(&"walls", ordered)
	_rts.manager.update()
	var updated := _note(&"fields", built)
	_rts.swarm.step(DELTA)
	_note(&"step", updated)
	var stats := _rts.manager.get_tile_stats()
	_extra[tick] = {"routes": stats["routes"] - _last.get("routes", 0), "built": stats["tiles_built"] - _last.get("tiles_built", 0), "t": _rts.swarm.get_stats()}
	_last = stats
	_note(&"tick", begin)


## Adds the time since `begin` to a part's, and returns when that was.
func _note(part: StringName, begin: int) -> int:
	var now := Time.get_ticks_usec()
	_times[part].append((now - begin) / 1000.0)
	return now


## Some units that stand together go somewhere.
func _order() -> void:
	var swarm := _rts.swarm
	var places := swarm.get_positions()
	var about := places[_random.randi_range(0, places.size() - 1)]
	var near := swarm.query_circle(about, 400.0)
	_rts.orders.send(near.slice(0, UNITS_PER_ORDER), PackedVector2Array([_somewhere()]))


func _change_walls() -> void:
	var corner := Vector2i(_rts.manager.get_cell(_somewhere()))
	var along := Vector2i.RIGHT if _random.randf() < 0.5 else Vector2i.DOWN
	_rows.append(_build(corner, along, WALLS_PER_ROW))
	if _rows.size() > ROWS_STANDING:
		_remove(_rows.pop_front() as Array)


## Walls off a bridge, or opens it again.
func _change_bridge() -> void:
	var index := _random.randi_range(0, RtsMap.BRIDGES.size() - 1)
	if _on_bridges.has(index):
		_remove(_on_bridges[index])
		_on_bridges.erase(index)
		return
	var middle := RtsMap.bridge_at(index)
	_on_bridges[index] = _build(middle - Vector2i(0, 8), Vector2i.DOWN, 8)


func _build(corner: Vector2i, along: Vector2i, count: int) -> Array[RtsBuilding]:
	var wanted: Array[RtsBuilding] = []
	var first := RtsBuilder.corner_at(corner, RtsBuilding.Kind.WALL)
	for n in count:
		wanted.append(RtsBuilding.new(RtsBuilding.Kind.WALL, first + along * n * 2))
	_edits += _rts.builder.place(wanted)
	var standing: Array[RtsBuilding] = []
	for building: RtsBuilding in wanted:
		if building.stamp_id != 0:
			standing.append(building)
	return standing


func _remove(buildings: Array) -> void:
	for building: RtsBuilding in buildings:
		_rts.builder.remove(building)
		_edits += 1


func _somewhere() -> Vector2:
	var bounds := _rts.manager.get_bounds().grow(-200.0)
	return bounds.position + Vector2(_random.randf(), _random.randf()) * bounds.size


func _report(ticks: int) -> void:
	var order := range(_times[&"tick"].size())
	order.sort_custom(func(a: int, b: int) -> bool: return _times[&"tick"][a] > _times[&"tick"][b])
	for n in 14:
		var t: int = order[n]
		var line := "tick %d (mod20 %d, mod15 %d, mod90 %d)" % [t + WARM_UP, (t + WARM_UP) % 20, (t + WARM_UP) % 15, (t + WARM_UP) % 90]
		for part: StringName in _times:
			line += "  %s %.2f" % [part, _times[part][t]]
		line += "  " + str(_extra.get(t + WARM_UP, {}))
		print(line)
	var worst: Dictionary[StringName, float] = {}
	var medians: Dictionary[StringName, float] = {}
	for part: StringName in _times:
		var times := _times[part]
		times.sort()
		medians[part] = snappedf(times[times.size() / 2], 0.001)
		worst[part] = snappedf(times[times.size() - 1], 0.001)
	var all := _times[&"tick"].duplicate()
	all.sort()
	var units := _rts.swarm.get_agent_count()
	var p95 := snappedf(all[all.size() * 95 / 100], 0.001)
	print(
		(
			"%d units, %d ticks, %d orders, %d walls placed or removed"
			% [units, ticks, _rts.orders.count, _edits]
		)
	)
	print(
		"a tick: %.2f ms (median), 95%% below %.2f, worst %.2f" % [medians[&"tick"], p95, all[-1]]
	)
	print("worst of each part: %s" % worst)
	print(
		(
			JSON
			. stringify(
				{
					"benchmark": "rts_tick",
					"units": units,
					"ticks": ticks,
					"orders": _rts.orders.count,
					"edits": _edits,
					"cores": OS.get_processor_count(),
					"tick_ms_median": medians[&"tick"],
					"tick_ms_p95": p95,
					"tick_ms_worst": worst[&"tick"],
					"worst_ms": worst,
					"lost": _rts.swarm.get_stats()["lost"],
				}
			)
		)
	)


func _option(name: String, fallback: int) -> int:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--%s=" % name):
			return argument.get_slice("=", 1).to_int()
	return fallback
