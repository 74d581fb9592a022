extends "res://tests/test_suite.gd"
## EnemySwarm: finding agents by position, compared with looking at every agent.

var swarm: EnemySwarm
var ids: PackedInt64Array
var places: PackedVector2Array


func _scatter() -> void:
	var manager := new_manager(Vector2i(37, 91))
	swarm = new_swarm(manager)
	var random := RandomNumberGenerator.new()
	random.seed = 12
	var end := manager.get_bounds().end - Vector2.ONE
	places = PackedVector2Array()
	for i in 500:
		places.append(Vector2(random.randf() * end.x, random.randf() * end.y))
	ids = swarm.spawn_many(places)


func _sorted(found: PackedInt64Array) -> PackedInt64Array:
	var copy := found.duplicate()
	copy.sort()
	return copy


func test_query_circle_finds_exactly_those_inside() -> void:
	_scatter()
	for n in 40:
		var center := places[n * 7]
		var radius := 5.0 * n
		var expected := PackedInt64Array()
		for i in ids.size():
			if places[i].distance_to(center) <= radius:
				expected.append(ids[i])
		check_eq(
			_sorted(swarm.query_circle(center, radius)), _sorted(expected), "radius %f" % radius
		)


func test_query_rect_finds_exactly_those_inside() -> void:
	_scatter()
	for n in 40:
		var rect := Rect2(places[n * 5] - Vector2(30.0, 10.0), Vector2(12.0 * n, 7.0 * n))
		var expected := PackedInt64Array()
		for i in ids.size():
			if rect.has_point(places[i]):
				expected.append(ids[i])
		check_eq(_sorted(swarm.query_rect(rect)), _sorted(expected), "rect %s" % rect)


func test_nearest_is_the_nearest() -> void:
	_scatter()
	var random := RandomNumberGenerator.new()
	random.seed = 2
	for n in 60:
		var at := Vector2(random.randf() * 592.0, random.randf() * 1456.0)
		var best := 0
		for i in ids.size():
			if (
				best == 0
				or places[i].distance_to(at) < swarm.get_agent_position(best).distance_to(at)
			):
				best = ids[i]
		check_eq(swarm.query_nearest(at, 10000.0), best, "nearest to %s" % at)


func test_nearest_looks_no_farther_than_asked() -> void:
	swarm = new_swarm(new_manager())
	var id := swarm.spawn(Vector2(100.0, 100.0))
	check_eq(swarm.query_nearest(Vector2(130.0, 100.0), 30.5), id, "just inside")
	check_eq(swarm.query_nearest(Vector2(130.0, 100.0), 29.5), 0, "just outside")


func test_query_segment_finds_agents_in_the_way_in_order() -> void:
	_scatter()
	for n in 40:
		var from := places[n * 3]
		var to := places[n * 5 + 7]
		var width := 3.0 * (n % 4)
		var expected := PackedInt64Array()
		for i in ids.size():
			var nearest := Geometry2D.get_closest_point_to_segment(places[i], from, to)
			if nearest.distance_to(places[i]) <= 4.0 + 0.5 * width:
				expected.append(ids[i])
		var found := swarm.query_segment(from, to, width)
		check_eq(_sorted(found), _sorted(expected), "from %s to %s" % [from, to])
		var ways: Array[float] = []
		for id: int in found:
			ways.append((swarm.get_agent_position(id) - from).dot(from.direction_to(to)))
		for i in range(1, ways.size()):
			# Whom it grazes it meets a little later.
			check(ways[i] > ways[i - 1] - 4.0 - 0.5 * width, "in order: %s" % [ways])


func test_query_segment_is_a_ray_unless_told_otherwise() -> void:
	swarm = new_swarm(new_manager())
	var far := swarm.spawn(Vector2(150.0, 100.0))
	var near := swarm.spawn(Vector2(100.0, 103.0))
	var aside := swarm.spawn(Vector2(120.0, 105.0))
	var from := Vector2(20.0, 100.0)
	var to := Vector2(200.0, 100.0)
	check_eq(swarm.query_segment(from, to), PackedInt64Array([near, far]), "a ray")
	check_eq(swarm.query_segment(to, from), PackedInt64Array([far, near]), "and back")
	check_eq(swarm.query_segment(from, to, 3.0), PackedInt64Array([near, aside, far]), "a beam")
	check_eq(swarm.query_segment(from, Vector2(96.0, 100.0)).size(), 0, "too short")


func test_get_overlaps_tells_how_deep_discs_lie_in_each_other() -> void:
	swarm = new_swarm(new_manager())
	var giant := SwarmAgentType.new()
	giant.radius = 20.0
	var ghost := SwarmAgentType.new()
	ghost.collision_layer = 0
	ghost.collision_mask = 0
	# The usual radius is 4.
	swarm.agent_types = [SwarmAgentType.new(), giant, ghost]
	check_eq(swarm.get_overlaps(), PackedFloat32Array(), "none without agents")
	for x: float in [50.0, 56.0, 80.0]:
		swarm.spawn(Vector2(x, 60.0))
	swarm.spawn(Vector2(103.0, 60.0), 1)
	swarm.spawn(Vector2(80.0, 60.0), 2)
	var expected: Array[float] = [0.5, 0.5, 0.25, 0.25, 0.0]
	var overlaps := swarm.get_overlaps()
	for i in expected.size():
		check_near(overlaps[i], expected[i], 1e-5, "agent %d" % i)


func test_queries_see_changes_at_once() -> void:
	swarm = new_swarm(new_manager())
	var id := swarm.spawn(Vector2(100.0, 100.0))
	check_eq(swarm.query_circle(Vector2(100.0, 100.0), 1.0).size(), 1, "spawned")
	swarm.set_agent_positions(PackedInt64Array([id]), PackedVector2Array([Vector2(20.0, 30.0)]))
	check_eq(swarm.query_circle(Vector2(20.0, 30.0), 1.0).size(), 1, "moved")
	swarm.despawn(PackedInt64Array([id]))
	check(swarm.query_circle(Vector2(20.0, 30.0), 1.0).is_empty(), "despawned")


func test_queries_on_an_empty_swarm() -> void:
	swarm = new_swarm(new_manager())
	check(swarm.query_circle(Vector2.ZERO, 100.0).is_empty(), "circle")
	check(swarm.query_rect(Rect2(0.0, 0.0, 100.0, 100.0)).is_empty(), "rect")
	check_eq(swarm.query_nearest(Vector2.ZERO, 100.0), 0, "query_nearest")


func test_queries_refuse_bad_numbers() -> void:
	_scatter()
	var nowhere := Vector2(NAN, 0.0)
	var calls: Array[Array] = [
		["query_circle", "center", func() -> Variant: return swarm.query_circle(nowhere, 5.0)],
		[
			"query_circle",
			"radius",
			func() -> Variant: return swarm.query_circle(Vector2.ZERO, -1.0)
		],
		["query_circle", "radius", func() -> Variant: return swarm.query_circle(Vector2.ZERO, NAN)],
		["query_rect", "rect", func() -> Variant: return swarm.query_rect(Rect2(0, 0, -5, 5))],
		["query_rect", "rect", func() -> Variant: return swarm.query_rect(Rect2(NAN, 0, 5, 5))],
		["query_nearest", "position", func() -> Variant: return swarm.query_nearest(nowhere, 5.0)],
		[
			"query_segment",
			"from",
			func() -> Variant: return swarm.query_segment(nowhere, Vector2.ZERO)
		],
		[
			"query_segment",
			"width",
			func() -> Variant: return swarm.query_segment(Vector2.ZERO, Vector2.ONE, -1.0)
		],
		[
			"query_nearest",
			"max_distance",
			func() -> Variant: return swarm.query_nearest(Vector2.ZERO, -1.0)
		],
	]
	for entry: Array in calls:
		var action: Callable = entry[2]
		expect_error(["EnemySwarm.%s" % entry[0], entry[1] as String], action)


func test_old_names_do_what_the_new_ones_do() -> void:
	_scatter()
	var filter := SwarmQuery.new()
	filter.excluded = [ids[0]]
	var near := places[0]
	check_eq(swarm.nearest(near, 90.0), ids[0], "nearest")
	var other := swarm.query_nearest(near, 90.0, filter)
	check_eq(swarm.nearest(near, 90.0, filter), other, "nearest with a filter")
	var both: PackedInt64Array = [ids[0], ids[1]]
	check_eq(swarm.nearest_many([near, places[1]], 1.0), both, "nearest_many")
	check_eq(swarm.set_state([ids[0]], EnemySwarm.AGENT_IDLE), OK, "set_state")
	check_eq(swarm.get_agent_state(ids[0]), EnemySwarm.AGENT_IDLE, "the state")
