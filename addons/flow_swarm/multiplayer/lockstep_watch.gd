extends RefCounted
## Finds out that a machine has gone apart from the host's: guests send hashes, and the host asks a
## guest whose hashes differ for its whole state, to name what differs first.

## The host or this guest: the two have gone apart.
signal found(report: Dictionary)

const Checks := preload("lockstep_checks.gd")
const Wire := preload("lockstep_wire.gd")
const WorldBytes := preload("world_bytes.gd")
const WorldComparison := preload("world_comparison.gd")
const WorldTransfer := preload("world_transfer.gd")

## At the host: tells the player of a peer, -1 for none, and the peer of a player. Guests have none.
var player_of := Callable()
var peer_of := Callable()

var _wire: Wire
var _manager: FlowFieldManager
var _swarms: Array[EnemySwarm]
var _checks := Checks.new()


func _init(wire: Wire, manager: FlowFieldManager, swarms: Array[EnemySwarm]) -> void:
	_wire = wire
	_manager = manager
	_swarms = swarms
	wire.hashes_came.connect(_on_hashes_came)
	wire.state_asked.connect(_on_state_asked)
	wire.state_came.connect(_on_state_came)
	wire.report_came.connect(found.emit)


## Takes the state after a tick, with the game's own. Guests send its hashes to the host.
func check(tick: int, game: PackedByteArray) -> void:
	var hashes := WorldBytes.hashes(_manager, _swarms, game)
	var apart := _checks.note(tick, hashes, WorldBytes.save(_manager, _swarms, game))
	if not player_of.is_valid():
		_wire.send_hashes(tick, hashes)
	for player: int in apart:
		_wire.ask_for_state(peer_of.call(player) as int, tick)


## Forgets what was found about a player: it has left, or has got the world anew.
func forget(player: int) -> void:
	_checks.forget(player)


## Forgets all states: this machine has got another world.
func clear() -> void:
	_checks.clear()


## The player of a guest; -1 if there is none, or this is no host.
func _player(peer: int) -> int:
	return player_of.call(peer) if player_of.is_valid() else -1


func _on_hashes_came(peer: int, tick: int, hashes: PackedInt64Array) -> void:
	var player := _player(peer)
	if player >= 0 and not _checks.compare(player, tick, hashes):
		_wire.ask_for_state(peer, tick)


func _on_state_asked(tick: int) -> void:
	_wire.send_state(tick, WorldTransfer.pack(_checks.get_state(tick)))


func _on_state_came(peer: int, tick: int, packed: PackedByteArray) -> void:
	var player := _player(peer)
	# Only a state that was asked for is unpacked.
	if player < 0 or not _checks.is_apart(player):
		return
	var report := {
		"tick": tick,
		"last_equal_tick": _checks.get_last_equal(player),
		"player": player,
		"difference": _name_difference(_checks.get_state(tick), WorldTransfer.unpack(packed)),
	}
	_wire.send_report(peer, report)
	found.emit(report)


func _name_difference(here: PackedByteArray, there: PackedByteArray) -> String:
	if here.is_empty() or there.is_empty():
		return "the states of that tick are not kept any more"
	return WorldComparison.find_first(_manager, _swarms, here, there)
