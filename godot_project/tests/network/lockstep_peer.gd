extends Node
## One machine of a lockstep game without a player, in a process of its own: the suites of this
## folder start several. It gives orders at random, runs ticks as fast as it can, and writes the
## hashes of sampled ticks to a file. Arguments after `--`, all NAME=VALUE: role (host or guest),
## port (of the host), name, log (the file), ticks (how many), desync (the tick after which this
## machine alone changes something) and change (what it changes).

const WALL := 255
const SIZE := Vector2i(64, 64)
const SAMPLED := 120
const AGENTS := 240
## A run that takes longer has failed.
const SECONDS := 60.0
## Ticks between the orders of a player.
const PAUSE := 7

var manager := FlowFieldManager.new()
var swarm := EnemySwarm.new()
var other_swarm := EnemySwarm.new()
var lockstep := FlowLockstep.new()
## The game's own state: how many orders every player has given.
var counts := PackedInt32Array([0, 0, 0, 0])

var _arguments: Dictionary[String, String] = {}
var _log: FileAccess
var _last_tick := 0
var _is_done := false
## The host waits for a guest before its first tick.
var _has_company := false
var _random := RandomNumberGenerator.new()


func _ready() -> void:
	for argument: String in OS.get_cmdline_user_args():
		_arguments[argument.get_slice("=", 0)] = argument.get_slice("=", 1)
	_log = FileAccess.open(_arguments["log"], FileAccess.WRITE)
	_last_tick = _arguments["ticks"].to_int()
	_random.randomize()
	# Otherwise the engine tells guests that are about to quit of others that have.
	(multiplayer as SceneMultiplayer).server_relay = false
	_make_world()
	_connect_lockstep()
	if _arguments["role"] == "host":
		_fill_world()
		_check_ok(lockstep.host(0, "127.0.0.1"))
		var peer := multiplayer.multiplayer_peer as ENetMultiplayerPeer
		_write("port %d" % peer.host.get_local_port())
	else:
		_check_ok(lockstep.join("127.0.0.1", _arguments["port"].to_int()))
	get_tree().create_timer(SECONDS).timeout.connect(_fail.bind("it took too long"))


func _process(_delta: float) -> void:
	_has_company = _has_company or not multiplayer.get_peers().is_empty()
	# Until a guest takes part the host does not run ahead of it: on a busy machine, joining
	# takes long.
	var is_alone := lockstep.is_host() and lockstep.get_players().size() < 2
	var most := 1 if is_alone else 40
	var ran := 0
	while _has_company and ran < most and lockstep.get_tick() < _last_tick and lockstep.run_tick():
		ran += 1
	if is_alone:
		OS.delay_usec(10000)
	elif ran == 0:
		OS.delay_usec(200)
	if lockstep.get_tick() >= _last_tick and not _is_done:
		_is_done = true
		_write("done")
	# The host stays until its guests have run all ticks too.
	if _is_done and (not lockstep.is_host() or multiplayer.get_peers().is_empty()):
		get_tree().quit()


func _make_world() -> void:
	manager.grid_size = SIZE
	manager.worker_threads = 1
	var terrain := PackedByteArray()
	terrain.resize(SIZE.x * SIZE.y)
	var random := RandomNumberGenerator.new()
	random.seed = 5
	for i in terrain.size():
		terrain[i] = WALL if random.randf() < 0.05 else 1
	manager.set_terrain_bytes(terrain)
	add_child(manager)
	for one: EnemySwarm in [swarm, other_swarm]:
		one.manager = manager
		add_child(one)
	swarm.name = "Swarm"
	other_swarm.name = "OtherSwarm"


## Only the host has agents at first: guests get them with the world.
func _fill_world() -> void:
	for one: EnemySwarm in [swarm, other_swarm]:
		var places := PackedVector2Array()
		for i in AGENTS / 2:
			places.append(Vector2(40.0 + 40.0 * (i % 24), 60.0 + 180.0 * (i / 24)))
		one.spawn_many(places)
	var goal := manager.create_goal(
		PackedVector2Array([Vector2(900.0, 900.0)]), FlowFieldManager.GOAL_MODE_TILED
	)
	swarm.set_group_goal(0, goal)


func _connect_lockstep() -> void:
	lockstep.name = "Lockstep"
	lockstep.manager = manager
	lockstep.swarms = [swarm, other_swarm]
	lockstep.automatic = false
	lockstep.delay = 14
	lockstep.patience = 4.0
	lockstep.player_name = _arguments["name"]
	lockstep.save_game = func() -> PackedByteArray: return counts.to_byte_array()
	lockstep.load_game = func(bytes: PackedByteArray) -> void: counts = bytes.to_int32_array()
	lockstep.ordered.connect(_on_ordered)
	lockstep.stepped.connect(_on_stepped)
	lockstep.started.connect(
		func() -> void: _write("started %d %d" % [lockstep.get_tick(), lockstep.get_player()])
	)
	lockstep.player_joined.connect(
		func(player: int) -> void: _write("joined %d %d" % [lockstep.get_tick(), player])
	)
	lockstep.player_left.connect(
		func(player: int) -> void: _write("left %d %d" % [lockstep.get_tick(), player])
	)
	lockstep.desynced.connect(
		func(report: Dictionary) -> void: _write("desynced %s" % JSON.stringify(report))
	)
	lockstep.ended.connect(_fail)
	add_child(lockstep)


func _on_stepped(tick: int) -> void:
	if tick % SAMPLED == 0 or tick == _last_tick:
		var hashes := [manager.world_hash(), swarm.state_hash(), other_swarm.state_hash()]
		_write("hash %d %d %d %d %s" % ([tick] + hashes + [hash(counts)]))
	if tick == _arguments.get("desync", "0").to_int():
		_go_apart()
	if tick % PAUSE == 0:
		lockstep.give_order(_make_order())


func _make_order() -> Array:
	var place := Vector2(_random.randf_range(20.0, 980.0), _random.randf_range(20.0, 980.0))
	var kinds: Array[StringName] = [&"send", &"send", &"send", &"march", &"wall", &"push", &"spawn"]
	return [kinds[_random.randi() % kinds.size()], place, _random.randi_range(1, 60)]


func _on_ordered(player: int, order: Variant) -> void:
	counts[player] += 1
	var place: Vector2 = order[1]
	var count: int = order[2]
	var one := swarm if player % 2 == 0 else other_swarm
	var ids := one.get_ids().slice(count, count + 20)
	match order[0] as StringName:
		&"send":
			var mode := FlowFieldManager.GOAL_MODE_FULL
			if count % 2 == 0:
				mode = FlowFieldManager.GOAL_MODE_TILED
			one.send_agents(ids, PackedVector2Array([place]), mode)
		&"march":
			if not ids.is_empty():
				one.send_in_formation(ids, place, EnemySwarm.FORMATION_BLOCK)
		&"wall":
			var cell := manager.get_cell(place)
			var id := WALL if count % 3 > 0 else 1
			manager.set_terrain_rect(Rect2i(cell, Vector2i.ONE * 2), id)
		&"push":
			one.apply_radial_impulse(place, 100.0, 200.0)
		&"spawn":
			one.despawn(one.get_ids().slice(0, 3))
			one.spawn_many(PackedVector2Array([place, place + Vector2(9.0, 0.0), place]))


## Changes something on this machine alone.
func _go_apart() -> void:
	match _arguments["change"]:
		"terrain":
			manager.set_terrain_rect(Rect2i(31, 17, 1, 1), 9)
		"agent":
			var id := other_swarm.get_ids()[0]
			var there := other_swarm.get_agent_position(id) + Vector2(0.01, 0.0)
			other_swarm.set_agent_positions(PackedInt64Array([id]), PackedVector2Array([there]))
			_write("slot %d" % (id >> 32))


func _write(line: String) -> void:
	_log.store_line(line)
	_log.flush()


func _check_ok(error: Error) -> void:
	if error != OK:
		_fail(error_string(error))


func _fail(reason: String) -> void:
	_write("failed %s" % reason)
	get_tree().quit(1)
