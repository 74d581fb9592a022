extends "res://tests/test_suite.gd"
## EnemySwarm: the same calls give the same state, for any number of threads and after loading.


func _crowd(threads: int, random_seed := 5) -> EnemySwarm:
	var manager := new_manager(Vector2i(61, 43))
	manager.worker_threads = threads
	walls_at_random(manager, 0.08, 9)
	manager.set_terrain_rect(Rect2i(48, 30, 5, 5), 1)
	manager.set_terrain_rect(Rect2i(0, 0, 20, 20), 1)
	var swarm := new_swarm(manager, new_goal(manager, Vector2i(50, 32)))
	swarm.random_seed = random_seed
	swarm.arrival_action = 1
	var pushed := SwarmAgentType.new()
	pushed.avoidance = SwarmAgentType.AVOIDANCE_SEPARATION
	swarm.agent_types = [SwarmAgentType.new(), pushed]
	var places := PackedVector2Array()
	for i in 1200:
		# Some on the same spot, so that the seeded push takes part.
		places.append(Vector2(20.0 + 7.0 * (i % 37), 20.0 + 7.0 * (i / 37 % 30)))
	swarm.spawn_many(places.slice(0, 600), 0)
	swarm.spawn_many(places.slice(600), 1)
	return swarm


func test_the_number_of_threads_changes_nothing() -> void:
	var hashes: Array[Array] = []
	for threads: int in [1, 2, 3]:
		var swarm := _crowd(threads)
		var trail: Array[int] = []
		for i in 6:
			steps(swarm, 40)
			trail.append(swarm.state_hash())
		hashes.append(trail)
	check_eq(hashes[1], hashes[0], "two threads as one")
	check_eq(hashes[2], hashes[0], "three threads as one")
	check(hashes[0][0] != hashes[0][1], "and the hash does change with time")


func test_the_hash_sees_small_differences() -> void:
	var first := new_swarm(new_manager())
	var second := new_swarm(new_manager())
	first.spawn(Vector2(40.0, 40.0))
	second.spawn(Vector2(40.0, 40.001))
	check(first.state_hash() != second.state_hash(), "a thousandth of a pixel")


func test_another_seed_gives_another_run() -> void:
	var first := _crowd(1, 5)
	var second := _crowd(1, 6)
	steps(first, 60)
	steps(second, 60)
	check(first.state_hash() != second.state_hash(), "seeds 5 and 6")


func test_a_loaded_state_goes_on_exactly() -> void:
	var swarm := _crowd(2)
	steps(swarm, 50)
	swarm.set_agent_state(swarm.get_ids().slice(0, 5), 1)
	var saved := swarm.save_state()
	var hash_then := swarm.state_hash()
	var ids := swarm.get_ids()
	steps(swarm, 80)
	var hash_later := swarm.state_hash()
	check_eq(swarm.load_state(saved), OK, "load into the same swarm")
	check_eq(swarm.state_hash(), hash_then, "as saved")
	check_eq(swarm.get_ids(), ids, "ids are the same")
	steps(swarm, 80)
	check_eq(swarm.state_hash(), hash_later, "goes on as before")
	var other := _crowd(1)
	check_eq(other.load_state(saved), OK, "load into another swarm")
	steps(other, 80)
	check_eq(other.state_hash(), hash_later, "goes on as the first one did")


func test_an_empty_swarm_can_be_saved() -> void:
	var swarm := new_swarm(new_manager())
	var saved := swarm.save_state()
	check(not saved.is_empty(), "bytes")
	swarm.spawn(Vector2(40.0, 40.0))
	check_eq(swarm.load_state(saved), OK, "load")
	check_eq(swarm.get_agent_count(), 0, "empty again")


func test_damaged_states_are_refused_and_nothing_changes() -> void:
	var swarm := _crowd(1)
	steps(swarm, 20)
	var before := swarm.state_hash()
	var saved := swarm.save_state()
	var cut := saved.slice(0, saved.size() / 2)
	var junk := PackedByteArray([1, 2, 3, 4, 5, 6, 7, 8, 9])
	var longer := saved.duplicate()
	longer.append(0)
	var wrong_head := saved.duplicate()
	wrong_head[0] = wrong_head[0] ^ 0xff
	for bytes: PackedByteArray in [PackedByteArray(), junk, cut, longer, wrong_head]:
		var result: int = expect_error(
			["EnemySwarm.load_state", "state cannot be read"],
			func() -> int: return swarm.load_state(bytes)
		)
		check(result != OK, "result %d" % result)
		check_eq(swarm.state_hash(), before, "unchanged")


func test_a_state_with_flipped_bytes_never_crashes() -> void:
	var swarm := _crowd(1)
	var saved := swarm.save_state()
	var random := RandomNumberGenerator.new()
	random.seed = 4
	var refused := 0
	print("EXPECT_ERROR_BEGIN")
	for i in 60:
		var damaged := saved.duplicate()
		var at := random.randi_range(0, mini(damaged.size(), 600) - 1)
		damaged[at] = random.randi_range(0, 255)
		refused += 0 if swarm.load_state(damaged) == OK else 1
		steps(swarm, 1)
		for place: Vector2 in swarm.get_positions():
			if not place.is_finite():
				check(false, "byte %d left a position that is not finite" % at)
		swarm.load_state(saved)
	print("EXPECT_ERROR_END")
	check_eq(errors.take().size(), refused, "an error for each that was refused")
	check(refused > 0, "some were refused")
