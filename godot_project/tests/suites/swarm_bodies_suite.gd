extends "res://tests/test_suite.gd"
## EnemySwarm: bodies that keep agents out, tell which agents touch them, and follow nodes.

const RADIUS := 4.0

var manager: FlowFieldManager
var swarm: EnemySwarm
var contacts: Array[Array] = []


func _field() -> void:
	manager = new_manager(Vector2i(40, 20))
	swarm = new_swarm(manager, new_goal(manager, Vector2i(38, 10)))
	contacts.clear()
	swarm.agents_contacted.connect(
		func(body: int, ids: PackedInt64Array) -> void: contacts.append([body, ids])
	)


func test_a_round_body_keeps_agents_out_and_tells_of_them() -> void:
	_field()
	var at := Vector2(200.0, 168.0)
	var body := swarm.add_body(at, 20.0)
	check(body > 0 and swarm.has_body(body), "there")
	var id := swarm.spawn(Vector2(100.0, 166.0))
	var touched := false
	for i in 300:
		swarm.step(1.0 / 60.0)
		var gap := swarm.get_agent_position(id).distance_to(at) - 20.0 - RADIUS
		check(gap > -0.02, "outside, by %f" % gap)
		touched = touched or swarm.get_body_contacts(body).has(id)
	check(touched, "it touched the body")
	check(swarm.get_agent_position(id).x > 230.0, "and slid round it")
	check_eq(contacts[0], [body, PackedInt64Array([id])], "told of")


func test_a_box_holds_until_it_is_moved_or_removed() -> void:
	_field()
	var door := swarm.add_box_body(Vector2(200.0, 160.0), Vector2(640.0, 8.0), PI / 2.0)
	var id := swarm.spawn(Vector2(150.0, 168.0))
	steps(swarm, 120)
	check_near(swarm.get_agent_position(id).x, 196.0 - RADIUS, 0.1, "at the door")
	check_eq(swarm.get_body_contacts(door), PackedInt64Array([id]), "touching it")
	check_eq(swarm.move_body(door, Vector2(220.0, 160.0), PI / 2.0), OK, "moved on")
	steps(swarm, 120)
	check_near(swarm.get_agent_position(id).x, 216.0 - RADIUS, 0.1, "at the door again")
	check_eq(swarm.remove_body(door), OK, "opened")
	check(not swarm.has_body(door), "gone")
	steps(swarm, 120)
	check(swarm.get_agent_position(id).x > 250.0, "through")


func test_a_body_that_is_not_solid_only_tells() -> void:
	_field()
	var at := Vector2(100.0, 100.0)
	swarm.set_group_goal(0, 0)
	var id := swarm.spawn(at)
	var aura := swarm.add_body(at, 30.0, false)
	steps(swarm, 3)
	check_eq(swarm.get_agent_position(id), at, "not moved")
	check_eq(contacts, [[aura, PackedInt64Array([id])]] as Array[Array], "told once")
	check_eq(swarm.get_body_contacts(aura), PackedInt64Array([id]), "for every tick")


func test_a_body_follows_a_2d_node_and_goes_with_it() -> void:
	_field()
	swarm.set_group_goal(0, 0)
	var player := Node2D.new()
	player.position = Vector2(100.0, 100.0)
	scene.add_child(player)
	var body := swarm.add_body(Vector2.ZERO, 10.0)
	check_eq(swarm.attach_body(body, player), OK, "attached")
	var id := swarm.spawn(Vector2(116.0, 100.0))
	for i in 30:
		player.position.x += 2.0
		swarm.step(1.0 / 60.0)
	check(swarm.get_agent_position(id).x > 173.9, "pushed along: %s" % swarm.get_agent_position(id))
	check_eq(swarm.get_body_contacts(body), PackedInt64Array([id]), "touching")
	player.free()
	swarm.step(1.0 / 60.0)
	check(not swarm.has_body(body), "removed with its node")


func test_a_box_turns_with_its_node_and_lets_go() -> void:
	_field()
	swarm.set_group_goal(0, 0)
	var door := Node2D.new()
	door.position = Vector2(100.0, 100.0)
	scene.add_child(door)
	var body := swarm.add_box_body(Vector2.ZERO, Vector2(60.0, 4.0))
	swarm.attach_body(body, door)
	var id := swarm.spawn(Vector2(98.0, 120.0))
	steps(swarm, 2)
	check_eq(swarm.get_agent_position(id), Vector2(98.0, 120.0), "beside it")
	door.rotation = PI / 2.0
	steps(swarm, 2)
	var turned := swarm.get_agent_position(id)
	check_near(turned.x, 100.0 - 2.0 - RADIUS, 0.05, "out of the way of the turned door")
	check_eq(swarm.attach_body(body, null), OK, "let go")
	door.position.x = 90.0
	steps(swarm, 2)
	check_near(swarm.get_agent_position(id).x, turned.x, 0.01, "it stays where it was")


func test_a_body_follows_a_3d_node_in_the_plane() -> void:
	_field()
	swarm.set_group_goal(0, 0)
	var cart := Node3D.new()
	cart.position = Vector3(100.0, 55.0, 80.0)
	scene.add_child(cart)
	var body := swarm.add_body(Vector2.ZERO, 10.0)
	check_eq(swarm.attach_body(body, cart), OK, "attached")
	var id := swarm.spawn(Vector2(103.0, 80.0))
	swarm.step(1.0 / 60.0)
	check_near(swarm.get_agent_position(id).x, 110.0 + RADIUS, 0.05, "x and z count")


func test_a_node_outside_of_the_tree_is_waited_for() -> void:
	_field()
	swarm.set_group_goal(0, 0)
	var player := Node2D.new()
	player.position = Vector2(150.0, 100.0)
	var body := swarm.add_body(Vector2(50.0, 100.0), 10.0)
	check_eq(swarm.attach_body(body, player), OK, "attached")
	var id := swarm.spawn(Vector2(153.0, 100.0))
	swarm.step(1.0 / 60.0)
	check_eq(swarm.get_agent_position(id), Vector2(153.0, 100.0), "the body is elsewhere")
	scene.add_child(player)
	swarm.step(1.0 / 60.0)
	check_near(swarm.get_agent_position(id).x, 160.0 + RADIUS, 0.05, "now it is here")


func test_handlers_may_remove_bodies_and_agents() -> void:
	_field()
	var body := swarm.add_body(Vector2(100.0, 100.0), 30.0)
	var other := swarm.add_body(Vector2(110.0, 100.0), 30.0, false)
	swarm.agents_contacted.connect(
		func(_body: int, ids: PackedInt64Array) -> void:
			swarm.despawn(ids)
			if swarm.has_body(body):
				swarm.remove_body(body)
				swarm.remove_body(other),
		CONNECT_ONE_SHOT
	)
	swarm.spawn(Vector2(105.0, 105.0))
	steps(swarm, 3)
	check_eq(swarm.get_agent_count(), 0, "despawned")
	check(not swarm.has_body(body) and not swarm.has_body(other), "removed")


func test_a_handler_may_free_the_manager() -> void:
	_field()
	swarm.add_body(Vector2(100.0, 100.0), 30.0)
	var area := swarm.add_circle_area(Vector2(100.0, 100.0), 60.0)
	swarm.agents_contacted.connect(func(_body: int, _ids: PackedInt64Array) -> void: manager.free())
	var entered: Array[int] = []
	swarm.agents_entered_area.connect(
		func(which: int, _ids: PackedInt64Array) -> void: entered.append(which)
	)
	swarm.spawn(Vector2(105.0, 105.0))
	swarm.step(1.0 / 60.0)
	check(not is_instance_valid(manager), "freed")
	check_eq(entered, [area] as Array[int], "and all is told of")


func test_saved_crowds_go_on_among_bodies() -> void:
	_field()
	var at := Vector2(120.0, 160.0)
	swarm.add_body(at, 20.0)
	for i in 30:
		swarm.spawn(Vector2(60.0 + 8.0 * (i % 5), 140.0 + 9.0 * (i / 5)))
	steps(swarm, 30)
	var bytes := swarm.save_state()
	steps(swarm, 60)
	var hash_of_first := swarm.state_hash()
	# Swarms of one manager keep out of each other.
	swarm.clear()
	var twin := new_swarm(manager, swarm.get_group_goal(0))
	twin.add_body(at, 20.0)
	twin.load_state(bytes)
	steps(twin, 60)
	check_eq(twin.state_hash(), hash_of_first, "the same crowd")


func test_bodies_refuse_what_makes_no_sense() -> void:
	_field()
	var nowhere := Vector2(NAN, 0.0)
	var body := swarm.add_body(Vector2.ZERO, 5.0)
	var loose := Timer.new()
	scene.add_child(loose)
	var calls: Array[Array] = [
		["add_body", "position", func() -> Variant: return swarm.add_body(nowhere, 5.0), 0],
		["add_body", "radius", func() -> Variant: return swarm.add_body(Vector2.ZERO, 0.0), 0],
		[
			"add_box_body",
			"width",
			func() -> Variant: return swarm.add_box_body(Vector2.ZERO, Vector2(5.0, -1.0)),
			0
		],
		[
			"add_box_body",
			"rotation",
			func() -> Variant: return swarm.add_box_body(Vector2.ZERO, Vector2.ONE, INF),
			0
		],
		[
			"move_body",
			"999",
			func() -> Variant: return swarm.move_body(999, Vector2.ZERO),
			ERR_DOES_NOT_EXIST
		],
		[
			"move_body",
			"position",
			func() -> Variant: return swarm.move_body(body, nowhere),
			ERR_INVALID_PARAMETER
		],
		[
			"attach_body",
			"999",
			func() -> Variant: return swarm.attach_body(999, scene),
			ERR_DOES_NOT_EXIST
		],
		[
			"attach_body",
			"Timer",
			func() -> Variant: return swarm.attach_body(body, loose),
			ERR_INVALID_PARAMETER
		],
		[
			"remove_body",
			"999",
			func() -> Variant: return swarm.remove_body(999),
			ERR_DOES_NOT_EXIST
		],
		[
			"get_body_contacts",
			"999",
			func() -> Variant: return swarm.get_body_contacts(999),
			PackedInt64Array()
		],
	]
	for entry: Array in calls:
		var action: Callable = entry[2]
		var result: Variant = expect_error(["EnemySwarm.%s" % entry[0], entry[1] as String], action)
		check_eq(result, entry[3], "%s returns" % entry[0])
	check(swarm.has_body(body), "unharmed")


func test_a_node_that_gets_lost_is_reported_once() -> void:
	_field()
	var player := Node2D.new()
	scene.add_child(player)
	var body := swarm.add_body(Vector2.ZERO, 5.0)
	swarm.attach_body(body, player)
	swarm.spawn(Vector2(100.0, 100.0))
	player.position = Vector2(NAN, 0.0)
	expect_error(["EnemySwarm.step", "position"], func() -> void: swarm.step(1.0 / 60.0))
	steps(swarm, 3)
	check(swarm.has_body(body), "it stays where it was")
