extends "res://tests/test_suite.gd"
## EnemySwarm: goals of single agents, beside those of groups.

var manager: FlowFieldManager
var swarm: EnemySwarm
var ids: PackedInt64Array


func _crowd() -> void:
	manager = new_manager(Vector2i(40, 30))
	swarm = new_swarm(manager)
	var places := PackedVector2Array()
	for i in 9:
		places.append(Vector2(60.0, 60.0 + 40.0 * i))
	ids = swarm.spawn_many(places, 0, 3)


func _are_near(them: PackedInt64Array, place: Vector2, what: String) -> void:
	for id in them:
		check(swarm.get_agent_position(id).distance_to(place) < 60.0, "%s: %d" % [what, id])


func test_agents_of_one_group_are_sent_to_different_targets() -> void:
	_crowd()
	var home := manager.create_goal([Vector2(60.0, 440.0)])
	swarm.set_group_goal(3, home)
	var north := Vector2(500.0, 40.0)
	var south := Vector2(500.0, 440.0)
	var first := swarm.send_agents(ids.slice(0, 3), [north])
	var second := swarm.send_agents(ids.slice(3, 6), [south], FlowFieldManager.GOAL_MODE_TILED)
	check(first != 0 and second != 0 and first != second, "two goals")
	check_eq(swarm.send_agents(ids.slice(0, 1), [north]), first, "the same targets")
	check_eq(swarm.get_agent_goal(ids[4]), second, "an agent's goal")
	check_eq(swarm.get_agent_goal(ids[8]), home, "its group's goal")
	check_eq(swarm.get_agent_group(ids[0]), 3, "they stay in their group")
	steps(swarm, 700)
	_are_near(ids.slice(0, 3), north, "north")
	_are_near(ids.slice(3, 6), south, "south")
	_are_near(ids.slice(6), Vector2(60.0, 440.0), "home")
	check_eq(swarm.set_agent_goal(ids, home), OK, "all go home")
	manager.update()
	check_eq(manager.get_goals().size(), 1, "the goals of orders have ended")
	check_eq(swarm.set_agent_goal(ids, 0), OK, "by their group's goal")
	check_eq(swarm.get_agent_goal(ids[0]), home, "which is the same")


func test_own_targets_are_found_round_walls() -> void:
	_crowd()
	draw_map(manager, ["", "", ""])
	var walls := PackedVector2Array()
	for y in 26:
		walls.append(Vector2(10, y))
	manager.set_walls(walls)
	var targets := PackedVector2Array()
	for i in ids.size():
		targets.append(Vector2(260.0, 60.0 + 40.0 * i))
	swarm.set_agent_targets(ids, targets)
	steps(swarm, 900)
	for i in ids.size():
		var place := swarm.get_agent_position(ids[i])
		check(place.distance_to(targets[i]) < 12.0, "agent %d is at %s" % [i, place])


func test_a_formation_marches_and_forms_up() -> void:
	_crowd()
	var spread := func() -> Vector2:
		var rect := Rect2(swarm.get_agent_position(ids[0]), Vector2.ZERO)
		for place in swarm.get_positions():
			rect = rect.expand(place)
		return rect.size
	var target := Vector2(500.0, 240.0)
	var goal := swarm.send_in_formation(ids, target, EnemySwarm.FORMATION_BLOCK, Vector2.UP, 16.0)
	check_eq(swarm.get_agent_goal(ids[0]), goal, "the goal of the march")
	steps(swarm, 420)
	var size: Vector2 = spread.call()
	# At first they stood in a column 320 long.
	check(size.x < 100.0 and size.y < 70.0, "a block on the way: %s" % size)
	steps(swarm, 380)
	for place in swarm.get_positions():
		check_near_vector(place, target, 40.0, "near the target")
	check_eq(swarm.get_arrived().size(), ids.size(), "all have arrived")
	for call: Array in [
		[[ids, Vector2(-9.0, 0.0)], "center"],
		[[ids, target, 3], "shape"],
		[[ids, target, 0, Vector2.INF], "heading"],
		[[ids, target, 0, Vector2.ZERO, -1.0], "spacing"],
		[[ids, target, 0, Vector2.ZERO, 0.0, 7], "mode"],
	]:
		expect_error(
			["EnemySwarm.send_in_formation", call[1] as String],
			func() -> int: return swarm.callv(&"send_in_formation", call[0] as Array)
		)


func test_bad_orders_are_refused() -> void:
	_crowd()
	for call: Array in [
		["send_agents", [ids, PackedVector2Array()], "targets"],
		["send_agents", [ids, PackedVector2Array([Vector2(-50.0, 0.0)])], "target"],
		["send_agents", [ids, PackedVector2Array([Vector2.ONE]), 2], "mode"],
		["send_agents", [PackedInt64Array([5]), PackedVector2Array([Vector2.ONE])], "agent 5"],
		["set_agent_goal", [ids, 99], "goal 99"],
		["set_agent_goal", [PackedInt64Array([5]), 0], "agent 5"],
		["get_agent_goal", [5], "agent 5"],
	]:
		var method: String = call[0]
		var action := func() -> Variant: return swarm.callv(method, call[1] as Array)
		expect_error(["EnemySwarm." + method, call[2] as String], action)
	manager.update()
	check_eq(manager.get_goals().size(), 0, "nothing has changed")


func test_another_manager_ends_all_orders() -> void:
	_crowd()
	swarm.send_agents(ids, [Vector2(300.0, 300.0)])
	var other := new_manager()
	swarm.manager = other
	check_eq(swarm.get_agent_goal(ids[0]), 0, "no goal")
	manager.update()
	check_eq(manager.get_goals().size(), 0, "and none left behind")
