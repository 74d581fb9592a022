extends "res://tests/test_suite.gd"
## FlowLockstep: machines that are branches of this scene, each with a multiplayer interface of its
## own. Real processes and a bad network: tests/network.

const LOOPBACK := "127.0.0.1"


## A machine of a game.
class Machine:
	var branch := Node.new()
	var manager := FlowFieldManager.new()
	var swarm := EnemySwarm.new()
	var lockstep := FlowLockstep.new()
	## What has happened, in words.
	var events: Array[String] = []
	var reports: Array[Dictionary] = []
	## The game's own state.
	var score := PackedByteArray([0])

	func _init(scene: Node, name: String, side: int) -> void:
		branch.name = name
		scene.add_child(branch)
		scene.get_tree().set_multiplayer(SceneMultiplayer.new(), branch.get_path())
		manager.grid_size = Vector2i(side, side)
		manager.worker_threads = 1
		branch.add_child(manager)
		swarm.manager = manager
		swarm.name = "Swarm"
		branch.add_child(swarm)
		lockstep.name = "Lockstep"
		lockstep.manager = manager
		lockstep.swarms = [swarm]
		lockstep.automatic = false
		lockstep.delay = 3
		lockstep.hash_interval = 10
		lockstep.save_game = func() -> PackedByteArray: return score
		lockstep.load_game = func(bytes: PackedByteArray) -> void: score = bytes
		lockstep.ordered.connect(_on_ordered)
		lockstep.player_joined.connect(func(player: int) -> void: _note("joined %d", player))
		lockstep.player_left.connect(func(player: int) -> void: _note("left %d", player))
		lockstep.started.connect(func() -> void: _note("started %d", lockstep.get_tick()))
		lockstep.ended.connect(func(reason: String) -> void: events.append("ended: " + reason))
		lockstep.desynced.connect(func(report: Dictionary) -> void: reports.append(report))
		branch.add_child(lockstep)

	func host() -> Error:
		for i in 20:
			swarm.spawn(Vector2(40.0 + 20.0 * (i % 5), 40.0 + 20.0 * (i / 5)))
		return lockstep.host(0, LOOPBACK)

	func port() -> int:
		var peer := branch.multiplayer.multiplayer_peer as ENetMultiplayerPeer
		return peer.host.get_local_port()

	func hashes() -> Array[int]:
		return [manager.world_hash(), swarm.state_hash(), hash(score)]

	func close() -> void:
		branch.multiplayer.multiplayer_peer = null
		branch.get_tree().set_multiplayer(null, branch.get_path())

	func _on_ordered(player: int, order: Variant) -> void:
		score[0] += 1
		_note("ordered %s by %d" % [order, lockstep.get_tick()] + "/%d", player)
		if order is Vector2:
			swarm.send_agents(swarm.get_ids(), [order])

	func _note(event: String, number: int) -> void:
		events.append(event % number)


var _machines: Array[Machine] = []


func _new_machine(name: String, side := 24) -> Machine:
	var machine := Machine.new(scene, name, side)
	_machines.append(machine)
	return machine


func _close() -> void:
	for machine in _machines:
		machine.close()
	_machines.clear()


## Lets frames pass in which all machines run some ticks, until something is so.
func _run_until(condition: Callable, last_tick := 1 << 30) -> bool:
	for frame in 600:
		for machine in _machines:
			for i in 4:
				if machine.lockstep.get_tick() < last_tick:
					machine.lockstep.run_tick()
		if condition.call():
			return true
		await scene.get_tree().process_frame
	return check(false, "it came to be within 600 frames")


## A host, and a guest that takes part.
func _start_two() -> void:
	var host := _new_machine("Host")
	check_eq(host.host(), OK, "hosting")
	await _add_guest("Guest")


## A guest that takes part, as all machines know.
func _add_guest(name: String) -> Machine:
	var guest := _new_machine(name)
	check_eq(guest.lockstep.join(LOOPBACK, _machines[0].port()), OK, "joining")
	var knows := func(one: Machine) -> bool:
		return one.lockstep.get_players().has(guest.lockstep.get_player())
	await _run_until(func() -> bool: return _machines.all(knows))
	return guest


func _run_to(tick: int) -> void:
	var are_there := func() -> bool:
		return _machines.all(func(one: Machine) -> bool: return one.lockstep.get_tick() >= tick)
	await _run_until(are_there, tick)


func test_orders_are_carried_out_on_all_machines_after_the_delay() -> void:
	await _start_two()
	var host := _machines[0]
	var guest := _machines[1]
	await _run_to(50)
	guest.events.clear()
	host.events.clear()
	guest.lockstep.give_order(Vector2(300.0, 300.0))
	host.lockstep.give_order("hello")
	await _run_to(80)
	check_eq(host.events, guest.events, "the same on both")
	check_eq(host.events.size(), 2, "two orders")
	# The orders for the ticks up to the delay from tick 50 were on their way already.
	check(host.events[0].begins_with("ordered hello by 53"), host.events[0])
	check(host.events[1].ends_with("by 53/1"), "the guest's, in the same tick: " + host.events[1])
	check_eq(host.hashes(), guest.hashes(), "the worlds")
	check(host.swarm.get_positions() != PackedVector2Array(), "there are agents")
	_close()


func test_a_guest_that_joins_late_gets_everything() -> void:
	await _start_two()
	_machines[0].lockstep.give_order(Vector2(200.0, 300.0))
	await _run_to(40)
	var late := await _add_guest("Late")
	check_eq(late.lockstep.get_player(), 2, "its player")
	check_eq(late.lockstep.get_players(), PackedInt32Array([0, 1, 2]), "all players")
	check_eq(late.score, _machines[0].score, "the game's own state")
	check_eq(late.lockstep.delay, 3, "the host's settings")
	late.lockstep.give_order(Vector2(90.0, 90.0))
	var last := _machines[0].lockstep.get_tick() + 30
	await _run_to(last)
	for machine in _machines:
		check_eq(machine.hashes(), _machines[0].hashes(), machine.branch.name)
	_close()


func test_nothing_runs_without_the_orders_of_all() -> void:
	await _start_two()
	var host := _machines[0]
	var tick := host.lockstep.get_tick()
	for i in 40:
		host.lockstep.run_tick()
		await scene.get_tree().process_frame
	# Turns and orders that were on their way are carried out.
	check(host.lockstep.get_tick() <= tick + 4 * host.lockstep.delay, "the host waits")
	check_eq(host.lockstep.get_missing_players(), PackedInt32Array([1]), "for the guest")
	_close()


func test_the_host_goes_on_without_a_guest_that_does_not_answer() -> void:
	await _start_two()
	var host := _machines[0]
	host.lockstep.patience = 0.1
	var tick := host.lockstep.get_tick() + 50
	_machines.erase(_machines[1])
	await _run_until(func() -> bool: return host.lockstep.get_tick() >= tick)
	check(host.events.has("left 1"), "the guest was dropped: %s" % [host.events])
	_close()


func test_a_machine_that_has_gone_apart_gets_the_world_anew() -> void:
	await _start_two()
	var host := _machines[0]
	var guest := _machines[1]
	await _run_to(45)
	guest.swarm.set_agent_state(guest.swarm.get_ids().slice(3, 4), EnemySwarm.AGENT_IDLE)
	await _run_until(func() -> bool: return not guest.reports.is_empty())
	check_eq(host.reports, guest.reports, "both are told the same")
	check_eq(host.reports[0]["tick"], 50, "in the next check")
	check_eq(host.reports[0]["last_equal_tick"], 40, "after the last that was equal")
	var difference: String = host.reports[0]["difference"]
	check(difference.contains("the state of the agent in slot 3 is 1 there"), difference)
	check_eq(host.lockstep.resend_world(1), OK, "sent")
	guest.lockstep.give_order(Vector2(100.0, 300.0))
	await _run_to(host.lockstep.get_tick() + 40)
	check_eq(guest.hashes(), host.hashes(), "in step again")
	check_eq(host.reports.size(), 1, "no more reports")
	_close()


func test_a_guest_that_sends_junk_is_dropped() -> void:
	for junk: PackedByteArray in [var_to_bytes(7), var_to_bytes([1]), PackedByteArray()]:
		await _start_two()
		var host := _machines[0]
		var before := host.score
		# The next tick of the guest, so that the form alone is wrong; the second has the wrong tick.
		var wire := _machines[1].lockstep.get_node("Wire")
		var tick := 0 if junk == var_to_bytes([1]) else _machines[1].lockstep.get_tick() + 3
		var send := func() -> void:
			wire.call(&"rpc_id", 1, &"_receive_orders", tick, junk)
			await _run_until(func() -> bool: return host.events.has("left 1"))
		await allow_errors(["decode", "Condition", "Parameter"], send)
		check_eq(host.score, before, "nothing was carried out")
		_close()
		scene.get_node("Host").free()
		scene.get_node("Guest").free()


func test_guests_are_refused_by_reason() -> void:
	var host := _new_machine("Host")
	host.lockstep.max_players = 1
	host.host()
	var guest := _new_machine("Refused")
	guest.lockstep.join(LOOPBACK, host.port())
	await _run_until(func() -> bool: return not guest.events.is_empty())
	check_eq(guest.events, ["ended: all 1 places are taken"] as Array[String], "full")
	check(not guest.lockstep.is_running(), "it does not run")
	_close()


func test_a_world_of_another_size_is_not_joined() -> void:
	var host := _new_machine("Host")
	host.host()
	var guest := _new_machine("Guest", 25)
	guest.lockstep.join(LOOPBACK, host.port())
	var join := func() -> void: await _run_until(func() -> bool: return not guest.events.is_empty())
	await allow_errors(["FlowFieldManager.load_state"], join)
	check(guest.events[0].begins_with("ended: the host's world has other"), guest.events[0])
	_close()


func test_a_guest_is_told_that_the_host_is_gone() -> void:
	await _start_two()
	var guest := _machines[1]
	_machines[0].close()
	_machines.erase(_machines[0])
	await _run_until(func() -> bool: return not guest.lockstep.is_running())
	check_eq(guest.events[-1], "ended: the connection to the host is lost", "why")
	check(guest.swarm.auto_step, "its swarm moves by itself again")
	_close()


func test_bad_calls_are_refused() -> void:
	var machine := _new_machine("Alone")
	var lockstep := machine.lockstep
	expect_error(["FlowLockstep.give_order", "no part"], lockstep.give_order.bind(1))
	expect_error(["FlowLockstep.resend_world", "player 3"], lockstep.resend_world.bind(3))
	machine.manager.background = true
	expect_error(["FlowLockstep.begin", "background"], lockstep.begin)
	machine.manager.background = false
	lockstep.swarms = [null]
	expect_error(["FlowLockstep.begin", "swarms[0]"], lockstep.begin)
	lockstep.swarms = [machine.swarm]
	machine.host()
	var large := PackedByteArray()
	large.resize(70_000)
	expect_error(["FlowLockstep.give_order", "65536 bytes"], lockstep.give_order.bind(large))
	check(lockstep.run_tick(), "the game goes on")
	_close()
