extends RefCounted
## The turns of a lockstep game, on the host: a turn is complete when the orders of every player for
## its tick have come.
##
## Only the host completes turns, so all machines get the same ones, also when players come or go.

## The ticks between an order and its turn.
var delay := 4
## The tick of the next turn.
var next_tick := 0

## For each player the first tick that needs orders of this player.
var _first: Dictionary[int, int] = {}
## For each player the orders that have come, by tick.
var _given: Dictionary[int, Dictionary] = {}
## For each player the tick of the orders that come next.
var _next_given: Dictionary[int, int] = {}
var _joined := PackedInt32Array()
var _left := PackedInt32Array()


## Has the next turn announce a player. From [member delay] ticks later on turns need its orders.
func add_player(player: int) -> void:
	_joined.append(player)


## Has the next turn announce that a player has left; no turn waits for this player any more.
func remove_player(player: int) -> void:
	if _joined.has(player):
		_joined.remove_at(_joined.find(player))
		return
	if _first.erase(player):
		_given.erase(player)
		_next_given.erase(player)
		_left.append(player)


func has_player(player: int) -> bool:
	return _first.has(player)


## Takes the orders of a player for a tick. Returns [code]false[/code] if it is not the tick that
## comes next for this player, or if the player has not got the turns that such orders follow.
func give(player: int, tick: int, orders: Array) -> bool:
	if _next_given.get(player, -1) != tick or tick >= next_tick + delay:
		return false
	_given[player][tick] = orders
	_next_given[player] = tick + 1
	return true


## The players whose orders the next turn waits for.
func get_missing() -> PackedInt32Array:
	var missing := PackedInt32Array()
	for player: int in _first:
		if next_tick >= _first[player] and not _given[player].has(next_tick):
			missing.append(player)
	return missing


## Completes the next turn and returns it; empty if it has to wait for a player.
func complete() -> Dictionary:
	if not get_missing().is_empty():
		return {}
	var turn := {"tick": next_tick, "joined": _joined, "left": _left, "orders": _take_orders()}
	for player: int in _joined:
		_first[player] = next_tick + delay
		_next_given[player] = next_tick + delay
		_given[player] = {}
	_joined = PackedInt32Array()
	_left = PackedInt32Array()
	next_tick += 1
	return turn


## The orders of the next turn by player, with the players in their order.
func _take_orders() -> Dictionary:
	var players: Array[int] = _first.keys()
	players.sort()
	var orders := {}
	for player: int in players:
		var given: Array = _given[player].get(next_tick, [])
		_given[player].erase(next_tick)
		if not given.is_empty():
			orders[player] = given
	return orders
