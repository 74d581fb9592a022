extends "res://tests/play/play_base.gd"
## The demo versus, played with the mouse against a bot's machine in the same process.

const SCENE := "res://demos/versus/versus.tscn"

var game: Versus


func _open_game() -> void:
	Input.use_accumulated_input = false
	game = (load(SCENE) as PackedScene).instantiate() as Versus
	# Any free port.
	game.port = 0
	scene.add_child(game)
	await frames(2)


func _at(place: Vector2) -> Vector2:
	var root := scene.get_tree().root
	return root.get_final_transform() * (game.get_viewport().canvas_transform * place)


func _find_button(node: Node, text: String) -> Button:
	for child: Node in node.get_children():
		if child is Button and (child as Button).text == text:
			return child as Button
		var found := _find_button(child, text)
		if found != null:
			return found
	return null


func _click_button(text: String) -> void:
	var button := _find_button(game.lobby, text)
	check(button != null, "there is a button '%s'" % text)
	var root := scene.get_tree().root
	await click(root.get_final_transform() * button.get_global_rect().get_center())


func _until(condition: Callable, limit: int) -> bool:
	for tick in limit:
		if condition.call():
			return true
		await ticks(1)
	return condition.call()


func test_a_box_selects_and_the_right_button_sends() -> void:
	await _open_game()
	check(game.lobby.visible, "the game begins with a choice")
	await _click_button("Play against a bot")
	var has_army := func() -> bool: return game.battle.armies[0].get_agent_count() > 100
	check(await _until(has_army, 600), "the battle begins")
	check(not game.lobby.visible, "the choice is gone")
	var keep := VersusMap.keep(0)
	await drag([_at(keep + Vector2(40.0, -200.0)), _at(keep + Vector2(280.0, 200.0))])
	var selected := game.hand.get_selected()
	check(selected.size() > 100, "the army is selected: %d" % selected.size())
	var goal := VersusMap.flag(1)
	await move(_at(goal))
	await press(_at(goal), MOUSE_BUTTON_RIGHT)
	await release(_at(goal), MOUSE_BUTTON_RIGHT)
	var slot := FlowAgentSlots.of(selected.slice(0, 1))
	# The order reaches the other machine's army too.
	for battle: VersusBattle in [game.battle, game.mirror]:
		var is_sent := func() -> bool:
			var found := FlowAgentSlots.find(battle.armies[0], slot)
			return found.size() == 1 and battle.armies[0].get_agent_goal(found[0]) != 0
		check(await _until(is_sent, 600), "the soldiers have their order")
	await save_picture("versus")


func test_a_host_that_is_not_there_is_said() -> void:
	await _open_game()
	# A port at which nothing listens; the engine gives up after some time, so only the first words
	# are looked at.
	game.port = 9
	await _click_button("Join")
	check(game.lobby.visible, "the choice stays")
	check(not game.battle.lockstep.is_running(), "no game")
