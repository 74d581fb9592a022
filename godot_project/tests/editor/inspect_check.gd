@tool
extends "editor_hand.gd"
## Edits costs, terrain sets, stamps and levels of detail in the inspector as a user does.

const SCENE := "res://inspect_check.tscn"
const STAMP := "res://inspected_stamp.tres"
const COST := "The cost of a cell"
const SPEED := "The factor of agents' speed"
const DISTANCE := "The distance from which"


## What is checked, in this order.
func tests() -> Array[Callable]:
	return [
		_table_of_kinds,
		_table_by_type,
		_table_adds_kinds,
		_table_of_costs,
		_table_of_levels,
		_grid_of_stamp,
		_grid_read_only,
		_grid_beside_painter,
	]


func _manager() -> FlowFieldManager:
	return EditorInterface.get_edited_scene_root().get_node("Manager") as FlowFieldManager


func _terrain_set() -> FlowTerrainSet:
	return _manager().terrain_set


func _cart() -> FlowMovementType:
	return _manager().movement_types[0]


func _open() -> void:
	var level := Node2D.new()
	level.name = "Level"
	var manager := FlowFieldManager.new()
	manager.name = "Manager"
	manager.terrain_set = FlowTerrainSet.create_basic()
	var cart := FlowMovementType.new()
	cart.resource_name = "cart"
	manager.movement_types = [cart]
	level.add_child(manager)
	manager.owner = level
	var packed := PackedScene.new()
	packed.pack(level)
	ResourceSaver.save(packed, SCENE)
	level.free()
	EditorInterface.open_scene_from_path(SCENE)
	await _frames(10)
	EditorInterface.set_main_screen_editor("2D")
	await _select(_manager())


## The tables and grids that the inspector shows.
func _inspector() -> Control:
	return EditorInterface.get_inspector()


## All controls of a class that are shown and whose tip begins with a text.
func _with_tip(type: StringName, tip: String) -> Array[Control]:
	var found: Array[Control] = []
	for node: Node in _inspector().find_children("*", type, true, false):
		var control := node as Control
		if control.is_visible_in_tree() and control.tooltip_text.begins_with(tip):
			found.append(control)
	return found


func _edit(resource: Resource) -> void:
	EditorInterface.edit_resource(resource)
	await _frames(8)


## Opens the group of the inspector in which a button is.
func _unfold(title: String) -> void:
	for section: Node in _inspector().find_children("*", "EditorInspectorSection", true, false):
		for button: Node in section.find_children("*", "Button", true, false):
			if (button as Button).text == title and not (button as Button).is_visible_in_tree():
				var place := (section as Control).get_screen_transform() * Vector2(40.0, 10.0)
				await _mouse(place)
				await _mouse(place, MOUSE_BUTTON_LEFT, true)
				await _mouse(place, MOUSE_BUTTON_LEFT, false)
				await _frames(5)
				return


## Clicks into a number, replaces it and presses Enter.
func _enter(edit: Control, text: String) -> void:
	EditorInterface.get_inspector().ensure_control_visible(edit)
	await _frames(3)
	await _click(edit)
	await _key(KEY_A, true)
	for character in text:
		var event := InputEventKey.new()
		event.unicode = character.unicode_at(0)
		event.keycode = character.to_upper().unicode_at(0) as Key
		event.pressed = true
		await _send(event)
	await _key(KEY_ENTER)
	await _frames(4)


## Ctrl+Z as it reaches the editor from the view.
func _undo() -> void:
	await _mouse(_control(&"CanvasItemEditorViewport").get_global_rect().get_center())
	_control(&"CanvasItemEditorViewport").grab_focus()
	await _key(KEY_Z, true)
	await _frames(4)


func _table_of_kinds() -> void:
	await _open()
	await _edit(_terrain_set())
	var costs := _with_tip(&"LineEdit", COST)
	_check.call(costs.size() == 5, "a row for each kind: %d" % costs.size())
	if costs.size() != 5:
		await _picture("30_kinds")
		return
	await _enter(costs[2], "12")
	_check.call(
		_terrain_set().kinds[2].cost == 12, "the swamp costs %d" % _terrain_set().kinds[2].cost
	)
	await _enter(_with_tip(&"LineEdit", SPEED)[2], "0.25")
	_check.call(
		_terrain_set().kinds[2].speed == 0.25, "and slows to %f" % _terrain_set().kinds[2].speed
	)
	await _enter(costs[1], "999")
	_check.call(_terrain_set().kinds[1].cost == 255, "numbers stay in their range")
	await _enter(costs[1], "abc")
	_check.call(_terrain_set().kinds[1].cost == 255, "and what is no number changes nothing")
	await _picture("30_kinds")
	await _undo()
	_check.call(
		_terrain_set().kinds[1].cost == 1, "undone by a key: %d" % _terrain_set().kinds[1].cost
	)
	_check.call((costs[1] as LineEdit).text == "1", "also in the table")
	await _undo()
	_check.call(
		_terrain_set().kinds[2].speed == 0.4 or _terrain_set().kinds[2].speed < 0.41, "one by one"
	)


func _table_by_type() -> void:
	var types := _with_tip(&"OptionButton", "Whose costs")
	_check.call(types.size() == 1, "the types of the scene can be chosen")
	if types.is_empty():
		return
	types[0].grab_focus()
	await _key(KEY_ENTER)
	await _frames(5)
	await _key(KEY_DOWN)
	await _key(KEY_ENTER)
	await _frames(5)
	_check.call((types[0] as OptionButton).text == "cart", "the cart is chosen")
	await _enter(_with_tip(&"LineEdit", COST)[3], "3")
	_check.call(_terrain_set().kinds[3].costs == {&"cart": 3}, "%s" % _terrain_set().kinds[3].costs)
	_check.call(_terrain_set().kinds[3].cost == 255, "for others it stays")
	await _picture("31_kinds_by_type")


func _table_adds_kinds() -> void:
	await _click(_control(&"Button", "Add kind", _inspector()))
	await _frames(5)
	_check.call(
		_terrain_set().kinds.size() == 6 and _terrain_set().kinds[5].id == 5,
		"a kind with a free id"
	)
	var remove := _with_tip(&"Button", "Remove the kind")
	_check.call(remove.size() == 6, "and a row")
	# Changes of a property within a second are one step, as everywhere in the inspector.
	await _tree.create_timer(1.0).timeout
	await _click(remove[5])
	await _frames(5)
	_check.call(_terrain_set().kinds.size() == 5, "removed")
	await _undo()
	_check.call(_terrain_set().kinds.size() == 6, "undone")
	await _undo()
	_check.call(_terrain_set().kinds.size() == 5, "both")


func _table_of_costs() -> void:
	await _edit(_cart())
	var costs := _with_tip(&"LineEdit", COST)
	_check.call(costs.size() == 5, "rows for the kinds of the set: %d" % costs.size())
	if costs.size() != 5:
		await _picture("32_costs")
		return
	_check.call((costs[3] as LineEdit).text == "3", "what the set says of this type")
	await _enter(costs[2], "9")
	_check.call(_terrain_set().kinds[2].costs == {&"cart": 9}, "the set keeps it")
	_check.call(_cart().cost_table.is_empty(), "the type has no table of its own for that")
	await _enter(_with_tip(&"LineEdit", "A terrain id to give")[0], "40")
	await _click(_control(&"Button", "Add terrain id", _inspector()))
	await _frames(5)
	costs = _with_tip(&"LineEdit", COST)
	_check.call(costs.size() == 6, "a row for another id")
	if costs.size() != 6:
		return
	await _enter(costs[4], "77")
	_check.call(_cart().get_cost(40) == 77, "which the type keeps: %d" % _cart().get_cost(40))
	_check.call(_cart().get_cost(41) == 41, "other ids cost what they did")
	await _enter(_with_tip(&"LineEdit", SPEED)[4], "0.5")
	_check.call(_cart().speed_factors == {40: 0.5}, "%s" % _cart().speed_factors)
	await _picture("32_costs")
	await _undo()
	await _undo()
	_check.call(_cart().speed_factors.is_empty(), "speeds are undone")
	_check.call(_cart().cost_table.is_empty(), "and costs")


func _table_of_levels() -> void:
	var type := SwarmAgentType.new()
	type.look = SwarmLook.new()
	await _edit(type.look)
	await _unfold("Add level")
	for i in 2:
		await _click(_control(&"Button", "Add level", _inspector()))
		await _frames(5)
	_check.call(type.look.lod_meshes.size() == 2, "two levels")
	_check.call(type.look.lod_distances == PackedFloat32Array([20, 40]), "each farther")
	await _enter(_with_tip(&"LineEdit", DISTANCE)[0], "60")
	_check.call(type.look.lod_distances == PackedFloat32Array([40, 40]), "they ascend")
	await _enter(_with_tip(&"LineEdit", DISTANCE)[0], "15.5")
	_check.call(type.look.lod_distances == PackedFloat32Array([15.5, 40]), "entered")
	await _picture("33_levels")
	await _tree.create_timer(1.0).timeout
	await _click(_with_tip(&"Button", "Remove the level")[0])
	await _frames(5)
	_check.call(type.look.lod_meshes.size() == 1, "a level is removed")
	_check.call(type.look.lod_distances == PackedFloat32Array([40]), "with its distance")
	await _undo()
	_check.call(type.look.lod_meshes.size() == 2, "as one step")
	_check.call(type.look.lod_distances.size() == 2, "that is undone")


## The grid of the stamp in the inspector.
func _canvas() -> Control:
	var found := _with_tip(&"Control", "Paint with the left button")
	return found[0] if not found.is_empty() else null


## Where a cell of a stamp of 4 cells in a row is.
func _in_grid(cell: Vector2) -> Vector2:
	var edge := minf(_canvas().size.x / 4.0, 24.0)
	return _canvas().get_screen_transform() * (edge * (cell + Vector2(0.5, 0.5)))


func _grid_of_stamp() -> void:
	var stamp := FlowStamp.new()
	stamp.size = Vector2i(4, 3)
	stamp.fill(1)
	ResourceSaver.save(stamp, STAMP)
	stamp = load(STAMP) as FlowStamp
	await _edit(stamp)
	_check.call(_canvas() != null, "a grid")
	if _canvas() == null:
		await _picture("34_stamp")
		return
	await _drag([_in_grid(Vector2(0, 0)), _in_grid(Vector2(1, 0)), _in_grid(Vector2(2, 0))])
	await _frames(4)
	var walls: PackedByteArray = [255, 255, 255, 1, 1, 1, 1, 1, 1, 1, 1, 1]
	_check.call(stamp.cells == walls, "a stroke of walls: %s" % stamp.cells)
	await _drag([_in_grid(Vector2(3, 2))], MOUSE_BUTTON_RIGHT)
	await _frames(4)
	_check.call(stamp.get_terrain(Vector2i(3, 2)) == 0, "the right button leaves the terrain")
	await _enter(_with_tip(&"LineEdit", "The terrain id that is painted")[0], "3")
	await _drag([_in_grid(Vector2(0, 2)), _in_grid(Vector2(1, 2))])
	await _frames(4)
	_check.call(stamp.get_terrain(Vector2i(1, 2)) == 3, "swamp")
	await _picture("34_stamp")
	await _undo()
	_check.call(stamp.get_terrain(Vector2i(1, 2)) == 1, "undone by a key")
	await _undo()
	await _undo()
	_check.call(stamp.cells.count(1) == 12, "stroke by stroke")


func _grid_read_only() -> void:
	var stamp := load(STAMP) as FlowStamp
	FileAccess.set_unix_permissions(STAMP, FileAccess.UNIX_READ_OWNER)
	await _edit(_terrain_set())
	await _edit(stamp)
	await _drag([_in_grid(Vector2(0, 0)), _in_grid(Vector2(1, 0))])
	await _frames(4)
	_check.call(stamp.cells.count(1) == 12, "a stamp of a read-only file is not painted")
	var says := _inspector().find_children("*", "Label", true, false).any(
		func(node: Node) -> bool:
			return (node as Label).is_visible_in_tree() and "is read-only" in (node as Label).text
	)
	_check.call(says, "and the inspector says why")
	await _picture("35_read_only")
	FileAccess.set_unix_permissions(STAMP, FileAccess.UNIX_READ_OWNER | FileAccess.UNIX_WRITE_OWNER)


## A stamp is made, painted in the inspector and placed, one after the other.
func _grid_beside_painter() -> void:
	await _select(_manager())
	if _control(&"Button", "Fill") == null:
		await _click(_control(&"Button", "Paint terrain"))
	await _frames(5)
	var view := _control(&"CanvasItemEditorViewport")
	await _mouse(view.get_global_rect().get_center())
	await _key(KEY_S)
	await _click(_control(&"Button", "New stamp"))
	await _frames(8)
	_check.call(_control(&"Button", "Fill") != null, "the painter stays while a stamp is edited")
	if _canvas() == null or _control(&"Button", "Fill") == null:
		await _picture("36_new_stamp")
		return
	# Two cells in a row, each as wide as it can be.
	var middle := _canvas().get_screen_transform() * Vector2(12.0, 12.0)
	await _drag([middle], MOUSE_BUTTON_RIGHT)
	await _frames(4)
	var world := _manager().get_cell_center(Vector2i(9, 9))
	var on_view := EditorInterface.get_editor_viewport_2d().global_canvas_transform * world
	var place := view.get_global_rect().position + on_view
	await _mouse(place)
	await _mouse(place, MOUSE_BUTTON_LEFT, true)
	await _mouse(place, MOUSE_BUTTON_LEFT, false)
	await _picture("36_new_stamp")
	_check.call(_manager().get_stamps().size() == 1, "placed")
	_check.call(_manager().get_terrain_at(Vector2i(9, 9)) == 1, "with its hole")
	_check.call(_manager().get_terrain_at(Vector2i(10, 9)) == 255, "and walls")
	await _key(KEY_D)
