extends "res://tests/test_suite.gd"
## EnemySwarm: arriving, getting stuck, stepping by itself, and the figures.

const STAT_NAMES: Array[String] = [
	"agents",
	"following",
	"idle",
	"scripted",
	"arrived",
	"arrived_now",
	"lost",
	"stuck",
	"step_ms",
	"pack_ms",
	"upload_ms",
	"total_ms",
	"quarantined",
]

var manager: FlowFieldManager
var swarm: EnemySwarm
var arrived := PackedInt64Array()


func _short_way(action: int) -> PackedInt64Array:
	manager = new_manager(Vector2i(12, 9))
	swarm = new_swarm(manager, new_goal(manager, Vector2i(8, 4)))
	swarm.arrival_action = action
	arrived.clear()
	swarm.agents_arrived.connect(func(ids: PackedInt64Array) -> void: arrived.append_array(ids))
	var places := PackedVector2Array([Vector2(40.0, 72.0), Vector2(60.0, 40.0)])
	return swarm.spawn_many(places)


func test_stop_leaves_them_at_the_goal() -> void:
	var ids := _short_way(EnemySwarm.ARRIVAL_STOP)
	steps(swarm, 300)
	arrived.sort()
	check_eq(arrived, ids, "each is reported once")
	check_eq(swarm.get_agent_count(), 2, "they stay")
	for id: int in ids:
		check(swarm.get_agent_velocity(id).length() < 5.0, "agent %d stands" % id)
	check_eq(swarm.get_stats()["arrived"], 2, "counted")


func test_despawn_removes_them_after_the_signal() -> void:
	var ids := _short_way(EnemySwarm.ARRIVAL_DESPAWN)
	steps(swarm, 300)
	arrived.sort()
	check_eq(arrived, ids, "each is reported once")
	check_eq(swarm.get_agent_count(), 0, "gone")
	check(not swarm.has_agent(ids[0]), "ids are stale")
	check_eq(swarm.get_stats()["arrived"], 2, "counted")


func test_keep_going_reports_and_changes_nothing() -> void:
	var ids := _short_way(EnemySwarm.ARRIVAL_KEEP_GOING)
	steps(swarm, 300)
	arrived.sort()
	check_eq(arrived, ids, "each is reported once")
	check_eq(swarm.get_agent_count(), 2, "they stay")
	check_eq(swarm.get_agent_state(ids[0]), 0, "still following")


func test_arrivals_are_batched_per_step() -> void:
	manager = new_manager(Vector2i(12, 9))
	swarm = new_swarm(manager, new_goal(manager, Vector2i(4, 4)))
	swarm.arrival_action = EnemySwarm.ARRIVAL_DESPAWN
	var batches: Array[int] = []
	swarm.agents_arrived.connect(func(ids: PackedInt64Array) -> void: batches.append(ids.size()))
	var middle := manager.get_cell_center(Vector2i(4, 4))
	swarm.spawn_many(PackedVector2Array([middle, middle + Vector2.ONE, middle - Vector2.ONE]))
	steps(swarm, 2)
	check_eq(batches, [3] as Array[int], "one signal for all three")


func test_arrival_radius_counts_from_afar() -> void:
	var ids := _short_way(EnemySwarm.ARRIVAL_STOP)
	swarm.arrival_radius = 40.0
	for i in 300:
		swarm.step(1.0 / 60.0)
		if arrived.has(ids[0]):
			break
	var away := swarm.get_agent_position(ids[0]).distance_to(
		manager.get_cell_center(Vector2i(8, 4))
	)
	check(away > 30.0 and away <= 40.5, "arrived %f away" % away)


func test_moving_the_goal_lets_them_arrive_again() -> void:
	var ids := _short_way(EnemySwarm.ARRIVAL_STOP)
	steps(swarm, 300)
	arrived.clear()
	manager.move_goal(
		swarm.get_group_goal(0), PackedVector2Array([manager.get_cell_center(Vector2i(1, 1))])
	)
	steps(swarm, 400)
	arrived.sort()
	check_eq(arrived, ids, "at the new place")


func test_signal_handlers_may_change_the_swarm() -> void:
	_short_way(EnemySwarm.ARRIVAL_STOP)
	swarm.agents_arrived.connect(
		func(ids: PackedInt64Array) -> void:
			swarm.despawn(ids)
			swarm.spawn(Vector2(150.0, 20.0))
	)
	steps(swarm, 300)
	check(swarm.get_agent_count() >= 1, "no deadlock, and the new ones are there")


func test_blocked_agents_are_stuck_after_stuck_time() -> void:
	manager = new_manager(Vector2i(20, 9))
	swarm = new_swarm(manager, new_goal(manager, Vector2i(19, 4)))
	swarm.stuck_time = 0.5
	var stuck := PackedInt64Array()
	swarm.agents_stuck.connect(func(ids: PackedInt64Array) -> void: stuck.append_array(ids))
	# A door far too narrow for this one.
	manager.set_terrain_rect(Rect2i(8, 0, 1, 9), WALL)
	manager.set_terrain(Vector2i(8, 4), 1)
	var type := SwarmAgentType.new()
	type.radius = 14.0
	swarm.agent_types = [type]
	var id := swarm.spawn(manager.get_cell_center(Vector2i(4, 4)))
	steps(swarm, 240)
	check_eq(stuck, PackedInt64Array([id]), "reported once")
	check_eq(swarm.get_stats()["stuck"], 1, "counted")
	manager.set_terrain_rect(Rect2i(8, 0, 1, 9), 1)
	steps(swarm, 60)
	check_eq(swarm.get_stats()["stuck"], 0, "free again")


func test_settings_refuse_bad_values() -> void:
	_short_way(EnemySwarm.ARRIVAL_STOP)
	var bad: Array[Array] = [
		[&"arrival_radius", -1.0],
		[&"arrival_radius", NAN],
		[&"arrival_radius", INF],
		[&"stuck_time", -1.0],
		[&"stuck_time", NAN],
		[&"arrival_action", 7],
		[&"arrival_action", -1],
	]
	for entry: Array in bad:
		var property: StringName = entry[0]
		var before: Variant = swarm.get(property)
		expect_error(["EnemySwarm", property], func() -> void: swarm.set(property, entry[1]))
		check_eq(swarm.get(property), before, "%s unchanged" % property)


func test_step_refuses_bad_times() -> void:
	var ids := _short_way(EnemySwarm.ARRIVAL_STOP)
	steps(swarm, 10)
	var before := swarm.get_agent_position(ids[0])
	for delta: float in [-0.1, NAN, INF]:
		expect_error(["EnemySwarm.step", "delta"], func() -> void: swarm.step(delta))
	check_eq(swarm.get_agent_position(ids[0]), before, "nothing moved")


func test_auto_step_walks_in_the_physics_frame() -> void:
	var ids := _short_way(EnemySwarm.ARRIVAL_STOP)
	var tree := scene.get_tree()
	await tree.physics_frame
	var before := swarm.get_agent_position(ids[0])
	for i in 3:
		await tree.physics_frame
	check_eq(swarm.get_agent_position(ids[0]), before, "off: it waits for step")
	swarm.auto_step = true
	for i in 10:
		await tree.physics_frame
	check(swarm.get_agent_position(ids[0]) != before, "on: it walks")


func test_stats_are_complete_and_consistent() -> void:
	_short_way(EnemySwarm.ARRIVAL_STOP)
	steps(swarm, 3)
	var stats := swarm.get_stats()
	for key: String in STAT_NAMES:
		check(stats.has(key), "has %s" % key)
	check_eq(stats["agents"], 2, "agents")
	check_eq(stats["following"], 2, "following")
	check_eq(stats["quarantined"], 0, "quarantined")
	var parts: float = stats["step_ms"] + stats["pack_ms"] + stats["upload_ms"]
	check(stats["total_ms"] > 0.0, "total_ms is measured")
	check(stats["total_ms"] >= parts, "and not less than its parts")
