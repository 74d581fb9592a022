@tool
extends "dock_hand.gd"
## Bakes and previews in the dock of the addon as a user does.

const SCENE := "res://dock_check.tscn"
const TERRAIN_FILE := "res://dock_check_manager_terrain.res"
const EXTENSION := "res://addons/flow_swarm/flow_swarm.gdextension"
const WALL := 255
const CELL := 16.0


## What is checked, in this order.
func tests() -> Array[Callable]:
	return [
		_dock_tile_layers,
		_dock_stale,
		_dock_error,
		_dock_shapes,
		_dock_read_only,
		_dock_unsaved,
		_dock_characters,
		_preview_views,
		_preview_mouse,
		_preview_crowd,
		_preview_reload,
	]


func _id(cell: Vector2i) -> int:
	return _manager().terrain.get_terrain(cell) if _manager().terrain != null else -1


## Opens a scene of a manager, a swarm, a goal and a spawner, a tile layer and a box.
func _open() -> void:
	var level := Node2D.new()
	level.name = "Level"
	var manager := FlowFieldManager.new()
	manager.name = "Manager"
	manager.grid_size = Vector2i(24, 16)
	var swarm := EnemySwarm.new()
	swarm.name = "Swarm"
	var goal := FlowGoal2D.new()
	goal.name = "Goal"
	goal.position = CELL * Vector2(21.5, 8.5)
	var spawner := SwarmSpawner2D.new()
	spawner.name = "Spawner"
	spawner.position = CELL * Vector2(2.5, 8.5)
	spawner.rate = 20.0
	var nodes: Array[Node] = [manager, swarm, goal, spawner, _tile_layer(), _box()]
	for node in nodes:
		level.add_child(node)
		node.owner = level
		for child in node.get_children():
			child.owner = level
	swarm.manager = manager
	var packed := PackedScene.new()
	packed.pack(level)
	ResourceSaver.save(packed, SCENE)
	level.free()
	EditorInterface.open_scene_from_path(SCENE)
	await _frames(10)
	EditorInterface.set_main_screen_editor("2D")
	await _frames(5)


## One tile in cell (4, 2), of terrain 7.
func _tile_layer() -> TileMapLayer:
	var source := TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(
		Image.create_empty(16, 16, false, Image.FORMAT_RGBA8)
	)
	source.texture_region_size = Vector2i(16, 16)
	source.create_tile(Vector2i.ZERO)
	var tiles := TileSet.new()
	tiles.tile_size = Vector2i(16, 16)
	tiles.add_source(source, 0)
	tiles.add_custom_data_layer()
	tiles.set_custom_data_layer_name(0, "flow_cost")
	tiles.set_custom_data_layer_type(0, TYPE_INT)
	source.get_tile_data(Vector2i.ZERO, 0).set_custom_data("flow_cost", 7)
	var layer := TileMapLayer.new()
	layer.name = "Tiles"
	layer.tile_set = tiles
	layer.set_cell(Vector2i(4, 2), 0, Vector2i.ZERO)
	return layer


## A box over the cells from (10, 4) to (11, 11).
func _box() -> StaticBody2D:
	var shape := CollisionShape2D.new()
	shape.name = "Shape"
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = CELL * Vector2(2.0, 8.0)
	var body := StaticBody2D.new()
	body.name = "Box"
	body.position = CELL * Vector2(11.0, 8.0)
	body.add_child(shape)
	return body


func _dock_tile_layers() -> void:
	await _open()
	_check.call(_find_named(&"Flow Swarm") != null, "there is a dock")
	await _show_dock()
	await _select(_manager())
	await _picture("10_dock")
	_check.call(
		_state("Tile layers") == "not baked", "nothing is baked: %s" % _state("Tile layers")
	)
	_check.call(_state("Storeys") == "nothing to bake", "there are no bodies in 3D")
	await _press("Tile layers")
	_check.call(_id(Vector2i(4, 2)) == 7 and _id(Vector2i(5, 2)) == 1, "terrain is baked")
	_check.call(_state("Tile layers") == "up to date", "and the dock says so")
	_check.call(_manager().terrain.resource_path == TERRAIN_FILE, "it is a file beside the scene")
	await _key(KEY_Z, true)
	_check.call(_manager().terrain == null, "undone by a key")
	await _await_state("Tile layers", "not baked")
	_check.call(_state("Tile layers") == "not baked", "also in the dock")
	await _key(KEY_Z, true, true)
	_check.call(_id(Vector2i(4, 2)) == 7, "and done again")


func _dock_stale() -> void:
	var terrain := _manager().terrain
	var tiles := _root().get_node("Tiles") as TileMapLayer
	tiles.set_cell(Vector2i(5, 2), 0, Vector2i.ZERO)
	await _await_state("Tile layers", "out of date")
	_check.call(_state("Tile layers") == "out of date", "a tile more: %s" % _state("Tile layers"))
	await _picture("11_stale")
	await _press("Tile layers")
	_check.call(_state("Tile layers") == "up to date", "baked again")
	_check.call(_manager().terrain == terrain and _id(Vector2i(5, 2)) == 7, "in the same terrain")
	var saved := ResourceLoader.load(TERRAIN_FILE, "", ResourceLoader.CACHE_MODE_IGNORE)
	_check.call((saved as FlowTerrain).get_terrain(Vector2i(5, 2)) == 7, "which is saved")


## A layer without a tile set is an error of the scene.
func _dock_error() -> void:
	var before := _manager().terrain.cells
	var broken := TileMapLayer.new()
	_root().add_child(broken)
	print("EXPECT_ERROR_BEGIN")
	await _press("Tile layers")
	print("EXPECT_ERROR_END")
	_check.call(_says("has no tile set"), "the dock says what is wrong")
	_check.call(_manager().terrain.cells == before, "and nothing is baked")
	await _picture("12_error")
	broken.free()


func _dock_shapes() -> void:
	await _press("Collision shapes")
	_check.call(_id(Vector2i(10, 4)) == WALL and _id(Vector2i(11, 11)) == WALL, "walls are baked")
	_check.call(_id(Vector2i(4, 2)) == 1, "in place of the tiles")
	_check.call(_state("Tile layers") == "not baked", "so those are no longer baked")
	var box := _root().get_node("Box") as Node2D
	box.position.x += CELL
	await _await_state("Collision shapes", "out of date")
	_check.call(_state("Collision shapes") == "out of date", "a body has moved")
	box.position.x -= CELL
	await _await_state("Collision shapes", "up to date")
	_check.call(_state("Collision shapes") == "up to date", "and is where it was")


func _dock_read_only() -> void:
	var before := _manager().terrain.cells
	FileAccess.set_unix_permissions(TERRAIN_FILE, FileAccess.UNIX_READ_OWNER)
	await _press("Tile layers")
	_check.call(_says("is read-only"), "the dock says that the file is read-only")
	_check.call(_manager().terrain.cells == before, "and nothing is baked")
	FileAccess.set_unix_permissions(
		TERRAIN_FILE, FileAccess.UNIX_READ_OWNER | FileAccess.UNIX_WRITE_OWNER
	)


func _dock_unsaved() -> void:
	var file := _root().scene_file_path
	_root().scene_file_path = ""
	await _press("Tile layers")
	_check.call(_says("Save the scene first"), "a new scene is saved first")
	_root().scene_file_path = file


## A scene without a skeleton makes no character.
func _dock_characters() -> void:
	await _press("Characters...")
	var dialog := _find_dialog()
	_check.call(dialog != null, "it asks for scenes")
	if dialog == null:
		return
	await _click_file(dialog, SCENE.get_file())
	print("EXPECT_ERROR_BEGIN")
	await _click(dialog.get_ok_button())
	await _frames()
	print("EXPECT_ERROR_END")
	dialog.hide()
	_check.call(_says("has no Skeleton3D"), "the dock says what is wrong")


## Clicks a file in the list of a dialog.
func _click_file(dialog: EditorFileDialog, file: String) -> void:
	for found: Node in dialog.find_children("*", "ItemList", true, false):
		var list := found as ItemList
		for i in list.item_count:
			if list.get_item_text(i) == file:
				var place := list.get_screen_transform() * list.get_item_rect(i).get_center()
				await _mouse(place)
				await _mouse(place, MOUSE_BUTTON_LEFT, true)
				await _mouse(place, MOUSE_BUTTON_LEFT, false)
				return
	_check.call(false, "%s is in the list" % file)


func _find_dialog() -> EditorFileDialog:
	var dock := _find_named(&"Flow Swarm")
	for found: Node in dock.find_children("*", "EditorFileDialog", true, false):
		if (found as EditorFileDialog).visible:
			return found as EditorFileDialog
	return null


func _views() -> Array[Node]:
	return _manager().get_children(true).filter(
		func(node: Node) -> bool: return node is FlowDebugView and not node.is_queued_for_deletion()
	)


func _preview_views() -> void:
	await _choose(1)
	_check.call(_views().size() == 1, "costs are shown")
	if _views().is_empty():
		await _picture("13_views")
		return
	_check.call(_views()[0].get(&"mode") == FlowDebugView.Mode.COST, "of all cells")
	await _picture("13_costs")
	await _choose(4)
	_check.call(_views()[0].get(&"mode") == FlowDebugView.Mode.ISLANDS, "islands")
	_check.call(_views().size() == 1, "in the same view")
	await _choose(5)
	_check.call(_views()[0].get(&"mode") == FlowDebugView.Mode.CLEARANCE, "clearance")
	await _choose(6)
	_check.call(_views()[0].get(&"mode") == FlowDebugView.Mode.SECTORS, "sectors")
	_check.call(_manager().debug_view == FlowFieldManager.DEBUG_OFF, "the property stays")


## Where a point of the scene is in the window.
func _place(point: Vector2) -> Vector2:
	var view := _control(&"CanvasItemEditorViewport")
	var on_view := EditorInterface.get_editor_viewport_2d().global_canvas_transform * point
	return view.get_global_rect().position + on_view


func _preview_mouse() -> void:
	await _select(_manager())
	await _choose(2)
	await _mouse(_place(CELL * Vector2(20.5, 3.5)))
	await _frames()
	var goals := _manager().get_goals()
	_check.call(goals.size() == 1, "a goal under the mouse")
	if goals.is_empty():
		return
	var west := _manager().get_flow_vector(goals[0], CELL * Vector2(15.5, 3.5))
	_check.call(west.x > 0.9, "directions to it: %s" % west)
	await _picture("14_directions")
	await _mouse(_place(CELL * Vector2(13.5, 3.5)))
	await _frames()
	west = _manager().get_flow_vector(goals[0], CELL * Vector2(15.5, 3.5))
	_check.call(west.x < -0.9, "it moves with the mouse: %s" % west)
	_check.call(_manager().get_goals() == goals, "as one goal")
	await _choose(0)
	_check.call(_manager().get_goals().is_empty() and _views().is_empty(), "and goes with the view")


func _preview_crowd() -> void:
	EditorInterface.save_scene()
	await _frames()
	var before := FileAccess.get_file_as_string(SCENE)
	await _press("Step")
	_check.call(_crowd() != null and _crowd().call(&"count") == 1, "an agent with the first step")
	if _crowd() == null:
		return
	var first: PackedVector2Array = _crowd().call(&"get_positions")
	await _press("Step")
	var second: PackedVector2Array = _crowd().call(&"get_positions")
	_check.call(second[0].x > first[0].x, "it walks to the goal")
	await _press("Play")
	await _tree.create_timer(2.0).timeout
	await _picture("15_crowd")
	_check.call(_crowd().call(&"count") > 10, "%d agents" % _crowd().call(&"count"))
	await _press("Play")
	var steps: int = _crowd().get(&"steps")
	await _frames(10)
	_check.call(_crowd().get(&"steps") == steps, "it is held")
	var swarm := _root().get_node("Swarm") as EnemySwarm
	_check.call(swarm.get_agent_count() == 0 and swarm.output == null, "the scene has no agents")
	_check.call(_manager().get_goals().is_empty(), "and no goals")
	EditorInterface.save_scene()
	await _frames()
	_check.call(FileAccess.get_file_as_string(SCENE) == before, "nothing is saved with the scene")
	await _press("Reset")
	await _frames()
	_check.call(_crowd() == null and _views().is_empty(), "nothing is left")


## The library is replaced while a crowd runs.
func _preview_reload() -> void:
	await _press("Play")
	await _frames(10)
	_check.call(GDExtensionManager.reload_extension(EXTENSION) == OK, "reloaded")
	await _frames(10)
	await _press("Reset")
	await _press("Step")
	_check.call(_crowd() != null and _crowd().call(&"count") == 1, "it begins again")
	await _press("Reset")
