extends "res://tests/test_suite.gd"
## The demo versus: both machines of a game against a bot, in one process, and the rules.


func _new_game() -> Versus:
	var versus := (load("res://demos/versus/versus.tscn") as PackedScene).instantiate() as Versus
	# Any free port.
	versus.port = 0
	scene.add_child(versus)
	return versus


## The rules with armies that stand where they are put.
func _new_battle() -> VersusBattle:
	var path := "res://demos/versus/versus_battle.tscn"
	var battle := (load(path) as PackedScene).instantiate() as VersusBattle
	scene.add_child(battle)
	return battle


func _note_hashes(battle: VersusBattle, hashes: Dictionary[int, Array]) -> void:
	battle.lockstep.stepped.connect(
		func(tick: int) -> void:
			var armies := [battle.armies[0].state_hash(), battle.armies[1].state_hash()]
			hashes[tick] = armies + [battle.rules.save(), battle.manager.world_hash()]
	)


func test_both_machines_see_the_same_battle() -> void:
	var versus := _new_game()
	await versus.play_against_bot()
	versus.add_bot()
	var here: Dictionary[int, Array] = {}
	var there: Dictionary[int, Array] = {}
	_note_hashes(versus.battle, here)
	_note_hashes(versus.mirror, there)
	for frame in 900:
		if there.has(180):
			break
		await scene.get_tree().physics_frame
	check(there.has(180) and here.has(170), "both ran: %d and %d" % [here.size(), there.size()])
	for tick: int in here:
		if there.has(tick) and here[tick] != there[tick]:
			check(false, "apart after tick %d" % tick)
			break
	check_eq([versus.battle.get_side(), versus.mirror.get_side()], [0, 1], "their sides")
	check(not versus.lobby.visible, "the window of the start is gone")
	check(versus.battle.armies[1].get_agent_count() > 100, "there is a red army")
	var moved := versus.battle.armies[0].get_velocities()
	check(moved.count(Vector2.ZERO) < moved.size(), "the bots have given orders")


func test_orders_of_another_form_change_nothing() -> void:
	var battle := _new_battle()
	battle.rules.begin()
	var before := battle.armies[0].state_hash()
	var slots := PackedInt32Array([0, 1, 9999])
	var junk := [null, 3, [], [slots], [slots, 5], [slots, Vector2.INF], [[0], Vector2.ONE]]
	junk.append([slots, Vector2(-500.0, 0.0)])
	for order: Variant in junk:
		battle.lockstep.ordered.emit(0, order)
	check_eq(battle.armies[0].state_hash(), before, "nothing has changed")
	battle.lockstep.ordered.emit(0, [slots, Vector2(700.0, 450.0)])
	var ids := FlowAgentSlots.find(battle.armies[0], slots)
	check_eq(ids.size(), 2, "agents that are there")
	check(battle.armies[0].get_agent_goal(ids[0]) != 0, "a sound order sends them")
	check_eq(battle.armies[1].get_agent_goal(battle.armies[1].get_ids()[0]), 0, "own army only")


func test_soldiers_at_a_keep_win() -> void:
	var battle := _new_battle()
	battle.rules.begin()
	for side in VersusRules.SIDES:
		battle.armies[side].despawn(battle.armies[side].get_ids())
	for i in 30:
		battle.armies[1].spawn(VersusMap.keep(0) + Vector2(50.0, 3.0 * i - 45.0))
		battle.armies[1].spawn(VersusMap.flag(1) + Vector2(i, 0.0))
	var tick := 1
	while battle.rules.winner == VersusRules.NOBODY and tick < 1000:
		battle.rules.run_tick(tick)
		tick += 1
	check_eq(battle.rules.winner, 1, "red has won")
	check_eq(battle.rules.flags, PackedInt32Array([-1, 1, -1]), "and holds a flag")
	var saved := battle.rules.save()
	battle.rules.begin()
	check_eq(battle.rules.keeps[0], VersusRules.FULL_KEEP, "a new battle")
	battle.rules.load_from(saved)
	check_eq([battle.rules.keeps[0], battle.rules.winner], [0, 1], "as it was saved")
