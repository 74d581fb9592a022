extends Node
## What the machines of a lockstep game say to each other: the remote calls, and nothing else. What
## comes is checked for its form and passed on as a signal.

## At the host: a machine wants to join.
signal join_asked(peer: int, protocol: int, name: String)
## At the host: a guest has loaded the world.
signal world_loaded(peer: int)
## At the host: the orders of a guest for a tick; null if they have no valid form.
signal orders_came(peer: int, tick: int, orders: Variant)
## At the host: the hashes of a guest after a tick.
signal hashes_came(peer: int, tick: int, hashes: PackedInt64Array)
## At the host: the state of a guest after a tick, packed.
signal state_came(peer: int, tick: int, packed: PackedByteArray)
## At a guest: the host does not let this machine join.
signal refused(reason: String)
## At a guest: the world of the host.
signal world_came(settings: Dictionary, packed: PackedByteArray)
## At a guest: the next turn.
signal turn_came(turn: Dictionary)
## At a guest: the host wants the state after a tick.
signal state_asked(tick: int)
## At a guest: this machine has gone apart from the host.
signal report_came(report: Dictionary)

const HOST := 1
## The parts of a turn in the order in which they are sent.
const TURN: Array[String] = ["tick", "joined", "left", "orders"]
## The most bytes that the orders of a player may have in a tick.
const MAX_ORDER_BYTES := 65536


func ask_to_join(protocol: int, name: String) -> void:
	_ask_to_join.rpc_id(HOST, protocol, name)


func say_world_loaded() -> void:
	_world_loaded.rpc_id(HOST)


func send_orders(tick: int, orders: Array) -> void:
	_receive_orders.rpc_id(HOST, tick, var_to_bytes(orders))


func send_hashes(tick: int, hashes: PackedInt64Array) -> void:
	_receive_hashes.rpc_id(HOST, tick, hashes)


func send_state(tick: int, packed: PackedByteArray) -> void:
	_receive_state.rpc_id(HOST, tick, packed)


func refuse(peer: int, reason: String) -> void:
	_refuse.rpc_id(peer, reason)


func send_world(peer: int, settings: Dictionary, packed: PackedByteArray) -> void:
	_receive_world.rpc_id(peer, settings, packed)


func send_turn(peers: PackedInt32Array, turn: Dictionary) -> void:
	# Without the names of the parts, which would be most of the bytes of a turn without orders.
	var bytes := var_to_bytes(TURN.map(func(part: String) -> Variant: return turn[part]))
	for peer: int in peers:
		_receive_turn.rpc_id(peer, bytes)


func ask_for_state(peer: int, tick: int) -> void:
	_ask_for_state.rpc_id(peer, tick)


func send_report(peer: int, report: Dictionary) -> void:
	_receive_report.rpc_id(peer, report)


@rpc("any_peer", "reliable")
func _ask_to_join(protocol: int, name: String) -> void:
	join_asked.emit(multiplayer.get_remote_sender_id(), protocol, name)


@rpc("any_peer", "reliable")
func _world_loaded() -> void:
	world_loaded.emit(multiplayer.get_remote_sender_id())


@rpc("any_peer", "reliable")
func _receive_orders(tick: int, bytes: PackedByteArray) -> void:
	var orders: Variant = null
	if bytes.size() <= MAX_ORDER_BYTES:
		orders = bytes_to_var(bytes)
	if not orders is Array:
		orders = null
	orders_came.emit(multiplayer.get_remote_sender_id(), tick, orders)


@rpc("any_peer", "reliable")
func _receive_hashes(tick: int, hashes: PackedInt64Array) -> void:
	hashes_came.emit(multiplayer.get_remote_sender_id(), tick, hashes)


@rpc("any_peer", "reliable")
func _receive_state(tick: int, packed: PackedByteArray) -> void:
	state_came.emit(multiplayer.get_remote_sender_id(), tick, packed)


@rpc("authority", "reliable")
func _refuse(reason: String) -> void:
	refused.emit(reason)


@rpc("authority", "reliable")
func _receive_world(settings: Dictionary, packed: PackedByteArray) -> void:
	world_came.emit(settings, packed)


@rpc("authority", "reliable")
func _receive_turn(bytes: PackedByteArray) -> void:
	var parts: Array = bytes_to_var(bytes)
	var turn := {}
	for i in TURN.size():
		turn[TURN[i]] = parts[i]
	turn_came.emit(turn)


@rpc("authority", "reliable")
func _ask_for_state(tick: int) -> void:
	state_asked.emit(tick)


@rpc("authority", "reliable")
func _receive_report(report: Dictionary) -> void:
	report_came.emit(report)
