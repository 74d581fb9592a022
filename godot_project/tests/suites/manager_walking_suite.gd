extends "res://tests/test_suite.gd"
## Goals that walk: near them all is up to date in every frame, and no frame pays for the whole map.

const SIZE := Vector2i(180, 160)
const START := Vector2(90.5, 80.5)


func test_near_the_goal_directions_lead_to_where_it_is() -> void:
	var manager := _manager()
	var goal := _followed_goal(manager)
	var near := START + Vector2(9.0, 7.0)
	var solves: int = manager.get_build_stats()["full_solves"]
	for tick in 40:
		var target := START + Vector2(-0.11 * tick, 0.07 * tick)
		manager.move_goal(goal, PackedVector2Array([target]))
		manager.update()
		check_eq(manager.get_field_age(goal, near), 0, "age near the goal")
		var way := manager.get_flow_vector(goal, near)
		check_near_vector(way, near.direction_to(target), 1e-4, "way to the goal")
		var cells := target.floor().distance_to(near.floor())
		check_near(manager.get_cost_to_goal(goal, near), cells, 0.01, "cost")
		var path := manager.get_path_from(goal, Vector2(2.5, 2.5))
		check_eq(path[-1].floor(), target.floor(), "the way from afar ends at the goal")
	var stats := manager.get_build_stats()
	check(stats["near_solves"] > 3, "near fields: %d" % stats["near_solves"])
	check(stats["full_solves"] <= solves + 2, "whole fields: %d" % stats["full_solves"])


func test_ages_tell_where_directions_lead_to_an_earlier_place() -> void:
	var manager := _manager()
	var goal := _followed_goal(manager)
	check_eq(manager.get_field_age(goal, Vector2(2.5, 2.5)), 0, "as long as it stands")
	for tick in 5:
		manager.move_goal(goal, PackedVector2Array([START + Vector2(tick + 1.0, 0.0)]))
		manager.update()
	check_eq(manager.get_field_age(goal, Vector2(2.5, 2.5)), 5, "far from the goal")
	var ages := manager.get_field_ages(goal)
	check_eq(ages.size(), SIZE.x * SIZE.y, "an age for each cell")
	check_eq(ages[2 * SIZE.x + 2], 5, "far from the goal")
	check_eq(ages[80 * SIZE.x + 90], 0, "near the goal")
	check_eq(manager.get_field_ages(goal, 0, 0), ages, "the lowest layer")
	for tick in 100:
		manager.update()
	check_eq(manager.get_field_age(goal, Vector2(2.5, 2.5)), 0, "when it has stood for a while")


func test_without_a_budget_every_move_solves_the_whole_field() -> void:
	var manager := _manager()
	manager.walking_goal_cells = 0
	var goal := _followed_goal(manager)
	for tick in 5:
		var before: int = manager.get_build_stats()["full_solves"]
		manager.move_goal(goal, PackedVector2Array([START + Vector2(tick + 1.0, 0.0)]))
		manager.update()
		check_eq(manager.get_build_stats()["full_solves"], before + 1, "a whole solve")
		check_eq(manager.get_field_age(goal, Vector2(2.5, 2.5)), 0, "all of it is new")


func test_bad_input_is_refused() -> void:
	var manager := _manager()
	var goal := _followed_goal(manager)
	var set_cells := func() -> void: manager.walking_goal_cells = -1
	expect_error(["walking_goal_cells", "-1"], set_cells)
	check_eq(manager.walking_goal_cells, 600, "unchanged")
	var outside := func() -> int: return manager.get_field_age(goal, Vector2(-3.0, 0.0))
	check_eq(expect_error(["get_field_age", "position"], outside), -1, "no age")
	var unknown := func() -> PackedInt32Array: return manager.get_field_ages(goal + 77)
	check_eq(expect_error(["get_field_ages", "goal"], unknown), PackedInt32Array(), "no ages")
	var tiled := manager.create_goal(PackedVector2Array([START]), FlowFieldManager.GOAL_MODE_TILED)
	check_eq(manager.get_field_age(tiled, START), -1, "no route has been requested")
	check_eq(manager.get_field_ages(tiled), PackedInt32Array(), "no route has been requested")


func test_a_tiled_goal_that_walks_is_led_to_where_it_is() -> void:
	var manager := _manager()
	var goal := _followed_goal(manager, FlowFieldManager.GOAL_MODE_TILED)
	var swarm: EnemySwarm = scene.get_child(1)
	for tick in 60:
		manager.update()
		swarm.step(1.0 / 60.0)
	for tick in 100:
		var target := START + Vector2(0.2 * tick, 0.0)
		manager.move_goal(goal, PackedVector2Array([target]))
		manager.update()
		swarm.step(1.0 / 60.0)
		check_eq(manager.get_field_age(goal, target), 0, "near it: tick %d" % tick)
		var beside := target + Vector2(4.0, 0.0)
		check(manager.get_flow_vector(goal, beside).x < -0.9, "back to it: tick %d" % tick)
	check(manager.get_field_age(goal, Vector2(150.5, 140.5)) > 0, "older far off")
	check_eq(manager.get_field_ages(goal).size(), SIZE.x * SIZE.y, "of each cell")


func test_agents_catch_a_goal_that_walks_round_walls() -> void:
	var manager := _manager()
	for gap in [20, 130]:
		var column := 60 if gap == 20 else 120
		manager.set_terrain_rect(Rect2i(column, 0, 2, SIZE.y), WALL)
		manager.set_terrain_rect(Rect2i(column, gap, 2, 12), 1)
	var goal := _followed_goal(manager)
	var swarm: EnemySwarm = scene.get_child(1)
	var caught := 0
	for tick in 1500:
		var angle := 0.01 * tick
		var target := START + Vector2(cos(angle) - 1.0, sin(angle)) * 12.0
		manager.move_goal(goal, PackedVector2Array([target]))
		manager.update()
		swarm.step(1.0 / 30.0)
		for place: Vector2 in swarm.get_positions():
			caught += 1 if place.distance_to(target) < 2.0 else 0
	check(caught > 3000, "agents near the goal, over all ticks: %d" % caught)


func _manager() -> FlowFieldManager:
	var manager := new_manager(SIZE, 1.0)
	manager.walking_goal_cells = 600
	return manager


## A goal that the agents of a swarm walk to.
func _followed_goal(manager: FlowFieldManager, mode := FlowFieldManager.GOAL_MODE_FULL) -> int:
	var goal := manager.create_goal(PackedVector2Array([START]), mode)
	var swarm := new_swarm(manager, goal)
	var kind := SwarmAgentType.new()
	kind.radius = 0.3
	kind.max_speed = 9.0
	swarm.agent_types = [kind]
	for place: Vector2 in [Vector2(5.5, 5.5), Vector2(170.5, 150.5), Vector2(5.5, 150.5)]:
		swarm.spawn(place)
	swarm.step(1.0 / 60.0)
	return goal
