extends "res://tests/test_suite.gd"
## FlowFieldManager and EnemySwarm: runs that are loaded, or rolled back over orders, repeat.

const TILED := FlowFieldManager.GOAL_MODE_TILED
const FULL := FlowFieldManager.GOAL_MODE_FULL
const TICKS := 24


func _world() -> FlowFieldManager:
	var manager := new_manager(Vector2i(128, 128))
	walls_at_random(manager, 0.06, 3)
	manager.set_terrain_rect(Rect2i(2, 2, 20, 124), 1)
	return manager


func _crowd(manager: FlowFieldManager) -> EnemySwarm:
	return new_swarm(manager)


func _spawn(swarm: EnemySwarm, goal: int) -> void:
	swarm.set_group_goal(0, goal)
	var places := PackedVector2Array()
	for i in 200:
		places.append(Vector2(48.0 + 16.0 * (i % 16), 64.0 + 128.0 * (i / 16)))
	swarm.spawn_many(places)


func _tick(manager: FlowFieldManager, swarm: EnemySwarm) -> Array[int]:
	manager.update()
	swarm.step(1.0 / 30.0)
	return [manager.world_hash(), swarm.state_hash()]


## Orders at fixed ticks: terrain, stamps, links, goals, overlays, bodies, settings.
func _order(manager: FlowFieldManager, swarm: EnemySwarm, goal: int, tick: int) -> void:
	match tick:
		2:
			manager.move_goal(goal, PackedVector2Array([Vector2(1990.0, 200.0)]))
		3:
			manager.set_terrain_rect(Rect2i(24, 10, 2, 90), WALL)
		4:
			manager.place_stamp(FlowStamp.new(), Vector2i(30, 40))
		6:
			manager.add_link(Vector2i(20, 60), Vector2i(60, 60), 3.0)
		8:
			swarm.add_body(Vector2(300.0, 400.0), 60.0)
			swarm.add_force_field(EnemySwarm.FORCE_PUSH, Vector2(300.0, 900.0), 200.0, 400.0)
		10:
			manager.add_cost_circle(Vector2(400.0, 400.0), 90.0, 20)
		12:
			swarm.arrival_radius = 30.0
			manager.create_goal(PackedVector2Array([Vector2(64.0, 64.0)]))
		14:
			var first := swarm.get_ids().slice(0, 9)
			swarm.send_agents(first, PackedVector2Array([Vector2(1500.0, 1500.0)]))
		16:
			manager.set_terrain_rect(Rect2i(24, 10, 2, 90), 1)


func _play(manager: FlowFieldManager, swarm: EnemySwarm, goal: int, from: int) -> Array:
	var hashes := []
	for tick in range(from, TICKS):
		_order(manager, swarm, goal, tick)
		hashes.append(_tick(manager, swarm))
	return hashes


func _first_difference(one: Array, other: Array) -> int:
	for i in one.size():
		if one[i] != other[i]:
			return i
	return -1


func _check_mode(mode: int) -> void:
	var words := "TILED" if mode == TILED else "FULL"
	var manager := _world()
	var swarm := _crowd(manager)
	var goal := manager.create_goal(PackedVector2Array([Vector2(1990.0, 1990.0)]), mode)
	_spawn(swarm, goal)
	for i in 30:
		_tick(manager, swarm)
	var world_bytes := manager.save_state()
	var swarm_bytes := swarm.save_state()
	var expected := _play(manager, swarm, goal, 0)
	# Back over all orders in the same scene, twice.
	for round in 2:
		check_eq(manager.load_state(world_bytes), OK, words + ": the world")
		check_eq(swarm.load_state(swarm_bytes), OK, words + ": the swarm")
		check_eq(swarm.arrival_radius, 0.0, words + ": the property of before")
		check(not swarm.has_body(1), words + ": no body")
		var again := _play(manager, swarm, goal, 0)
		check_eq(
			_first_difference(again, expected), -1, words + ": first other tick after a rollback"
		)
	# In a fresh scene, from the middle of the orders.
	check_eq(manager.load_state(world_bytes), OK, words + ": the world")
	check_eq(swarm.load_state(swarm_bytes), OK, words + ": the swarm")
	for tick in 13:
		_order(manager, swarm, goal, tick)
		_tick(manager, swarm)
	var other := new_manager(Vector2i(128, 128))
	var other_swarm := _crowd(other)
	check_eq(other.load_state(manager.save_state()), OK, words + ": a fresh world")
	check_eq(other_swarm.load_state(swarm.save_state()), OK, words + ": a fresh swarm")
	check_eq(other.world_hash(), manager.world_hash(), words + ": the same world")
	check_eq(other_swarm.arrival_radius, 30.0, words + ": the property of then")
	check(other_swarm.has_body(1), words + ": the body")
	var rest := _play(other, other_swarm, goal, 13)
	check_eq(
		_first_difference(rest, expected.slice(13)),
		-1,
		words + ": first other tick in a fresh scene"
	)


func test_a_run_with_whole_fields_repeats() -> void:
	_check_mode(FULL)


func test_a_run_with_tiles_repeats() -> void:
	_check_mode(TILED)


func test_swarms_that_meet_go_on_in_a_fresh_scene() -> void:
	var manager := new_manager(Vector2i(32, 32))
	var goal := manager.create_goal(PackedVector2Array([Vector2(256.0, 256.0)]))
	var blue := new_swarm(manager, goal)
	var red := new_swarm(manager, goal)
	for i in 60:
		blue.spawn(Vector2(180.0 + 12.0 * (i % 12), 200.0 + 20.0 * (i / 12)))
		red.spawn(Vector2(186.0 + 12.0 * (i % 12), 210.0 + 20.0 * (i / 12)))
	for i in 20:
		manager.update()
		blue.step(1.0 / 30.0)
		red.step(1.0 / 30.0)
	var other := new_manager(Vector2i(32, 32))
	var other_blue := new_swarm(other)
	var other_red := new_swarm(other)
	other.load_state(manager.save_state())
	other_blue.load_state(blue.save_state())
	other_red.load_state(red.save_state())
	for i in 10:
		for swarm: EnemySwarm in [blue, red, other_blue, other_red]:
			if swarm == blue or swarm == other_blue:
				swarm.manager.update()
			swarm.step(1.0 / 30.0)
		var hashes := [blue.state_hash(), red.state_hash()]
		check_eq([other_blue.state_hash(), other_red.state_hash()], hashes, "tick %d" % i)


func test_saving_changes_nothing() -> void:
	var hashes := []
	for saves: bool in [false, true]:
		var manager := _world()
		var swarm := _crowd(manager)
		var goal := manager.create_goal(PackedVector2Array([Vector2(1990.0, 1990.0)]), TILED)
		_spawn(swarm, goal)
		var trail := []
		for tick in TICKS:
			_order(manager, swarm, goal, tick)
			if saves:
				manager.save_state()
				swarm.save_state()
			trail.append(_tick(manager, swarm))
		hashes.append(trail)
	check_eq(_first_difference(hashes[0], hashes[1]), -1, "the first other tick")


func test_what_was_saved_elsewhere_is_refused_by_name() -> void:
	var manager := _world()
	var bytes := manager.save_state()
	check(not bytes.is_empty(), "bytes")
	var before := manager.world_hash()
	var altered := bytes.duplicate()
	altered[bytes.size() / 2] = altered[bytes.size() / 2] ^ 1
	var junk := PackedByteArray([1, 2, 3])
	for bad: PackedByteArray in [PackedByteArray(), junk, bytes.slice(0, 90), altered]:
		var load := func() -> int: return manager.load_state(bad)
		var result: int = expect_error(["FlowFieldManager.load_state", "world state"], load)
		check_eq(result, ERR_INVALID_DATA, "refused")
	check_eq(manager.world_hash(), before, "nothing has changed")
	var other := new_manager(Vector2i(128, 127))
	var words: Array[String] = ["FlowFieldManager.load_state", "height"]
	var load := func() -> int: return other.load_state(bytes)
	check_eq(expect_error(words, load), ERR_INVALID_DATA, "another grid")
	other = _world()
	other.sector_size = 8
	words = ["FlowFieldManager.load_state", "sector size"]
	load = func() -> int: return other.load_state(bytes)
	check_eq(expect_error(words, load), ERR_INVALID_DATA, "another sector size")


func test_a_group_keeps_its_goal_where_the_saved_one_does_not_exist() -> void:
	var manager := _world()
	var swarm := _crowd(manager)
	manager.create_goal(PackedVector2Array([Vector2(100.0, 100.0)]))
	var goal := manager.create_goal(PackedVector2Array([Vector2(200.0, 100.0)]))
	swarm.set_group_goal(0, goal)
	var bytes := swarm.save_state()
	var other := _world()
	var own := other.create_goal(PackedVector2Array([Vector2(100.0, 100.0)]))
	var other_swarm := _crowd(other)
	other_swarm.set_group_goal(0, own)
	check_eq(other_swarm.load_state(bytes), OK, "loaded")
	check_eq(other_swarm.get_group_goal(0), own, "its own goal")
