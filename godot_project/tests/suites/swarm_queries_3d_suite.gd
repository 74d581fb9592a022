extends "res://tests/test_suite.gd"
## EnemySwarm: positions, queries and damage in 3D on a hill, a road, and the bridge over it.

const SIZE := Vector2i(30, 16)
const DECK := 6.0
const RADIUS := 0.3
const TALL := 1.8
const LIFT := 0.25

var manager: FlowFieldManager
var swarm: EnemySwarm
## On the road, on the bridge above it, and on the hill.
var road: int
var deck: int
var hill: int


## Rises to the east from x = 15 on by 1 in 2.
func _ground(x: float) -> float:
	return maxf(0.0, 0.5 * (x - 15.0))


func _make_bridge() -> void:
	manager = new_manager(SIZE, 1.0)
	manager.layer_count = 2
	var heights := PackedFloat32Array()
	for y in SIZE.y + 1:
		for x in SIZE.x + 1:
			heights.append(_ground(x))
	check_eq(manager.set_heights(heights), OK, "a hill")
	var kind := SwarmAgentType.new()
	kind.radius = RADIUS
	kind.body_height = TALL
	swarm = new_swarm(manager)
	swarm.agent_types = [kind]
	swarm.layer_height = DECK
	swarm.height = LIFT
	road = swarm.spawn(Vector2(6.5, 8.5))
	deck = swarm.spawn(Vector2(6.5, 8.5), 0, 0, 1)
	hill = swarm.spawn(Vector2(25.0, 8.5))


func test_positions_are_on_the_ground_of_their_layers() -> void:
	_make_bridge()
	var feet := PackedVector3Array(
		[
			Vector3(6.5, LIFT, 8.5),
			Vector3(6.5, DECK + LIFT, 8.5),
			Vector3(25.0, _ground(25.0) + LIFT, 8.5),
		]
	)
	check_eq(swarm.get_positions_3d(), feet, "before any step")
	steps(swarm, 1)
	check_eq(swarm.get_positions_3d(), feet, "after a step")
	check_eq(swarm.get_agent_position_3d(hill), feet[2], "one of them")
	manager.clear_heights()
	check_eq(swarm.get_agent_position_3d(hill).y, LIFT, "a hill that has gone")
	var nowhere: Vector3 = expect_error(
		["EnemySwarm.get_agent_position_3d", "77"],
		func() -> Vector3: return swarm.get_agent_position_3d(77)
	)
	check_eq(nowhere, Vector3.ZERO, "no agent")


func test_positions_are_those_of_instances() -> void:
	_make_bridge()
	var output := MultiMeshInstance3D.new()
	scene.add_child(output)
	swarm.output = output
	steps(swarm, 1)
	var feet := swarm.get_positions_3d()
	var buffer := output.multimesh.buffer
	var stride := buffer.size() / output.multimesh.instance_count
	for i in feet.size():
		var row := buffer.slice(i * stride, (i + 1) * stride)
		check_eq(Vector3(row[3], row[7], row[11]), feet[i], "instance %d" % i)


func test_a_sphere_finds_capsules_on_one_storey() -> void:
	_make_bridge()
	var under := Vector3(6.5, 1.0, 8.5)
	check_eq(swarm.query_sphere(under, 2.0), PackedInt64Array([road]), "below the bridge")
	check_eq(swarm.query_sphere(under, DECK), PackedInt64Array([road, deck]), "through it")
	var top := Vector3(25.0, _ground(25.0) + LIFT + TALL + 0.5, 8.5)
	check_eq(swarm.query_sphere(top, 0.45).size(), 0, "over the head on the hill")
	check_eq(swarm.query_sphere(top, 0.55), PackedInt64Array([hill]), "touches it")
	swarm.set_agent_scales([hill], [0.5])
	check_eq(swarm.query_sphere(top, 0.55).size(), 0, "half as tall")


func test_a_ray_meets_agents_in_its_order() -> void:
	_make_bridge()
	var sky := Vector3(6.5, 30.0, 8.5)
	var pit := Vector3(6.5, -5.0, 8.5)
	check_eq(swarm.query_ray(sky, pit), PackedInt64Array([deck, road]), "from above")
	check_eq(swarm.query_ray(pit, sky), PackedInt64Array([road, deck]), "from below")
	var first := SwarmQuery.new()
	first.limit = 1
	check_eq(swarm.query_ray(sky, pit, first), PackedInt64Array([deck]), "the first")
	var rise := Vector3(25.0, _ground(25.0) + 1.0, 8.5)
	check_eq(swarm.query_ray(Vector3(0.0, 0.5, 8.5), rise), PackedInt64Array([road, hill]), "up")
	check_eq(swarm.query_ray(Vector3(0.0, 4.0, 8.5), rise), PackedInt64Array([hill]), "between")


func test_damage_hits_one_storey() -> void:
	_make_bridge()
	swarm.set_user_ints([road, deck, hill], [10, 10, 10])
	var under := Vector3(6.5, 1.0, 8.5)
	check_eq(swarm.damage_sphere(under, 2.0, 4).size(), 0, "hurt")
	check_eq(swarm.get_user_ints(), PackedInt32Array([6, 10, 10]), "one of them")
	var sky := Vector3(6.5, 30.0, 8.5)
	var pit := Vector3(6.5, -5.0, 8.5)
	var fallen := swarm.damage_ray(sky, pit, 6, 0, EnemySwarm.FALLEN_DESPAWN)
	check_eq(fallen, PackedInt64Array([road]), "it falls")
	check_eq(swarm.get_ids(), PackedInt64Array([hill, deck]), "and is gone")
	check_eq(swarm.get_agent_user_int(deck), 4, "on the way there")


func test_bad_arguments_are_refused() -> void:
	_make_bridge()
	var at := Vector3(6.5, 1.0, 8.5)
	var nowhere := Vector3(1.0, NAN, 2.0)
	for call: Array in [
		["query_sphere", [nowhere, 1.0], "center"],
		["query_sphere", [at, -1.0], "radius"],
		["query_sphere", [at, INF], "radius"],
		["query_ray", [nowhere, at], "from"],
		["query_ray", [at, nowhere], "to"],
		["damage_sphere", [nowhere, 1.0, 1], "center"],
		["damage_sphere", [at, 9.0, -1], "amount"],
		["damage_sphere", [at, 9.0, 1, 4], "column"],
		["damage_sphere", [at, 9.0, 1, 0, 9], "fallen_action"],
		["damage_ray", [at, nowhere, 1], "to"],
		["damage_ray", [at, at, -1], "amount"],
		["damage_ray", [at, at, 1, 0, 3], "fallen_action"],
	]:
		var method: String = call[0]
		var found: PackedInt64Array = expect_error(
			["EnemySwarm." + method, call[2] as String],
			func() -> PackedInt64Array: return swarm.callv(method, call[1] as Array)
		)
		check_eq(found.size(), 0, method)
	var kind := SwarmAgentType.new()
	for height: float in [-1.0, NAN, 2.0e6]:
		expect_error(["SwarmAgentType.body_height"], func() -> void: kind.body_height = height)
	check_eq(kind.body_height, 0.0, "as tall as wide")


func test_without_a_manager_nothing_is_found() -> void:
	_make_bridge()
	swarm.manager = null
	expect_error(
		["EnemySwarm.query_sphere", "manager"],
		func() -> PackedInt64Array: return swarm.query_sphere(Vector3.ZERO, 99.0)
	)
	check_eq(swarm.get_positions_3d().size(), 3, "positions are known all the same")
