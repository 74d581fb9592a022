@tool
extends EditorPlugin
## Tests the addon in a real editor: its warnings, its brush, and a reload of the extension.
## Prints as run_tests.gd does, and ends the editor.

const SCENE := "res://editor_check.tscn"
## The same scene, which the editor does not open.
const UNOPENED := "res://editor_check_unopened.tscn"
const EXTENSION := "res://addons/flow_swarm/flow_swarm.gdextension"
const Dock3DCheck := preload("dock_3d_check.gd")
const DesignerCheck := preload("designer_check.gd")
const DockCheck := preload("dock_check.gd")
const InspectCheck := preload("inspect_check.gd")
const LayoutCheck := preload("layout_check.gd")
const PaintCheck := preload("paint_check.gd")

var _passed := 0
var _failed := 0
var _failures := PackedStringArray()
var _paint: PaintCheck
var _dock: DockCheck
var _dock_3d: Dock3DCheck
var _designer: DesignerCheck
var _layout: LayoutCheck
var _inspect: InspectCheck


func _enter_tree() -> void:
	_run.call_deferred()


func _run() -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	await _frames(10)
	var tests := _designer_tests() if "--designer" in OS.get_cmdline_user_args() else await _tests()
	var words := _words()
	if not words.is_empty():
		tests = tests.filter(_has_word.bind(words))
	for test: Callable in tests:
		print("case editor.%s" % test.get_method())
		await test.call()
		if _failures.is_empty():
			_passed += 1
		else:
			_failed += 1
			for reason: String in _failures:
				print("FAILED editor.%s: %s" % [test.get_method(), reason])
		_failures.clear()
	print("suite editor: %d passed, %d failed" % [_passed, _failed])
	print("%d passed, %d failed" % [_passed, _failed])
	get_tree().quit(1 if _failed > 0 else 0)


## What is checked in a project in which nothing is set up.
func _designer_tests() -> Array[Callable]:
	_designer = DesignerCheck.new(_check)
	return _designer.tests()


## All other checks, in the scene of some of them.
func _tests() -> Array[Callable]:
	_make_scene()
	for round in 2:
		# The second time a scene is opened is a case of its own.
		EditorInterface.open_scene_from_path(SCENE)
		await _frames(10)
	EditorInterface.set_main_screen_editor("2D")
	_paint = PaintCheck.new(_check)
	_layout = LayoutCheck.new(_check)
	_inspect = InspectCheck.new(_check)
	_dock = DockCheck.new(_check)
	_dock_3d = Dock3DCheck.new(_check)
	var tests: Array[Callable] = [_warnings, _nodes_without_script]
	tests.append_array(_paint.tests() + _layout.tests() + _inspect.tests())
	tests.append_array(_dock.tests() + _dock_3d.tests())
	tests.append_array([_open_again, _reload, _thread, _draped_view, _quiet_editor])
	return tests


## Names of cases must contain one of these words, which are after `-- --only`, if there are any.
func _words() -> PackedStringArray:
	var arguments := OS.get_cmdline_user_args()
	var index := arguments.find("--only")
	return arguments[index + 1].split(",") if index >= 0 else PackedStringArray()


func _has_word(test: Callable, words: PackedStringArray) -> bool:
	return Array(words).any(func(word: String) -> bool: return word in test.get_method())


func _check(condition: bool, what: String) -> void:
	if not condition:
		_failures.append(what)


func _frames(count: int) -> void:
	for i in count:
		await get_tree().process_frame


func _make_scene() -> void:
	var level := Node2D.new()
	level.name = "Level"
	var manager := FlowFieldManager.new()
	manager.name = "Manager"
	manager.terrain = FlowTerrain.new()
	manager.terrain.size = Vector2i(20, 20)
	var swarm := EnemySwarm.new()
	swarm.name = "Swarm"
	for node: Node in [manager, swarm]:
		level.add_child(node)
		node.owner = level
	swarm.manager = manager
	swarm.agent_types = [SwarmAgentType.new()]
	var packed := PackedScene.new()
	packed.pack(level)
	for path: String in [SCENE, UNOPENED]:
		ResourceSaver.save(packed, path)
	level.free()


func _manager() -> FlowFieldManager:
	return EditorInterface.get_edited_scene_root().get_node("Manager") as FlowFieldManager


func _views() -> int:
	return _manager().get_children(true).size()


func _warnings() -> void:
	var warnings := _manager().get_setup_warnings()
	_check(warnings.size() == 1 and warnings[0].contains("(20, 20)"), "warnings %s" % warnings)


## FlowGoal and SwarmSpawner show what is missing and where they are, and do nothing else.
func _nodes_without_script() -> void:
	var root := EditorInterface.get_edited_scene_root()
	var nodes: Array[Node] = [
		FlowGoal2D.new(), FlowGoal3D.new(), SwarmSpawner2D.new(), SwarmSpawner3D.new()
	]
	for node in nodes:
		root.add_child(node)
		node.owner = root
		node.set(&"position", Vector3(-9, 0, 0) if node is Node3D else Vector2(-9, 0))
	await get_tree().create_timer(0.5).timeout
	for node in nodes:
		var warnings: PackedStringArray = node.call(&"get_setup_warnings")
		_check(warnings.is_empty(), "only the manager warns of its terrain: %s" % warnings)
	var manager := _manager()
	var terrain_size := manager.terrain.size
	manager.terrain.size = manager.grid_size
	await get_tree().create_timer(0.5).timeout
	for node in nodes:
		var view: RefCounted = node.get(&"_view")
		_check(not view.warnings.is_empty(), "%s warns outside of the grid" % node.name)
		_check(not view.strokes.lines.is_empty(), "%s has a gizmo" % node.name)
		node.set(&"position", Vector3(40, 0, 40) if node is Node3D else Vector2(90, 90))
	# Two goals of one group would be a warning of its own.
	nodes[1].set(&"groups", PackedInt32Array([1]))
	await get_tree().create_timer(0.5).timeout
	for node in nodes:
		var view: RefCounted = node.get(&"_view")
		_check(view.warnings.is_empty(), "%s: %s" % [node.name, view.warnings])
	_check(manager.get_goals().is_empty(), "no goals in the editor")
	var swarm := root.get_node("Swarm") as EnemySwarm
	_check(swarm.get_agent_count() == 0, "no agents in the editor")
	var packed := PackedScene.new()
	packed.pack(root)
	_check(packed.get_state().get_node_count() == 7, "gizmos are not saved with the scene")
	for node in nodes:
		node.free()
	manager.terrain.size = terrain_size


func _open_again() -> void:
	EditorInterface.open_scene_from_path(SCENE)
	await _frames(10)
	EditorInterface.set_main_screen_editor("2D")
	await _paint.switch_off()
	_manager().debug_view = FlowFieldManager.DEBUG_COST
	await _frames(3)
	_check(_views() == 1, "costs are shown, and nothing of the painter")


func _reload() -> void:
	for round in 2:
		_check(GDExtensionManager.reload_extension(EXTENSION) == OK, "reloaded")
		await _frames(10)
		var manager := _manager()
		_check(manager.terrain.size == Vector2i(64, 64), "properties stay")
		var values := ClassDB.class_get_enum_constants(&"EnemySwarm", &"ArrivalAction", true)
		_check(values.size() == 3, "enums are there: %s" % values)
		manager.debug_goal = round
		await _frames(3)
		_check(_views() == 1, "one debug view, not %d" % _views())


## In a 3D scene the debug view is draped over the ground, in the editor too.
func _draped_view() -> void:
	var space := Node3D.new()
	_manager().get_parent().add_child(space)
	var manager := FlowFieldManager.new()
	manager.origin = Vector2(2000.0, 0.0)
	manager.debug_view = FlowFieldManager.DEBUG_HEIGHTS
	space.add_child(manager)
	manager.set_heights_rect(Rect2i(2, 3, 1, 1), [4.0])
	await _frames(5)
	var views := manager.get_children(true)
	var view := views[0] as FlowDebugView3D if views.size() == 1 else null
	_check(view != null, "one view in 3D, not %s" % [views])
	if view != null:
		var heights := view.get_material(0).get_shader_parameter(&"height_map") as Texture2D
		_check(heights.get_image().get_pixel(2, 3).r == 4.0, "with heights")
	space.free()


## A scene that is not in the cache is loaded on a thread without a cache mode of its own: with
## CACHE_MODE_IGNORE Godot 4.6 leaks the state of one of about a thousand scenes, of any nodes.
func _thread() -> void:
	_check(not ResourceLoader.has_cached(UNOPENED), "it is loaded anew")
	ResourceLoader.load_threaded_request(UNOPENED)
	var packed := ResourceLoader.load_threaded_get(UNOPENED) as PackedScene
	var level := packed.instantiate()
	_check(level.get_node("Swarm") is EnemySwarm, "loaded on a thread")
	level.free()


## In the editor nodes only show: nothing steps, and nothing is made that would be saved with
## the scene.
func _quiet_editor() -> void:
	var swarm := EditorInterface.get_edited_scene_root().get_node("Swarm") as EnemySwarm
	_check(swarm.output == null and swarm.get_child_count(true) == 0, "no output is made")
	_check(not swarm.is_physics_processing_internal(), "no steps")
	_check(_manager().process_physics_priority == 0, "no priority that would be saved")
