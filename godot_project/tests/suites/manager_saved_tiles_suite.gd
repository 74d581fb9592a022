extends "res://tests/test_suite.gd"
## FlowFieldManager: tiles in files. Flow tiles, section 7 and 10: saved tiles in the engine.

const TILED := FlowFieldManager.GOAL_MODE_TILED
const PATH := "user://flow_swarm_tiles.bin"


func _rooms() -> FlowFieldManager:
	var manager := new_manager(Vector2i(120, 90))
	for x: int in [30, 60, 90]:
		manager.set_terrain_rect(Rect2i(x, 0, 1, 90), WALL)
		manager.set_terrain_rect(Rect2i(x, x / 2, 1, 3), 1)
	return manager


func _order(manager: FlowFieldManager) -> int:
	var at := manager.get_cell_center(Vector2i(110, 80))
	var goal := manager.create_goal(PackedVector2Array([at]), TILED)
	check(manager.request_route(goal, manager.get_cell_center(Vector2i(3, 3))), "a route")
	while manager.get_tile_stats()["tiles_waiting"] > 0:
		manager.update()
	return goal


func _remove() -> void:
	DirAccess.remove_absolute(PATH)


func test_tiles_come_back_from_a_file_as_they_were() -> void:
	var manager := _rooms()
	var goal := _order(manager)
	check_eq(manager.save_tiles(PATH), OK, "saved")
	var other := _rooms()
	check_eq(other.load_tiles(PATH), OK, "loaded")
	var count: int = manager.get_tile_stats()["cached_tiles"]
	check(count > 0, "there are tiles")
	check_eq(other.get_tile_stats()["cached_tiles"], count, "all of them")
	var again := _order(other)
	check_eq(other.get_tile_stats()["misses"], 0, "nothing is built")
	check_eq(other.get_directions(again), manager.get_directions(goal), "the same directions")
	_remove()


func test_what_does_not_fit_is_refused_by_name() -> void:
	var manager := _rooms()
	_order(manager)
	check_eq(manager.save_tiles(PATH), OK, "saved")
	var other := _rooms()
	var words: Array[String] = ["FlowFieldManager.load_tiles", "terrain"]
	other.set_terrain(Vector2i(5, 5), 9)
	var load := func() -> int: return other.load_tiles(PATH)
	check_eq(expect_error(words, load), ERR_INVALID_DATA, "another terrain")
	other.set_terrain(Vector2i(5, 5), 1)
	other.sector_size = 8
	words = ["FlowFieldManager.load_tiles", "sector size"]
	check_eq(expect_error(words, load), ERR_INVALID_DATA, "another sector size")
	other.sector_size = 16
	var bytes := FileAccess.get_file_as_bytes(PATH)
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_buffer(bytes.slice(0, bytes.size() / 2))
	file.close()
	words = ["FlowFieldManager.load_tiles", "cut short"]
	check_eq(expect_error(words, load), ERR_INVALID_DATA, "half a file")
	check_eq(other.get_tile_stats()["cached_tiles"], 0, "nothing was taken over")
	_remove()


func test_files_that_cannot_be_opened_are_named() -> void:
	var manager := _rooms()
	var words: Array[String] = ["FlowFieldManager.load_tiles", "user://nowhere.bin"]
	var load := func() -> int: return manager.load_tiles("user://nowhere.bin")
	check_eq(expect_error(words, load), ERR_FILE_NOT_FOUND, "no such file")
	words = ["FlowFieldManager.save_tiles", "user://no/folder/tiles.bin"]
	var save := func() -> int: return manager.save_tiles("user://no/folder/tiles.bin")
	check(expect_error(words, save) != OK, "no such folder")


func test_a_file_that_cannot_be_written_whole_leaves_the_old_one() -> void:
	var manager := _rooms()
	_order(manager)
	check_eq(manager.save_tiles(PATH), OK, "saved")
	check(not FileAccess.file_exists(PATH + ".unfinished"), "nothing is left beside it")
	var before := FileAccess.get_file_as_bytes(PATH)
	var words: Array[String] = ["FlowFieldManager.save_tiles", PATH]
	var save := func() -> int: return manager.save_tiles(PATH)
	if OS.get_name() == "Linux":
		# A device that is always full.
		var user := DirAccess.open("user://")
		var unfinished := ProjectSettings.globalize_path(PATH + ".unfinished")
		check_eq(user.create_link("/dev/full", unfinished), OK, "link")
		check(expect_error(words, save) != OK, "a full disk")
		check_eq(FileAccess.get_file_as_bytes(PATH), before, "the old file")
		check(not user.is_link(unfinished), "nothing is left beside it")
	DirAccess.make_dir_absolute(PATH + ".unfinished")
	check(expect_error(words, save) != OK, "a folder of that name")
	check_eq(FileAccess.get_file_as_bytes(PATH), before, "the old file")
	DirAccess.remove_absolute(PATH + ".unfinished")
	check_eq(manager.save_tiles(PATH), OK, "saved again")
	_remove()
