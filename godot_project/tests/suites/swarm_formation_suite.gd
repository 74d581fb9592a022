extends "res://tests/test_suite.gd"
## EnemySwarm: agents form up around a place.

const CENTER := Vector2(400.0, 320.0)

var manager: FlowFieldManager
var swarm: EnemySwarm
var ids: PackedInt64Array


## Sixteen agents in a corner, whose group goes to the middle of the map.
func _muster() -> void:
	manager = new_manager(Vector2i(50, 40))
	swarm = new_swarm(manager)
	var places := PackedVector2Array()
	for i in 16:
		places.append(Vector2(40.0 + 9.0 * (i % 4), 40.0 + 9.0 * (i / 4)))
	ids = swarm.spawn_many(places)
	swarm.set_group_goal(0, manager.create_goal(PackedVector2Array([CENTER])))


func _march(seconds: float) -> void:
	for i in int(seconds * 60.0):
		manager.update()
		swarm.step(1.0 / 60.0)


func _places() -> PackedVector2Array:
	var places := PackedVector2Array()
	for id: int in ids:
		places.append(swarm.get_agent_position(id))
	return places


func test_a_block_stands_in_rows() -> void:
	_muster()
	var placed := swarm.form_up(ids, CENTER, EnemySwarm.FORMATION_BLOCK, Vector2.RIGHT * 3.0, 20.0)
	check_eq(placed, 16, "slots")
	_march(12.0)
	check_eq(swarm.get_stats()["arrived_now"], 16, "arrived")
	var rows := {}
	for place: Vector2 in _places():
		var row := roundi((place.x - CENTER.x) / 10.0)
		rows[row] = rows.get(row, 0) as int + 1
	# Five to a row, four rows, 20 px apart.
	check_eq(rows, {30 / 10: 5, 10 / 10: 5, -10 / 10: 5, -30 / 10: 1}, "rows")


func test_a_wedge_points_ahead_and_a_disc_is_round() -> void:
	_muster()
	check_eq(swarm.form_up(ids, CENTER, EnemySwarm.FORMATION_WEDGE), 16, "wedge")
	_march(12.0)
	var ahead := Vector2(1.0, 0.8).normalized()
	var depths: Array[float] = []
	for place: Vector2 in _places():
		depths.append((place - CENTER).dot(ahead))
	depths.sort()
	check(depths[15] - depths[14] > 5.0, "one in front: %s" % [depths])
	check(depths[9] - depths[8] < depths[15] - depths[14], "seven in the last row")
	check_eq(swarm.form_up(ids, CENTER, EnemySwarm.FORMATION_DISC, Vector2.DOWN, 24.0), 16, "disc")
	_march(6.0)
	for place: Vector2 in _places():
		check(place.distance_to(CENTER) < 24.0 * 2.6, "%s is near" % (place - CENTER))


func test_a_formation_is_dissolved() -> void:
	_muster()
	swarm.form_up(ids, CENTER)
	check_eq(swarm.clear_agent_targets(ids), OK, "dissolved")
	_march(14.0)
	var farthest := 0.0
	for place: Vector2 in _places():
		farthest = maxf(farthest, place.distance_to(CENTER))
	check(farthest < 40.0, "all go to the goal: %f" % farthest)


func test_there_are_no_slots_in_walls() -> void:
	_muster()
	manager.set_terrain_rect(Rect2i(0, 20, 50, 20), WALL)
	var center := Vector2(400.0, 310.0)
	check_eq(swarm.form_up(ids, center, EnemySwarm.FORMATION_DISC), 16, "slots")
	_march(12.0)
	for place: Vector2 in _places():
		check(place.y < 320.0, "%s is above the wall" % place)
	check_eq(swarm.form_up(ids, Vector2(400.0, 400.0)), 0, "none in a wall")


func test_bad_formations_are_refused() -> void:
	_muster()
	var calls: Array[Array] = [
		[[ids, CENTER, 3], ["shape", "3"]],
		[[ids, Vector2(-5.0, 5.0)], ["center"]],
		[[ids, CENTER, 0, Vector2(NAN, 0.0)], ["heading"]],
		[[ids, CENTER, 0, Vector2.ZERO, -2.0], ["spacing", "-2"]],
		[[PackedInt64Array([77]), CENTER], ["77"]],
	]
	var before := swarm.save_state()
	for call: Array in calls:
		var words: Array[String] = ["EnemySwarm.form_up"]
		words.append_array(call[1] as Array)
		var placed: int = expect_error(
			words, func() -> int: return swarm.callv(&"form_up", call[0] as Array) as int
		)
		check_eq(placed, 0, "result")
	check(swarm.save_state() == before, "nothing is changed")
