@icon("../icons/FlowFieldManager.svg")
class_name FlowLockstep
extends Node
## Keeps a manager and its swarms in step on several machines: a lockstep game over Godot's
## high-level multiplayer.
##
## Only orders are sent, and every machine simulates the same world from them. A tick runs when the
## orders of all players for it have come. An order is carried out [member delay] ticks after it is
## given, so that in an even network no tick waits. The machine of [method host] collects the orders
## and sends the same turns to all. A machine may [method join] at any time: it gets the world as it
## is then, and follows. Hashes are compared, and [signal desynced] tells what differs first.
##
## [codeblock]
## func _ready() -> void:
##     lockstep.ordered.connect(_on_ordered)
##     lockstep.host(4433)  # on the other machine: lockstep.join("192.168.0.7", 4433)
##
## func _unhandled_input(event: InputEvent) -> void:
##     if event.is_action_pressed("move"):
##         lockstep.give_order(get_global_mouse_position())
##
## func _on_ordered(player: int, order: Variant) -> void:
##     if order is Vector2:
##         swarm.send_agents(swarm.get_group_agents(player), [order])
## [/codeblock]
##
## Change the world only in [signal ordered], [signal ticked], [signal player_joined], [signal
## player_left] and in the signals of manager and swarms, and there by nothing that differs between
## machines: no time, mouse or camera, and no random numbers that are not seeded. The node must have
## the same path on all machines.

## A player's order in the tick in which it is carried out, on every machine. [param player] is
## certain; [param order] is what that machine has sent, so check it.
signal ordered(player: int, order: Variant)
## A tick begins: orders are carried out, the world moves next. Here go the game's own rules.
signal ticked(tick: int)
## The world has moved. [param tick] is the number of ticks that have run.
signal stepped(tick: int)
## A player takes part from this tick on.
signal player_joined(player: int)
## A player takes part no more.
signal player_left(player: int)
## This machine has a world and runs ticks: after [method host], or when the world of the host has
## been loaded.
signal started
## Two machines have gone apart. [param report] has [code]tick[/code], [code]last_equal_tick[/code]
## (-1 for none), [code]player[/code], the player whose machine differs from the host's, and
## [code]difference[/code], the first thing that differs. Emitted at the host, where "here" is the
## host, and at that player.
signal desynced(report: Dictionary)
## The game is over for this machine: it was refused or dropped, or the host is gone.
signal ended(reason: String)

const Host := preload("lockstep_host.gd")
const Watch := preload("lockstep_watch.gd")
const Wire := preload("lockstep_wire.gd")
const WorldBytes := preload("world_bytes.gd")
const WorldTick := preload("world_tick.gd")
const WorldTransfer := preload("world_transfer.gd")
## The most ticks that are run in a frame to catch up.
const CATCH_UP := 30

## The manager of the world. It must have the same properties on all machines.
@export var manager: FlowFieldManager
## The swarms of [member manager], in the same order on all machines.
@export var swarms: Array[EnemySwarm]
## Ticks in a second. The host's value holds for all.
@export_range(1, 240) var ticks_per_second := 60
## After how many ticks an order is carried out, 1 to 120. A network whose packets take longer than
## half of that makes players wait. The host's value holds for all.
@export_range(1, 120) var delay := 6
## After how many ticks hashes are compared; 0 for never. Each comparison takes about as long as two
## saves of the world. The host's value holds for all.
@export_range(0, 3600) var hash_interval := 60
## After how many seconds of waiting for a player the host drops the player.
@export_range(0.5, 120.0, 0.5, "suffix:s") var patience := 10.0
## The most players, the host included.
@export_range(1, 64) var max_players := 8
## A name by which a machine that comes back gets the same player's number.
@export var player_name := ""
## If [code]true[/code], ticks run by themselves, [member ticks_per_second] of them a second. If
## [code]false[/code], call [method run_tick].
@export var automatic := true

## Returns the game's own state as a PackedByteArray, for machines that join late and for checks:
## scores, health, waves. Not set if there is none.
var save_game := Callable()
## Takes what [member save_game] returned at the host.
var load_game := Callable()

## The number of ticks that have run; the number of the next one.
var _tick := 0
var _player := -1
var _players := PackedInt32Array()
var _is_running := false
## Whether this machine waits for the world of a host.
var _is_joining := false
## The turns that have come and not run, by tick.
var _turns: Dictionary[int, Dictionary] = {}
## The orders since the last tick.
var _pending: Array = []
## The last tick for which this machine has sent its orders; -1 before it takes part.
var _sent := -1
## Null outside of a game.
var _watch: Watch
## Seconds that ticks have not used up.
var _time := 0.0
## For how many seconds no tick could run.
var _waited := 0.0
## Null at guests.
var _host: Host
var _wire := Wire.new()


func _ready() -> void:
	_wire.name = "Wire"
	add_child(_wire)
	_wire.refused.connect(_end)
	_wire.world_came.connect(_on_world_came)
	_wire.turn_came.connect(_take_turn)
	multiplayer.peer_disconnected.connect(_on_peer_disconnected)
	multiplayer.connected_to_server.connect(_ask_to_join)
	multiplayer.connection_failed.connect(_end.bind("the host cannot be reached"))
	multiplayer.server_disconnected.connect(_end.bind("the connection to the host is lost"))


func _exit_tree() -> void:
	stop()


func _process(_delta: float) -> void:
	if is_host():
		_host.complete_turns()


func _physics_process(delta: float) -> void:
	if not _is_running:
		return
	_waited += delta
	if is_host() and _waited >= patience:
		_host.drop_missing("no orders for %.1f seconds" % patience)
	if automatic:
		_run_due_ticks(delta)


## Opens an ENet server at a UDP port, and begins a game with this world. Returns an error code; the
## error has been reported.
func host(port: int, address := "*") -> Error:
	var peer := ENetMultiplayerPeer.new()
	peer.set_bind_ip(address)
	var error := peer.create_server(port, max_players)
	if error != OK:
		push_error("FlowLockstep.host: cannot open port %d: %s" % [port, error_string(error)])
		return error
	multiplayer.multiplayer_peer = peer
	return begin()


## Connects to a host by ENet, and joins its game: [signal started] or [signal ended] follows.
## Returns an error code; the error has been reported.
func join(address: String, port: int) -> Error:
	var peer := ENetMultiplayerPeer.new()
	var error := peer.create_client(address, port)
	if error != OK:
		push_error(
			"FlowLockstep.join: cannot reach %s:%d: %s" % [address, port, error_string(error)]
		)
		return error
	multiplayer.multiplayer_peer = peer
	return begin()


## Begins or joins a game over the [code]multiplayer_peer[/code] that is set, as the host where it
## is a server. For other networks than ENet.
func begin() -> Error:
	var trouble := WorldTick.find_trouble(manager, swarms)
	if trouble == "" and (delay < 1 or ticks_per_second < 1):
		trouble = "delay and ticks_per_second must be above 0"
	if trouble != "":
		push_error("FlowLockstep.begin: %s" % trouble)
		return ERR_UNCONFIGURED
	stop()
	WorldTick.take_over(manager, swarms)
	_watch = Watch.new(_wire, manager, swarms)
	_watch.found.connect(desynced.emit)
	if multiplayer.is_server():
		_begin_as_host()
		return OK
	_is_joining = true
	if _is_connected():
		_ask_to_join()
	return OK


## Leaves the game. Manager and swarms move by themselves again. To tell the other machines, close
## the [code]multiplayer_peer[/code] as well.
func stop() -> void:
	if _is_running:
		WorldTick.release(manager, swarms)
	_is_running = false
	_is_joining = false
	_tick = 0
	_player = -1
	_players.clear()
	_turns.clear()
	_pending.clear()
	_sent = -1
	_watch = null
	_time = 0.0
	_waited = 0.0
	_host = null


## Gives an order: [signal ordered] is emitted with it on all machines, [member delay] ticks later.
## [param order] may be anything but objects.
func give_order(order: Variant) -> void:
	if _player < 0:
		push_error("FlowLockstep.give_order: this machine takes no part in a game")
		return
	if var_to_bytes([_pending, order]).size() > Wire.MAX_ORDER_BYTES:
		push_error("FlowLockstep.give_order: more than %d bytes in one tick" % Wire.MAX_ORDER_BYTES)
		return
	_pending.append(order)


## Runs the next tick if its turn has come. Returns whether it has.
func run_tick() -> bool:
	if not _is_running:
		return false
	if not is_host() and multiplayer.is_server():
		_end("the multiplayer peer is closed")
		return false
	if not _turns.has(_tick):
		return false
	var turn := _turns[_tick]
	_turns.erase(_tick)
	_waited = 0.0
	_carry_out(turn)
	WorldTick.take_over(manager, swarms)
	WorldTick.step(manager, swarms, 1.0 / ticks_per_second)
	_tick += 1
	stepped.emit(_tick)
	# A handler may have ended the game.
	if _is_running:
		if hash_interval > 0 and _tick % hash_interval == 0:
			_watch.check(_tick, _game_state())
		_send_orders()
	return true


## The number of ticks that have run.
func get_tick() -> int:
	return _tick


## This machine's player: 0 for the host, -1 while it takes no part.
func get_player() -> int:
	return _player


## The players that take part.
func get_players() -> PackedInt32Array:
	return _players.duplicate()


func is_host() -> bool:
	return _host != null


## Returns whether this machine has a world and runs ticks.
func is_running() -> bool:
	return _is_running


## For how many seconds no tick could run, because orders or turns have not come.
func get_waiting_seconds() -> float:
	return _waited


## On the host, the players whose orders the next turn waits for.
func get_missing_players() -> PackedInt32Array:
	return _host.get_missing() if is_host() else PackedInt32Array()


## Has a player's machine load the host's world as it is now, for one that has gone apart. Only on
## the host. Ids of agents may then have other generations there: see [method slots_of].
func resend_world(player: int) -> Error:
	var peer := _host.get_guest(player) if is_host() else 0
	if peer == 0:
		push_error("FlowLockstep.resend_world: player %d is not a guest of this host" % player)
		return ERR_INVALID_PARAMETER
	_watch.forget(player)
	_send_world(peer, player)
	return OK


func _begin_as_host() -> void:
	_host = Host.new(_wire, delay, max_players)
	_host.completed.connect(_take_turn)
	_host.world_wanted.connect(_send_world)
	_host.removed.connect(_on_removed)
	_watch.player_of = _host.player_of
	_watch.peer_of = _host.get_guest
	_player = _host.take_own_seat(player_name)
	_start()
	_host.complete_turns()


func _start() -> void:
	_is_running = true
	_is_joining = false
	_waited = 0.0
	started.emit()


func _end(reason: String) -> void:
	if _is_running or _is_joining:
		stop()
		ended.emit(reason)


func _is_connected() -> bool:
	var peer := multiplayer.multiplayer_peer
	return peer.get_connection_status() == MultiplayerPeer.CONNECTION_CONNECTED


func _ask_to_join() -> void:
	if not _is_joining:
		return
	_wire.ask_to_join(Host.PROTOCOL, player_name)


func _run_due_ticks(delta: float) -> void:
	_time = minf(_time + delta, 0.25)
	var seconds := 1.0 / ticks_per_second
	var due := floori(_time / seconds + 1e-6)
	_time -= due * seconds
	# Turns come ahead of their ticks by less than the delay, unless this machine lags behind.
	due += clampi(_turns.size() - delay, 0, CATCH_UP)
	for i in due:
		if not run_tick():
			_time = 0.0
			return


func _take_turn(turn: Dictionary) -> void:
	if not _is_running:
		return
	_turns[turn["tick"]] = turn


func _carry_out(turn: Dictionary) -> void:
	for player: int in turn["left"]:
		if _players.has(player):
			_players.remove_at(_players.find(player))
		player_left.emit(player)
	for player: int in turn["joined"]:
		_players.append(player)
		if player == _player:
			_sent = _tick + delay - 1
		player_joined.emit(player)
	var orders: Dictionary = turn["orders"]
	for player: int in orders:
		for order: Variant in orders[player]:
			ordered.emit(player, order)
	ticked.emit(_tick)


## Sends the orders for all ticks up to the delay from now.
func _send_orders() -> void:
	if _sent < 0:
		return
	while _sent < _tick - 1 + delay:
		_sent += 1
		if is_host():
			_host.give(_player, _sent, _pending)
		else:
			_wire.send_orders(_sent, _pending)
		_pending = []
	if is_host():
		_host.complete_turns()


func _game_state() -> PackedByteArray:
	return save_game.call() if save_game.is_valid() else PackedByteArray()


## Sends a guest the world, and the turns that are complete but have not run here.
func _send_world(peer: int, player: int) -> void:
	var settings := {
		"tick": _tick,
		"player": player,
		"players": _players,
		"delay": delay,
		"ticks_per_second": ticks_per_second,
		"hash_interval": hash_interval,
	}
	var state := WorldBytes.save(manager, swarms, _game_state())
	_wire.send_world(peer, settings, WorldTransfer.pack(state))
	for tick in range(_tick, _host.get_next_tick()):
		_wire.send_turn([peer], _turns[tick])


func _on_world_came(settings: Dictionary, packed: PackedByteArray) -> void:
	if not _is_joining and not _is_running:
		return
	var is_new := _player < 0
	var state := WorldTransfer.unpack(packed)
	var error := WorldBytes.load_into(manager, swarms, state, "FlowLockstep.join", load_game)
	if error != OK:
		_end("the host's world has other properties or another version, and cannot be loaded")
		multiplayer.multiplayer_peer.close()
		return
	_tick = settings["tick"]
	_player = settings["player"]
	_players = settings["players"]
	delay = settings["delay"]
	ticks_per_second = settings["ticks_per_second"]
	hash_interval = settings["hash_interval"]
	_turns.clear()
	_watch.clear()
	if is_new:
		_wire.say_world_loaded()
		_start()
	else:
		# For the ticks that this machine has skipped.
		_send_orders()


func _on_removed(player: int, peer: int) -> void:
	_watch.forget(player)
	_waited = 0.0
	if multiplayer.get_peers().has(peer):
		multiplayer.multiplayer_peer.disconnect_peer(peer)


func _on_peer_disconnected(peer: int) -> void:
	if is_host():
		_host.remove(peer)
