@tool
extends "editor_hand.gd"
## Places stamps and draws links in the editor as a user does, in 2D and 3D.

const SCENE := "res://layout_check.tscn"
const SCENE_3D := "res://layout_check_3d.tscn"
const HUT := "res://hut.tres"
const SIZE := Vector2i(40, 30)
const CELL := 16.0


## What is checked, in this order.
func tests() -> Array[Callable]:
	return [
		_stamp_preview,
		_stamp_turned,
		_stamp_refused,
		_stamp_removed,
		_stamp_other_node,
		_link_drawn,
		_link_between_layers,
		_link_refused,
		_link_removed,
		_layout_saved,
		_layout_of_instance,
		_layout_in_3d,
	]


func _root() -> Node:
	return EditorInterface.get_edited_scene_root()


func _manager() -> FlowFieldManager:
	return _root().get_node("Manager") as FlowFieldManager


func _layout() -> FlowLayout:
	return _manager().get_node_or_null("Layout") as FlowLayout


func _stamps() -> Array[FlowPlacedStamp]:
	return _layout().stamps if _layout() != null else ([] as Array[FlowPlacedStamp])


func _links() -> Array[FlowPlacedLink]:
	return _layout().links if _layout() != null else ([] as Array[FlowPlacedLink])


## A manager of two layers, and a hut of walls with a door in a file of the project.
func _open(level: Node, path: String) -> void:
	var hut := FlowStamp.new()
	hut.size = Vector2i(3, 2)
	hut.cells = [255, 255, 255, 255, 7, 255]
	ResourceSaver.save(hut, HUT)
	EditorInterface.get_resource_filesystem().update_file(HUT)
	level.name = "Level"
	var manager := FlowFieldManager.new()
	manager.name = "Manager"
	manager.grid_size = SIZE
	manager.layer_count = 2
	if level is Node3D:
		manager.cell_size = 0.25
		manager.origin = Vector2(-5.0, -3.75)
	level.add_child(manager)
	manager.owner = level
	var other := Node.new()
	other.name = "Other"
	level.add_child(other)
	other.owner = level
	var packed := PackedScene.new()
	packed.pack(level)
	ResourceSaver.save(packed, path)
	level.free()
	EditorInterface.open_scene_from_path(path)
	await _frames(10)
	EditorInterface.set_main_screen_editor("3D" if _root() is Node3D else "2D")
	await _select(_manager())
	if _control(&"Button", "Fill") == null:
		await _click(_control(&"Button", "Paint terrain"))
	await _frames(5)


## Where the middle of a cell is in the window.
func _place(cell: Vector2i) -> Vector2:
	var view := _control(&"CanvasItemEditorViewport")
	var world := _manager().get_cell_center(cell)
	var on_view := EditorInterface.get_editor_viewport_2d().global_canvas_transform * world
	return view.get_global_rect().position + on_view


func _click_at(place: Vector2, button := MOUSE_BUTTON_LEFT) -> void:
	await _mouse(place)
	await _mouse(place, button, true)
	await _mouse(place, button, false)


## Whether a label of the painter's panel has a text.
func _says(text: String) -> bool:
	var panel := _control(&"Button", "Fill").get_parent().get_parent()
	for found: Node in panel.find_children("*", "Label", true, false):
		if (found as Label).is_visible_in_tree() and (found as Label).text.contains(text):
			return true
	return false


func _choose_stamp(title: String) -> void:
	var panel := _control(&"Button", "Fill").get_parent().get_parent()
	var list := _control(&"ItemList", "", panel) as ItemList
	for i in list.item_count:
		if list.get_item_text(i) == title:
			await _click_at(list.get_global_rect().position + list.get_item_rect(i).get_center())
			return
	_check.call(false, "%s is in the list" % title)


func _stamp_preview() -> void:
	await _open(Node2D.new(), SCENE)
	await _mouse(_place(Vector2i(10, 8)))
	await _key(KEY_S)
	await _choose_stamp("Hut (3×2)")
	await _mouse(_place(Vector2i(10, 8)))
	await _picture("20_stamp_preview")
	_check.call(_stamps().is_empty() and _layout() == null, "a preview changes nothing")
	_check.call(_manager().get_stamps().is_empty(), "nor the manager")
	await _click_at(_place(Vector2i(10, 8)))
	_check.call(_stamps().size() == 1, "a click places it")
	_check.call(
		_manager().get_terrain_at(Vector2i(10, 8)) == 255, "with its middle under the mouse"
	)
	_check.call(_manager().get_terrain_at(Vector2i(10, 9)) == 7, "and its door")
	_check.call(_manager().get_stamps().size() == 1, "in the manager once")
	await _key(KEY_Z, true)
	_check.call(_layout() == null, "undone by a key")
	_check.call(_manager().get_stamps().is_empty(), "also in the manager")
	await _key(KEY_Z, true, true)
	_check.call(_stamps().size() == 1, "and done again")
	_check.call(_manager().get_terrain_at(Vector2i(10, 9)) == 7, "also in the manager")


func _stamp_turned() -> void:
	await _mouse(_place(Vector2i(20, 8)))
	await _key(KEY_X)
	await _picture("21_stamp_turned")
	await _click_at(_place(Vector2i(20, 8)))
	_check.call(_stamps().size() == 2 and _stamps()[1].quarter_turns == 1, "turned by a key")
	# The rectangle is two wide and three high, with the door on the left.
	_check.call(_manager().get_terrain_at(Vector2i(20, 8)) == 7, "the door is turned")
	_check.call(_manager().get_terrain_at(Vector2i(21, 9)) == 255, "and the walls")
	await _key(KEY_Z)
	await _key(KEY_Z)
	await _click_at(_place(Vector2i(30, 8)))
	_check.call(_stamps()[2].quarter_turns == 3, "the other way round by the other key")
	await _key(KEY_X)


func _stamp_refused() -> void:
	var count := _stamps().size()
	await _mouse(_place(Vector2i(0, 12)))
	await _picture("22_stamp_refused")
	await _click_at(_place(Vector2i(0, 12)))
	_check.call(_stamps().size() == count, "a stamp that is partly outside is not placed")
	_check.call(_says("not all inside the grid"), "and the panel says why")
	await _click_at(_place(Vector2i(10, 8)))
	_check.call(_stamps().size() == count, "nor one that is there already")
	_check.call(_says("lies here already"), "and the panel says why")


func _stamp_removed() -> void:
	await _click_at(_place(Vector2i(20, 8)), MOUSE_BUTTON_RIGHT)
	_check.call(_stamps().size() == 2, "the right button removes a stamp")
	_check.call(_manager().get_terrain_at(Vector2i(20, 8)) == 1, "also from the manager")
	await _click_at(_place(Vector2i(25, 20)), MOUSE_BUTTON_RIGHT)
	_check.call(_stamps().size() == 2, "and nothing where there is none")
	await _key(KEY_Z, true)
	_check.call(_stamps().size() == 3, "it is undone")
	await _key(KEY_E)
	await _click_at(_place(Vector2i(20, 8)))
	_check.call(_stamps().size() == 2, "the eraser removes stamps too")
	await _key(KEY_E)


func _stamp_other_node() -> void:
	EditorInterface.get_selection().add_node(_root().get_node("Other"))
	await _click_at(_place(Vector2i(25, 20)))
	_check.call(_stamps().size() == 2, "nothing is placed while other nodes are selected too")
	await _select(_manager())


func _link_drawn() -> void:
	await _key(KEY_K)
	await _mouse(_place(Vector2i(5, 15)))
	await _mouse(_place(Vector2i(5, 15)), MOUSE_BUTTON_LEFT, true)
	await _mouse(_place(Vector2i(12, 18)))
	await _picture("23_link_preview")
	_check.call(_links().is_empty(), "no link before the release")
	await _mouse(_place(Vector2i(12, 18)), MOUSE_BUTTON_LEFT, false)
	_check.call(_links().size() == 1, "a link is drawn")
	var ids := _manager().get_links()
	_check.call(ids.size() == 1, "the manager has it")
	if ids.is_empty():
		return
	var cells := _manager().get_link_cells(ids[0])
	_check.call(cells == PackedVector2Array([Vector2(5, 15), Vector2(12, 18)]), "%s" % cells)
	await _key(KEY_Z, true)
	_check.call(_links().is_empty() and _manager().get_links().is_empty(), "undone by a key")
	await _key(KEY_Z, true, true)
	_check.call(_manager().get_links().size() == 1, "and done again")
	# Escape ends a drag without a link.
	await _mouse(_place(Vector2i(20, 20)), MOUSE_BUTTON_LEFT, true)
	await _mouse(_place(Vector2i(25, 20)))
	await _key(KEY_ESCAPE)
	await _mouse(_place(Vector2i(25, 20)), MOUSE_BUTTON_LEFT, false)
	_check.call(_links().size() == 1, "no link after Escape")


func _link_between_layers() -> void:
	var panel := _control(&"Button", "Fill").get_parent().get_parent()
	var travel := _control(&"OptionButton", "At once", panel) as OptionButton
	travel.grab_focus()
	await _key(KEY_ENTER)
	await _frames(5)
	await _key(KEY_DOWN)
	await _key(KEY_DOWN)
	await _key(KEY_ENTER)
	await _frames(5)
	_check.call(travel.text == "Timed", "timed links are chosen: %s" % travel.text)
	await _mouse(_place(Vector2i(20, 20)))
	await _mouse(_place(Vector2i(20, 20)), MOUSE_BUTTON_LEFT, true)
	await _mouse(_place(Vector2i(26, 20)))
	await _key(KEY_PAGEUP)
	await _mouse(_place(Vector2i(28, 22)))
	await _picture("24_link_between_layers")
	await _mouse(_place(Vector2i(28, 22)), MOUSE_BUTTON_LEFT, false)
	_check.call(_links().size() == 2, "drawn")
	if _links().size() < 2:
		return
	_check.call(_links()[1].from_layer == 0 and _links()[1].to_layer == 1, "to the upper layer")
	var ids := _manager().get_links()
	var end := _manager().get_link_cells(ids[1])[1]
	_check.call(Vector2i(end) == _manager().cell_on_layer(Vector2i(28, 22), 1), "in the manager")
	_check.call(
		_manager().get_link_travel(ids[1]) == FlowFieldManager.LINK_TIMED, "with its settings"
	)
	await _key(KEY_PAGEDOWN)


func _link_refused() -> void:
	await _drag([_place(Vector2i(12, 18)), _place(Vector2i(8, 18)), _place(Vector2i(5, 15))])
	_check.call(_links().size() == 2, "the same link once more")
	_check.call(_says("joined by a link already"), "and the panel says why")
	await _drag([_place(Vector2i(8, 8)), _place(Vector2i(-2, 8))])
	_check.call(_links().size() == 2, "a link out of the grid")
	_check.call(_says("outside the grid"), "and the panel says why")
	await _click_at(_place(Vector2i(8, 8)))
	_check.call(_links().size() == 2, "a link to its own cell")


func _link_removed() -> void:
	await _click_at(_place(Vector2i(24, 21)), MOUSE_BUTTON_RIGHT)
	_check.call(_links().size() == 1, "the right button removes a link")
	_check.call(_manager().get_links().size() == 1, "also from the manager")
	await _key(KEY_Z, true)
	_check.call(_links().size() == 2, "it is undone")


## What is drawn is there when the scene is opened again, and is all that is saved.
func _layout_saved() -> void:
	EditorInterface.save_scene()
	await _frames()
	var scene := ResourceLoader.load(SCENE, "", ResourceLoader.CACHE_MODE_IGNORE) as PackedScene
	_check.call(scene.get_state().get_node_count() == 4, "the layout is the only new node")
	EditorInterface.reload_scene_from_path(SCENE)
	await _frames(10)
	_check.call(_stamps().size() == 2 and _links().size() == 2, "all is loaded again")
	_check.call(_manager().get_terrain_at(Vector2i(10, 9)) == 7, "and given to the manager")
	_check.call(_manager().get_links().size() == 2, "with its links")
	_check.call(_stamps()[0].stamp.resource_path == HUT, "stamps of files stay there")
	await _select(_manager())
	await _key(KEY_K)
	await _mouse(_place(Vector2i(2, 2)))
	await _picture("25_layout_loaded")


## In another scene, the manager is that scene's: what would be drawn here would be lost.
func _layout_of_instance() -> void:
	var outer := Node2D.new()
	outer.name = "Outer"
	var inner := (load(SCENE) as PackedScene).instantiate()
	outer.add_child(inner)
	inner.owner = outer
	var packed := PackedScene.new()
	packed.pack(outer)
	ResourceSaver.save(packed, "res://layout_check_outer.tscn")
	outer.free()
	EditorInterface.open_scene_from_path("res://layout_check_outer.tscn")
	await _frames(10)
	var manager := _root().get_child(0).get_node("Manager") as FlowFieldManager
	await _select(manager)
	await _key(KEY_K)
	var view := _control(&"CanvasItemEditorViewport").get_global_rect().get_center()
	await _drag([view, view + Vector2(40, 0)])
	var layout := manager.get_node("Layout") as FlowLayout
	_check.call(layout.links.size() == 2, "no link is drawn")
	_check.call(_says("is part of"), "and the panel says why")
	await _key(KEY_D)


func _place_3d(cell: Vector2i) -> Vector2:
	var viewport := EditorInterface.get_editor_viewport_3d(0)
	var middle := _manager().get_cell_center(cell)
	var height := _manager().get_height(middle)
	var container := viewport.get_parent() as Control
	var place := Vector3(middle.x, height, middle.y)
	return container.get_global_rect().position + viewport.get_camera_3d().unproject_position(place)


func _layout_in_3d() -> void:
	await _open(Node3D.new(), SCENE_3D)
	var heights: PackedFloat32Array = []
	for y in SIZE.y + 1:
		for x in SIZE.x + 1:
			heights.append(0.8 * exp(-0.02 * Vector2(x - 20, y - 15).length_squared()))
	_manager().set_heights(heights)
	await _mouse(_place_3d(Vector2i(20, 15)))
	await _key(KEY_S)
	await _choose_stamp("Hut (3×2)")
	await _click_at(_place_3d(Vector2i(20, 15)))
	_check.call(_stamps().size() == 1, "a stamp on a hill")
	_check.call(_manager().get_terrain_at(Vector2i(20, 16)) == 7, "in its place")
	await _mouse(_place_3d(Vector2i(26, 20)))
	await _key(KEY_X)
	await _picture("26_stamp_in_3d")
	await _key(KEY_K)
	await _mouse(_place_3d(Vector2i(12, 18)))
	await _mouse(_place_3d(Vector2i(12, 18)), MOUSE_BUTTON_LEFT, true)
	await _mouse(_place_3d(Vector2i(14, 22)))
	await _picture("27_link_in_3d")
	await _mouse(_place_3d(Vector2i(14, 22)), MOUSE_BUTTON_LEFT, false)
	_check.call(_links().size() == 1, "a link in 3D")
	if _links().size() == 1:
		_check.call(_links()[0].to == Vector2i(14, 22), "to %s" % _links()[0].to)
	await _key(KEY_Z, true)
	await _key(KEY_Z, true)
	_check.call(_manager().get_stamps().is_empty(), "undone in 3D")
	await _key(KEY_S)
	await _key(KEY_Z)
	await _key(KEY_D)
