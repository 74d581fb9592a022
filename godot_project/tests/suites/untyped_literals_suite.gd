extends "res://tests/test_suite.gd"
## Through a reference of no known type, as `$EnemySwarm` is one, literals arrive untyped:
## properties and methods take them as the engine's own do.


func _untyped(object: Object) -> Variant:
	return object


func test_properties_take_untyped_arrays() -> void:
	var manager: Variant = _untyped(new_manager())
	var swarm: Variant = _untyped(new_swarm(manager as FlowFieldManager))
	var type := SwarmAgentType.new()
	swarm.agent_types = [type, null]
	check_eq((swarm as EnemySwarm).agent_types, [type, null] as Array[SwarmAgentType], "agents")
	var movement := FlowMovementType.new()
	manager.movement_types = [movement]
	var movements := (manager as FlowFieldManager).movement_types
	check_eq(movements, [movement] as Array[FlowMovementType], "movement")
	var terrain := FlowTerrain.new()
	manager.layer_terrains = [null, terrain]
	var terrains := (manager as FlowFieldManager).layer_terrains
	check_eq(terrains, [null, terrain] as Array[FlowTerrain], "terrains")
	check(movements.is_typed() and terrains.is_typed(), "what is read is typed")


func test_a_typed_array_stays_the_one_that_was_given() -> void:
	var manager := new_manager()
	var types: Array[FlowMovementType] = [FlowMovementType.new()]
	manager.movement_types = types
	types.append(FlowMovementType.new())
	check_eq(manager.movement_types.size(), 2, "an entry that is added later counts")


## That it compiles shows that scripts know the types of the entries.
func test_what_is_read_has_a_type_at_compile_time() -> void:
	var manager := new_manager()
	manager.movement_types = [FlowMovementType.new()]
	manager.layer_terrains = [FlowTerrain.new()]
	var swarm := new_swarm(manager)
	swarm.agent_types = [SwarmAgentType.new()]
	var source := FlowSourceGeometry.new()
	source.grid_map_terrain = {3: 4}
	var movement := manager.movement_types[0]
	var terrain := manager.layer_terrains[0]
	var type := swarm.agent_types[0]
	var id := source.grid_map_terrain[3]
	check_eq(movement.wall_penalty, 0, "movement type")
	check_eq(terrain.size, Vector2i(64, 64), "terrain")
	check_eq(type.movement_type, 0, "agent type")
	check_eq(id, 4, "id")


func test_an_untyped_dictionary_is_taken() -> void:
	var source: Variant = _untyped(FlowSourceGeometry.new())
	source.grid_map_terrain = {3: 4}
	var ids := (source as FlowSourceGeometry).grid_map_terrain
	check_eq(ids, {3: 4} as Dictionary[int, int], "ids")
	var words: Array[String] = ["FlowSourceGeometry.grid_map_terrain", "x"]
	expect_error(words, func() -> void: source.grid_map_terrain = {"x": 4})
	check_eq((source as FlowSourceGeometry).grid_map_terrain, ids, "unchanged")


func test_methods_take_untyped_arrays() -> void:
	var manager: Variant = _untyped(new_manager(Vector2i(8, 8)))
	var stamps: PackedInt64Array = manager.place_stamps([FlowStamp.new()], [Vector2(1, 1)])
	check_eq(stamps.size(), 1, "stamps")
	var layer := TileMapLayer.new()
	layer.tile_set = TileSet.new()
	scene.add_child(layer)
	check_eq(manager.load_tile_map_layers([layer]), OK, "layers")
	check(manager.create_goal([Vector2(20, 20)]) > 0, "targets")


func test_wrong_entries_are_named_and_change_nothing() -> void:
	var manager: Variant = _untyped(new_manager())
	var swarm: Variant = _untyped(new_swarm(manager as FlowFieldManager))
	var type := SwarmAgentType.new()
	swarm.agent_types = [type]
	var words: Array[String] = ["EnemySwarm.agent_types", "[1]", "SwarmAgentType", "7"]
	expect_error(words, func() -> void: swarm.agent_types = [type, 7])
	check_eq((swarm as EnemySwarm).agent_types.size(), 1, "unchanged")
	words = ["FlowFieldManager.movement_types", "[0]", "FlowMovementType"]
	expect_error(words, func() -> void: manager.movement_types = [type])
	check_eq((manager as FlowFieldManager).movement_types.size(), 0, "unchanged")
	words = ["FlowFieldManager.load_tile_map_layers", "layers[0]", "TileMapLayer"]
	expect_error(words, func() -> void: manager.load_tile_map_layers([type]))


func test_a_scene_with_literals_runs() -> void:
	var source := "extends Node\nfunc _ready():\n"
	source += "\t$Swarm.agent_types = [SwarmAgentType.new()]\n"
	source += "\t$Manager.movement_types = [FlowMovementType.new()]\n"
	var script := GDScript.new()
	script.source_code = source
	check_eq(script.reload(), OK, "compiles")
	var root := Node.new()
	for child: Node in [FlowFieldManager.new(), EnemySwarm.new()]:
		child.name = "Swarm" if child is EnemySwarm else "Manager"
		root.add_child(child)
	root.set_script(script)
	scene.add_child(root)
	check_eq((root.get_node("Swarm") as EnemySwarm).agent_types.size(), 1, "types")
