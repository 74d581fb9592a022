extends "res://tests/test_suite.gd"
## FlowFieldManager: what a budget suffices for.

const MAP: PackedStringArray = [
	"......#...",
	"......#...",
	"......#...",
]

var map: FlowFieldManager


func _make_map() -> void:
	map = new_manager(Vector2i(10, 3))
	draw_map(map, MAP)
	var wide := FlowMovementType.new()
	wide.clearance_radius = 1.2 * map.cell_size
	map.movement_types = [FlowMovementType.new(), wide] as Array[FlowMovementType]


func _at(x: int, y: int) -> Vector2:
	return map.get_cell_center(Vector2i(x, y))


func test_cells_within_a_budget() -> void:
	_make_map()
	var cells := map.get_reach(_at(0, 0), 2.0)
	var costs := map.get_reach_costs(_at(0, 0), 2.0)
	check_eq(
		cells,
		PackedVector2Array(
			[
				Vector2(0, 0),
				Vector2(1, 0),
				Vector2(0, 1),
				Vector2(1, 1),
				Vector2(2, 0),
				Vector2(0, 2),
			]
		),
		"cells, the cheapest first"
	)
	check_eq(costs.size(), cells.size(), "a cost each")
	for index in costs.size():
		var expected := [0.0, 1.0, 1.0, sqrt(2.0), 2.0, 2.0][index] as float
		check_near(costs[index], expected, 1e-5, "cost of %s" % cells[index])
	check_eq(map.get_reach(_at(0, 0), 2.0 * sqrt(2.0)).size(), 9, "to the corner")
	check_eq(map.get_reach(_at(0, 0), 0.0), PackedVector2Array([Vector2.ZERO]), "its own")


func test_walls_links_and_movement_types() -> void:
	_make_map()
	check_eq(map.get_reach(_at(0, 0), 1000.0).size(), 18, "up to the wall")
	check_eq(map.get_reach(_at(6, 1), 1000.0).size(), 0, "in a wall")
	check_eq(map.get_reach(_at(5, 1), 1000.0, 1).size(), 0, "no room")
	check_eq(map.get_reach(_at(2, 1), 1000.0, 1).size(), 4, "the middle of the room")
	map.add_link(Vector2i(0, 0), Vector2i(9, 0), 3.0, false)
	check(map.get_reach(_at(0, 0), 3.0).has(Vector2(9, 0)), "by the link")
	check_eq(map.get_reach(_at(9, 0), 1000.0).size(), 9, "not back")


func test_costs_are_those_of_octile_fields() -> void:
	_make_map()
	map.solver = 0
	map.set_terrain(Vector2i(2, 1), 7)
	map.set_terrain(Vector2i(3, 0), 3)
	var start := _at(1, 1)
	var cells := map.get_reach(start, 9.0)
	var costs := map.get_reach_costs(start, 9.0)
	for index in cells.size():
		var goal := new_goal(map, Vector2i(cells[index]))
		check_near(costs[index], map.get_cost_to_goal(goal, start), 1e-5, "to %s" % cells[index])
		map.release_goal(goal)


func test_bad_arguments_are_refused() -> void:
	_make_map()
	var bad: Dictionary[String, Array] = {
		"position": [Vector2(-5, 0), 1.0, 0],
		"budget": [_at(0, 0), -1.0, 0],
		"not NaN": [_at(0, 0), NAN, 0],
		"not inf": [_at(0, 0), INF, 0],
		"movement_type": [_at(0, 0), 1.0, 2],
	}
	for word: String in bad:
		for method: String in ["get_reach", "get_reach_costs"]:
			var none: Variant = expect_error(
				["FlowFieldManager.%s" % method, word],
				func() -> Variant: return map.callv(method, bad[word])
			)
			check_eq(none.size(), 0, "%s: nothing" % word)
