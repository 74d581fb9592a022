extends "res://tests/test_suite.gd"
## FlowRollback, called by stand-ins that do what netfox and godot-rollback-netcode do.

const TICKS := 24
## The tick whose order comes late, and the tick in which it comes.
const LATE := 9
const KNOWN := 17
const SECONDS := 1.0 / 60.0


## The world of a game, and the orders that are known of it.
class Game:
	var manager: FlowFieldManager
	var swarm: EnemySwarm
	var rollback := FlowRollback.new()
	## The orders by tick: where to.
	var orders: Dictionary[int, Vector2] = {}
	## The ticks that have run, repeated ones too.
	var ran: Array[int] = []

	func carry_out(tick: int, input: Dictionary) -> void:
		ran.append(tick)
		var place: Vector2 = input.get("place", orders.get(tick, Vector2.INF))
		if place != Vector2.INF:
			var slots := FlowAgentSlots.of(swarm.get_ids()).slice(tick, tick + 30)
			swarm.send_agents(FlowAgentSlots.find(swarm, slots), [place])
			manager.set_terrain_rect(Rect2i(manager.get_cell(place), Vector2i(1, 2)), WALL)


## Keeps the history of a property and rolls back by it, as netfox's RollbackSynchronizer does.
class Synchronizer:
	var node: Node
	var property: StringName
	var history: Dictionary[int, Variant] = {}
	var now := 0

	func advance(resimulate_from: int) -> void:
		var from := mini(resimulate_from, now)
		for tick in range(from, now + 1):
			if history.has(tick):
				node.set(property, history[tick])
			node.call(&"_rollback_tick", SECONDS, tick, tick == now)
			history[tick + 1] = node.get(property)
		now += 1


func _new_game() -> Game:
	var game := Game.new()
	game.manager = new_manager(Vector2i(40, 40))
	walls_at_random(game.manager, 0.05, 3)
	game.swarm = new_swarm(game.manager)
	var places := PackedVector2Array()
	for i in 120:
		places.append(Vector2(40.0 + 24.0 * (i % 20), 60.0 + 60.0 * (i / 20)))
	game.swarm.spawn_many(places)
	game.rollback.manager = game.manager
	game.rollback.swarms = [game.swarm]
	game.rollback.ticking.connect(game.carry_out)
	game.orders[3] = Vector2(500.0, 500.0)
	scene.add_child(game.rollback)
	return game


func _hashes(game: Game) -> Array[int]:
	return [game.manager.world_hash(), game.swarm.state_hash()]


## How a game ends in which all orders are known in time.
func _expected_end() -> Array[int]:
	var game := _new_game()
	game.orders[LATE] = Vector2(80.0, 560.0)
	for tick in TICKS:
		game.rollback._rollback_tick(SECONDS, tick, true)
	return _hashes(game)


func test_netfox_rolls_back_by_one_property() -> void:
	var game := _new_game()
	var synchronizer := Synchronizer.new()
	synchronizer.node = game.rollback
	synchronizer.property = &"state"
	synchronizer.history[0] = game.rollback.state
	for tick in TICKS:
		if tick == KNOWN:
			game.orders[LATE] = Vector2(80.0, 560.0)
		synchronizer.advance(LATE if tick == KNOWN else tick)
	check_eq(game.ran.count(LATE), 2, "the tick of the late order ran twice")
	check_eq(_hashes(game), _expected_end(), "the end")


func test_rollback_netcode_saves_loads_and_moves() -> void:
	var game := _new_game()
	game.rollback.tick_seconds = SECONDS
	# The addon calls what is in its group, and keeps what the nodes return.
	var nodes := scene.get_tree().get_nodes_in_group(&"network_sync")
	check_eq(nodes, [game.rollback] as Array[Node], "nodes of the group")
	var saved: Dictionary[int, Dictionary] = {}
	for tick in TICKS:
		if tick == KNOWN:
			nodes[0]._load_state(saved[LATE])
			for again in range(LATE, KNOWN):
				saved[again] = nodes[0]._save_state()
				nodes[0]._network_process(_input(again, true))
		saved[tick] = nodes[0]._save_state()
		nodes[0]._network_process(_input(tick, tick >= KNOWN))
	check_eq(game.ran.count(LATE), 2, "the tick of the late order ran twice")
	check_eq(game.ran[-1], TICKS - 1, "ticks are counted anew after a rollback")
	check_eq(_hashes(game), _expected_end(), "the end")


func _input(tick: int, is_late_known: bool) -> Dictionary:
	return {"place": Vector2(80.0, 560.0)} if tick == LATE and is_late_known else {}


func test_the_world_moves_by_the_addon_only() -> void:
	var game := _new_game()
	await physics_frames(3)
	var before := game.swarm.state_hash()
	var goal := game.manager.create_goal([Vector2(300.0, 300.0)])
	game.swarm.set_group_goal(0, goal)
	await physics_frames(3)
	check_eq(game.swarm.get_positions()[0], Vector2(40.0, 60.0), "no agent has moved")
	game.rollback._rollback_tick(SECONDS, 0, true)
	check(game.swarm.state_hash() != before, "a tick moves them")


func test_a_state_that_is_not_sound_changes_nothing() -> void:
	var game := _new_game()
	game.rollback._rollback_tick(SECONDS, 0, true)
	var before := _hashes(game)
	var sound := game.rollback.state
	var cut := sound.slice(0, sound.size() / 2)
	var load := func() -> void: game.rollback.state = cut
	expect_error(["FlowRollback.state", "parts"], load)
	check_eq(_hashes(game), before, "cut short")
	load = func() -> void: game.rollback._load_state({"world": 3})
	expect_error(["FlowRollback._load_state"], load)
	check_eq(_hashes(game), before, "no state")
	# The manager's part is sound, and that of the swarm is not: the manager is brought back.
	game.rollback._rollback_tick(SECONDS, 1, true)
	var altered := sound.duplicate()
	altered[altered.size() - 40] ^= 1
	var moved := _hashes(game)
	load = func() -> void: game.rollback.state = altered
	expect_error(["EnemySwarm.load_state"], load)
	check_eq(_hashes(game), moved, "an altered swarm")


func test_settings_by_which_runs_do_not_repeat_are_refused() -> void:
	var game := _new_game()
	game.manager.background = true
	var tick := func() -> void: game.rollback._rollback_tick(SECONDS, 0, true)
	expect_error(["FlowRollback._rollback_tick", "background"], tick)
	game.manager.background = false
	game.manager.frame_budget_ms = 2.0
	expect_error(["FlowRollback._rollback_tick", "frame_budget_ms"], tick)
	check_eq(game.ran, [] as Array[int], "no tick has run")
