extends "res://tests/test_suite.gd"
## EnemySwarm: areas that tell which agents enter and leave, and force fields.

const CENTER := Vector2(160.0, 160.0)

var manager: FlowFieldManager
var swarm: EnemySwarm
var news: Array[Array] = []


func _field() -> void:
	manager = new_manager(Vector2i(40, 20))
	swarm = new_swarm(manager, new_goal(manager, Vector2i(38, 10)))
	news.clear()
	swarm.agents_entered_area.connect(
		func(area: int, ids: PackedInt64Array) -> void: news.append(["in", area, ids])
	)
	swarm.agents_exited_area.connect(
		func(area: int, ids: PackedInt64Array) -> void: news.append(["out", area, ids])
	)


func _resting(at: Vector2) -> int:
	var id := swarm.spawn(at)
	swarm.set_agent_state(PackedInt64Array([id]), EnemySwarm.AGENT_IDLE)
	return id


func test_an_area_reports_agents_that_pass_through() -> void:
	_field()
	var zone := swarm.add_area(Rect2(150.0, 100.0, 60.0, 100.0))
	check(swarm.has_area(zone), "there")
	var id := swarm.spawn(Vector2(100.0, 168.0))
	var inside := 0
	for i in 200:
		swarm.step(1.0 / 60.0)
		var x := swarm.get_agent_position(id).x
		if absf(x - 150.0) > 0.1 and absf(x - 210.0) > 0.1:
			var expected := PackedInt64Array([id] if x > 150.0 and x < 210.0 else [])
			check_eq(swarm.get_area_agents(zone), expected, "at %f" % x)
			inside += expected.size()
	check(inside > 30, "it was inside for %d steps" % inside)
	var ids := PackedInt64Array([id])
	check_eq(news, [["in", zone, ids], ["out", zone, ids]] as Array[Array], "in and out")


func test_a_round_area_follows_a_node() -> void:
	_field()
	var torch := Node2D.new()
	torch.position = Vector2(20.0, 20.0)
	scene.add_child(torch)
	var zone := swarm.add_circle_area(Vector2.ZERO, 30.0)
	check_eq(swarm.attach_area(zone, torch), OK, "attached")
	var id := _resting(CENTER)
	swarm.step(1.0 / 60.0)
	check(swarm.get_area_agents(zone).is_empty(), "far away")
	torch.position = CENTER + Vector2(29.0, 0.0)
	swarm.step(1.0 / 60.0)
	check_eq(swarm.get_area_agents(zone), PackedInt64Array([id]), "in its light")
	check_eq(swarm.attach_area(zone, null), OK, "let go")
	check_eq(swarm.move_area(zone, CENTER + Vector2(31.0, 0.0)), OK, "moved on")
	swarm.step(1.0 / 60.0)
	check(swarm.get_area_agents(zone).is_empty(), "in the dark")
	check_eq(swarm.remove_area(zone), OK, "removed")
	check(not swarm.has_area(zone), "gone")


func test_rectangles_turn() -> void:
	_field()
	var zone := swarm.add_area(Rect2(CENTER - Vector2(50.0, 5.0), Vector2(100.0, 10.0)))
	var id := _resting(CENTER + Vector2(0.0, 30.0))
	swarm.step(1.0 / 60.0)
	check(swarm.get_area_agents(zone).is_empty(), "beside it")
	swarm.move_area(zone, CENTER, PI / 2.0)
	swarm.step(1.0 / 60.0)
	check_eq(swarm.get_area_agents(zone), PackedInt64Array([id]), "in the turned one")


func test_fields_pull_push_and_whirl() -> void:
	_field()
	var ways: Array[Array] = [
		[EnemySwarm.FORCE_PULL, 900.0, Vector2.LEFT],
		[EnemySwarm.FORCE_PUSH, 900.0, Vector2.RIGHT],
		[EnemySwarm.FORCE_PUSH, -900.0, Vector2.LEFT],
		[EnemySwarm.FORCE_VORTEX, 900.0, Vector2.DOWN],
		[EnemySwarm.FORCE_VORTEX, -900.0, Vector2.UP],
	]
	for way: Array in ways:
		swarm.clear()
		var id := _resting(CENTER + Vector2(20.0, 0.0))
		var field := swarm.add_force_field(way[0] as int, CENTER, 80.0, way[1] as float)
		steps(swarm, 4)
		var velocity := swarm.get_agent_velocity(id)
		var expected: Vector2 = way[2]
		check(velocity.normalized().dot(expected) > 0.95, "%s: %s" % [way, velocity])
		check_eq(swarm.get_area_agents(field), PackedInt64Array([id]), "a field is an area")
		swarm.remove_area(field)


func test_heavy_agents_resist() -> void:
	_field()
	var giant := SwarmAgentType.new()
	giant.mass = 10.0
	swarm.agent_types = [SwarmAgentType.new(), giant]
	var light := _resting(CENTER + Vector2(20.0, 0.0))
	var heavy := swarm.spawn(CENTER - Vector2(20.0, 0.0), 1)
	swarm.set_agent_state(PackedInt64Array([heavy]), EnemySwarm.AGENT_IDLE)
	swarm.add_force_field(EnemySwarm.FORCE_PUSH, CENTER, 80.0, 1200.0)
	steps(swarm, 20)
	check(swarm.get_agent_position(light).x > CENTER.x + 25.0, "the light one is driven off")
	check_eq(swarm.get_agent_position(heavy), CENTER - Vector2(20.0, 0.0), "the heavy one stands")


func test_areas_refuse_what_makes_no_sense() -> void:
	_field()
	var nowhere := Vector2(NAN, 0.0)
	var calls: Array[Array] = [
		["add_area", "length", func() -> Variant: return swarm.add_area(Rect2(0, 0, -5, 5)), 0],
		[
			"add_circle_area",
			"position",
			func() -> Variant: return swarm.add_circle_area(nowhere, 5.0),
			0
		],
		[
			"add_circle_area",
			"radius",
			func() -> Variant: return swarm.add_circle_area(CENTER, INF),
			0
		],
		[
			"add_force_field",
			"kind",
			func() -> Variant: return swarm.add_force_field(3, CENTER, 5.0, 5.0),
			0
		],
		[
			"add_force_field",
			"strength",
			func() -> Variant:
				return swarm.add_force_field(EnemySwarm.FORCE_PULL, CENTER, 5.0, NAN),
			0
		],
		[
			"move_area",
			"77",
			func() -> Variant: return swarm.move_area(77, CENTER),
			ERR_DOES_NOT_EXIST
		],
		[
			"attach_area",
			"77",
			func() -> Variant: return swarm.attach_area(77, null),
			ERR_DOES_NOT_EXIST
		],
		["remove_area", "77", func() -> Variant: return swarm.remove_area(77), ERR_DOES_NOT_EXIST],
		[
			"get_area_agents",
			"77",
			func() -> Variant: return swarm.get_area_agents(77),
			PackedInt64Array()
		],
	]
	for entry: Array in calls:
		var action: Callable = entry[2]
		var result: Variant = expect_error(["EnemySwarm.%s" % entry[0], entry[1] as String], action)
		check_eq(result, entry[3], "%s returns" % entry[0])
