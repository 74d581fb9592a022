extends "res://tests/test_suite.gd"
## FlowFieldManager: what is told about building and repairing fields.

const COUNTS: PackedStringArray = [
	"full_solves", "near_solves", "repairs", "abandoned_repairs", "last_repair_cells"
]
const TIMES: PackedStringArray = ["last_build_ms", "last_latency_ms"]


func test_nothing_has_been_built_at_first() -> void:
	var manager := FlowFieldManager.new()
	scene.add_child(manager)
	var stats := manager.get_build_stats()
	for key: String in COUNTS:
		check_eq(stats[key], 0, key)
	for key: String in TIMES:
		check_eq(stats[key], 0.0, key)
	check_eq(stats.size(), COUNTS.size() + TIMES.size(), "nothing else")


func test_full_solves_and_repairs_are_counted() -> void:
	var manager := new_manager(Vector2i(120, 90))
	var goal := new_goal(manager, Vector2i(60, 40))
	manager.get_flow_vector(goal, Vector2(8.0, 8.0))
	check_eq(manager.get_build_stats()["full_solves"], 1, "the first field")
	check(manager.get_build_stats()["last_build_ms"] > 0.0, "took time")
	manager.set_terrain(Vector2i(1, 1), WALL)
	manager.update()
	var stats := manager.get_build_stats()
	check_eq(stats["full_solves"], 1, "an edit in a corner needs no other")
	check_eq(stats["repairs"], 1, "but a repair")
	var cells: int = stats["last_repair_cells"]
	check(cells > 0 and cells < 500, "of few cells: %d" % cells)
	check_eq(stats["last_build_ms"], manager.get_last_field_ms(), "the last field's time")
	walls_at_random(manager, 0.3, 8)
	manager.update()
	stats = manager.get_build_stats()
	check_eq(stats["full_solves"], 2, "another map is no matter for repair")


func test_a_goal_moves_by_a_cell_with_the_old_field_in_service() -> void:
	var manager := new_manager(Vector2i(400, 400))
	manager.background = true
	manager.worker_threads = 2
	var cell := Vector2i(200, 200)
	var goal := new_goal(manager, cell)
	var place := manager.get_cell_center(Vector2i(10, 200))
	await _solved(manager, goal, place, 1)
	check_near(manager.get_cost_to_goal(goal, place), 190.0, 0.01, "at first")
	manager.move_goal(goal, PackedVector2Array([manager.get_cell_center(cell + Vector2i.RIGHT)]))
	manager.update()
	check(manager.get_cost_to_goal(goal, place) < INF, "there is a field at any time")
	check_near_vector(manager.get_flow_vector(goal, place), Vector2.RIGHT, 1e-3, "to follow")
	await _solved(manager, goal, place, 2)
	check_near(manager.get_cost_to_goal(goal, place), 191.0, 0.01, "moved")
	var stats := manager.get_build_stats()
	check(stats["last_build_ms"] > 0.0, "build: %f ms" % stats["last_build_ms"])
	check(
		stats["last_latency_ms"] >= stats["last_build_ms"],
		"latency counts from the move: %f ms" % stats["last_latency_ms"]
	)


func _solved(manager: FlowFieldManager, goal: int, place: Vector2, count: int) -> void:
	for i in 600:
		manager.get_flow_vector(goal, place)
		if manager.get_build_stats()["full_solves"] >= count:
			break
		await scene.get_tree().physics_frame
	check_eq(manager.get_build_stats()["full_solves"], count, "full solves")
