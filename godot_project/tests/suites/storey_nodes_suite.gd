extends "res://tests/test_suite.gd"
## Bodies, areas and agents that follow a Node3D are on the layer on which the node stands.

const RISE := 3.0
const BASE := 1.0
const AT := Vector2(10.5, 4.5)

var manager: FlowFieldManager
var swarm: EnemySwarm
var node: Node3D
## An agent on each layer, one above the other.
var ids: PackedInt64Array


func _make_storeys() -> void:
	manager = new_manager(Vector2i(20, 9), 1.0)
	manager.layer_count = 3
	var kind := SwarmAgentType.new()
	kind.radius = 0.3
	swarm = new_swarm(manager)
	swarm.agent_types = [kind]
	swarm.layer_height = RISE
	swarm.height = BASE
	ids = PackedInt64Array()
	for layer in 3:
		ids.append(swarm.spawn(AT, 0, 0, layer))
	node = Node3D.new()
	scene.add_child(node)
	steps(swarm, 1)


func _stand(height: float) -> void:
	node.global_position = Vector3(AT.x, height, AT.y)


func test_areas_and_bodies_are_on_the_layer_of_their_node() -> void:
	_make_storeys()
	var area := swarm.add_circle_area(AT, 1.0)
	var body := swarm.add_body(AT, 1.0, false)
	_stand(BASE)
	check_eq(swarm.attach_area(area, node), OK, "attached")
	check_eq(swarm.attach_body(body, node), OK, "attached")
	var heights: Array[float] = [
		BASE, BASE + 2.5, BASE + RISE - 0.05, BASE + RISE + 0.5, 99.0, -9.0
	]
	var layers: Array[int] = [0, 0, 1, 1, 2, 0]
	for i in heights.size():
		_stand(heights[i])
		steps(swarm, 1)
		var found := PackedInt64Array([ids[layers[i]]])
		check_eq(swarm.get_area_agents(area), found, "area at %s" % heights[i])
		check_eq(swarm.get_body_contacts(body), found, "body at %s" % heights[i])
	swarm.layer_height = 0.0
	_stand(99.0)
	steps(swarm, 1)
	check_eq(swarm.get_area_agents(area), PackedInt64Array([ids[0]]), "without heights")


func test_an_agent_that_follows_a_node_changes_its_layer() -> void:
	_make_storeys()
	_stand(BASE)
	check_eq(swarm.attach_node(ids[1], node, EnemySwarm.ATTACH_AGENT_FOLLOWS_NODE), OK, "led")
	for layer: int in [0, 2, 1]:
		_stand(BASE + layer * RISE + 0.2)
		steps(swarm, 1)
		check_eq(swarm.get_agent_layer(ids[1]), layer, "where its node is")
	swarm.layer_height = 0.0
	_stand(-5.0)
	steps(swarm, 2)
	check_eq(swarm.get_agent_layer(ids[1]), 1, "kept without heights")
