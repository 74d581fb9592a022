extends "res://tests/test_suite.gd"
## SwarmQuery: which agents queries find, in which order, and how many.

const CENTER := Vector2(300.0, 300.0)

var swarm: EnemySwarm
var ids: PackedInt64Array
var places := PackedVector2Array()


## 240 agents of two groups and three types on three collision layers, with numbers.
func _crowd() -> void:
	var manager := new_manager(Vector2i(40, 40))
	swarm = new_swarm(manager)
	var types: Array[SwarmAgentType] = []
	for layer: int in [1, 2, 4]:
		var type := SwarmAgentType.new()
		type.collision_layer = layer
		types.append(type)
	swarm.agent_types = types
	var random := RandomNumberGenerator.new()
	random.seed = 4
	places.clear()
	ids.clear()
	for i in 240:
		places.append(Vector2(random.randf() * 600.0, random.randf() * 600.0))
		ids.append(swarm.spawn(places[i], i % 3, i % 2))
	var ints := PackedInt32Array()
	var floats := PackedFloat32Array()
	for i in ids.size():
		ints.append(i % 7)
		floats.append(0.5 * (i % 5))
	swarm.set_user_ints(ids, ints, 1)
	swarm.set_user_floats(ids, floats, 2)


## The numbers of the agents for which a condition holds, in the order of spawning.
func _those(condition: Callable) -> PackedInt64Array:
	var found := PackedInt64Array()
	for i in ids.size():
		if places[i].distance_to(CENTER) <= 200.0 and condition.call(i):
			found.append(ids[i])
	found.sort()
	return found


func _check_found(query: SwarmQuery, condition: Callable, what: String) -> void:
	check_eq(swarm.query_circle(CENTER, 200.0, query), _those(condition), what)


func test_each_condition_selects() -> void:
	_crowd()
	_check_found(null, func(_i: int) -> bool: return true, "no query")
	_check_found(SwarmQuery.new(), func(_i: int) -> bool: return true, "a new query")
	var in_group := SwarmQuery.new()
	in_group.groups = [1]
	_check_found(in_group, func(i: int) -> bool: return i % 2 == 1, "a group")
	var of_types := SwarmQuery.new()
	of_types.types = PackedInt32Array([0, 2])
	_check_found(of_types, func(i: int) -> bool: return i % 3 != 1, "types")
	var on_layers := SwarmQuery.new()
	on_layers.collision_mask = 6
	_check_found(on_layers, func(i: int) -> bool: return i % 3 != 0, "collision layers")
	var without := SwarmQuery.new()
	without.excluded = ids.slice(0, 100)
	_check_found(without, func(i: int) -> bool: return i >= 100, "excluded")
	var by_int := SwarmQuery.new()
	by_int.int_column = 1
	by_int.int_range = Vector2i(2, 4)
	_check_found(by_int, func(i: int) -> bool: return i % 7 >= 2 and i % 7 <= 4, "an int")
	var by_float := SwarmQuery.new()
	by_float.float_column = 2
	by_float.float_range = Vector2(1.0, 1e9)
	_check_found(by_float, func(i: int) -> bool: return i % 5 >= 2, "a float")
	by_float.groups = [0]
	by_float.types = [1]
	var all_three := func(i: int) -> bool: return i % 5 >= 2 and i % 2 == 0 and i % 3 == 1
	_check_found(by_float, all_three, "all conditions together")


func test_every_query_and_damage_take_one() -> void:
	_crowd()
	var query := SwarmQuery.new()
	query.groups = [1]
	query.types = [2]
	var is_selected := func(id: int) -> bool: return ids.find(id) % 6 == 5
	var rect := swarm.query_rect(Rect2(100.0, 100.0, 400.0, 400.0), query)
	var beam := swarm.query_segment(Vector2(0.0, 0.0), Vector2(600.0, 600.0), 80.0, query)
	check(rect.size() > 5 and beam.size() > 5, "some are found")
	for id in rect + beam:
		check(is_selected.call(id), "only what is selected")
	check(is_selected.call(swarm.query_nearest(CENTER, 1000.0, query)), "the nearest")
	var many := swarm.query_nearest_many(places, 1000.0, query)
	check_eq(many.size(), places.size(), "one for each position")
	for i in places.size():
		check_eq(many[i], swarm.query_nearest(places[i], 1000.0, query), "as one by one: %d" % i)
	swarm.add_user_ints(ids, 10)
	var fallen := swarm.damage_circle(CENTER, 1000.0, 10, 0, EnemySwarm.FALLEN_DESPAWN, query)
	check_eq(fallen.size(), 40, "all selected fall")
	query.types = []
	query.limit = 1
	var remove := EnemySwarm.FALLEN_DESPAWN
	var end := Vector2(600.0, 600.0)
	var first := swarm.damage_segment(Vector2.ZERO, end, 80.0, 10, 0, remove, query)
	check_eq(first.size(), 1, "the shot stops at the first")
	check_eq(swarm.get_agent_count(), 199, "the fallen are gone")


func test_orders_and_limits() -> void:
	_crowd()
	var query := SwarmQuery.new()
	query.order = SwarmQuery.ORDER_DISTANCE
	query.limit = 5
	var nearest := swarm.query_circle(CENTER, 1000.0, query)
	check_eq(nearest.size(), 5, "the limit")
	check_eq(nearest[0], swarm.query_nearest(CENTER, 1000.0), "the nearest first")
	for i in range(1, nearest.size()):
		var near := places[ids.find(nearest[i - 1])].distance_to(CENTER)
		check(near <= places[ids.find(nearest[i])].distance_to(CENTER), "by distance")
	query.descending = true
	var farthest := swarm.query_circle(CENTER, 1000.0, query)
	for id in ids:
		var distance := places[ids.find(id)].distance_to(CENTER)
		check(places[ids.find(farthest[0])].distance_to(CENTER) >= distance, "the farthest")
	query.order = SwarmQuery.ORDER_INTS
	query.order_column = 1
	for id in swarm.query_circle(CENTER, 1000.0, query):
		check_eq(ids.find(id) % 7, 6, "the greatest numbers")
	query.order = SwarmQuery.ORDER_FLOATS
	query.order_column = 2
	query.descending = false
	for id in swarm.query_rect(Rect2(0.0, 0.0, 600.0, 600.0), query):
		check_eq(ids.find(id) % 5, 0, "the least numbers")
	query.order = SwarmQuery.ORDER_NATURAL
	check_eq(swarm.query_circle(CENTER, 1000.0, query), ids.slice(0, 5), "the least ids")


func test_towers_shoot_at_the_agent_that_is_first_on_the_path() -> void:
	var manager := new_manager(Vector2i(20, 5))
	draw_map(manager, ["", "###################.", "", ".###################", ""])
	swarm = new_swarm(manager, new_goal(manager, Vector2i(0, 4)))
	var last := swarm.spawn(manager.get_cell_center(Vector2i(2, 0)))
	var middle := swarm.spawn(manager.get_cell_center(Vector2i(17, 2)))
	var first := swarm.spawn(manager.get_cell_center(Vector2i(4, 2)))
	var lost := swarm.spawn(manager.get_cell_center(Vector2i(3, 2)), 0, 5)
	steps(swarm, 1)
	var query := SwarmQuery.new()
	query.order = SwarmQuery.ORDER_COST_TO_GOAL
	var found := swarm.query_circle(Vector2(160.0, 40.0), 1000.0, query)
	check_eq(found, PackedInt64Array([first, middle, last, lost]), "in the order of the path")
	var towers := PackedVector2Array(
		[
			manager.get_cell_center(Vector2i(2, 1)),
			manager.get_cell_center(Vector2i(18, 3)),
			manager.get_cell_center(Vector2i(10, 1)),
		]
	)
	var targets := swarm.query_nearest_many(towers, 50.0, query)
	check_eq(targets, PackedInt64Array([first, middle, 0]), "a target for each tower")


func test_what_selects_nothing_is_refused_and_changes_nothing() -> void:
	var query := SwarmQuery.new()
	var settings: Array[Array] = [
		[&"groups", PackedInt32Array([0, 256]), "256"],
		[&"types", PackedInt32Array([-1]), "-1"],
		[&"collision_mask", 0, "not 0"],
		[&"collision_mask", 1 << 32, "4294967296"],
		[&"int_column", 4, "4"],
		[&"int_range", Vector2i(3, 2), "2"],
		[&"float_column", -2, "-2"],
		[&"float_range", Vector2(NAN, 1.0), "NaN"],
		[&"float_range", Vector2(2.0, 1.0), "1"],
		[&"float_range", Vector2(2.0, INF), "inf"],
		[&"order", 5, "5"],
		[&"order_column", 4, "4"],
		[&"limit", -1, "-1"],
	]
	for setting: Array in settings:
		var property: StringName = setting[0]
		var before: Variant = query.get(property)
		var change := func() -> void: query.set(property, setting[1])
		expect_error(["SwarmQuery.%s" % property, setting[2] as String], change)
		check_eq(query.get(property), before, "%s is unchanged" % property)


func test_nearest_many_refuses_bad_numbers() -> void:
	_crowd()
	var bad := PackedVector2Array([CENTER, Vector2(NAN, 0.0)])
	var none: PackedInt64Array = expect_error(
		["EnemySwarm.query_nearest_many", "position"],
		func() -> PackedInt64Array: return swarm.query_nearest_many(bad, 5.0)
	)
	check_eq(none.size(), 0, "nothing")
	expect_error(
		["EnemySwarm.query_nearest_many", "max_distance"],
		func() -> PackedInt64Array: return swarm.query_nearest_many(places, -1.0)
	)
	check_eq(swarm.query_nearest_many(PackedVector2Array(), 5.0).size(), 0, "no positions")
