extends "res://tests/test_suite.gd"
## EnemySwarm: what Engine.time_scale and the rate of physics ticks do to a crowd.


func _distance(ticks: int, time_scale: float, frames: int) -> float:
	var manager := new_manager(Vector2i(500, 20))
	var swarm := EnemySwarm.new()
	swarm.manager = manager
	scene.add_child(swarm)
	swarm.set_group_goal(0, new_goal(manager, Vector2i(498, 10)))
	Engine.physics_ticks_per_second = ticks
	Engine.time_scale = time_scale
	# A frame takes over what holds when it begins.
	for i in 2:
		await scene.get_tree().process_frame
	var id := swarm.spawn(Vector2(20.0, 168.0))
	await physics_frames(frames + 1)
	var distance := swarm.get_agent_position(id).distance_to(Vector2(20.0, 168.0))
	Engine.time_scale = 1.0
	Engine.physics_ticks_per_second = 60
	manager.free()
	swarm.free()
	return distance


## At 60 units a second, reached after a quarter of a second.
func _check_rate(ticks: int, time_scale: float, frames: int) -> void:
	var distance := await _distance(ticks, time_scale, frames)
	var seconds := frames * time_scale / ticks
	var least := 60.0 * (seconds - 0.3)
	var most := 60.0 * (seconds + time_scale / ticks) + 1.0
	check(
		distance > least and distance < most,
		"%d ticks, scale %f: %f in %f s" % [ticks, time_scale, distance, seconds]
	)


func test_the_crowd_keeps_up_with_the_engines_time() -> void:
	await _check_rate(60, 1.0, 60)
	await _check_rate(60, 59.0, 4)
	await _check_rate(60, 61.0, 4)
	await _check_rate(60, 150.0, 3)
	await _check_rate(10, 12.0, 4)


func test_a_stopped_time_stops_the_crowd() -> void:
	var distance := await _distance(60, 0.0, 5)
	check(distance < 1.5, "went %f" % distance)
