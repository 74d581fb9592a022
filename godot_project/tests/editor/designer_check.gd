@tool
extends "editor_hand.gd"
## What a designer does in an empty project with the packed addon, by mouse and keys alone: a level
## with painted walls, three types of agents, waves and a goal, which runs when play is pressed.
##
## The project has one script besides the addon: an autoload that writes down what happens in the
## game, as far as it can be seen from outside.

const SCENE := "res://level.tscn"
## What the autoload of the game writes: see designer_probe.gd.
const REPORT := "res://report.json"
const CELL := 16.0
const WALL := 255
## How long the game may take, in seconds.
const PATIENCE := 90

## An unpacked engine finds its libraries by this variable; the system's programs must not see it.
var _libraries: Dictionary[String, String] = {}


func _init(check: Callable) -> void:
	super(check)
	const NAME := "LD_LIBRARY_PATH"
	if OS.has_environment(NAME):
		_libraries[NAME] = OS.get_environment(NAME)
		OS.unset_environment(NAME)


## What is checked, in this order.
func tests() -> Array[Callable]:
	return [
		_plugin_enabled,
		_nodes_added,
		_swarm_set_up,
		_waves_set_up,
		_nodes_moved,
		_walls_painted,
		_scene_saved,
		_game_played,
	]


func _root() -> Node:
	return EditorInterface.get_edited_scene_root()


func _node(type: String) -> Node:
	var found := _root().find_children("*", type, true, false)
	return found[0] if not found.is_empty() else null


## All controls of a class that are shown below a node, of a text if it is not empty.
func _controls(type: StringName, text := "", from: Node = _tree.root) -> Array[Control]:
	var found: Array[Control] = []
	for node: Node in from.find_children("*", type, true, false):
		var control := node as Control
		if control.is_visible_in_tree() and (text.is_empty() or control.get(&"text") == text):
			found.append(control)
	return found


func _click_at(place: Vector2, is_double := false) -> void:
	await _mouse(place)
	for pressed: bool in [true, false]:
		var event := InputEventMouseButton.new()
		event.button_index = MOUSE_BUTTON_LEFT
		event.pressed = pressed
		event.double_click = is_double and pressed
		event.button_mask = MOUSE_BUTTON_MASK_LEFT if pressed else 0 as MouseButtonMask
		event.position = place
		event.global_position = place
		await _send(event)


## Types a text into what has the keyboard.
func _type(text: String) -> void:
	for character in text:
		var event := InputEventKey.new()
		event.unicode = character.unicode_at(0)
		event.keycode = character.to_upper().unicode_at(0) as Key
		event.pressed = true
		await _send(event)


## Clicks a control of the inspector, which scrolls there.
func _click_in_inspector(control: Control) -> void:
	EditorInterface.get_inspector().ensure_control_visible(control)
	await _frames(3)
	await _click(control)
	await _frames(3)


## Clicks a column of the row of a tree that has a text in any column. Returns whether there is one.
func _click_row(tree: Tree, text: String, column := 0) -> bool:
	var item := _find_row(tree.get_root(), text)
	if item == null:
		return false
	tree.scroll_to_item(item)
	await _frames(3)
	var rect := tree.get_item_area_rect(item, column)
	var place := rect.get_center() - tree.get_scroll()
	if tree.column_titles_visible:
		# The rectangle leaves the titles out of account, which are about as high as a row.
		place.y += rect.size.y
	await _click_at(tree.get_screen_transform() * place)
	return true


func _find_row(item: TreeItem, text: String) -> TreeItem:
	for column in item.get_tree().columns:
		if item.get_text(column) == text:
			return item
	for child in item.get_children():
		var found := _find_row(child, text)
		if found != null:
			return found
	return null


## Goes to an entry of the menu that is open by keys, and presses Enter.
func _choose_entry(text: String) -> void:
	var seen := PackedStringArray()
	for node: Node in _tree.root.find_children("*", "PopupMenu", true, false):
		var menu := node as PopupMenu
		if not menu.visible:
			continue
		for i in menu.item_count:
			await _key(KEY_DOWN)
			var focused := menu.get_focused_item()
			seen.append(menu.get_item_text(focused) if focused >= 0 else "")
			if focused >= 0 and menu.get_item_text(focused) == text:
				await _key(KEY_ENTER)
				await _frames(5)
				return
	_check.call(false, "%s is in a menu: %s" % [text, seen])


## The dialog that is open, or null.
func _dialog() -> AcceptDialog:
	for node: Node in _tree.root.find_children("*", "AcceptDialog", true, false):
		if (node as Window).visible:
			return node as AcceptDialog
	return null


func _scene_tree() -> Tree:
	var dock := _tree.root.find_children("*", "SceneTreeDock", true, false)[0]
	return _controls(&"Tree", "", dock)[0] as Tree


## Selects a node. A click on one that is selected would rename it.
func _select_row(name: String) -> void:
	var row := _find_row(_scene_tree().get_root(), name)
	if row != null and row.is_selected(0):
		return
	_check.call(await _click_row(_scene_tree(), name), "%s is in the scene dock" % name)
	await _frames(6)


## The editor of a property in the inspector, or in a part of it. Opens the group that it is in.
func _property(name: StringName, from: Node = EditorInterface.get_inspector()) -> EditorProperty:
	for node: Node in from.find_children("*", "EditorProperty", true, false):
		var property := node as EditorProperty
		if property.get_edited_property() != name:
			continue
		if not property.is_visible_in_tree():
			await _unfold(property)
		return property
	_check.call(false, "%s is in the inspector" % name)
	return null


## Clicks the title of the group of a property.
func _unfold(property: EditorProperty) -> void:
	var node := property.get_parent()
	while node != null and not node.is_class("EditorInspectorSection"):
		node = node.get_parent()
	if node == null:
		return
	var section := node as Control
	EditorInterface.get_inspector().ensure_control_visible(section)
	await _frames(3)
	await _click_at(section.get_screen_transform() * Vector2(60.0, 10.0))
	await _frames(5)


## Enters a number into a property.
func _enter(name: StringName, text: String, from: Node = EditorInterface.get_inspector()) -> void:
	var property := await _property(name, from)
	if property == null:
		return
	var slider := _controls(&"EditorSpinSlider", "", property)
	_check.call(not slider.is_empty(), "%s is a number" % name)
	if slider.is_empty():
		return
	EditorInterface.get_inspector().ensure_control_visible(slider[0])
	await _frames(3)
	# Left of the arrows.
	var place := slider[0].get_screen_transform() * Vector2(20.0, 0.5 * slider[0].size.y)
	await _click_at(place)
	await _frames(3)
	await _key(KEY_A, true)
	await _type(text)
	await _key(KEY_ENTER)
	await _frames(4)


## The editor of an array, with its elements. The inspector makes it anew after many changes.
func _array(name: StringName) -> EditorProperty:
	var array := await _property(name)
	if array != null and _controls(&"Button", "Add Element", array).is_empty():
		await _click_in_inspector(_controls(&"Button", "", array)[0])
		await _frames(5)
		array = await _property(name)
	return array


## Gives an array of resources some new ones.
func _fill_array(name: StringName, type: String, count: int) -> void:
	for i in count:
		var add := _controls(&"Button", "Add Element", await _array(name))
		_check.call(not add.is_empty(), "%s can have elements" % name)
		if add.is_empty():
			return
		await _click_in_inspector(add[0])
		await _frames(8)
	for i in count:
		var element := await _property("indices/%d" % i, await _array(name))
		var empty := _controls(&"Button", "<empty>", element)
		_check.call(not empty.is_empty(), "element %d of %s is empty" % [i, name])
		if empty.is_empty():
			return
		await _click_in_inspector(empty[0])
		await _frames(4)
		await _choose_entry(type)
		await _frames(10)


## The editor of the properties of an element of an array.
func _open_element(name: StringName, index: int) -> Node:
	var element := await _property("indices/%d" % index, await _array(name))
	if element.find_children("*", "EditorInspector", true, false).is_empty():
		await _click_in_inspector(_resource_button(element))
		await _frames(8)
		element = await _property("indices/%d" % index, await _array(name))
	var inside := element.find_children("*", "EditorInspector", true, false)
	_check.call(not inside.is_empty(), "element %d of %s opens" % [index, name])
	return inside[0] if not inside.is_empty() else element


## The button with the name of a resource.
func _resource_button(property: EditorProperty) -> Control:
	var picker: Node = property.find_children("*", "EditorResourcePicker", true, false)[0]
	return _controls(&"Button", "", picker)[0]


func _plugin_enabled() -> void:
	await _picture("40_empty_project")
	var bar := _controls(&"MenuBar")[0] as MenuBar
	for x in range(20, int(bar.size.x), 30):
		await _click_at(bar.get_global_rect().position + Vector2(x, 0.5 * bar.size.y))
		if bar.get_menu_popup(1).visible:
			break
		await _key(KEY_ESCAPE)
	await _picture("40_menu")
	await _choose_entry("Project Settings...")
	await _frames(10)
	var dialog := _dialog()
	_check.call(dialog != null, "the settings open")
	if dialog == null:
		return
	var tabs := _controls(&"TabBar", "", dialog)[0] as TabBar
	for i in tabs.tab_count:
		if tabs.get_tab_title(i) == "Plugins":
			await _click_at(tabs.get_screen_transform() * tabs.get_tab_rect(i).get_center())
	await _frames(5)
	var trees := _controls(&"Tree", "", dialog)
	_check.call(await _click_row(trees[0] as Tree, "Flow Swarm"), "the plugin is listed")
	await _frames(20)
	await _picture("41_plugin")
	_check.call(EditorInterface.is_plugin_enabled("flow_swarm"), "and enabled")
	await _click(dialog.get_ok_button())
	await _frames(5)


func _nodes_added() -> void:
	await _click(_control(&"Button", "2D Scene"))
	await _frames(10)
	for type: String in ["FlowFieldManager", "EnemySwarm", "FlowGoal2D", "SwarmSpawner2D"]:
		await _select_row("Node2D")
		await _key(KEY_A, true)
		await _frames(10)
		await _type(type)
		await _frames(10)
		await _key(KEY_ENTER)
		await _frames(10)
		_check.call(_node(type) != null, "%s is added" % type)
	await _picture("42_nodes")


func _swarm_set_up() -> void:
	await _select_row("EnemySwarm")
	var property := await _property(&"manager")
	await _click_in_inspector(_controls(&"Button", "Assign...", property)[0])
	await _frames(8)
	var dialog := _dialog()
	await _click_row(_controls(&"Tree", "", dialog)[0] as Tree, "FlowFieldManager")
	await _click(dialog.get_ok_button())
	await _frames(5)
	var swarm := _node("EnemySwarm") as EnemySwarm
	_check.call(swarm.manager == _node("FlowFieldManager"), "the swarm has the manager")
	await _fill_array(&"agent_types", "SwarmAgentType", 3)
	await _enter(&"max_speed", "120", await _open_element(&"agent_types", 0))
	await _enter(&"max_speed", "90", await _open_element(&"agent_types", 1))
	await _picture("43_types")
	await _enter(&"radius", "6", await _open_element(&"agent_types", 2))
	var speeds := swarm.agent_types.map(func(type: SwarmAgentType) -> float: return type.max_speed)
	_check.call(speeds == [120.0, 90.0, 60.0], "three types: %s" % [speeds])
	_check.call(swarm.agent_types[2].radius == 6.0, "one is larger")
	var settle := await _property(&"settle_in_crowds")
	await _click_in_inspector(_controls(&"CheckBox", "", settle)[0])
	_check.call(swarm.settle_in_crowds, "agents settle around the goal")


func _waves_set_up() -> void:
	await _select_row("SwarmSpawner2D")
	await _fill_array(&"waves", "SwarmWave", 3)
	for i in 3:
		var element := await _open_element(&"waves", i)
		await _enter(&"count", "6", element)
		await _enter(&"agent_type", str(i), element)
	await _picture("44_waves")
	var waves: Array = _node("SwarmSpawner2D").get(&"waves")
	_check.call(waves.size() == 3, "three waves")
	for i in waves.size():
		var wave := waves[i] as SwarmWave
		_check.call(wave.count == 6 and wave.agent_type == i, "wave %d has its type" % i)


## Where a point of the scene is in the window.
func _place(point: Vector2) -> Vector2:
	var view := _control(&"CanvasItemEditorViewport")
	var on_view := EditorInterface.get_editor_viewport_2d().global_canvas_transform * point
	return view.get_global_rect().position + on_view


func _move(name: String, to: Vector2) -> void:
	await _select_row(name)
	var node := _node(name) as Node2D
	await _mouse(_place(node.position))
	await _key(KEY_W)
	await _drag(
		[_place(node.position), _place(node.position + 0.5 * (to - node.position)), _place(to)]
	)
	await _frames(5)
	_check.call(node.position.distance_to(to) < CELL, "%s is at %s" % [name, node.position])


func _nodes_moved() -> void:
	await _move("FlowGoal2D", CELL * Vector2(43.5, 25.5))
	await _move("SwarmSpawner2D", CELL * Vector2(6.5, 12.5))
	await _picture("45_places")


func _walls_painted() -> void:
	await _select_row("FlowFieldManager")
	await _click(_control(&"Button", "Paint terrain"))
	await _frames(5)
	await _mouse(_place(CELL * Vector2(30.5, 0.5)))
	await _key(KEY_L)
	await _drag([_place(CELL * Vector2(30.5, 0.5)), _place(CELL * Vector2(30.5, 20.5))])
	await _drag([_place(CELL * Vector2(20.5, 24.5)), _place(CELL * Vector2(38.5, 24.5))])
	await _picture("46_walls")
	var manager := _node("FlowFieldManager") as FlowFieldManager
	_check.call(manager.terrain != null, "the manager has a terrain")
	if manager.terrain != null:
		var walls := manager.terrain.cells.count(WALL)
		_check.call(walls == 21 + 19, "%d cells of walls" % walls)
	var warnings := (
		manager.get_setup_warnings() + (_node("EnemySwarm") as EnemySwarm).get_setup_warnings()
	)
	for name: String in ["FlowGoal2D", "SwarmSpawner2D"]:
		warnings.append_array(_node(name).call(&"get_setup_warnings"))
	_check.call(warnings.is_empty(), "nothing is missing: %s" % warnings)


func _scene_saved() -> void:
	await _key(KEY_S, true)
	await _frames(10)
	await _key(KEY_A, true)
	await _type(SCENE.get_file())
	await _key(KEY_ENTER)
	await _frames(10)
	_check.call(FileAccess.file_exists(SCENE), "the scene is saved")
	for line in FileAccess.get_file_as_string(SCENE).split("\n"):
		_check.call(not ".gd" in line or "addons/flow_swarm" in line, "without a script: %s" % line)


func _game_played() -> void:
	for name in _libraries:
		OS.set_environment(name, _libraries[name])
	await _key(KEY_F6)
	for i in PATIENCE:
		await _tree.create_timer(1.0).timeout
		if i == 8:
			await _picture("47_playing")
		if FileAccess.file_exists(REPORT) and not EditorInterface.is_playing_scene():
			break
	_check.call(FileAccess.file_exists(REPORT), "the game runs to its end")
	var report: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(REPORT))
	if report == null:
		return
	print("the game: %s" % report)
	_check.call((report["spawned"] as Dictionary).size() == 3, "agents of three types are spawned")
	_check.call((report["arrived"] as Dictionary).size() == 3, "and arrive")
	_check.call(report["farthest"] > 500.0, "they walk %s" % report["farthest"])
	_check.call(report["in_walls"] == 0.0, "around the walls")
	await _select_row("FlowFieldManager")
	await _click(_control(&"Button", "Paint terrain"))
	await _frames(5)
	_check.call(_control(&"Button", "Fill") == null, "the painter is switched off again")
