extends "res://tests/test_suite.gd"
## EnemySwarm: agents that fall and lie there, and factors of single agents.

const AT := Vector2(100.0, 100.0)

var manager: FlowFieldManager
var swarm: EnemySwarm
var ids: PackedInt64Array


func _crowd() -> void:
	manager = new_manager(Vector2i(40, 30))
	swarm = new_swarm(manager, new_goal(manager, Vector2i(38, 15)))
	var places := PackedVector2Array()
	for i in 20:
		places.append(AT + Vector2(0.0, 10.0 * i))
	ids = swarm.spawn_many(places)
	var health := PackedInt32Array()
	health.resize(ids.size())
	health.fill(3)
	swarm.set_user_ints(ids, health)


func test_the_fallen_become_corpses_that_queries_do_not_find() -> void:
	_crowd()
	var fallen := swarm.damage_circle(AT, 25.0, 3, 0, EnemySwarm.FALLEN_CORPSE)
	check_eq(fallen, ids.slice(0, 3), "three fall")
	check_eq(swarm.get_corpses(), fallen, "they are corpses")
	check_eq(swarm.get_agent_status(ids[0]), EnemySwarm.AGENT_CORPSE, "status")
	check_eq(swarm.get_agent_state(ids[0]), EnemySwarm.AGENT_CORPSE, "state")
	check_eq(swarm.query_circle(AT, 25.0).size(), 0, "no query finds them")
	steps(swarm, 30)
	check_eq(swarm.get_agent_position(ids[1]), AT + Vector2(0.0, 10.0), "it does not move")
	check(swarm.get_agent_position(ids[3]).x > AT.x + 10.0, "others do")
	check_eq(swarm.get_stats()["corpses"], 3, "counted")
	check_eq(swarm.damage_circle(AT, 25.0, 3, 0, EnemySwarm.FALLEN_STAY).size(), 0, "not again")
	swarm.set_agent_state(fallen, EnemySwarm.AGENT_FOLLOWING)
	steps(swarm, 30)
	check(swarm.get_agent_position(ids[1]).x > AT.x + 10.0, "it has risen")
	var beam := swarm.damage_segment(Vector2.ZERO, Vector2(640.0, 300.0), 9.0, 9, 0, 2)
	check_eq(swarm.get_corpses(), _sorted(beam), "a beam makes corpses too")
	var rest := PackedInt64Array()
	for id in ids:
		if id not in beam and id not in fallen:
			rest.append(id)
	check_eq(swarm.add_user_ints(rest, -9, 0, EnemySwarm.FALLEN_CORPSE), rest, "and so do ids")
	var corpses := swarm.get_corpses()
	check_eq(swarm.despawn(corpses), corpses.size(), "cleaned up")
	check_eq(swarm.get_corpses().size(), 0, "all of them")


func _sorted(list: PackedInt64Array) -> PackedInt64Array:
	var copy := list.duplicate()
	copy.sort()
	return copy


func test_single_agents_differ_from_their_type() -> void:
	_crowd()
	check_eq(swarm.set_agent_speed_scales(ids.slice(0, 2), [0.25]), OK, "one for both")
	check_eq(swarm.set_agent_speed_scales(ids.slice(2, 4), [2.0, 0.5]), OK, "one for each")
	check_eq(swarm.set_agent_scales(ids.slice(0, 1), [3.0]), OK, "scale")
	check_eq(swarm.set_agent_colors(ids.slice(1, 2), [Color.RED]), OK, "colour")
	steps(swarm, 40)
	var speed := swarm.get_agent_velocity(ids[10]).length()
	check_near(swarm.get_agent_velocity(ids[0]).length(), 0.25 * speed, 0.5, "slow")
	check_near(swarm.get_agent_velocity(ids[2]).length(), 2.0 * speed, 2.0, "fast")
	check_eq(swarm.get_agent_speed_scale(ids[3]), 0.5, "speed scale")
	check_eq(swarm.get_agent_scale(ids[0]), 3.0, "scale")
	check_eq(swarm.get_agent_color(ids[1]), Color.RED, "colour")
	check_eq(swarm.get_agent_color(ids[2]), Color.WHITE, "no colour")
	var lines := swarm.output as MultiMeshInstance2D
	check(lines.multimesh.use_colors, "instances have colours")
	# Eight numbers of the transform, then the colour.
	var row := lines.multimesh.buffer.slice(0, 12)
	check_near(Vector2(row[0], row[4]).length(), 24.0, 0.01, "size")
	row = lines.multimesh.buffer.slice(12, 24)
	check_eq(row.slice(8), PackedFloat32Array([1.0, 0.0, 0.0, 1.0]), "drawn")
	var saved := swarm.save_state()
	swarm.clear()
	swarm.load_state(saved)
	check_eq(swarm.get_agent_scale(ids[0]), 3.0, "saved")


func test_bad_factors_are_refused() -> void:
	_crowd()
	for call: Array in [
		["set_agent_speed_scales", [ids, PackedFloat32Array([0.01])], "speed factor"],
		["set_agent_speed_scales", [ids, PackedFloat32Array([1.0, 1.0])], "20 entries"],
		["set_agent_scales", [ids, PackedFloat32Array([NAN])], "size factor"],
		["set_agent_colors", [ids, PackedColorArray()], "20 entries"],
		["set_agent_scales", [PackedInt64Array([7]), PackedFloat32Array([1.0])], "does not exist"],
	]:
		var method: String = call[0]
		var refused: Error = expect_error(
			["EnemySwarm." + method, call[2] as String],
			func() -> int: return swarm.callv(method, call[1] as Array)
		)
		check(refused != OK, method)
	for method: String in ["get_agent_speed_scale", "get_agent_scale", "get_agent_color"]:
		expect_error(
			["EnemySwarm." + method, "does not exist"],
			func() -> Variant: return swarm.call(method, 7)
		)
	check_eq(swarm.get_agent_speed_scale(ids[0]), 1.0, "unchanged")


func test_despawned_agents_are_described() -> void:
	_crowd()
	swarm.arrival_action = EnemySwarm.ARRIVAL_DESPAWN
	var types: Array[SwarmAgentType] = [SwarmAgentType.new(), SwarmAgentType.new()]
	swarm.agent_types = types
	swarm.set_group_goal(3, swarm.get_group_goal(0))
	var id := swarm.spawn(manager.get_cell_center(Vector2i(37, 15)), 1, 3)
	var gone := {}
	var note := func(
		them: PackedInt64Array,
		kinds: PackedByteArray,
		groups: PackedByteArray,
		positions: PackedVector2Array
	) -> void:
		check(them.size() == kinds.size() and kinds.size() == groups.size(), "as many")
		for i in them.size():
			gone[them[i]] = [kinds[i], groups[i], positions[i]]
	swarm.agents_despawned.connect(note)
	steps(swarm, 30)
	check_eq(gone.size(), 1, "one has arrived")
	var found: Array = gone.get(id, [0, 0, Vector2.ZERO])
	check_eq(found[0], 1, "type")
	check_eq(found[1], 3, "group")
	check_eq(manager.get_cell(found[2] as Vector2), Vector2i(38, 15), "position")
