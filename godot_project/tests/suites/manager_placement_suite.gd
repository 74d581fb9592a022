extends "res://tests/test_suite.gd"
## FlowFieldManager: what a stamp would cut off, before it is placed.

const MAP: PackedStringArray = [
	"..........",
	"..........",
	"####.#####",
	"..........",
	"..........",
]

var map: FlowFieldManager
var block: FlowStamp


## Two halves with a door between them; type 1 is too wide for the door.
func _make_map() -> void:
	map = new_manager(Vector2i(10, 5))
	draw_map(map, MAP)
	var wide := FlowMovementType.new()
	wide.clearance_radius = 0.9 * map.cell_size
	map.movement_types = [FlowMovementType.new(), wide] as Array[FlowMovementType]
	block = FlowStamp.new()
	block.size = Vector2i(1, 2)
	block.fill(WALL)


func _at(x: int, y: int) -> Vector2:
	return map.get_cell_center(Vector2i(x, y))


func _pairs() -> PackedVector2Array:
	return PackedVector2Array([_at(0, 0), _at(9, 4), _at(0, 0), _at(9, 0)])


func test_a_stamp_in_the_door_cuts_the_map() -> void:
	_make_map()
	var before := map.get_terrain_bytes()
	map.update()
	var changes: Array[Rect2i] = []
	map.terrain_changed.connect(func(cells: Rect2i) -> void: changes.append(cells))
	var door := Vector2i(4, 1)
	check(not map.can_place_stamp(block, door, 0, _pairs()), "in the door")
	check_eq(map.get_cut_pairs(block, door, 0, _pairs()), PackedInt32Array([0]), "the first")
	check(map.can_place_stamp(block, Vector2i(7, 0), 0, [_at(0, 0), _at(9, 4)]), "beside it")
	check(not map.can_place_stamp(block, Vector2i(7, 0), 0, [_at(0, 0), _at(7, 1)]), "on an end")
	check(map.can_place_stamp(block, door), "without pairs it only has to fit")
	map.update()
	check_eq(changes.size(), 0, "no signal")
	check_eq(map.get_terrain_bytes(), before, "nothing is placed")
	check_eq(map.get_stamps().size(), 0, "no stamp")
	map.place_stamp(block, door)
	check(not map.is_reachable(_at(0, 0), _at(9, 4)), "cut once it is placed")
	check(map.is_reachable(_at(0, 0), _at(9, 0)), "the second is joined")


func test_turns_and_movement_types() -> void:
	_make_map()
	check_eq(map.get_cut_pairs(block, Vector2i(5, 0), 0, _pairs()), PackedInt32Array([1]), "across")
	check_eq(map.get_cut_pairs(block, Vector2i(5, 0), 1, _pairs()).size(), 0, "along")


func test_large_agents_need_wider_doors() -> void:
	_make_map()
	map.grid_size = Vector2i(12, 9)
	map.set_terrain_rect(Rect2i(0, 0, 12, 9), 1)
	map.set_terrain_rect(Rect2i(0, 4, 12, 1), WALL)
	map.set_terrain(Vector2i(4, 4), 1)
	var pairs := PackedVector2Array([_at(2, 2), _at(9, 6), _at(2, 2), _at(9, 2)])
	var clear := FlowStamp.new()
	clear.size = Vector2i(3, 1)
	clear.fill(1)
	var door := Vector2i(3, 4)
	check_eq(map.get_cut_pairs(clear, door, 0, pairs, 1).size(), 0, "three cells suffice")
	check_eq(map.get_cut_pairs(clear, door, 1, pairs, 1), PackedInt32Array([0]), "two do not")
	check_eq(map.get_cut_pairs(clear, Vector2i(0, 0), 0, pairs, 0).size(), 0, "one for the small")
	check(map.can_place_stamp(block, Vector2i(6, 1), 0, pairs, 0), "small ones go round it")
	check(not map.can_place_stamp(block, Vector2i(6, 1), 0, pairs, 1), "large ones cannot")


func test_a_stamp_that_is_partly_outside_does_not_fit() -> void:
	_make_map()
	for cell: Vector2i in [Vector2i(-1, 0), Vector2i(10, 0), Vector2i(0, 4), Vector2i(900, 1)]:
		check(not map.can_place_stamp(block, cell, 0, _pairs()), "%s is outside" % cell)
		var cut: PackedInt32Array = expect_error(
			["FlowFieldManager.get_cut_pairs", "stamp", str(cell)],
			func() -> PackedInt32Array: return map.get_cut_pairs(block, cell, 0, _pairs())
		)
		check_eq(cut.size(), 0, "nothing")


func test_bad_arguments_are_refused() -> void:
	_make_map()
	var one := PackedVector2Array([_at(0, 0)])
	var outside := PackedVector2Array([_at(0, 0), Vector2(-50, 0)])
	var bad: Dictionary[String, Array] = {
		"stamp": [null, Vector2i.ZERO, 0, _pairs(), 0],
		"not 1 in all": [block, Vector2i.ZERO, 0, one, 0],
		"pairs (-50": [block, Vector2i.ZERO, 0, outside, 0],
		"movement_type": [block, Vector2i.ZERO, 0, _pairs(), 2],
	}
	for word: String in bad:
		var arguments: Array = bad[word]
		var can: bool = expect_error(
			["FlowFieldManager.can_place_stamp", word],
			func() -> bool: return map.callv("can_place_stamp", arguments)
		)
		check(not can, "%s: false" % word)
		expect_error(
			["FlowFieldManager.get_cut_pairs", word],
			func() -> PackedInt32Array: return map.callv("get_cut_pairs", arguments)
		)


func test_costs_of_many_positions() -> void:
	_make_map()
	var positions := PackedVector2Array()
	for y in 5:
		for x in 10:
			positions.append(_at(x, y))
	for mode: int in [FlowFieldManager.GOAL_MODE_FULL, FlowFieldManager.GOAL_MODE_TILED]:
		var goal := map.create_goal(PackedVector2Array([_at(4, 4)]), mode)
		for type in 2:
			var costs := map.get_costs_to_goal(goal, positions, type)
			check_eq(costs.size(), positions.size(), "one each")
			for index in costs.size():
				var cost := map.get_cost_to_goal(goal, positions[index], type)
				var rounded := PackedFloat32Array([cost])[0]
				check_eq(costs[index], rounded, "type %d at %s" % [type, positions[index]])
		positions.append(Vector2(-9, 0))
		var none: PackedFloat32Array = expect_error(
			["FlowFieldManager.get_costs_to_goal", "positions", "(-9, 0)"],
			func() -> PackedFloat32Array: return map.get_costs_to_goal(goal, positions)
		)
		check_eq(none.size(), 0, "nothing")
		positions.remove_at(positions.size() - 1)
