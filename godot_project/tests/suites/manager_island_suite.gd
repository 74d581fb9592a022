extends "res://tests/test_suite.gd"
## FlowFieldManager: what can be reached at all, and why not.

const MAP: PackedStringArray = [
	"#############",
	"#.....#.....#",
	"#.....#.....#",
	"#...........#",
	"#...........#",
	"#...........#",
	"#.....#.....#",
	"#.....#.....#",
	"#############",
	"#...........#",
]

var map: FlowFieldManager


## Two rooms with a door three cells wide, and a corridor apart from them; type 1 is 1.4 cells wide
## to each side, type 2 is 1.6.
func _make_map() -> void:
	map = new_manager(Vector2i(13, 10))
	draw_map(map, MAP)
	var types: Array[FlowMovementType] = []
	for cells: float in [0.0, 1.4, 1.6]:
		var type := FlowMovementType.new()
		type.clearance_radius = cells * 16.0
		types.append(type)
	map.movement_types = types


func _at(x: int, y: int) -> Vector2:
	return map.get_cell_center(Vector2i(x, y))


func test_islands_tell_what_is_joined() -> void:
	_make_map()
	var left := map.get_island(_at(2, 2))
	check(left >= 0, "a number: %d" % left)
	check_eq(map.get_island(_at(10, 6)), left, "through the door")
	check(map.get_island(_at(5, 9)) != left, "the corridor is another")
	check_eq(map.get_island(_at(6, 1)), -1, "in a wall")
	check(map.get_island(_at(3, 4), 2) != map.get_island(_at(9, 4), 2), "too wide for the door")
	check_eq(map.get_island(_at(1, 1), 1), -1, "too wide for the corner")


func test_islands_follow_edits_at_once() -> void:
	_make_map()
	check(map.is_reachable(_at(2, 4), _at(10, 4)), "open")
	for y in [3, 4, 5]:
		map.set_terrain(Vector2i(6, y), WALL)
	check(not map.is_reachable(_at(2, 4), _at(10, 4)), "the door is closed")
	check(map.get_island(_at(2, 4)) != map.get_island(_at(10, 4)), "two islands")
	map.set_terrain(Vector2i(6, 7), 1)
	check(map.is_reachable(_at(2, 4), _at(10, 4)), "another is open")


func test_the_nearest_place_that_can_be_reached() -> void:
	_make_map()
	var start := _at(2, 4)
	var spot := _at(10, 4) + Vector2(3, -2)
	check_eq(map.get_nearest_reachable(start, spot), spot, "reachable: itself")
	check_eq(map.get_nearest_reachable(start, _at(5, 9)), _at(5, 7), "another island")
	check_eq(map.get_nearest_reachable(start, _at(6, 1)), _at(5, 1), "in a wall")
	check_eq(map.get_nearest_reachable(start, _at(10, 4), 2), _at(4, 4), "too narrow")
	check_eq(map.get_nearest_reachable(_at(6, 1), start), Vector2.INF, "from a wall")
	check_eq(map.get_nearest_reachable(_at(1, 4), _at(11, 4), 1), _at(10, 4), "from beside a wall")


func test_query_status_names_every_reason() -> void:
	_make_map()
	var goal := new_goal(map, Vector2i(10, 4))
	var corner := new_goal(map, Vector2i(11, 1))
	var wall := new_goal(map, Vector2i(6, 1))
	var expected: Array[Array] = [
		[goal, _at(2, 4), 0, FlowFieldManager.QUERY_OK],
		[goal, _at(2, 4), 1, FlowFieldManager.QUERY_OK],
		[goal, _at(2, 4), 2, FlowFieldManager.QUERY_TOO_NARROW],
		[goal, _at(1, 1), 1, FlowFieldManager.QUERY_TOO_NARROW],
		[corner, _at(10, 4), 1, FlowFieldManager.QUERY_TOO_NARROW],
		[goal, _at(6, 1), 1, FlowFieldManager.QUERY_START_BLOCKED],
		[wall, _at(2, 4), 1, FlowFieldManager.QUERY_GOAL_BLOCKED],
		[goal, _at(5, 9), 0, FlowFieldManager.QUERY_DISCONNECTED],
		[goal, _at(5, 9), 2, FlowFieldManager.QUERY_DISCONNECTED],
		[goal, Vector2(-1, 0), 2, FlowFieldManager.QUERY_OUT_OF_BOUNDS],
	]
	for row: Array in expected:
		var status := map.get_query_status(row[0] as int, row[1] as Vector2, row[2] as int)
		check_eq(status, row[3], "%s" % [row])
	# The first field is not there before it has been built.
	map.background = true
	var new := map.create_goal(PackedVector2Array([_at(2, 2)]))
	check_eq(map.get_query_status(new, _at(3, 3)), FlowFieldManager.QUERY_PENDING, "at first")


func test_bad_arguments_are_refused() -> void:
	_make_map()
	var inside := _at(2, 2)
	var away := Vector2(-50, 8)
	var bad := Vector2(NAN, 0)
	var calls: Dictionary[String, Callable] = {
		"get_island (-50": func() -> Variant: return map.get_island(away),
		"get_island position": func() -> Variant: return map.get_island(bad),
		"get_island movement_type": func() -> Variant: return map.get_island(inside, 3),
		"get_nearest_reachable from":
		func() -> Variant: return map.get_nearest_reachable(bad, inside),
		"get_nearest_reachable (-50":
		func() -> Variant: return map.get_nearest_reachable(inside, away),
		"get_nearest_reachable movement_type":
		func() -> Variant: return map.get_nearest_reachable(inside, inside, -1),
	}
	for words: String in calls:
		var parts := words.split(" ")
		expect_error(["FlowFieldManager.%s" % parts[0], parts[1]], calls[words])
