extends "res://tests/test_suite.gd"
## What a game ships beside its scenes: saved and baked tiles and a baked character, read from the
## game's own data. `cargo xtask test export` makes them with make_export_files.gd before it
## exports.

const TILES := "res://tests/exported/rooms.tiles"
const BAKED := "res://tests/exported/rooms_baked.tiles"
const LOOK := "res://tests/exported/soldier_look.res"
const GOAL := Vector2i(110, 80)


## The walls of the world that the tiles are saved of.
static func build_rooms(manager: FlowFieldManager) -> void:
	for x: int in [30, 60, 90]:
		manager.set_terrain_rect(Rect2i(x, 0, 1, 90), WALL)
		manager.set_terrain_rect(Rect2i(x, x / 2, 1, 3), 1)


static func order(manager: FlowFieldManager) -> int:
	var at := PackedVector2Array([manager.get_cell_center(GOAL)])
	var goal := manager.create_goal(at, FlowFieldManager.GOAL_MODE_TILED)
	manager.request_route(goal, manager.get_cell_center(Vector2i(3, 3)))
	while manager.get_tile_stats()["tiles_waiting"] > 0:
		manager.update()
	return goal


func test_saved_tiles_load_from_the_game() -> void:
	var manager := new_manager(Vector2i(120, 90))
	build_rooms(manager)
	check_eq(manager.load_tiles(TILES), OK, "loaded")
	check(manager.get_tile_stats()["cached_tiles"] > 3, "%s" % manager.get_tile_stats())
	var goal := order(manager)
	check_eq(manager.get_tile_stats()["misses"], 0, "nothing is built")
	var path := manager.get_path_from(goal, manager.get_cell_center(Vector2i(3, 3)))
	check(not path.is_empty() and path[-1] == manager.get_cell_center(GOAL), "the tiles lead there")


func test_baked_tiles_are_read_from_the_game() -> void:
	var manager := new_manager(Vector2i(120, 90))
	build_rooms(manager)
	manager.tile_variant = FlowFieldManager.TILES_PLAIN
	manager.tiles_per_tick = 1
	check_eq(manager.load_tiles(BAKED), OK, "opened")
	order(manager)
	var stats := manager.get_tile_stats()
	check(stats["tiles_loaded"] > 0 and stats["tiles_built"] == 0, "%s" % stats)


func test_a_baked_character_loads_from_the_game_and_is_drawn() -> void:
	var look := load(LOOK) as SwarmLook
	if not check(look != null and look.mesh != null, "the look loads"):
		return
	var material := look.mesh.surface_get_material(0) as ShaderMaterial
	check(material.shader.code.contains("#include"), "with the shader of characters")
	var manager := new_manager()
	var swarm := new_swarm(manager, new_goal(manager, Vector2i(14, 10)))
	var type := SwarmAgentType.new()
	type.look = look
	swarm.agent_types = [type]
	swarm.custom_data_preset = EnemySwarm.CUSTOM_CHARACTER
	var output := MultiMeshInstance3D.new()
	scene.add_child(output)
	swarm.output = output
	for i in 5:
		swarm.spawn(manager.get_cell_center(Vector2i(2 + i, 2)))
	steps(swarm, 2)
	var drawn := 0
	for entry: Dictionary in swarm.get_drawn_counts():
		drawn += entry["count"]
	check_eq(drawn, 5, "characters are drawn")
