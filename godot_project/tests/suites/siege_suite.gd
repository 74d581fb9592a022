extends "res://tests/test_suite.gd"
## The parts of the siege demo that need no window.


func _open_level() -> SiegeLevel:
	var level := SiegeLevel.new()
	scene.add_child(level)
	for i in 3:
		await scene.get_tree().physics_frame
	return level


## The height of the first static body below a point.
func _floor_below(level: SiegeLevel, from: Vector3) -> float:
	var ray := PhysicsRayQueryParameters3D.create(from, from + Vector3.DOWN * 200.0)
	var hit := level.get_world_3d().direct_space_state.intersect_ray(ray)
	return (hit["position"] as Vector3).y if not hit.is_empty() else -INF


func test_the_ground_is_where_the_heights_say() -> void:
	var level := await _open_level()
	for place: Vector2 in [
		Vector2(70.3, 60.7), Vector2(-80.6, -40.2), Vector2(30.5, 90.1), Vector2(-20.4, 40.3)
	]:
		var found := _floor_below(level, Vector3(place.x, 60.0, place.y))
		var expected := SiegeGround.surface_at(place.x, place.y)
		check_near(found, expected, 0.15, "at %s" % place)
		check_near(SiegeGround.height_at(place.x, place.y), expected, 0.15, "the exact one")


func test_the_bridge_has_two_storeys() -> void:
	var level := await _open_level()
	var middle := (SiegeOutworks.BRIDGE_FROM + SiegeOutworks.BRIDGE_TO) * 0.5
	var deck := _floor_below(level, Vector3(0.0, 30.0, middle))
	check_near(deck, SiegeOutworks.BRIDGE_TOP, 0.01, "the deck")
	var below := _floor_below(level, Vector3(0.0, deck - SiegeOutworks.DECK - 0.1, middle))
	check(deck - SiegeOutworks.DECK - below > 2.2, "room below it: %.1f" % (deck - below))
	for end: float in [SiegeOutworks.BRIDGE_FROM, SiegeOutworks.BRIDGE_TO]:
		var road := SiegeGround.height_at(0.0, end)
		check_near(road, deck, 0.2, "level with the road at %.0f" % end)


func test_the_wall_walk_is_over_the_town_and_stairs_lead_up() -> void:
	var level := await _open_level()
	var front := SiegeGround.OUTLINE[0].y
	for x: float in [-30.0, 0.0, 25.0]:
		var walk := _floor_below(level, Vector3(x, SiegeWall.TOP + 2.0, front - 0.5))
		check_near(walk, SiegeWall.TOP, 0.01, "the walk at %.0f" % x)
	check(SiegeWall.WALK >= 5.0 and SiegeWall.WALK <= 6.0, "5 to 6 m high")
	var z := front - SiegeWall.THICKNESS * 0.5 - SiegeWall.STAIRS_WIDTH * 0.5
	var last := SiegeGround.TOWN_HEIGHT
	for i in SiegeWall.STEPS:
		var x := SiegeWall.STAIRS_AT + (i + 0.5) * SiegeWall.STEP.x
		var step := _floor_below(level, Vector3(x, 20.0, z))
		check_near(step - last, SiegeWall.STEP.y, 0.01, "step %d" % i)
		last = step
	check_near(last, SiegeWall.TOP, 0.01, "to the walk")


func test_the_gate_closes_the_wall_until_it_breaks() -> void:
	var level := await _open_level()
	var before := Vector3(0.0, SiegeGround.TOWN_HEIGHT + 1.0, SiegeGround.OUTLINE[0].y + 4.0)
	var behind := before - Vector3(0.0, 0.0, 8.0)
	var space := level.get_world_3d().direct_space_state
	var ray := PhysicsRayQueryParameters3D.create(before, behind)
	check(not space.intersect_ray(ray).is_empty(), "shut")
	var broken := [0]
	level.gate.broken.connect(func() -> void: broken[0] += 1)
	level.gate.take_damage(SiegeGate.FULL_HEALTH * 0.4)
	check_eq(level.gate.state, SiegeGate.State.WHOLE, "whole")
	level.gate.take_damage(SiegeGate.FULL_HEALTH * 0.2)
	check_eq(level.gate.state, SiegeGate.State.CRACKED, "cracked")
	level.gate.take_damage(SiegeGate.FULL_HEALTH)
	level.gate.take_damage(1.0)
	check_eq(broken[0], 1, "broken once")
	check_eq(level.gate.health, 0.0, "with no hit points left")
	for i in 2:
		await scene.get_tree().physics_frame
	check(space.intersect_ray(ray).is_empty(), "open")
	level.gate.reset()
	for i in 2:
		await scene.get_tree().physics_frame
	check(not space.intersect_ray(ray).is_empty(), "shut again")


func test_camps_are_on_the_map_and_outside_the_town() -> void:
	for camp in SiegeOutworks.CAMPS:
		check(maxf(absf(camp.x), absf(camp.y)) < SiegeGround.SIZE * 0.5, "on the map: %s" % camp)
		check(SiegeGround.distance_to_town(camp) > 20.0, "away from the wall: %s" % camp)
