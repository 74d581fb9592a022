extends "res://tests/test_suite.gd"
## A frame has a limit of work on first fields and portal graphs: the rest waits, agents walk on.

const SIZE := Vector2i(120, 100)
const TARGET := Vector2(110.5, 50.5)
const START := Vector2(10.5, 50.5)


func test_a_first_field_waits_and_agents_go_straight() -> void:
	var manager := new_manager(SIZE, 1.0)
	manager.frame_budget_cells = 1000
	var goal := manager.create_goal(PackedVector2Array([TARGET]))
	var swarm := _swarm(manager, goal)
	var frames := _frames_until_ok(manager, goal, swarm, FlowFieldManager.QUERY_PENDING)
	# About 14 updates, of which a frame has two: its own and that of the step.
	check(frames > 5 and frames < 15, "frames: %d" % frames)
	check(swarm.get_positions()[0].x > START.x + 1.0, "it went on: %s" % swarm.get_positions())
	check_eq(manager.get_build_stats()["full_solves"], 1, "one field")
	check_eq(manager.get_flow_vector(goal, START), Vector2.RIGHT, "the field leads there")


func test_routes_wait_for_the_portal_graph() -> void:
	var manager := new_manager(SIZE, 1.0)
	# Costly cells, because sectors of clear ground take no time.
	for x in range(3, SIZE.x, 7):
		manager.set_terrain_rect(Rect2i(x, 0, 1, SIZE.y - 1), 3)
	manager.frame_budget_cells = 1000
	var goal := manager.create_goal(PackedVector2Array([TARGET]), FlowFieldManager.GOAL_MODE_TILED)
	var swarm := _swarm(manager, goal)
	var frames := _frames_until_ok(manager, goal, swarm, FlowFieldManager.QUERY_QUEUED)
	check(frames > 3, "frames: %d" % frames)
	check(swarm.get_positions()[0].x > START.x + 1.0, "it went on: %s" % swarm.get_positions())


func test_with_a_limit_of_time_alone_a_first_field_waits() -> void:
	var manager := new_manager(SIZE, 1.0)
	# It is over before a slice is.
	manager.frame_budget_ms = 0.001
	var goal := manager.create_goal(PackedVector2Array([TARGET]))
	var swarm := _swarm(manager, goal)
	var frames := _frames_until_ok(manager, goal, swarm, FlowFieldManager.QUERY_PENDING)
	# About 14,000 cells in slices of 2,000, two in each frame.
	check(frames > 1 and frames < 8, "frames: %d" % frames)
	check_eq(manager.get_flow_vector(goal, START), Vector2.RIGHT, "the field leads there")


func test_without_a_limit_all_is_there_at_once() -> void:
	for cells: int in [0, SIZE.x * SIZE.y]:
		var manager := new_manager(SIZE, 1.0)
		check_eq(manager.frame_budget_cells, 0, "the default")
		manager.frame_budget_cells = cells
		var goal := manager.create_goal(PackedVector2Array([TARGET]))
		var swarm := _swarm(manager, goal)
		swarm.step(1.0 / 60.0)
		check_eq(manager.get_query_status(goal, START), FlowFieldManager.QUERY_OK, "%d" % cells)


func test_bad_input_is_refused() -> void:
	var manager := new_manager(SIZE, 1.0)
	manager.frame_budget_cells = 500
	var set_cells := func() -> void: manager.frame_budget_cells = -1
	expect_error(["frame_budget_cells", "-1"], set_cells)
	check_eq(manager.frame_budget_cells, 500, "unchanged")


## The number of frames until agents have a route at their start. Before, they have another status.
func _frames_until_ok(
	manager: FlowFieldManager, goal: int, swarm: EnemySwarm, waiting: FlowFieldManager.QueryStatus
) -> int:
	for frame in 200:
		manager.update()
		swarm.step(1.0 / 60.0)
		var status := manager.get_query_status(goal, START)
		if status == FlowFieldManager.QUERY_OK:
			return frame
		var expected := [waiting, FlowFieldManager.QUERY_PENDING]
		check(status in expected, "frame %d: status %d" % [frame, status])
	check(false, "there is no route after 200 frames")
	return 0


func _swarm(manager: FlowFieldManager, goal: int) -> EnemySwarm:
	var swarm := new_swarm(manager, goal)
	var kind := SwarmAgentType.new()
	kind.radius = 0.3
	kind.max_speed = 30.0
	kind.acceleration = 300.0
	swarm.agent_types = [kind]
	swarm.spawn(START)
	return swarm
