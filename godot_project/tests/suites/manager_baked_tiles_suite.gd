extends "res://tests/test_suite.gd"
## FlowFieldManager: the PLAIN tiles of all sectors in a file, read sector by sector. Flow tiles,
## sections 7 and 16.

const TILED := FlowFieldManager.GOAL_MODE_TILED
const PATH := "user://flow_swarm_baked.tiles"


func _rooms() -> FlowFieldManager:
	var manager := new_manager(Vector2i(120, 90))
	manager.tile_variant = FlowFieldManager.TILES_PLAIN
	manager.sector_size = 10
	for x: int in [30, 60, 90]:
		manager.set_terrain_rect(Rect2i(x, 0, 1, 90), WALL)
		manager.set_terrain_rect(Rect2i(x, x / 2, 1, 3), 1)
	return manager


func _goal(manager: FlowFieldManager) -> int:
	var at := manager.get_cell_center(Vector2i(110, 80))
	return manager.create_goal(PackedVector2Array([at]), TILED)


## Where a crowd is after some time, and the statistics of tiles then.
func _walk(manager: FlowFieldManager) -> Array:
	var swarm := new_swarm(manager, _goal(manager))
	for i in 10:
		swarm.spawn(manager.get_cell_center(Vector2i(3 + i, 3)))
	for i in 200:
		manager.update()
		swarm.step(1.0 / 60.0)
	return [swarm.get_positions(), manager.get_tile_stats()]


func _remove() -> void:
	DirAccess.remove_absolute(PATH)


func test_baked_tiles_lead_as_built_ones_and_cost_nothing() -> void:
	var manager := _rooms()
	check_eq(manager.bake_tiles(PATH), OK, "baked")
	check(not FileAccess.file_exists(PATH + ".unfinished"), "nothing is left beside it")
	var built := _walk(manager)
	var other := _rooms()
	check_eq(other.load_tiles(PATH), OK, "loaded")
	var loaded := _walk(other)
	check_eq(loaded[0], built[0], "the same places")
	check_eq(built[1]["tiles_loaded"], 0, "no file was loaded")
	check(loaded[1]["tiles_loaded"] > 5, "%s" % loaded[1])
	check(loaded[1]["tiles_built"] < built[1]["tiles_built"] / 2, "%s, %s" % [loaded[1], built[1]])
	_remove()


func test_loaded_tiles_do_not_count_towards_the_limit() -> void:
	var manager := _rooms()
	check_eq(manager.bake_tiles(PATH), OK, "baked")
	var other := _rooms()
	other.tiles_per_tick = 1
	check_eq(other.load_tiles(PATH), OK, "loaded")
	var goal := _goal(other)
	for place: Vector2i in [Vector2i(3, 3), Vector2i(5, 80), Vector2i(40, 40), Vector2i(70, 9)]:
		check(other.request_route(goal, other.get_cell_center(place)), "a route")
	other.update()
	var stats := other.get_tile_stats()
	check_eq(stats["tiles_waiting"], 0, "%s" % stats)
	check_eq(stats["tiles_built"], 0, "%s" % stats)
	check(stats["tiles_loaded"] >= 4, "%s" % stats)
	_remove()


func test_saved_tiles_do_not_count_either() -> void:
	for variant: int in [FlowFieldManager.TILES_SEAMLESS, FlowFieldManager.TILES_PLAIN]:
		var manager := _rooms()
		manager.tile_variant = variant
		var order := func(of: FlowFieldManager) -> int:
			var goal := _goal(of)
			of.request_route(goal, of.get_cell_center(Vector2i(3, 3)))
			var updates := 0
			while of.get_tile_stats()["tiles_waiting"] > 0:
				of.update()
				updates += 1
			return updates
		order.call(manager)
		check_eq(manager.save_tiles(PATH), OK, "saved")
		var other := _rooms()
		other.tile_variant = variant
		other.tiles_per_tick = 1
		check_eq(other.load_tiles(PATH), OK, "loaded")
		check_eq(order.call(other), 1, "one update")
		check_eq(other.get_tile_stats()["tiles_built"], 0, "%s" % other.get_tile_stats())
	_remove()


func test_a_bake_runs_in_the_background() -> void:
	var manager := _rooms()
	manager.worker_threads = 2
	check_eq(manager.bake_tiles(PATH), OK, "baked at once")
	var expected := FileAccess.get_file_as_bytes(PATH)
	_remove()
	var results: Array[int] = []
	var told: Array[float] = []
	manager.bake_progress.connect(func(progress: float) -> void: told.append(progress))
	manager.bake_finished.connect(func(result: int) -> void: results.append(result))
	check_eq(manager.bake_tiles_async(PATH), OK, "started")
	# The tiles are those of the ground at the call.
	manager.set_terrain(Vector2i(5, 5), WALL)
	var words: Array[String] = ["FlowFieldManager.bake_tiles_async", "running", "cancel_bake"]
	check_eq(expect_error(words, manager.bake_tiles_async.bind(PATH)), ERR_BUSY, "one at a time")
	for frame in 600:
		manager.update()
		if not results.is_empty():
			break
		check(not FileAccess.file_exists(PATH), "not written yet")
		await physics_frames(1)
	check_eq(results, [OK] as Array[int], "finished once")
	check_eq(manager.get_bake_progress(), 1.0, "done")
	check(FileAccess.get_file_as_bytes(PATH) == expected, "the same bytes")
	for progress in told:
		check(progress > 0.0 and progress <= 1.0, "share: %f" % progress)
	_remove()
	check_eq(manager.bake_tiles_async(PATH), OK, "again")
	manager.cancel_bake()
	for frame in 3:
		manager.update()
		await physics_frames(1)
	check_eq(results.size(), 1, "cancelled")
	check(not FileAccess.file_exists(PATH), "no file")
	# All but the file's name is done within the call.
	manager.worker_threads = 1
	check_eq(manager.bake_tiles_async(PATH), OK, "and again")
	check(FileAccess.file_exists(PATH + ".unfinished"), "written")
	manager.cancel_bake()
	check(not FileAccess.file_exists(PATH + ".unfinished"), "removed")
	manager.update()
	check_eq(results.size(), 1, "cancelled again")
	check(not FileAccess.file_exists(PATH), "no file of that bake")


## Of a bake as long as some hundred steps, no step waits for the end.
func test_a_crowd_walks_on_during_a_bake() -> void:
	var manager := new_manager(Vector2i(640, 640))
	manager.worker_threads = 2
	manager.tile_variant = FlowFieldManager.TILES_PLAIN
	for x: int in range(5, 640, 10):
		manager.set_terrain_rect(Rect2i(x, x % 7, 1, 600), WALL)
	var swarm := new_swarm(manager, 0)
	var starts := PackedVector2Array()
	# So many that a step is shared among threads.
	for i in 3000:
		starts.append(manager.get_cell_center(Vector2i(i % 4, i / 4 % 600)))
	swarm.spawn_many(starts)
	swarm.step(1.0 / 60.0)
	check_eq(manager.bake_tiles_async(PATH), OK, "started")
	var steps := 0
	while manager.get_bake_progress() < 1.0:
		swarm.step(1.0 / 60.0)
		steps += 1
	check(steps > 10, "%d steps" % steps)
	manager.cancel_bake()


func test_a_bake_in_the_background_reports_its_errors() -> void:
	var manager := _rooms()
	# All is baked within the call.
	manager.worker_threads = 1
	var results: Array[int] = []
	manager.bake_finished.connect(func(result: int) -> void: results.append(result))
	check_eq(manager.bake_tiles_async("user://no/folder/all.tiles"), OK, "started")
	var words: Array[String] = ["FlowFieldManager.bake_tiles_async", "user://no/folder/all.tiles"]
	expect_error(words, manager.update)
	check(results.size() == 1 and results[0] != OK, "%s" % [results])
	manager.add_link(Vector2i(3, 3), Vector2i(20, 20))
	words = ["FlowFieldManager.bake_tiles_async", "links"]
	var bake := manager.bake_tiles_async.bind(PATH)
	check_eq(expect_error(words, bake), ERR_UNAVAILABLE, "a link")


func test_bad_files_are_refused_by_name() -> void:
	var manager := _rooms()
	check_eq(manager.bake_tiles(PATH), OK, "baked")
	var load := func() -> int: return manager.load_tiles(PATH)
	manager.set_terrain(Vector2i(5, 5), 9)
	var words: Array[String] = ["FlowFieldManager.load_tiles", "baked tiles", "terrain"]
	check_eq(expect_error(words, load), ERR_INVALID_DATA, "another terrain")
	manager.set_terrain(Vector2i(5, 5), 1)
	var bytes := FileAccess.get_file_as_bytes(PATH)
	for length: int in [0, 8, 60, 200, bytes.size() - 1]:
		var file := FileAccess.open(PATH, FileAccess.WRITE)
		file.store_buffer(bytes.slice(0, length))
		file.close()
		words = ["FlowFieldManager.load_tiles", "tiles"]
		check_eq(expect_error(words, load), ERR_INVALID_DATA, "%d bytes" % length)
	words = ["FlowFieldManager.bake_tiles", "user://no/folder/all.tiles"]
	var bake := func() -> int: return manager.bake_tiles("user://no/folder/all.tiles")
	check(expect_error(words, bake) != OK, "no such folder")
	manager.add_link(Vector2i(3, 3), Vector2i(20, 20))
	words = ["FlowFieldManager.bake_tiles", "links"]
	bake = func() -> int: return manager.bake_tiles(PATH)
	check_eq(expect_error(words, bake), ERR_UNAVAILABLE, "a link")
	_remove()


func test_a_file_that_goes_is_reported_and_its_tiles_are_built() -> void:
	var manager := _rooms()
	check_eq(manager.bake_tiles(PATH), OK, "baked")
	check_eq(manager.load_tiles(PATH), OK, "loaded")
	_remove()
	var goal := _goal(manager)
	check(manager.request_route(goal, manager.get_cell_center(Vector2i(3, 3))), "a route")
	var words: Array[String] = ["FlowFieldManager.update", "baked tiles", "cannot be read"]
	expect_error(words, manager.update)
	check_eq(manager.get_tile_stats()["tiles_loaded"], 0, "nothing is loaded")
	check(manager.get_tile_stats()["tiles_built"] > 0, "it is built")
