extends "res://tests/test_suite.gd"
## What the editor warns about beside a node.


func test_a_manager_with_defaults_has_nothing_to_warn_about() -> void:
	check_eq(new_manager().get_setup_warnings().size(), 0, "warnings")


func test_a_manager_warns_of_a_terrain_of_another_size() -> void:
	var manager := new_manager(Vector2i(4, 4))
	manager.terrain = FlowTerrain.new()
	var warnings := manager.get_setup_warnings()
	check_eq(warnings.size(), 1, "warnings")
	check(warnings[0].contains("(64, 64)") and warnings[0].contains("(4, 4)"), warnings[0])
	manager.terrain.size = Vector2i(4, 4)
	check_eq(manager.get_setup_warnings().size(), 0, "warnings once the sizes agree")


func test_a_manager_warns_of_a_grid_too_far_from_the_origin() -> void:
	var manager := new_manager()
	manager.origin = Vector2(1.0e7, 0)
	var warnings := manager.get_setup_warnings()
	check_eq(warnings.size(), 1, "warnings")
	check(warnings[0].contains("grid"), warnings[0])


func test_a_swarm_warns_while_it_has_no_manager() -> void:
	var swarm := EnemySwarm.new()
	scene.add_child(swarm)
	var warnings := swarm.get_setup_warnings()
	check_eq(warnings.size(), 1, "warnings")
	check(warnings[0].contains("manager"), warnings[0])
	var manager := new_manager()
	swarm.manager = manager
	check_eq(swarm.get_setup_warnings().size(), 0, "warnings with a manager")
	manager.free()
	check_eq(swarm.get_setup_warnings().size(), 1, "warnings once it is freed")


func test_a_swarm_warns_of_agents_that_do_not_fit() -> void:
	var manager := new_manager()
	var swarm := new_swarm(manager)
	var small := SwarmAgentType.new()
	small.radius = 8.0
	var large := SwarmAgentType.new()
	large.radius = 8.5
	large.movement_type = 1
	manager.movement_types = [FlowMovementType.new(), FlowMovementType.new()]
	swarm.agent_types = [small, large]
	var warnings := swarm.get_setup_warnings()
	check_eq(warnings.size(), 1, "warnings")
	for word: String in ["type 1", "8.5", "clearance_radius"]:
		check(warnings[0].contains(word), warnings[0])
	var type := FlowMovementType.new()
	type.clearance_radius = 8.5
	manager.movement_types = [null, type]
	check_eq(swarm.get_setup_warnings().size(), 0, "warnings with room for both")
