extends "res://tests/test_suite.gd"
## EnemySwarm: numbers that a game keeps with its agents.

const COUNT := 40

var swarm: EnemySwarm
var ids: PackedInt64Array


func _crowd() -> void:
	var manager := new_manager(Vector2i(40, 30))
	swarm = new_swarm(manager, new_goal(manager, Vector2i(38, 15)))
	var places := PackedVector2Array()
	for i in COUNT:
		places.append(Vector2(40.0 + 10.0 * (i % 8), 100.0 + 10.0 * (i / 8)))
	ids = swarm.spawn_many(places)


func test_numbers_follow_their_agents() -> void:
	_crowd()
	var health := PackedInt32Array()
	var timers := PackedFloat32Array()
	for i in COUNT:
		health.append(100 + i)
		timers.append(0.5 * i)
	check_eq(swarm.set_user_ints(ids, health), OK, "ints")
	check_eq(swarm.set_user_floats(ids, timers, 3), OK, "floats")
	swarm.despawn(ids.slice(5, 17))
	steps(swarm, 10)
	var saved := swarm.save_state()
	swarm.clear()
	check_eq(swarm.get_user_ints().size(), 0, "no agent has a number")
	check_eq(swarm.load_state(saved), OK, "loading")
	var order := swarm.get_ids()
	var found_ints := swarm.get_user_ints(0)
	var found_floats := swarm.get_user_floats(3)
	check_eq(found_ints.size(), order.size(), "a number for each")
	for i in order.size():
		var number := ids.find(order[i])
		check_eq(found_ints[i], 100 + number, "int of %d" % number)
		check_eq(found_floats[i], 0.5 * number, "float of %d" % number)
		check_eq(swarm.get_agent_user_int(order[i]), 100 + number, "int by id")
		check_eq(swarm.get_agent_user_float(order[i], 3), 0.5 * number, "float by id")


func test_one_number_for_all_and_the_numbers_of_given_agents() -> void:
	_crowd()
	check_eq(swarm.set_user_ints(ids, [100], 1), OK, "one for all")
	check_eq(swarm.set_user_ints(ids.slice(3, 5), [7, 8], 1), OK, "one for each")
	check_eq(swarm.set_user_floats(ids, [0.5]), OK, "floats")
	var some := PackedInt64Array([ids[4], ids[0], ids[3]])
	check_eq(swarm.get_user_ints_of(some, 1), PackedInt32Array([8, 100, 7]), "ints")
	check_eq(swarm.get_user_floats_of(some), PackedFloat32Array([0.5, 0.5, 0.5]), "floats")
	check_eq(swarm.get_user_ints_of(some, 2), PackedInt32Array([0, 0, 0]), "never set")
	swarm.despawn([ids[0]])
	for method: String in ["get_user_ints_of", "get_user_floats_of"]:
		for bad: Array in [[some, "does not exist"], [ids.slice(3, 5), "column", 4]]:
			var arguments: Array = [bad[0]] + bad.slice(2)
			expect_error(
				["EnemySwarm." + method, bad[1] as String],
				func() -> Variant: return swarm.callv(method, arguments)
			)


func test_numbers_are_zero_until_they_are_set() -> void:
	_crowd()
	var zeros := PackedInt32Array()
	zeros.resize(COUNT)
	check_eq(swarm.get_user_ints(2), zeros, "ints")
	check_eq(swarm.get_user_floats(0).size(), COUNT, "floats")
	check_eq(swarm.get_agent_user_float(ids[0]), 0.0, "a float")
	var hash_before := swarm.state_hash()
	swarm.set_user_ints(ids, zeros, 2)
	check_eq(swarm.state_hash(), hash_before, "zeros are no state")
	swarm.set_user_ints(ids.slice(0, 1), [7], 2)
	check(swarm.state_hash() != hash_before, "other numbers are")
	var late := swarm.spawn(Vector2(200.0, 200.0))
	check_eq(swarm.get_agent_user_int(late, 2), 0, "a new agent's")


func test_bad_calls_are_refused_and_change_nothing() -> void:
	_crowd()
	var two := ids.slice(0, 2)
	expect_error(
		["EnemySwarm.set_user_ints", "column", "4"],
		func() -> int: return swarm.set_user_ints(two, [1, 2], 4)
	)
	expect_error(
		["EnemySwarm.set_user_floats", "column", "-1"],
		func() -> int: return swarm.set_user_floats(two, [1, 2], -1)
	)
	expect_error(
		["EnemySwarm.set_user_floats", "values", "2 entries", "3"],
		func() -> int: return swarm.set_user_floats(two, [1, 2, 3])
	)
	expect_error(
		["EnemySwarm.set_user_floats", "value"],
		func() -> int: return swarm.set_user_floats(two, [1, NAN])
	)
	expect_error(
		["EnemySwarm.get_user_ints", "column", "9"], func() -> void: swarm.get_user_ints(9)
	)
	expect_error(
		["EnemySwarm.get_user_floats", "column", "9"], func() -> void: swarm.get_user_floats(9)
	)
	swarm.despawn(two.slice(1))
	var code: int = expect_error(
		["EnemySwarm.set_user_ints", "does not exist"],
		func() -> int: return swarm.set_user_ints(two, [1, 2])
	)
	check_eq(code, ERR_DOES_NOT_EXIST, "code")
	expect_error(
		["EnemySwarm.get_agent_user_int", "does not exist"],
		func() -> void: swarm.get_agent_user_int(two[1])
	)
	expect_error(
		["EnemySwarm.get_agent_user_float", "does not exist"],
		func() -> void: swarm.get_agent_user_float(two[1])
	)
	check_eq(swarm.get_user_ints(), PackedInt32Array(_zeros(COUNT - 1)), "unchanged")


func _zeros(count: int) -> PackedInt32Array:
	var zeros := PackedInt32Array()
	zeros.resize(count)
	return zeros


func test_damage_returns_the_fallen_and_removes_them() -> void:
	_crowd()
	var health := PackedInt32Array()
	health.resize(COUNT)
	health.fill(10)
	swarm.set_user_ints(ids, health)
	check_eq(swarm.add_user_ints(ids.slice(0, 2), -9).size(), 0, "hurt")
	check_eq(swarm.add_user_ints(ids.slice(0, 3), -1), ids.slice(0, 2), "two fall")
	check_eq(swarm.add_user_ints(ids.slice(0, 2), -1).size(), 0, "they fall once")
	var near := swarm.query_circle(Vector2(60.0, 120.0), 15.0)
	check(near.size() > 3 and not near.has(ids[0]), "some are near")
	check_eq(swarm.damage_circle(Vector2(60.0, 120.0), 15.0, 4).size(), 0, "hurt again")
	check_eq(swarm.damage_circle(Vector2(60.0, 120.0), 15.0, 6, 0, 1), near, "they fall")
	check_eq(swarm.get_agent_count(), COUNT - near.size(), "and are gone")
	var beam := swarm.query_segment(Vector2(200.0, 140.0), Vector2(0.0, 140.0), 2.0)
	check(beam.size() > 3, "some are in the beam")
	var fallen := swarm.damage_segment(Vector2(200.0, 140.0), Vector2(0.0, 140.0), 2.0, 10)
	check_eq(fallen, beam, "nearest first")
	check_eq(swarm.get_agent_count(), COUNT - near.size(), "they stay")


func test_bad_damage_is_refused() -> void:
	_crowd()
	swarm.set_user_ints(ids.slice(0, 1), [5])
	var at := Vector2(40.0, 100.0)
	for call: Array in [
		["damage_circle", [at, 9.0, -1], "amount"],
		["damage_circle", [at, 9.0, 1 << 31], "amount"],
		["damage_circle", [at, 9.0, 1, 4], "column"],
		["damage_circle", [at, NAN, 1], "radius"],
		["damage_segment", [at, at, -1.0, 1], "width"],
		["damage_segment", [at, at, 1.0, -1], "amount"],
		["add_user_ints", [ids, 1 << 40], "delta"],
		["add_user_ints", [ids, 1, -1], "column"],
		["add_user_ints", [ids, -9, 0, 3], "fallen_action"],
		["damage_circle", [at, 9.0, 1, 0, -1], "fallen_action"],
		["damage_segment", [at, at, 1.0, 1, 0, 3], "fallen_action"],
	]:
		var method: String = call[0]
		var found: PackedInt64Array = expect_error(
			["EnemySwarm." + method, call[2] as String],
			func() -> PackedInt64Array: return swarm.callv(method, call[1] as Array)
		)
		check_eq(found.size(), 0, method)
	check_eq(swarm.get_agent_user_int(ids[0]), 5, "nothing has changed")
