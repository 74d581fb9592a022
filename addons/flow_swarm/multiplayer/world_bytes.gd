extends RefCounted
## A manager, its swarms and the game's own state as one array of bytes.

## What each part begins with: its length.
const LENGTH_BYTES := 8


## Returns the bytes of a whole world; empty after an error, which is reported.
static func save(
	manager: FlowFieldManager, swarms: Array[EnemySwarm], game := PackedByteArray()
) -> PackedByteArray:
	var parts: Array[PackedByteArray] = [manager.save_state()]
	if parts[0].is_empty():
		return PackedByteArray()
	for swarm: EnemySwarm in swarms:
		parts.append(swarm.save_state())
	parts.append(game)
	return join(parts)


## Loads what [method save] returned: the manager, then its swarms. [param load_game] is called with
## the game's own bytes. After an error everything is as it was, and [param title] has reported it.
static func load_into(
	manager: FlowFieldManager,
	swarms: Array[EnemySwarm],
	bytes: PackedByteArray,
	title: String,
	load_game := Callable()
) -> Error:
	var parts := split(bytes)
	if parts.size() != swarms.size() + 2:
		push_error(
			(
				"%s: the bytes are no state of a manager with %d swarms, but have %d parts"
				% [title, swarms.size(), parts.size()]
			)
		)
		return ERR_INVALID_DATA
	var before := save(manager, swarms)
	var error := manager.load_state(parts[0])
	for i in swarms.size():
		if error == OK:
			error = swarms[i].load_state(parts[i + 1])
	if error != OK:
		_bring_back(manager, swarms, split(before))
		return error
	if load_game.is_valid():
		load_game.call(parts[-1])
	return OK


## One hash for the manager, and one for each swarm and for the game.
static func hashes(
	manager: FlowFieldManager, swarms: Array[EnemySwarm], game: PackedByteArray
) -> PackedInt64Array:
	var found := PackedInt64Array([manager.world_hash()])
	for swarm: EnemySwarm in swarms:
		found.append(swarm.state_hash())
	found.append(hash(game))
	return found


static func join(parts: Array[PackedByteArray]) -> PackedByteArray:
	var bytes := PackedByteArray()
	for part: PackedByteArray in parts:
		var length := PackedByteArray()
		length.resize(LENGTH_BYTES)
		length.encode_s64(0, part.size())
		bytes.append_array(length)
		bytes.append_array(part)
	return bytes


## The parts that [method join] has joined; empty if the bytes are not whole.
static func split(bytes: PackedByteArray) -> Array[PackedByteArray]:
	var parts: Array[PackedByteArray] = []
	var at := 0
	while at < bytes.size():
		if at + LENGTH_BYTES > bytes.size():
			return []
		var length := bytes.decode_s64(at)
		at += LENGTH_BYTES
		if length < 0 or length > bytes.size() - at:
			return []
		parts.append(bytes.slice(at, at + length))
		at += length
	return parts


static func _bring_back(
	manager: FlowFieldManager, swarms: Array[EnemySwarm], parts: Array[PackedByteArray]
) -> void:
	if parts.is_empty():
		return
	manager.load_state(parts[0])
	for i in swarms.size():
		swarms[i].load_state(parts[i + 1])
