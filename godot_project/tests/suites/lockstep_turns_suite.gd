extends "res://tests/test_suite.gd"
## The host's turns of a lockstep game, the players' numbers, and the checks.

const Checks := preload("res://addons/flow_swarm/multiplayer/lockstep_checks.gd")
const Seats := preload("res://addons/flow_swarm/multiplayer/lockstep_seats.gd")
const Turns := preload("res://addons/flow_swarm/multiplayer/lockstep_turns.gd")


func _turns_of(players: Array[int], delay := 2) -> Turns:
	var turns := Turns.new()
	turns.delay = delay
	for player in players:
		turns.add_player(player)
	return turns


func test_the_first_turns_need_no_orders() -> void:
	var turns := _turns_of([0, 1])
	var first := turns.complete()
	check_eq(first["tick"], 0, "its tick")
	check_eq(first["joined"], PackedInt32Array([0, 1]), "the players that join in it")
	check_eq(turns.complete()["joined"], PackedInt32Array(), "they join once")
	check_eq(turns.complete(), {}, "the third waits")
	check_eq(turns.get_missing(), PackedInt32Array([0, 1]), "for both")


func test_a_turn_waits_for_all_players() -> void:
	var turns := _turns_of([1, 0])
	for i in 2:
		turns.complete()
	check(turns.give(1, 2, ["b"]), "orders of a player")
	check_eq(turns.complete(), {}, "the other is missing")
	check_eq(turns.get_missing(), PackedInt32Array([0]), "which one")
	check(turns.give(0, 2, ["a"]), "orders of the other")
	var turn := turns.complete()
	check_eq(turn["orders"], {0: ["a"], 1: ["b"]}, "orders of both")
	check_eq(turn["orders"].keys(), [0, 1], "in the players' order, not that of their coming")


func test_orders_come_once_and_in_order() -> void:
	var turns := _turns_of([0])
	turns.complete()
	check(not turns.give(0, 1, []), "a tick that needs none")
	check(not turns.give(0, 3, []), "a tick too far ahead")
	check(turns.give(0, 2, []), "the next one")
	check(not turns.give(0, 2, []), "the same again")
	check(not turns.give(0, 3, []), "orders that follow a turn that is not complete")
	turns.complete()
	check(turns.give(0, 3, []), "and when it is")
	check(not turns.give(5, 2, []), "a player that is not there")


func test_a_player_that_leaves_is_not_waited_for() -> void:
	var turns := _turns_of([0, 1])
	for i in 2:
		turns.complete()
	turns.give(0, 2, [])
	turns.remove_player(1)
	check_eq(turns.complete()["left"], PackedInt32Array([1]), "the turn says so")
	turns.give(0, 3, [])
	check_eq(turns.complete()["left"], PackedInt32Array(), "once")
	# Back in the game, the player's first orders are those of two ticks later.
	turns.add_player(1)
	turns.give(0, 4, [])
	check_eq(turns.complete()["joined"], PackedInt32Array([1]), "back")
	check(turns.give(1, 6, []), "orders from then on")


func test_a_player_that_leaves_before_it_was_announced_was_never_there() -> void:
	var turns := _turns_of([0])
	turns.complete()
	turns.add_player(1)
	turns.remove_player(1)
	var turn := turns.complete()
	check_eq([turn["joined"], turn["left"]], [PackedInt32Array(), PackedInt32Array()], "no news")


func test_names_get_their_numbers_back() -> void:
	var seats := Seats.new()
	seats.capacity = 3
	check_eq(seats.take(1, ""), 0, "the host")
	check_eq(seats.take(77, "ann"), 1, "a guest")
	check_eq(seats.take(78, "bob"), 2, "another")
	check_eq(seats.take(79, "eve"), -1, "no place is left")
	seats.free_of(77)
	seats.free_of(78)
	check_eq(seats.take(80, "bob"), 2, "bob is back")
	check_eq(seats.player_of(80), 2, "by peer")
	check_eq(seats.peer_of(2), 80, "by player")
	check_eq(seats.take(81, "bob"), 1, "two cannot have one number")
	check_eq([seats.player_of(77), seats.peer_of(5)], [-1, 0], "no player")


func test_checks_compare_hashes_of_the_same_tick() -> void:
	var checks := Checks.new()
	var state := PackedByteArray([1, 2])
	checks.note(60, [1, 2], state)
	check(checks.compare(1, 60, [1, 2]), "equal")
	check_eq(checks.get_last_equal(1), 60, "the last equal tick")
	# Player 2 is ahead: its hashes wait until this machine is there.
	check(checks.compare(2, 120, [5, 6]), "not known yet")
	check_eq(checks.note(120, [5, 7], state), PackedInt32Array([2]), "apart")
	check(not checks.compare(1, 120, [5, 6]), "another that is apart")
	check(checks.compare(1, 180, [0, 0]), "each is found once")
	check_eq(checks.get_state(120), state, "the state of that tick")
	# Hashes of ticks that never come are not kept without end.
	for tick in range(10_000, 10_100):
		checks.compare(4, tick, [0])
	checks.compare(3, 180, [8, 8])
	check_eq(checks.note(180, [9, 9], state), PackedInt32Array(), "more are dropped")
	for tick in range(180, 180 + 60 * Checks.KEPT, 60):
		checks.note(tick, [0], PackedByteArray())
	check(checks.get_state(120).is_empty(), "old states are dropped")
