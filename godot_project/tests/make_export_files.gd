extends SceneTree
## Makes the files that exported_files_suite.gd reads from a game, in the project that is exported.

const Suite := preload("res://tests/suites/exported_files_suite.gd")
const MODEL := "res://examples/hills_3d/soldier.glb"


func _initialize() -> void:
	DirAccess.make_dir_recursive_absolute(Suite.TILES.get_base_dir())
	var manager := FlowFieldManager.new()
	manager.grid_size = Vector2i(120, 90)
	manager.cell_size = 16.0
	Suite.build_rooms(manager)
	Suite.order(manager)
	var is_made := manager.save_tiles(Suite.TILES) == OK
	is_made = manager.bake_tiles(Suite.BAKED) == OK and is_made
	manager.free()
	is_made = SwarmCharacterBaker.bake_file(MODEL, Suite.LOOK) == OK and is_made
	print("files: %s" % ("made" if is_made else "failed"))
	quit(0 if is_made else 1)
