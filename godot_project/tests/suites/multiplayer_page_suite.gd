extends "res://tests/test_suite.gd"
## The first script of docs/multiplayer.md, played by two machines in one process.

const PAGE := "../docs/multiplayer.md"


func _code() -> String:
	var path := ProjectSettings.globalize_path("res://").path_join(PAGE)
	return FileAccess.get_file_as_string(path).get_slice("```gdscript\n", 1).get_slice("```", 0)


## A machine with the nodes of the page, below a branch with a multiplayer interface of its own.
func _new_machine(name: String, script: GDScript) -> Node2D:
	var branch := Node.new()
	branch.name = name
	scene.add_child(branch)
	scene.get_tree().set_multiplayer(SceneMultiplayer.new(), branch.get_path())
	var game := Node2D.new()
	game.name = "Game"
	var manager := FlowFieldManager.new()
	manager.name = "Manager"
	game.add_child(manager)
	var armies: Array[EnemySwarm] = []
	for side: String in ["Blue", "Red"]:
		var swarm := EnemySwarm.new()
		swarm.name = side
		swarm.manager = manager
		game.add_child(swarm)
		armies.append(swarm)
	var lockstep := FlowLockstep.new()
	lockstep.name = "Lockstep"
	lockstep.manager = manager
	lockstep.swarms = armies
	game.add_child(lockstep)
	game.set_script(script)
	branch.add_child(game)
	return game


func _press(game: Node2D, key: Key) -> void:
	var event := InputEventKey.new()
	event.keycode = key
	event.pressed = true
	game.call(&"_unhandled_input", event)


func _hashes(game: Node2D) -> Array[int]:
	var armies: Array[EnemySwarm] = game.get("armies")
	return [armies[0].state_hash(), armies[1].state_hash()]


func test_the_script_of_the_page_plays_a_game() -> void:
	var script := GDScript.new()
	script.source_code = _code()
	check_eq(script.reload(), OK, "the script compiles")
	var host := _new_machine("Host", script)
	var guest := _new_machine("Guest", script)
	_press(host, KEY_H)
	_press(guest, KEY_J)
	var here: FlowLockstep = host.get("lockstep")
	var there: FlowLockstep = guest.get("lockstep")
	for frame in 300:
		if here.get_players().size() == 2 and there.get_players().size() == 2:
			break
		await scene.get_tree().physics_frame
	there.give_order(Vector2(500.0, 500.0))
	await physics_frames(60)
	# Both stop after the same tick.
	here.automatic = false
	there.automatic = false
	for frame in 60:
		if here.get_tick() < there.get_tick():
			here.run_tick()
		elif there.get_tick() < here.get_tick():
			there.run_tick()
		await scene.get_tree().process_frame
	check_eq(here.get_tick(), there.get_tick(), "the tick")
	check(here.get_tick() > 40, "ticks have run")
	check_eq(_hashes(host), _hashes(guest), "the armies")
	var red: EnemySwarm = guest.get("armies")[1]
	check_eq(red.get_agent_count(), 100, "the guest's army")
	check(red.get_agent_goal(red.get_ids()[0]) != 0, "has its order")
	for name: String in ["Host", "Guest"]:
		var branch := scene.get_node(name)
		branch.multiplayer.multiplayer_peer = null
		scene.get_tree().set_multiplayer(null, branch.get_path())
