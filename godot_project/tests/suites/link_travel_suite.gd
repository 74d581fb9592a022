extends "res://tests/test_suite.gd"
## Links that take time: agents walk up stairs and climb ladders, and are drawn on the way.

const SIZE := Vector2i(30, 9)
## The column where the ground ends; the floor above begins in the next one.
const BRINK := 14
const SPEED := 1.4
const RISE := 0.5

var manager: FlowFieldManager
var swarm: EnemySwarm
var output: MultiMeshInstance3D
var goal: int


## The ground in the west and a floor above it in the east, joined along three rows.
func _make_floors(columns: int, travel: int, seconds := 1.0, arc := 0.0) -> PackedInt64Array:
	manager = new_manager(SIZE, 1.0)
	manager.layer_count = 2
	manager.set_terrain_rect(Rect2i(BRINK + 1, 0, SIZE.x - BRINK - 1, SIZE.y), WALL)
	var corner := manager.cell_on_layer(Vector2i.ZERO, 1)
	manager.set_terrain_rect(Rect2i(corner, Vector2i(BRINK + 1, SIZE.y)), WALL)
	goal = manager.create_goal(PackedVector2Array([_at(SIZE.x - 2, 4, 1)]))
	var from := PackedVector2Array()
	var to := PackedVector2Array()
	for y in range(3, 6):
		from.append(Vector2(BRINK, y))
		to.append(Vector2(manager.cell_on_layer(Vector2i(BRINK + columns, y), 1)))
	return manager.add_links(from, to, 1.0, true, travel, seconds, arc)


func _make_swarm(start: Vector2) -> int:
	output = MultiMeshInstance3D.new()
	scene.add_child(output)
	var kind := SwarmAgentType.new()
	kind.radius = 0.3
	kind.max_speed = SPEED
	kind.acceleration = 10.0
	swarm = EnemySwarm.new()
	swarm.auto_step = false
	swarm.agent_types = [kind]
	swarm.layer_height = RISE
	swarm.height = 2.0
	scene.add_child(swarm)
	swarm.manager = manager
	swarm.output = output
	swarm.set_group_goal(0, goal)
	return swarm.spawn(start)


func _at(x: int, y: int, layer := 0) -> Vector2:
	return manager.on_layer(manager.get_cell_center(Vector2i(x, y)), layer)


## The origin of the only instance.
func _drawn() -> Vector3:
	var buffer := output.multimesh.buffer
	return Vector3(buffer[3], buffer[7], buffer[11])


func test_links_know_how_they_are_travelled() -> void:
	manager = new_manager(SIZE, 1.0)
	var at_once := manager.add_link(Vector2i(1, 1), Vector2i(5, 1))
	check_eq(manager.get_link_travel(at_once), FlowFieldManager.LINK_AT_ONCE, "by default")
	check_eq(manager.get_link_seconds(at_once), 0.0, "no time")
	var walk := manager.add_link(
		Vector2i(1, 2), Vector2i(5, 2), 1.0, true, FlowFieldManager.LINK_WALK
	)
	check_eq(manager.get_link_travel(walk), FlowFieldManager.LINK_WALK, "walked")
	var timed := manager.add_link(
		Vector2i(1, 3), Vector2i(5, 3), 1.0, true, FlowFieldManager.LINK_TIMED, 2.5, 0.75
	)
	check_eq(manager.get_link_travel(timed), FlowFieldManager.LINK_TIMED, "timed")
	check_eq(manager.get_link_seconds(timed), 2.5, "its time")
	check_eq(manager.get_link_arc(timed), 0.75, "its arc")
	check_eq(manager.get_link_arc(walk), 0.0, "no arc")
	var from := PackedVector2Array([Vector2(1, 1)])
	var to := PackedVector2Array([Vector2(5, 5)])
	for call: Callable in [
		manager.add_link.bind(Vector2i(1, 1), Vector2i(5, 1), 1.0, true, 3),
		manager.add_links.bind(from, to, 1.0, true, 3),
	]:
		expect_error(["add_link", "travel must be LINK_AT_ONCE (0)", "not 3"], call)
	expect_error(
		["add_link", "seconds", "0.001"],
		manager.add_link.bind(Vector2i(1, 1), Vector2i(5, 1), 1.0, true, 2, 0.0)
	)
	expect_error(
		["add_links", "arc", "-1"], manager.add_links.bind(from, to, 1.0, true, 2, 1.0, -1.0)
	)
	check_eq(manager.get_links().size(), 3, "nothing is added after an error")
	check_eq(expect_error(["get_link_travel", "99"], manager.get_link_travel.bind(99)), -1, "id")
	expect_error(["get_link_seconds", "99"], manager.get_link_seconds.bind(99))
	expect_error(["get_link_arc", "99"], manager.get_link_arc.bind(99))


func test_an_agent_walks_up_stairs_without_a_hop() -> void:
	_make_floors(1, FlowFieldManager.LINK_WALK)
	var id := _make_swarm(_at(BRINK - 3, 4))
	var node := Node3D.new()
	scene.add_child(node)
	swarm.attach_node(id, node)
	steps(swarm, 40)
	var before := _drawn()
	var longest := 0.0
	var shortest := 1.0
	for i in 240:
		steps(swarm, 1)
		var moved := _drawn() - before
		before = _drawn()
		longest = maxf(longest, moved.length())
		shortest = minf(shortest, Vector2(moved.x, moved.z).length())
		check_near(node.global_position.y, before.y, 1e-4, "the node is as high")
	check(longest < 0.05, "%.4f m in a frame" % longest)
	check(shortest > 0.9 * SPEED / 60.0, "%.4f m in a frame" % shortest)
	check_near(before.y, 2.0 + RISE, 1e-4, "on the upper floor")


func test_a_ladder_takes_its_time() -> void:
	var links := _make_floors(3, FlowFieldManager.LINK_TIMED, 1.0, 2.0)
	var id := _make_swarm(_at(BRINK, 4))
	swarm.state_colors = [Color.WHITE, Color.WHITE, Color.WHITE, Color.WHITE, Color.RED]
	steps(swarm, 1)
	check_eq(swarm.get_agent_status(id), EnemySwarm.AGENT_TRAVELLING, "on the way")
	check_eq(swarm.get_agent_state(id), EnemySwarm.AGENT_TRAVELLING, "a state too")
	check_eq(swarm.get_travelling_agents(), PackedInt64Array([id]), "listed")
	check_eq(swarm.get_stats()["travelling"], 1, "counted")
	steps(swarm, 29)
	check_near(_drawn().y, 2.0 + RISE / 2.0 + 2.0, 0.01, "the middle of line and arc")
	check_near(_drawn().x, BRINK + 2.0, 0.6, "half way")
	var bounds := output.multimesh.custom_aabb
	check(bounds.has_point(_drawn() + Vector3(0.0, 0.2, 0.0)), "in the bounds %s" % bounds)
	var color := output.multimesh.buffer.slice(12, 16)
	check_eq(color, PackedFloat32Array([1.0, 0.0, 0.0, 1.0]), "the colour of the state")
	expect_error(["set_agent_state", "8"], swarm.set_state.bind(PackedInt64Array([id]), 8))
	steps(swarm, 31)
	check_eq(swarm.get_travelling_agents().size(), 0, "landed")
	check_near(_drawn().y, 2.0 + RISE, 1e-4, "up")
	check_eq(manager.get_link_cells(links[0]).size(), 2, "the link is still there")


func test_travels_are_cancelled() -> void:
	var links := _make_floors(3, FlowFieldManager.LINK_TIMED, 1.0, 2.0)
	var start := _at(BRINK, 4)
	var id := _make_swarm(start)
	var ids := PackedInt64Array([id])
	steps(swarm, 30)
	check_eq(swarm.cancel_travel(ids), 1, "called back")
	check_eq(swarm.get_agent_position(id), start, "where it took the link")
	check_eq(swarm.cancel_travel(ids), 0, "it is not on a link")
	expect_error(["cancel_travel", "77"], swarm.cancel_travel.bind(PackedInt64Array([77])))
	steps(swarm, 20)
	check_eq(swarm.get_agent_status(id), EnemySwarm.AGENT_TRAVELLING, "it takes it again")
	for link in links:
		manager.remove_link(link)
	steps(swarm, 1)
	check_near_vector(swarm.get_agent_position(id), start, 0.1, "the link is gone")
	check_near(_drawn().y, 2.0, 1e-4, "drawn on the ground at once")


func test_an_agent_on_a_link_that_follows_a_node_leaves_the_link() -> void:
	_make_floors(3, FlowFieldManager.LINK_TIMED, 5.0, 0.0)
	var id := _make_swarm(_at(BRINK, 4))
	steps(swarm, 30)
	var node := Node3D.new()
	scene.add_child(node)
	node.global_position = Vector3(BRINK - 1.5, 2.0, 4.5)
	check_eq(swarm.attach_node(id, node, EnemySwarm.ATTACH_AGENT_FOLLOWS_NODE), OK, "led")
	steps(swarm, 5)
	check_near_vector(swarm.get_agent_position(id), Vector2(BRINK - 1.5, 4.5), 0.1, "at its node")
	swarm.detach_node(id)
	check_eq(swarm.get_agent_state(id), EnemySwarm.AGENT_FOLLOWING, "and follows again")
