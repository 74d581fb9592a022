extends "res://tests/test_suite.gd"
## What the dock does to bake: on a copy, as undoable steps, in files; and what a game loads.

const Baking := preload("res://addons/flow_swarm/editor/bake/baking.gd")
const Kind := preload("res://addons/flow_swarm/editor/bake/kinds/bake_kind.gd")
const FOLDER := "user://dock_bake/"
const CELL := 0.5

var level: Node
var manager: FlowFieldManager
var undo: UndoRedo
var baking: Baking


## A saved level with a manager of some cells.
func _set_up(of_level: Node, size: Vector2i, cell_size: float) -> void:
	DirAccess.make_dir_recursive_absolute(FOLDER)
	level = of_level
	level.name = "Level"
	level.scene_file_path = FOLDER + "level.tscn"
	scene.add_child(level)
	manager = FlowFieldManager.new()
	manager.name = "Manager"
	manager.grid_size = size
	manager.cell_size = cell_size
	manager.worker_threads = 1
	_add(manager)
	undo = UndoRedo.new()
	baking = Baking.new(undo)
	baking.manager = manager


func _add(node: Node, parent: Node = level) -> void:
	parent.add_child(node)
	node.owner = level


func _clean_up() -> void:
	undo.clear_history()
	undo.free()
	for file in DirAccess.get_files_at(FOLDER):
		DirAccess.remove_absolute(FOLDER + file)
	DirAccess.remove_absolute(FOLDER)


func _kind(name: StringName) -> Kind:
	for kind in baking.kinds:
		if kind.name == name:
			return kind
	return null


func _bake(name: StringName) -> void:
	baking.start(_kind(name), level)
	while baking.is_running():
		baking.advance()
	await scene.get_tree().process_frame


func _state(name: StringName) -> Baking.Records.State:
	return Baking.Records.state(manager, level, _kind(name), baking.settings)


func _block(low: Vector3, high: Vector3) -> StaticBody3D:
	var shape := CollisionShape3D.new()
	shape.shape = BoxShape3D.new()
	(shape.shape as BoxShape3D).size = high - low
	var body := StaticBody3D.new()
	body.position = (low + high) / 2.0
	_add(body)
	body.add_child(shape)
	shape.owner = level
	return body


## A floor of 16 x 16 metres, and stairs of blocks to a platform above it.
func _make_storeys() -> void:
	_set_up(Node3D.new(), Vector2i(32, 32), CELL)
	_block(Vector3(0.0, -1.0, 0.0), Vector3(16.0, 0.0, 16.0))
	_block(Vector3(2.0, 2.0, 2.0), Vector3(9.0, 2.4, 14.0))
	for step in 12:
		var x := 14.5 - 0.5 * step
		_block(Vector3(x, 0.0, 4.0), Vector3(x + 0.5, 0.2 * (step + 1), 12.0))


## Everything that a bake of floors gives a manager.
func _ground(of: FlowFieldManager) -> Array:
	var parts := [of.layer_count]
	for layer in of.layer_count:
		# Heights have NaN, which equals nothing.
		parts.append_array([of.get_terrain_bytes(layer), of.get_heights(layer).to_byte_array()])
	for link in of.get_links():
		parts.append([of.get_link_cells(link), of.get_link_travel(link)])
	return parts


func test_storeys_are_given_undone_and_done_again() -> void:
	_make_storeys()
	var before := _ground(manager)
	await _bake(&"storeys")
	check_eq(baking.message, "Storeys: baked.", "the message")
	check_eq(manager.layer_count, 2, "two layers")
	check(manager.get_links().size() > 0, "with links")
	var direct := new_manager(Vector2i(32, 32), CELL)
	direct.bake_terrain_3d(level, null)
	check(_ground(manager) == _ground(direct), "the same as a bake by script")
	var after := _ground(manager)
	var bake := manager.get_child(0) as FlowBake
	check_eq(bake.maps.resource_path, FOLDER + "level_manager_maps.res", "maps are a file")
	check_eq(manager.layer_terrains[0].resource_path, FOLDER + "level_manager_terrain_1.res", "")
	undo.undo()
	await scene.get_tree().process_frame
	check(_ground(manager) == before, "undone")
	check(manager.terrain == null and manager.get_child_count() == 0, "nothing is left")
	undo.redo()
	await scene.get_tree().process_frame
	check(_ground(manager) == after, "done again")
	_clean_up()


func test_a_game_loads_what_was_baked() -> void:
	_make_storeys()
	await _bake(&"storeys")
	var expected := _ground(manager)
	var packed := PackedScene.new()
	packed.pack(level)
	ResourceSaver.save(packed, level.scene_file_path)
	level.free()
	var loaded := ResourceLoader.load(
		FOLDER + "level.tscn", "", ResourceLoader.CACHE_MODE_IGNORE_DEEP
	)
	level = (loaded as PackedScene).instantiate()
	scene.add_child(level)
	manager = level.get_node("Manager") as FlowFieldManager
	check(_ground(manager) == expected, "the ground is that of the bake")
	check_eq(_state(&"storeys"), Baking.Records.State.CURRENT, "and up to date")
	(level.get_child(1) as Node3D).position.y += 0.5
	check_eq(_state(&"storeys"), Baking.Records.State.STALE, "until a body moves")
	_clean_up()


## A second bake changes the resources in place, and its undo restores them.
func test_a_second_bake_changes_what_is_there() -> void:
	_make_storeys()
	await _bake(&"storeys")
	var first := _ground(manager)
	var terrain := manager.terrain
	var maps := (manager.get_child(0) as FlowBake).maps
	_block(Vector3(1.0, 0.0, 1.0), Vector3(2.0, 6.0, 2.0))
	await _bake(&"storeys")
	var second := _ground(manager)
	check(first != second, "another ground")
	check(manager.terrain == terrain and manager.get_child_count() == 1, "the same terrain")
	check((manager.get_child(0) as FlowBake).maps == maps, "and maps")
	var saved := (
		ResourceLoader.load(terrain.resource_path, "", ResourceLoader.CACHE_MODE_IGNORE)
		as FlowTerrain
	)
	check_eq(saved.cells, terrain.cells, "which are saved")
	undo.undo()
	await scene.get_tree().process_frame
	check(_ground(manager) == first, "undone")
	undo.redo()
	await scene.get_tree().process_frame
	check(_ground(manager) == second, "done again")
	undo.undo()
	undo.undo()
	await scene.get_tree().process_frame
	check_eq(manager.layer_count, 1, "both undone")
	check(manager.get_links().is_empty() and manager.get_heights(0).is_empty(), "no maps")
	_clean_up()


## Heights go first, and walls of shapes are laid over them.
func test_heights_and_shapes_go_together() -> void:
	_set_up(Node3D.new(), Vector2i(16, 16), 1.0)
	var shape := HeightMapShape3D.new()
	shape.map_width = 17
	shape.map_depth = 17
	var heights := PackedFloat32Array()
	for z in 17:
		for x in 17:
			heights.append(0.5 * x if x < 8 else 4.0 + 3.0 * (x - 8))
	shape.map_data = heights
	var ground := CollisionShape3D.new()
	ground.shape = shape
	ground.position = Vector3(8.0, 0.0, 8.0)
	var body := StaticBody3D.new()
	_add(body)
	_add(ground, body)
	await _bake(&"heights")
	check_eq(manager.get_height(Vector2(4.0, 8.0)), 2.0, "heights")
	check_eq(manager.terrain.get_terrain(Vector2i(12, 4)), WALL, "steep ground is a wall")
	check_eq(manager.terrain.get_terrain(Vector2i(2, 4)), 5, "a slope costs more")
	_block(Vector3(2.0, 0.0, 2.0), Vector3(4.0, 5.0, 4.0))
	baking.settings.keeps_terrain = true
	await _bake(&"shapes")
	check_eq(manager.terrain.get_terrain(Vector2i(3, 3)), WALL, "a box is a wall")
	check_eq(manager.terrain.get_terrain(Vector2i(2, 6)), 5, "the slope stays")
	check_eq(manager.get_height(Vector2(4.0, 8.0)), 2.0, "and its height")
	check_eq(_state(&"heights"), Baking.Records.State.CURRENT, "heights are still baked")
	baking.settings.keeps_terrain = false
	await _bake(&"shapes")
	check_eq(manager.terrain.get_terrain(Vector2i(2, 6)), 1, "all other cells are clear")
	check_eq(_state(&"heights"), Baking.Records.State.NOT_BAKED, "so heights are gone")
	_clean_up()


func test_tiles_are_saved_for_the_goals_and_spawners_of_a_scene() -> void:
	_set_up(Node2D.new(), Vector2i(120, 90), 16.0)
	manager.terrain = FlowTerrain.new()
	manager.terrain.size = manager.grid_size
	manager.terrain.fill_region(Rect2i(60, 0, 1, 80), WALL)
	var goal := FlowGoal2D.new()
	goal.mode = FlowFieldManager.GOAL_MODE_TILED
	goal.position = Vector2(1800.0, 100.0)
	_add(goal)
	var swarm := EnemySwarm.new()
	swarm.manager = manager
	_add(swarm)
	var spawner := SwarmSpawner2D.new()
	spawner.autostart = false
	spawner.position = Vector2(100.0, 100.0)
	_add(spawner)
	await _bake(&"tiles")
	var bake := manager.get_child(0) as FlowBake
	check_eq(bake.tiles, FOLDER + "level_manager_tiles.tiles", "the file")
	check_eq(_state(&"tiles"), Baking.Records.State.CURRENT, "up to date")
	var game := new_manager(manager.grid_size)
	game.terrain = manager.terrain
	var other := FlowBake.new()
	other.tiles = bake.tiles
	game.add_child(other)
	check(game.get_tile_stats()["cached_tiles"] > 10, "a game has them")
	var id := game.create_goal([goal.position], FlowFieldManager.GOAL_MODE_TILED)
	check(game.request_route(id, spawner.position), "a route")
	while game.get_tile_stats()["tiles_waiting"] > 0:
		game.update()
	check_eq(game.get_tile_stats()["misses"], 0, "and builds none")
	manager.terrain.set_terrain(Vector2i(3, 3), WALL)
	check_eq(_state(&"tiles"), Baking.Records.State.STALE, "painting makes them stale")
	manager.terrain.set_terrain(Vector2i(3, 3), 1)
	goal.position.x -= 320.0
	check_eq(_state(&"tiles"), Baking.Records.State.STALE, "so does another goal")
	_clean_up()


func test_plain_tiles_are_those_of_all_sectors() -> void:
	_set_up(Node2D.new(), Vector2i(120, 90), 16.0)
	manager.tile_variant = FlowFieldManager.TILES_PLAIN
	manager.worker_threads = 2
	manager.terrain = FlowTerrain.new()
	manager.terrain.size = manager.grid_size
	manager.terrain.fill_region(Rect2i(60, 0, 1, 80), WALL)
	baking.start(_kind(&"tiles"), level)
	check(baking.is_running() and baking.progress() < 1.0, "it runs")
	baking.cancel()
	check(not baking.is_running() and not undo.has_undo(), "cancelled without a trace")
	await _bake(&"tiles")
	var bake := manager.get_child(0) as FlowBake
	check_eq(bake.tiles, FOLDER + "level_manager_tiles.tiles", "the file")
	check(not FileAccess.file_exists(bake.tiles + ".unfinished"), "nothing is left beside it")
	var kind := _kind(&"tiles")
	check(not FileAccess.file_exists(kind.get_script().BAKED), "nor where it was made")
	var game := new_manager(manager.grid_size)
	game.tile_variant = manager.tile_variant
	game.terrain = manager.terrain
	var other := FlowBake.new()
	other.tiles = bake.tiles
	game.add_child(other)
	var at := Vector2(1800.0, 100.0)
	var id := game.create_goal([at], FlowFieldManager.GOAL_MODE_TILED)
	check(game.request_route(id, Vector2(100.0, 100.0)), "a route")
	game.update()
	var stats := game.get_tile_stats()
	check(stats["tiles_loaded"] > 0, "a game has them: %s" % stats)
	check(stats["tiles_built"] <= 1, "only the goal's own is built: %s" % stats)
	_clean_up()


func test_a_bake_can_be_cancelled() -> void:
	_make_storeys()
	manager.worker_threads = 2
	var before := _ground(manager)
	baking.start(_kind(&"storeys"), level)
	check(baking.is_running() and baking.progress() < 1.0, "it runs")
	baking.start(_kind(&"shapes"), level)
	check_eq(baking.message, "A bake is running.", "one at a time")
	baking.cancel()
	check(not baking.is_running(), "it has ended")
	await physics_frames(3)
	check(_ground(manager) == before and manager.get_child_count(true) == 0, "without a trace")
	check(not undo.has_undo(), "and without a step")
	_clean_up()


## What cannot be baked is said, and nothing changes.
func test_refusals() -> void:
	_set_up(Node2D.new(), Vector2i(16, 12), 16.0)
	var tiles := TileMapLayer.new()
	tiles.tile_set = TileSet.new()
	await _bake(&"tile_layers")
	check(baking.message.contains("no TileMapLayer"), baking.message)
	_add(tiles)
	level.scene_file_path = ""
	await _bake(&"tile_layers")
	check(baking.message.contains("Save the scene first"), baking.message)
	level.scene_file_path = FOLDER + "level.tscn"
	manager.owner = null
	await _bake(&"tile_layers")
	check(baking.message.contains("not saved with the scene"), baking.message)
	manager.owner = level
	manager.terrain = FlowTerrain.new()
	manager.terrain.size = Vector2i(4, 4)
	baking.start(_kind(&"tile_layers"), level)
	check(baking.message.contains("(4, 4)"), baking.message)
	manager.terrain = null
	baking.settings.layer = 3
	await _bake(&"tile_layers")
	check(baking.message.contains("no layer 3"), baking.message)
	check(not undo.has_undo() and manager.terrain == null, "nothing is baked")
	baking.settings.layer = 0
	await _bake(&"tile_layers")
	check(undo.has_undo() and manager.terrain != null, "until all is well")
	_clean_up()


## Errors of the calls are shown, and nothing changes.
func test_errors_are_told() -> void:
	_set_up(Node2D.new(), Vector2i(16, 12), 16.0)
	_add(TileMapLayer.new())
	expect_error(["has no tile set"], func() -> void: baking.start(_kind(&"tile_layers"), level))
	check(baking.message.contains("has no tile set"), baking.message)
	check(not undo.has_undo() and manager.terrain == null, "nothing is baked")
	await physics_frames(1)
	check_eq(manager.get_child_count(true), 0, "and the copy is gone")
	_clean_up()


func test_maps_that_do_not_fit_are_refused() -> void:
	manager = new_manager(Vector2i(4, 4))
	var bake := FlowBake.new()
	bake.maps = FlowBakedMaps.new()
	bake.maps.heights = [PackedFloat32Array([1.0, 2.0])]
	expect_error(["FlowBake", "(4, 4)"], manager.add_child.bind(bake))
	check(bake.get_setup_warnings()[0].contains("(4, 4)"), "a warning too")
	bake.maps.heights = [PackedFloat32Array(), PackedFloat32Array()]
	expect_error(["FlowBake", "2 layers", "has 1"], bake.apply)
	bake.maps.heights = []
	bake.maps.link_starts = [Vector2(1, 1)]
	expect_error(["FlowBake", "1 starts", "0 ends"], bake.apply)
	bake.maps.link_ends = [Vector2(3, 3)]
	await scene.get_tree().process_frame
	check_eq(manager.get_links().size(), 1, "mended")
	var stray := FlowBake.new()
	expect_error(["FlowBake", "parent"], scene.add_child.bind(stray))
	bake.maps = null
	await scene.get_tree().process_frame
	check(manager.get_links().is_empty(), "without maps there are no links")


## Stamps and links that are drawn lie over what is baked, before and after.
func test_what_is_drawn_stays_over_what_is_baked() -> void:
	_make_storeys()
	var layout := FlowLayout.new()
	layout.name = "Layout"
	var placed := FlowPlacedStamp.new()
	placed.stamp = FlowStamp.new()
	placed.stamp.fill(77)
	placed.cell = Vector2i(1, 1)
	layout.stamps = [placed]
	var link := FlowPlacedLink.new()
	link.to = Vector2i(3, 0)
	layout.links = [link]
	_add(layout, manager)
	var cells := PackedVector2Array([Vector2(0, 0), Vector2(3, 0)])
	await _bake(&"storeys")
	check(not 77 in manager.terrain.cells, "stamps are not baked")
	check_eq(manager.get_terrain_at(Vector2i(1, 1)), 77, "and lie over the terrain")
	var bake: FlowBake = manager.find_children("*", "FlowBake", false, false)[0]
	check(not Vector2(3, 0) in bake.maps.link_ends, "links that are drawn are not baked")
	var links := manager.get_links()
	check_eq(links.size(), bake.maps.link_starts.size() + 1, "and are there")
	undo.undo()
	await scene.get_tree().process_frame
	check_eq(manager.get_links().size(), 1, "also when the bake is undone")
	check_eq(manager.get_link_cells(manager.get_links()[0]), cells, "the same")
	manager.remove_stamps(manager.get_stamps())
	check(not 77 in manager.get_terrain_bytes(), "and the terrain has no stamp in it")
	_clean_up()
