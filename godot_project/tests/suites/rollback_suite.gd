extends "res://tests/test_suite.gd"
## FlowFieldManager.keep_snapshots and rollback_to: runs that go back over orders and walls repeat.

const TILED := FlowFieldManager.GOAL_MODE_TILED
const FULL := FlowFieldManager.GOAL_MODE_FULL
const TICKS := 24
const KEPT := 8


## A world with a swarm that is stepped by hand, and its orders.
class Game:
	extends RefCounted
	var manager: FlowFieldManager
	var swarm: EnemySwarm
	var goal := 0
	## The ids that each tick has given.
	var ids := {}

	func order(tick: int) -> void:
		var given := []
		match tick:
			2:
				manager.move_goal(goal, PackedVector2Array([Vector2(1990.0, 200.0)]))
			3:
				manager.set_terrain_rect(Rect2i(24, 10, 2, 90), 255)
			4:
				given = [manager.place_stamp(FlowStamp.new(), Vector2i(30, 40))]
			6:
				given = [manager.add_link(Vector2i(20, 60), Vector2i(60, 60), 3.0)]
			7:
				given = Array(swarm.spawn_many(PackedVector2Array([Vector2(90, 90)]), 0, 1))
			8:
				given = [swarm.add_body(Vector2(300.0, 400.0), 60.0)]
				swarm.add_force_field(EnemySwarm.FORCE_PUSH, Vector2(300.0, 900.0), 200.0, 400.0)
			9:
				swarm.despawn(swarm.get_ids().slice(3, 9))
			10:
				given = [manager.add_cost_circle(Vector2(400.0, 400.0), 90.0, 20)]
			12:
				swarm.arrival_radius = 30.0
				given = [manager.create_goal(PackedVector2Array([Vector2(64.0, 64.0)]))]
			13, 14, 15:
				manager.move_goal(goal, PackedVector2Array([Vector2(1990.0 - 9.0 * tick, 210.0)]))
				var few := swarm.get_ids().slice(0, 9)
				swarm.send_agents(few, PackedVector2Array([Vector2(1500.0, 90.0 * tick)]))
			17:
				given = Array(swarm.spawn_many(PackedVector2Array([Vector2(99, 90)]), 0, 1))
			19:
				manager.set_terrain_rect(Rect2i(24, 10, 2, 90), 1)
		ids[tick] = given

	## Orders of another course, which never should have been.
	func stray(tick: int) -> void:
		manager.move_goal(goal, PackedVector2Array([Vector2(70.0 * tick, 1990.0)]))
		manager.set_terrain_rect(Rect2i(40, 3 * tick, 30, 2), 255)
		manager.create_goal(PackedVector2Array([Vector2(640.0, 64.0)]), TILED)
		swarm.spawn_many(PackedVector2Array([Vector2(200, 300), Vector2(230, 300)]))
		swarm.despawn(swarm.get_ids().slice(0, 5))
		swarm.add_body(Vector2(100.0, 100.0 * tick), 40.0)
		swarm.stuck_time = 1.0 + tick

	func step() -> Array:
		manager.update()
		swarm.step(1.0 / 30.0)
		return state()

	func state() -> Array:
		return [manager.world_hash(), swarm.state_hash(), swarm.get_ids(), swarm.save_state()]


func _game(mode: int) -> Game:
	var game := Game.new()
	game.manager = new_manager(Vector2i(128, 128))
	# Only this script updates it.
	game.manager.set_physics_process_internal(false)
	walls_at_random(game.manager, 0.06, 3)
	game.manager.set_terrain_rect(Rect2i(2, 2, 20, 124), 1)
	game.swarm = new_swarm(game.manager)
	game.goal = game.manager.create_goal(PackedVector2Array([Vector2(1990.0, 1990.0)]), mode)
	game.swarm.set_group_goal(0, game.goal)
	var places := PackedVector2Array()
	for i in 200:
		places.append(Vector2(48.0 + 16.0 * (i % 16), 64.0 + 128.0 * (i / 16)))
	game.swarm.spawn_many(places)
	for i in 20:
		game.step()
	return game


## The states after each tick, and the ids that were given, without going back.
func _trail(game: Game) -> Array:
	var trail := []
	for tick in TICKS:
		game.order(tick)
		trail.append(game.step())
	return [trail, game.ids]


func _check_mode(mode: int) -> void:
	var words := "TILED" if mode == TILED else "FULL"
	var expected := _trail(_game(mode))
	var game := _game(mode)
	var manager := game.manager
	manager.keep_snapshots(KEPT)
	var ticks := {}
	check_eq(manager.take_snapshot(), OK, words + ": the tick before all")
	var different := -1
	for tick in TICKS:
		game.order(tick)
		var state := game.step()
		ticks[tick] = manager.get_tick()
		check_eq(manager.take_snapshot(), OK, words + ": kept")
		if tick % 5 == 4:
			# Another course for three ticks, then back over it and over some orders of this one.
			for i in 3:
				game.stray(tick + i)
				game.step()
				manager.take_snapshot()
			var back := tick - tick % KEPT / 2
			check_eq(manager.rollback_to(ticks[back]), OK, words + ": back")
			check_eq(manager.get_tick(), ticks[back], words + ": the tick")
			check_eq(game.state(), expected[0][back], words + ": at once")
			for again in range(back + 1, tick + 1):
				game.order(again)
				state = game.step()
				manager.take_snapshot()
		if state != expected[0][tick] and different < 0:
			different = tick
	check_eq(different, -1, words + ": first other tick")
	check_eq(game.ids, expected[1], words + ": the ids that were given")
	check_eq(manager.get_snapshot_ticks().size(), KEPT, words + ": kept ticks")
	check(manager.get_snapshot_bytes() > 10_000, words + ": memory")


func test_a_run_with_whole_fields_goes_back_and_repeats() -> void:
	_check_mode(FULL)


func test_a_run_with_tiles_goes_back_and_repeats() -> void:
	_check_mode(TILED)


func test_ticks_are_kept_and_dropped() -> void:
	var game := _game(FULL)
	var manager := game.manager
	var ticks := PackedInt64Array()
	var take := func() -> int: return manager.take_snapshot()
	var words: Array[String] = ["FlowFieldManager.take_snapshot", "keep_snapshots"]
	check_eq(expect_error(words, take), ERR_UNCONFIGURED, "none is to be kept")
	manager.keep_snapshots(3)
	for i in 5:
		game.step()
		manager.take_snapshot()
		ticks.append(manager.get_tick())
	var kept := ticks.slice(2)
	check_eq(manager.get_snapshot_ticks(), kept, "the last three")
	check_eq(manager.rollback_to(ticks[3]), OK, "back")
	check_eq(manager.get_snapshot_ticks(), kept.slice(0, 2), "the later one is dropped")
	for bad: int in [-1, 257]:
		words = ["FlowFieldManager.keep_snapshots", "from 0 to 256", str(bad)]
		var keep := func() -> void: manager.keep_snapshots(bad)
		expect_error(words, keep)
	check_eq(manager.get_snapshot_ticks(), kept.slice(0, 2), "nothing has changed")
	manager.keep_snapshots(0)
	check_eq(manager.get_snapshot_ticks(), PackedInt64Array(), "all are dropped")
	check_eq(manager.get_snapshot_bytes(), 0, "and their memory")


func test_rollbacks_that_are_refused_change_nothing() -> void:
	var game := _game(FULL)
	var manager := game.manager
	manager.keep_snapshots(4)
	manager.take_snapshot()
	var tick := manager.get_tick()
	game.order(2)
	game.step()
	var before := game.state()
	var back := func() -> int: return manager.rollback_to(tick)
	var bad := ERR_INVALID_PARAMETER
	for other: int in [-1, tick - 1, tick + 1]:
		var words: Array[String] = ["FlowFieldManager.rollback_to", str(other)]
		var far := func() -> int: return manager.rollback_to(other)
		check_eq(expect_error(words, far), bad, "a tick that is not kept")
	manager.solver = FlowFieldManager.SOLVER_OCTILE
	check_eq(expect_error(["FlowFieldManager.rollback_to", "solver"], back), bad, "a solver")
	manager.solver = FlowFieldManager.SOLVER_EIKONAL
	var other_swarm := new_swarm(manager)
	check_eq(expect_error(["FlowFieldManager.rollback_to", "swarm"], back), bad, "a new swarm")
	other_swarm.manager = null
	check_eq(game.state(), before, "nothing has changed")
	check_eq(back.call(), OK, "without them")
	check_eq(manager.get_tick(), tick, "is back")
	game.swarm.free()
	check_eq(expect_error(["FlowFieldManager.rollback_to", "gone"], back), bad, "a freed swarm")


func test_properties_and_attached_things_go_back() -> void:
	var game := _game(FULL)
	var swarm := game.swarm
	game.manager.keep_snapshots(4)
	var node := Node2D.new()
	scene.add_child(node)
	var agent := swarm.get_ids()[0]
	swarm.attach_node(agent, node, EnemySwarm.ATTACH_AGENT_FOLLOWS_NODE)
	game.step()
	game.manager.take_snapshot()
	var tick := game.manager.get_tick()
	swarm.arrival_radius = 30.0
	swarm.random_seed = 99
	var body := Node2D.new()
	scene.add_child(body)
	var id := swarm.add_body(Vector2(50.0, 50.0), 20.0)
	swarm.attach_body(id, body)
	game.step()
	check_eq(game.manager.rollback_to(tick), OK, "back")
	check_eq(swarm.arrival_radius, 0.0, "the property of then")
	check(swarm.random_seed != 99, "the seed of then")
	check(not swarm.has_body(id), "no body")
	check_eq(swarm.get_attached_node(agent), node, "the agent still follows its node")
	swarm.detach_node(agent)
	check_eq(swarm.get_agent_state(agent), EnemySwarm.AGENT_FOLLOWING, "its own state")
	game.step()


func test_frames_are_kept_at_their_end() -> void:
	var manager := new_manager(Vector2i(32, 32))
	var swarms: Array[EnemySwarm] = []
	var goal := new_goal(manager, Vector2i(30, 30))
	for i in 2:
		var swarm := new_swarm(manager, goal)
		swarm.auto_step = true
		swarm.spawn_many(PackedVector2Array([Vector2(40, 40 + 90 * i), Vector2(70, 60 + 90 * i)]))
		swarms.append(swarm)
	manager.keep_snapshots(6)
	var states := {}
	for i in 6:
		await physics_frames(1)
		# The last frame is complete now.
		states[manager.get_tick()] = swarms.map(
			func(swarm: EnemySwarm) -> int: return swarm.state_hash()
		)
	var ticks := manager.get_snapshot_ticks()
	check(ticks.size() >= 4, "frames are kept: %s" % ticks)
	ticks.reverse()
	for tick: int in ticks:
		if states.has(tick):
			check_eq(manager.rollback_to(tick), OK, "back")
			var found := swarms.map(func(swarm: EnemySwarm) -> int: return swarm.state_hash())
			check_eq(found, states[tick], "both swarms, after their steps")
