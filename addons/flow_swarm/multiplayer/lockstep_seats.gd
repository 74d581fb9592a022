extends RefCounted
## Which player belongs to which peer. A player is a small number, 0 for the host. A machine that
## comes back under its name gets its number again, if it is free.

var capacity := 8

## The player of each peer.
var _players: Dictionary[int, int] = {}
## The number that a name had last.
var _names: Dictionary[String, int] = {}


## Gives a peer a player's number, and returns it; -1 if all are taken.
func take(peer: int, name: String) -> int:
	var player: int = _names.get(name, -1)
	if player < 0 or not _is_free(player):
		player = _find_free()
	if player >= 0:
		_players[peer] = player
		if name != "":
			_names[name] = player
	return player


func free_of(peer: int) -> void:
	_players.erase(peer)


## The player of a peer, or -1.
func player_of(peer: int) -> int:
	return _players.get(peer, -1)


## The peer of a player, or 0.
func peer_of(player: int) -> int:
	var peer: Variant = _players.find_key(player)
	return peer if peer != null else 0


func _is_free(player: int) -> bool:
	return player < capacity and not _players.values().has(player)


## The lowest free number, of those that no name has had if there are such.
func _find_free() -> int:
	var named: Array[int] = _names.values()
	for player: int in capacity:
		if _is_free(player) and not named.has(player):
			return player
	for player: int in capacity:
		if _is_free(player):
			return player
	return -1
