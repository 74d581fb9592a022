extends "res://tests/test_suite.gd"
## EnemySwarm: finding agents by place, compared with looking at every agent.

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
		check_eq(swarm.nearest(at, 10000.0), best, "nearest to %s" % at)


func test_nearest_looks_no_farther_than_asked() -> void:
	swarm = new_swarm(new_manager())
	var id := swarm.spawn(Vector2(100.0, 100.0))
	check_eq(swarm.nearest(Vector2(130.0, 100.0), 30.5), id, "just inside")
	check_eq(swarm.nearest(Vector2(130.0, 100.0), 29.5), 0, "just outside")


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
	check_eq(swarm.nearest(Vector2.ZERO, 100.0), 0, "nearest")


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
		["nearest", "position", func() -> Variant: return swarm.nearest(nowhere, 5.0)],
		["nearest", "max_distance", func() -> Variant: return swarm.nearest(Vector2.ZERO, -1.0)],
	]
	for entry: Array in calls:
		var action: Callable = entry[2]
		expect_error(["EnemySwarm.%s" % entry[0], entry[1] as String], action)
