extends "res://tests/test_suite.gd"
## Every demo opens and its crowd walks: in the project, and in the exported games.

## The first wave has come by then.
const MOST_FRAMES := 400


## Units of the RTS wait for orders.
func _check_opens(name: String, walks := true) -> void:
	var demo := (load("res://demos/%s/%s.tscn" % [name, name]) as PackedScene).instantiate()
	if demo is Siege:
		(demo.get_node(^"Waves") as SiegeWaves).breather = 0.5
	scene.add_child(demo)
	var frames := 0
	while frames < MOST_FRAMES and _count_agents(demo, walks) < 10:
		await physics_frames(10)
		frames += 10
	check(frames < MOST_FRAMES, "%s has a crowd after %d frames" % [name, frames])
	_free(demo)


## The agents, or those that are on their way.
func _count_agents(demo: Node, walking: bool) -> int:
	var count := 0
	for swarm: EnemySwarm in demo.find_children("*", "EnemySwarm", true, false):
		for velocity in swarm.get_velocities():
			count += int(not walking or velocity != Vector2.ZERO)
	return count


## Containers of some engines print errors when they are emptied: see run_tests.gd.
func _free(demo: Node) -> void:
	var is_quiet := not OS.has_feature("editor")
	_report_stray_errors()
	Engine.print_error_messages = not is_quiet
	demo.free()
	Engine.print_error_messages = true
	if is_quiet:
		errors.take()


func test_the_lab() -> void:
	await _check_opens("lab")


func test_the_horde() -> void:
	await _check_opens("horde")


func test_the_rts() -> void:
	await _check_opens("rts", false)


func test_the_siege() -> void:
	await _check_opens("siege")
