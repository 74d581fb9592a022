@tool
extends EditorPlugin
## The addon in another folder than addons/flow_swarm, in a real editor: nothing in it depends on
## where it lies. Prints as run_tests.gd does, and ends the editor.

const FOLDER := "res://plugins/crowd"
const USUAL := "res://addons/flow_swarm"
const SCENE := "res://moved_check.tscn"
## Refers to nodes of the addon by uid, and by the path that they have in its usual folder.
const RECIPE := "res://from_recipes/without_script_2d.tscn"

var _passed := 0
var _failed := 0
var _failures := PackedStringArray()


func _enter_tree() -> void:
	_run.call_deferred()


func _run() -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	await _frames(10)
	var tests: Array[Callable] = [
		_texts, _calls_handed_on, _icons, _debug_views, _painting, _character, _recipe
	]
	for test: Callable in tests:
		print("case moved.%s" % test.get_method())
		await test.call()
		if _failures.is_empty():
			_passed += 1
		else:
			_failed += 1
			for reason: String in _failures:
				print("FAILED moved.%s: %s" % [test.get_method(), reason])
		_failures.clear()
	print("%d passed, %d failed" % [_passed, _failed])
	get_tree().quit(1 if _failed > 0 else 0)


func _check(condition: bool, what: String) -> void:
	if not condition:
		_failures.append(what)


func _frames(count: int) -> void:
	for i in count:
		await get_tree().process_frame


## No script, shader or scene of the addon names its usual folder.
func _texts() -> void:
	var count := 0
	var open: PackedStringArray = [FOLDER]
	while not open.is_empty():
		var folder := open[-1]
		open.remove_at(open.size() - 1)
		for name: String in DirAccess.get_directories_at(folder):
			open.append(folder.path_join(name))
		for name: String in DirAccess.get_files_at(folder):
			if (
				name.get_extension()
				in ["gd", "gdshader", "gdshaderinc", "tscn", "gdextension", "cfg"]
			):
				var path := folder.path_join(name)
				count += 1
				_check(not FileAccess.get_file_as_string(path).contains(USUAL), path)
	_check(count > 40, "%d files" % count)


## The editor calls plugin_entry.gd alone, so it has what plugin.gd has.
func _calls_handed_on() -> void:
	var entry := _method_names("plugin_entry.gd")
	for name: String in _method_names("plugin.gd"):
		if ClassDB.class_has_method(&"EditorPlugin", name, true):
			_check(entry.has(name), "%s is not handed on" % name)
	_check(entry.has("_handles"), "methods are listed")


func _method_names(file: String) -> PackedStringArray:
	var names := PackedStringArray()
	var script := load(FOLDER.path_join(file)) as Script
	for method: Dictionary in script.get_script_method_list():
		names.append(method["name"])
	return names


## The dock shows the icons of the extension's classes and of the addon's scripts.
func _icons() -> void:
	var level := Node2D.new()
	level.name = "Level"
	var nodes: Array[Node] = [FlowFieldManager.new(), EnemySwarm.new(), FlowGoal2D.new()]
	for node: Node in nodes:
		level.add_child(node)
		node.owner = level
	nodes[0].name = "FlowFieldManager"
	nodes[1].name = "EnemySwarm"
	nodes[2].name = "FlowGoal2D"
	var packed := PackedScene.new()
	packed.pack(level)
	ResourceSaver.save(packed, SCENE)
	level.free()
	EditorInterface.open_scene_from_path(SCENE)
	await _frames(10)
	for name: String in ["FlowFieldManager", "EnemySwarm", "FlowGoal2D"]:
		var path := _icon_path(name)
		_check(path == "%s/icons/%s.svg" % [FOLDER, name], '%s: "%s"' % [name, path])


func _icon_path(node_name: String) -> String:
	for editor: Node in EditorInterface.get_base_control().find_children(
		"*", "SceneTreeEditor", true, false
	):
		for tree: Tree in editor.find_children("*", "Tree", true, false):
			var item := tree.get_root()
			while item != null:
				if item.get_text(0) == node_name and item.get_icon(0) != null:
					return item.get_icon(0).resource_path
				item = item.get_next_in_tree()
	return "not shown"


func _debug_views() -> void:
	var manager := EditorInterface.get_edited_scene_root().get_node("FlowFieldManager")
	await _check_view(manager as FlowFieldManager, "flow_debug_view.gd")
	var space := Node3D.new()
	var manager_3d := FlowFieldManager.new()
	manager_3d.origin = Vector2(5000.0, 0.0)
	space.add_child(manager_3d)
	manager.get_parent().add_child(space)
	await _check_view(manager_3d, "flow_debug_view_3d.gd")
	space.free()


func _check_view(manager: FlowFieldManager, file: String) -> void:
	manager.debug_view = FlowFieldManager.DEBUG_COST
	await _frames(5)
	var views := manager.get_children(true)
	_check(views.size() == 1, "%s: %d views" % [file, views.size()])
	for view: Node in views:
		var path := (view.get_script() as Script).resource_path
		_check(path == FOLDER.path_join("debug").path_join(file), path)
	manager.debug_view = FlowFieldManager.DEBUG_OFF
	await _frames(5)
	_check(manager.get_child_count(true) == 0, "the view is removed")


## The switch is there while a manager is selected: plugin_entry.gd has started plugin.gd.
func _painting() -> void:
	var manager := EditorInterface.get_edited_scene_root().get_node("FlowFieldManager")
	EditorInterface.edit_node(manager)
	await _frames(3)
	var shown := 0
	for button: Button in EditorInterface.get_base_control().find_children(
		"*", "Button", true, false
	):
		shown += int(button.text == "Paint terrain" and button.visible)
	_check(shown == 2, "%d switches instead of one in each of the two views" % shown)


## A baked material whose shader is made for it includes the addon's file where it is now.
func _character() -> void:
	var baker := load(FOLDER.path_join("characters/character_materials.gd")) as GDScript
	var report := load(FOLDER.path_join("characters/character_report.gd")) as GDScript
	var source := StandardMaterial3D.new()
	source.transparency = BaseMaterial3D.TRANSPARENCY_ALPHA_SCISSOR
	var code: String = baker.new(report.new("moved_check")).of(source).shader.code
	var path := code.get_slice('#include "', 1).get_slice('"', 0)
	_check(path.begins_with(FOLDER) and ResourceLoader.exists(path), "includes %s" % path)


func _recipe() -> void:
	var recipe := (load(RECIPE) as PackedScene).instantiate()
	var of_addon := 0
	for node: Node in recipe.find_children("*", "", true, false):
		var script := node.get_script() as Script
		of_addon += int(script != null and script.resource_path.begins_with(FOLDER))
	_check(of_addon > 1, "%d nodes have scripts of the addon" % of_addon)
	recipe.free()
