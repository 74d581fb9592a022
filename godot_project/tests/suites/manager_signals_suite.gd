extends "res://tests/test_suite.gd"
## FlowFieldManager: signals, the physics frame and building in the background.

var ready_goals: Array[int] = []
var changed_rects: Array[Rect2i] = []


func _listening_manager(size := Vector2i(16, 12)) -> FlowFieldManager:
	var manager := new_manager(size)
	manager.update()
	ready_goals.clear()
	changed_rects.clear()
	manager.goal_ready.connect(func(goal: int) -> void: ready_goals.append(goal))
	manager.terrain_changed.connect(func(cells: Rect2i) -> void: changed_rects.append(cells))
	return manager


func _frames(count: int) -> void:
	var tree := scene.get_tree()
	for i in count:
		await tree.physics_frame


func test_goal_ready_comes_once_per_build() -> void:
	var manager := _listening_manager()
	var goal := manager.create_goal(PackedVector2Array([Vector2(40.0, 40.0)]))
	manager.update()
	manager.get_flow_vector(goal, Vector2(8.0, 8.0))
	manager.update()
	check_eq(ready_goals, [goal] as Array[int], "after creation")
	manager.update()
	check_eq(ready_goals.size(), 1, "nothing changed, nothing sent")
	manager.set_terrain(Vector2i(9, 9), WALL)
	manager.update()
	check_eq(ready_goals, [goal, goal] as Array[int], "after an edit")
	manager.move_goal(goal, PackedVector2Array([Vector2(100.0, 40.0)]))
	manager.update()
	check_eq(ready_goals.size(), 3, "after a move")


func test_terrain_changes_are_batched_into_one_rect() -> void:
	var manager := _listening_manager()
	manager.set_terrain(Vector2i(2, 3), WALL)
	manager.set_terrain(Vector2i(5, 4), WALL)
	check(changed_rects.is_empty(), "not before update")
	manager.update()
	check_eq(changed_rects, [Rect2i(2, 3, 4, 2)] as Array[Rect2i], "one rect around both")
	manager.update()
	check_eq(changed_rects.size(), 1, "nothing changed, nothing sent")


func test_painting_what_is_there_is_no_change() -> void:
	var manager := _listening_manager()
	manager.set_terrain(Vector2i(2, 3), 1)
	manager.update()
	check(changed_rects.is_empty(), "no signal: %s" % [changed_rects])


func test_refused_edits_send_nothing() -> void:
	var manager := _listening_manager()
	expect_error(["set_terrain"], func() -> int: return manager.set_terrain(Vector2i(99, 0), 1))
	manager.update()
	check(changed_rects.is_empty(), "no signal")


func test_the_physics_frame_updates_by_itself() -> void:
	var manager := _listening_manager()
	var goal := manager.create_goal(PackedVector2Array([Vector2(40.0, 40.0)]))
	manager.get_flow_vector(goal, Vector2(8.0, 8.0))
	manager.set_terrain(Vector2i(1, 1), WALL)
	await _frames(3)
	check_eq(changed_rects.size(), 1, "terrain_changed")
	check(ready_goals.has(goal), "goal_ready")


func test_background_fields_arrive_later_and_the_old_one_serves_until_then() -> void:
	var manager := _listening_manager(Vector2i(300, 300))
	manager.background = true
	manager.worker_threads = 2
	var goal := manager.create_goal(PackedVector2Array([Vector2(8.0, 8.0)]))
	check_eq(
		manager.get_query_status(goal, Vector2(100.0, 100.0)),
		FlowFieldManager.QUERY_PENDING,
		"at first"
	)
	for i in 600:
		await _frames(1)
		if ready_goals.has(goal):
			break
	check(ready_goals.has(goal), "goal_ready arrives")
	var far := manager.get_cell_center(Vector2i(299, 0))
	check_near(manager.get_cost_to_goal(goal, far), 299.0, 0.01, "cost")
	ready_goals.clear()
	manager.set_terrain_rect(Rect2i(150, 0, 1, 299), WALL)
	manager.update()
	check(manager.get_cost_to_goal(goal, far) < INF, "there is a field at any time")
	for i in 600:
		await _frames(1)
		if ready_goals.has(goal):
			break
	check(manager.get_cost_to_goal(goal, far) > 400.0, "the new field goes around")


func test_freeing_the_manager_during_a_background_build_is_safe() -> void:
	var manager := _listening_manager(Vector2i(500, 500))
	manager.background = true
	var goal := manager.create_goal(PackedVector2Array([Vector2(8.0, 8.0)]))
	manager.get_flow_vector(goal, Vector2(100.0, 100.0))
	manager.update()
	manager.free()
	await _frames(3)
	check(ready_goals.size() <= 1, "no signal from a freed node")


func test_a_handler_may_call_the_manager() -> void:
	var manager := _listening_manager()
	var costs: Array[float] = []
	manager.goal_ready.connect(
		func(goal: int) -> void:
			costs.append(manager.get_cost_to_goal(goal, Vector2(8.0, 8.0)))
			if costs.size() == 1:
				manager.set_terrain(Vector2i(3, 3), WALL)
	)
	var last := new_goal(manager, Vector2i(10, 10))
	manager.get_flow_vector(last, Vector2(8.0, 8.0))
	manager.update()
	manager.update()
	check_eq(costs.size(), 2, "once for the goal, once for the edit made in the handler")
