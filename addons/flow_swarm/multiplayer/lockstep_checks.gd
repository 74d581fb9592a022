extends RefCounted
## The hashes by which machines find out that they have gone apart, and the states that belong to
## them.

## For how many checks states are kept. A report of another machine may be that late.
const KEPT := 6

## The states of the last checks by tick.
var _states: Dictionary[int, PackedByteArray] = {}
## The hashes of the last checks by tick.
var _hashes: Dictionary[int, PackedInt64Array] = {}
## The hashes of other machines for ticks that this one has not reached, by tick and player. Few: no
## machine is ahead by more than the delay.
var _early: Dictionary[int, Dictionary] = {}
## For each player the last tick with the same hashes.
var _last_equal: Dictionary[int, int] = {}
## The players that have gone apart already.
var _apart: Dictionary[int, bool] = {}


func clear() -> void:
	_states.clear()
	_hashes.clear()
	_early.clear()
	_last_equal.clear()
	_apart.clear()


## Notes this machine's state after a tick. Returns the players that are found to be apart.
func note(tick: int, hashes: PackedInt64Array, state: PackedByteArray) -> PackedInt32Array:
	_hashes[tick] = hashes
	_states[tick] = state
	for old: int in _hashes.keys():
		if _hashes.size() > KEPT:
			_hashes.erase(old)
			_states.erase(old)
	var apart := PackedInt32Array()
	var early: Dictionary = _early.get(tick, {})
	_early.erase(tick)
	for player: int in early:
		if not compare(player, tick, early[player] as PackedInt64Array):
			apart.append(player)
	return apart


## Compares the hashes of another machine with those of this one. Returns [code]false[/code] if they
## differ, once for each player.
func compare(player: int, tick: int, hashes: PackedInt64Array) -> bool:
	if _apart.has(player):
		return true
	if not _hashes.has(tick):
		var is_early: bool = _hashes.is_empty() or tick > _hashes.keys().max()
		if is_early and (_early.has(tick) or _early.size() < KEPT):
			_early.get_or_add(tick, {})[player] = hashes
		return true
	if _hashes[tick] == hashes:
		_last_equal[player] = tick
		return true
	_apart[player] = true
	return false


## Whether a player has been found to be apart.
func is_apart(player: int) -> bool:
	return _apart.has(player)


## The state after a tick; empty if it is not kept any more.
func get_state(tick: int) -> PackedByteArray:
	return _states.get(tick, PackedByteArray())


## The last tick at which a player had the same hashes, or -1.
func get_last_equal(player: int) -> int:
	return _last_equal.get(player, -1)


## Forgets what was found about a player: it has left, or has got the world anew.
func forget(player: int) -> void:
	_apart.erase(player)
	_last_equal.erase(player)
	for tick: int in _early:
		_early[tick].erase(player)
