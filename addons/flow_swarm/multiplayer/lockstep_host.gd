extends RefCounted
## The host's part in a lockstep game: lets machines join, collects the orders of all players, and
## sends complete turns.

## A turn is complete; it has been sent to all guests.
signal completed(turn: Dictionary)
## A guest needs the world as it is now.
signal world_wanted(peer: int, player: int)
## A guest is no longer part of the game, and is to be disconnected if it is not.
signal removed(player: int, peer: int)

const Seats := preload("lockstep_seats.gd")
const Turns := preload("lockstep_turns.gd")
const Wire := preload("lockstep_wire.gd")
## Machines with another number cannot play together.
const PROTOCOL := 1
const SELF := 1

var _wire: Wire
var _turns := Turns.new()
var _seats := Seats.new()
## The guests that get turns.
var _listeners := PackedInt32Array()


func _init(wire: Wire, delay: int, max_players: int) -> void:
	_wire = wire
	_turns.delay = delay
	_seats.capacity = max_players
	wire.join_asked.connect(_on_join_asked)
	wire.world_loaded.connect(_on_world_loaded)
	wire.orders_came.connect(_on_orders_came)


## Gives the host itself a player's number, and returns it.
func take_own_seat(name: String) -> int:
	var player := _seats.take(SELF, name)
	_turns.add_player(player)
	return player


## Takes the host's own orders.
func give(player: int, tick: int, orders: Array) -> void:
	_turns.give(player, tick, orders)


## Completes and sends as many turns as have all orders. Not for handlers of the network's signals:
## among the receivers may be one that has gone, of which the network tells only later in the frame.
func complete_turns() -> void:
	while true:
		var turn := _turns.complete()
		if turn.is_empty():
			return
		_wire.send_turn(_listeners, turn)
		completed.emit(turn)


## The tick of the first turn that is not complete.
func get_next_tick() -> int:
	return _turns.next_tick


func get_missing() -> PackedInt32Array:
	return _turns.get_missing()


## The guest of a player, or 0 if there is none.
func get_guest(player: int) -> int:
	var peer := _seats.peer_of(player)
	return peer if peer != SELF else 0


func player_of(peer: int) -> int:
	return _seats.player_of(peer)


## Drops the guests whose orders the next turn waits for.
func drop_missing(reason: String) -> void:
	for player: int in get_missing():
		var peer := get_guest(player)
		if peer != 0:
			drop(peer, reason)


func drop(peer: int, reason: String) -> void:
	push_warning("FlowLockstep: player %d is dropped: %s" % [player_of(peer), reason])
	remove(peer)


## Goes on without a guest.
func remove(peer: int) -> void:
	var player := _seats.player_of(peer)
	if player < 0:
		return
	_seats.free_of(peer)
	if _listeners.has(peer):
		_listeners.remove_at(_listeners.find(peer))
	_turns.remove_player(player)
	removed.emit(player, peer)


func _on_join_asked(peer: int, protocol: int, name: String) -> void:
	if _seats.player_of(peer) >= 0:
		return
	if protocol != PROTOCOL:
		_wire.refuse(peer, "the host has version %d, not %d" % [PROTOCOL, protocol])
		return
	var player := _seats.take(peer, name.left(64))
	if player < 0:
		_wire.refuse(peer, "all %d places are taken" % _seats.capacity)
		return
	world_wanted.emit(peer, player)
	_listeners.append(peer)


func _on_world_loaded(peer: int) -> void:
	var player := _seats.player_of(peer)
	if player >= 0 and peer != SELF and not _turns.has_player(player):
		_turns.add_player(player)


func _on_orders_came(peer: int, tick: int, orders: Variant) -> void:
	var player := _seats.player_of(peer)
	if player < 0:
		return
	if not orders is Array or not _turns.give(player, tick, orders as Array):
		drop(peer, "its orders for tick %d are not valid" % tick)
