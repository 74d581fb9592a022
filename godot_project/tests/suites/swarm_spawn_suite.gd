extends "res://tests/test_suite.gd"
## EnemySwarm: agents come and go, and ids never name another agent.

const AT := Vector2(40.0, 40.0)


func _swarm() -> EnemySwarm:
	return new_swarm(new_manager())


func _grid_of_places(count: int) -> PackedVector2Array:
	var places := PackedVector2Array()
	for i in count:
		places.append(Vector2(16.0 + 10.0 * (i % 20), 16.0 + 10.0 * (i / 20)))
	return places


func test_defaults() -> void:
	var swarm := EnemySwarm.new()
	check_eq(swarm.auto_step, true, "auto_step")
	check_eq(swarm.separation, true, "separation")
	check_eq(swarm.wall_correction, true, "wall_correction")
	check_eq(swarm.arrival_action, 0, "arrival_action")
	check_eq(swarm.arrival_radius, 0.0, "arrival_radius")
	check_eq(swarm.stuck_time, 2.0, "stuck_time")
	check_eq(swarm.face_movement, true, "face_movement")
	check_eq(swarm.custom_data_preset, 0, "custom_data_preset")
	check_eq(swarm.instance_size, 1.0, "instance_size")
	check_eq(swarm.get_agent_count(), 0, "agents")
	swarm.free()


func test_spawn_gives_distinct_positive_ids() -> void:
	var swarm := _swarm()
	var first := swarm.spawn(AT)
	var second := swarm.spawn(AT + Vector2(20.0, 0.0))
	check(first > 0 and second > 0 and first != second, "ids %d and %d" % [first, second])
	check(swarm.has_agent(first) and swarm.has_agent(second), "both exist")
	check_eq(swarm.get_agent_count(), 2, "count")
	check_eq(swarm.get_agent_position(first), AT, "position")
	check_eq(swarm.get_agent_velocity(first), Vector2.ZERO, "at rest")
	check_eq(swarm.get_agent_state(first), 0, "following")


func test_arrays_share_one_order() -> void:
	var swarm := _swarm()
	var places := _grid_of_places(150)
	var ids := swarm.spawn_many(places)
	check_eq(ids.size(), 150, "ids")
	var listed := swarm.get_ids()
	var positions := swarm.get_positions()
	check_eq(listed.size(), 150, "get_ids")
	check_eq(swarm.get_velocities().size(), 150, "get_velocities")
	check_eq(swarm.get_states().size(), 150, "get_states")
	for i in listed.size():
		check_eq(swarm.get_agent_position(listed[i]), positions[i], "agent %d" % i)
	for i in ids.size():
		check_eq(swarm.get_agent_position(ids[i]), places[i], "spawned %d" % i)


func test_spawn_many_is_all_or_nothing() -> void:
	var swarm := _swarm()
	for bad: Vector2 in [Vector2(NAN, 5.0), Vector2(5.0, INF)]:
		var ids: PackedInt64Array = expect_error(
			["EnemySwarm.spawn_many", "position"],
			func() -> PackedInt64Array: return swarm.spawn_many(PackedVector2Array([AT, bad, AT]))
		)
		check(ids.is_empty(), "no ids")
	check_eq(swarm.get_agent_count(), 0, "none came")
	check(swarm.spawn_many(PackedVector2Array()).is_empty(), "none asked, none made, no error")


func test_spawn_refuses_bad_arguments() -> void:
	var swarm := _swarm()
	var calls: Dictionary[String, Callable] = {
		"position": func() -> int: return swarm.spawn(Vector2(NAN, 0.0)),
		"type": func() -> int: return swarm.spawn(AT, 1),
		"group": func() -> int: return swarm.spawn(AT, 0, 256),
	}
	for argument: String in calls:
		check_eq(
			expect_error(["EnemySwarm.spawn", argument], calls[argument]), 0, "bad %s" % argument
		)
	expect_error(["EnemySwarm.spawn", "type", "-1"], func() -> int: return swarm.spawn(AT, -1))
	expect_error(["EnemySwarm.spawn", "group", "-1"], func() -> int: return swarm.spawn(AT, 0, -1))
	expect_error(
		["EnemySwarm.spawn_many", "type", "7"],
		func() -> PackedInt64Array: return swarm.spawn_many(PackedVector2Array([AT]), 7)
	)
	check_eq(swarm.get_agent_count(), 0, "none came")


func test_spawning_outside_of_the_grid_is_refused() -> void:
	var swarm := _swarm()
	check_eq(
		expect_error(
			["EnemySwarm.spawn", "position"],
			func() -> int: return swarm.spawn(Vector2(-100.0, 40.0))
		),
		0,
		"no id"
	)
	check_eq(swarm.get_agent_count(), 0, "none came")


func test_despawn_removes_exactly_those() -> void:
	var swarm := _swarm()
	var ids := swarm.spawn_many(_grid_of_places(100))
	var gone := PackedInt64Array()
	for i in range(0, 100, 3):
		gone.append(ids[i])
	check_eq(swarm.despawn(gone), gone.size(), "count")
	check_eq(swarm.get_agent_count(), 100 - gone.size(), "left")
	for i in 100:
		check_eq(swarm.has_agent(ids[i]), i % 3 != 0, "agent %d" % i)
	for i in 100:
		if i % 3 != 0:
			check_eq(
				swarm.get_agent_position(ids[i]), _grid_of_places(100)[i], "position of %d" % i
			)


func test_a_stale_id_never_names_another_agent() -> void:
	var swarm := _swarm()
	var old := swarm.spawn(AT)
	swarm.despawn(PackedInt64Array([old]))
	for i in 50:
		var next := swarm.spawn(AT + Vector2(2.0 * i, 20.0))
		check(next != old, "id is used again")
	check(not swarm.has_agent(old), "the old one is gone")
	var calls: Dictionary[String, Callable] = {
		"get_agent_position": func() -> Vector2: return swarm.get_agent_position(old),
		"get_agent_velocity": func() -> Vector2: return swarm.get_agent_velocity(old),
		"get_agent_state": func() -> int: return swarm.get_agent_state(old),
	}
	for method: String in calls:
		expect_error(["EnemySwarm.%s" % method, "agent", str(old)], calls[method])


func test_despawn_reports_stale_ids_once_and_removes_the_rest() -> void:
	var swarm := _swarm()
	var ids := swarm.spawn_many(_grid_of_places(3))
	swarm.despawn(ids.slice(0, 1))
	var removed: int = expect_error(
		["EnemySwarm.despawn", "agent"],
		func() -> int:
			return swarm.despawn(PackedInt64Array([ids[0], ids[1], 987654321, -4, ids[1]]))
	)
	check_eq(removed, 1, "one was alive")
	check_eq(swarm.get_agent_count(), 1, "one is left")
	check(swarm.has_agent(ids[2]), "the one not named")


func test_clear_removes_all_agents() -> void:
	var swarm := _swarm()
	var ids := swarm.spawn_many(_grid_of_places(40))
	swarm.clear()
	check_eq(swarm.get_agent_count(), 0, "count")
	check(swarm.get_positions().is_empty(), "positions")
	check(not swarm.has_agent(ids[0]), "ids are stale")
	check(swarm.spawn(AT) > 0, "it can be used again")


func test_without_a_manager_nothing_spawns_and_an_error_says_so() -> void:
	var swarm := EnemySwarm.new()
	scene.add_child(swarm)
	expect_error(["EnemySwarm.step", "manager"], func() -> void: steps(swarm, 5))
	check_eq(
		expect_error(["EnemySwarm.spawn", "manager"], func() -> int: return swarm.spawn(AT)),
		0,
		"no agent"
	)


func test_a_freed_manager_is_reported_and_does_no_harm() -> void:
	var manager := new_manager()
	var goal := new_goal(manager, Vector2i(10, 5))
	var swarm := new_swarm(manager, goal)
	var id := swarm.spawn(AT)
	swarm.step(1.0 / 60.0)
	manager.free()
	expect_error(["EnemySwarm.step", "manager"], func() -> void: swarm.step(1.0 / 60.0))
	expect_error(["EnemySwarm.spawn", "manager"], func() -> int: return swarm.spawn(AT))
	check(swarm.has_agent(id), "agents stay")
	check_eq(swarm.get_positions().size(), 1, "and can be read")


func test_ten_thousand_come_and_go() -> void:
	var manager := new_manager(Vector2i(100, 100))
	var swarm := new_swarm(manager)
	var places := PackedVector2Array()
	for i in 10000:
		places.append(manager.get_cell_center(Vector2i(i % 100, i / 100)))
	for repeat in 3:
		var ids := swarm.spawn_many(places)
		check_eq(ids.size(), 10000, "spawned")
		swarm.step(1.0 / 60.0)
		check_eq(swarm.despawn(ids), 10000, "despawned")
	check_eq(swarm.get_agent_count(), 0, "none left")
