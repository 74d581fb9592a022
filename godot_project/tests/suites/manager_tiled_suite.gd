extends "res://tests/test_suite.gd"
## FlowFieldManager and EnemySwarm: TILED goals. Flow tiles, section 10: Godot.

const DELTA := 1.0 / 30.0
const TILED := FlowFieldManager.GOAL_MODE_TILED
const STATS: PackedStringArray = [
	"tiles_built",
	"tiles_loaded",
	"tiles_waiting",
	"routes_waiting",
	"active_sectors",
	"routes",
	"hits",
	"misses",
	"evictions",
	"cached_tiles",
	"cache_bytes",
]


## A map of two halves with a wall between them; a door of eight cells above, another far below.
func _two_doors() -> FlowFieldManager:
	var manager := new_manager(Vector2i(300, 300))
	manager.set_terrain_rect(Rect2i(150, 0, 2, 300), WALL)
	manager.set_terrain_rect(Rect2i(150, 40, 2, 8), 1)
	manager.set_terrain_rect(Rect2i(150, 280, 2, 8), 1)
	return manager


func _tiled_goal(manager: FlowFieldManager, cell: Vector2i) -> int:
	return manager.create_goal(PackedVector2Array([manager.get_cell_center(cell)]), TILED)


func _crowd(manager: FlowFieldManager, goal: int) -> EnemySwarm:
	var swarm := new_swarm(manager, goal)
	swarm.arrival_action = EnemySwarm.ARRIVAL_DESPAWN
	var type := SwarmAgentType.new()
	type.max_speed = 320.0
	type.acceleration = 2000.0
	swarm.agent_types = [type]
	var places := PackedVector2Array()
	for i in 100:
		places.append(manager.get_cell_center(Vector2i(60 + i % 10, 30 + i / 10)))
	swarm.spawn_many(places)
	return swarm


func _run(manager: FlowFieldManager, swarm: EnemySwarm, limit: int) -> void:
	for i in limit:
		if swarm.get_agent_count() == 0:
			return
		manager.update()
		swarm.step(DELTA)


func test_agents_move_in_the_tick_of_the_order() -> void:
	var manager := _two_doors()
	manager.tiles_per_tick = 0
	var goal := _tiled_goal(manager, Vector2i(280, 20))
	check_eq(manager.get_goal_mode(goal), TILED, "mode")
	var swarm := _crowd(manager, goal)
	var before := swarm.get_positions()
	swarm.step(DELTA)
	var after := swarm.get_positions()
	var moved := 0
	for i in before.size():
		moved += int(before[i] != after[i])
	check_eq(moved, 100, "all move")
	check_eq(manager.get_tile_stats()["tiles_built"], 0, "without a tile")
	check_eq(manager.get_path_from(goal, before[0]).is_empty(), false, "and know the way")


func test_all_arrive_while_a_door_is_shut_and_opened() -> void:
	var manager := _two_doors()
	manager.tiles_per_tick = 40
	var goal := _tiled_goal(manager, Vector2i(280, 20))
	var swarm := _crowd(manager, goal)
	_run(manager, swarm, 60)
	check_eq(swarm.get_agent_count(), 100, "on the way")
	manager.set_terrain_rect(Rect2i(150, 40, 2, 8), WALL)
	_run(manager, swarm, 60)
	check_eq(swarm.get_agent_count(), 100, "on the way to the other door")
	manager.set_terrain_rect(Rect2i(150, 40, 2, 8), 1)
	_run(manager, swarm, 3000)
	check_eq(swarm.get_agent_count(), 0, "all arrive")
	check_eq(swarm.get_stats()["arrived"], 100, "counted")


func test_queries_tell_what_is_known() -> void:
	var manager := _two_doors()
	var goal := _tiled_goal(manager, Vector2i(280, 20))
	var at := manager.get_cell_center(Vector2i(20, 20))
	check_eq(
		manager.get_query_status(goal, at),
		FlowFieldManager.QUERY_OK,
		"a route that was not requested"
	)
	check(manager.get_flow_vector(goal, at).x > 0.0, "a direction")
	check(manager.get_path_from(goal, at).size() > 250, "a path")
	check_eq(manager.get_tile_stats()["routes"], 0, "queries request nothing")
	check(manager.request_route(goal, at), "there is a route")
	check_eq(manager.get_query_status(goal, at), FlowFieldManager.QUERY_PENDING, "no tile yet")
	check(manager.get_flow_vector(goal, at).x > 0.0, "but a direction")
	while manager.get_tile_stats()["tiles_waiting"] > 0:
		manager.update()
	check_eq(manager.get_query_status(goal, at), FlowFieldManager.QUERY_OK, "all tiles are there")
	var cost := manager.get_cost_to_goal(goal, at)
	check(cost > 250.0 and cost < 400.0, "cost %f" % cost)
	var path := manager.get_path_from(goal, at)
	check_eq(path[path.size() - 1], manager.get_cell_center(Vector2i(280, 20)), "the path's end")
	check(manager.get_built_sectors(goal).size() > 10, "sectors with tiles")
	check(manager.get_portals().size() > 100, "portals")
	check_eq(manager.get_directions(goal).size(), 90000, "directions")
	var words: Array[String] = ["FlowFieldManager.get_integration", "tiled"]
	expect_error(words, func() -> Variant: return manager.get_integration(goal))
	var stats := manager.get_tile_stats()
	for key: String in STATS:
		check(stats.has(key), key)
	check_eq(stats.size(), STATS.size(), "nothing else")
	manager.set_terrain_rect(Rect2i(150, 0, 2, 300), WALL)
	manager.update()
	check_eq(manager.get_query_status(goal, at), FlowFieldManager.QUERY_DISCONNECTED, "no way")
	check_eq(manager.get_cost_to_goal(goal, at), INF, "no cost")
	check_eq(manager.request_route(goal, at), false, "no route")


func test_orders_beyond_the_limit_wait_with_a_status() -> void:
	var manager := _two_doors()
	manager.routes_per_tick = 1
	var from := manager.get_cell_center(Vector2i(20, 20))
	var goals := PackedInt64Array()
	for i in 300:
		goals.append(_tiled_goal(manager, Vector2i(160 + i % 100, 20 + i / 100 * 80)))
		check(manager.request_route(goals[i], from), "a route, or there may be one")
	check(manager.get_tile_stats()["routes_waiting"] > 250, "most wait")
	check_eq(manager.get_query_status(goals[299], from), FlowFieldManager.QUERY_QUEUED, "the last")
	check(manager.get_cost_to_goal(goals[298], from) < INF, "an answer is never put off")
	for i in 300:
		manager.update()
	check_eq(manager.get_tile_stats()["routes_waiting"], 0, "all have been searched")
	for goal in goals:
		var status := manager.get_query_status(goal, from)
		check(
			status == FlowFieldManager.QUERY_OK or status == FlowFieldManager.QUERY_PENDING,
			"a route"
		)


func test_agents_move_while_their_order_waits() -> void:
	var manager := _two_doors()
	manager.routes_per_tick = 1
	var swarm := _crowd(manager, _tiled_goal(manager, Vector2i(280, 20)))
	for group in range(1, 20):
		swarm.spawn(manager.get_cell_center(Vector2i(20, 20 + 10 * group)), 0, group)
		swarm.set_group_goal(group, _tiled_goal(manager, Vector2i(280, 20 + group)))
	swarm.step(DELTA)
	check(manager.get_tile_stats()["routes_waiting"] > 0, "some wait")
	for velocity in swarm.get_velocities():
		check(velocity != Vector2.ZERO, "all move")
	check_eq(swarm.get_stats()["lost"], 0, "lost")
	_run(manager, swarm, 3000)
	check_eq(swarm.get_agent_count(), 0, "all arrive")


func test_bad_settings_are_refused_by_name() -> void:
	var manager := new_manager()
	for size: int in [0, 3, 65]:
		expect_error(
			["FlowFieldManager.sector_size", "%d" % size],
			func() -> void: manager.sector_size = size
		)
	check_eq(manager.sector_size, 16, "sector_size")
	expect_error(["FlowFieldManager.tile_variant", "2"], func() -> void: manager.tile_variant = 2)
	check_eq(manager.tile_variant, FlowFieldManager.TILES_SEAMLESS, "tile_variant")
	expect_error(
		["FlowFieldManager.tile_cache_bytes", "0"], func() -> void: manager.tile_cache_bytes = 0
	)
	check_eq(manager.tile_cache_bytes, 67108864, "tile_cache_bytes")
	expect_error(
		["FlowFieldManager.frame_budget_ms", "-1"], func() -> void: manager.frame_budget_ms = -1.0
	)
	check_eq(manager.frame_budget_ms, 0.0, "frame_budget_ms")
	expect_error(
		["FlowFieldManager.tiles_per_tick", "-1"], func() -> void: manager.tiles_per_tick = -1
	)
	check_eq(manager.tiles_per_tick, 256, "tiles_per_tick")
	for routes: int in [0, -1]:
		expect_error(
			["FlowFieldManager.routes_per_tick", "%d" % routes],
			func() -> void: manager.routes_per_tick = routes
		)
	check_eq(manager.routes_per_tick, 64, "routes_per_tick")
	expect_error(
		["FlowFieldManager.get_goal_mode", "goal 7"], func() -> int: return manager.get_goal_mode(7)
	)


## Flow tiles, section 3: the plain variant.
func test_all_arrive_by_plain_tiles() -> void:
	var manager := _two_doors()
	manager.tile_variant = FlowFieldManager.TILES_PLAIN
	var goal := _tiled_goal(manager, Vector2i(280, 20))
	var swarm := _crowd(manager, goal)
	_run(manager, swarm, 60)
	check_eq(swarm.get_agent_count(), 100, "on the way")
	var stats := manager.get_tile_stats()
	check(stats["hits"] > stats["misses"], "tiles are found again: %s" % stats)
	check(manager.get_built_sectors(goal).size() > 5, "sectors with tiles")
	manager.tile_variant = FlowFieldManager.TILES_SEAMLESS
	_run(manager, swarm, 30)
	manager.tile_variant = FlowFieldManager.TILES_PLAIN
	manager.set_terrain_rect(Rect2i(150, 40, 2, 8), WALL)
	_run(manager, swarm, 3000)
	check_eq(swarm.get_agent_count(), 0, "all arrive by the other door")


func test_settings_may_change_under_way() -> void:
	var manager := _two_doors()
	var goal := _tiled_goal(manager, Vector2i(200, 30))
	var swarm := _crowd(manager, goal)
	_run(manager, swarm, 20)
	manager.sector_size = 10
	manager.tile_cache_bytes = 1
	manager.frame_budget_ms = 2.0
	_run(manager, swarm, 20)
	manager.solver = FlowFieldManager.SOLVER_OCTILE
	_run(manager, swarm, 3000)
	check_eq(swarm.get_agent_count(), 0, "all arrive")
