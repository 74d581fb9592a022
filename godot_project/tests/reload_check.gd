@tool
extends EditorPlugin
## Replaces the library of the extension a hundred times under the open editor, as a build of a
## newer one does: the file changes, and the window of the editor gets the focus. Nothing of the
## scene is lost, no object, node or memory is left over, and the painter works afterwards. After
## [code]-- --short[/code] there are fewer rounds. Prints as run_tests.gd does, and ends the editor.
##
## With the library the editor loads all scripts again, which cancels whatever awaits. So this goes
## on from frame to frame.

const SCENE := "res://reload_check.tscn"
const SAVED := "user://reload_check.tscn"
const LIBRARIES := "res://addons/flow_swarm/bin"
const ROUNDS := 100
const SHORT_ROUNDS := 40
## The rounds after which the editor has made all that it makes once.
const WARM := 20
## The frames in which the editor reloads.
const FRAMES := 12
## What may be left of all rounds after that: the editor itself keeps a line of output of each.
const MOST_OBJECTS := 20.0
const MOST_MIB := 2.0
## How long each count goes on, in milliseconds. After a reload, a thread of the editor reads the
## help of all classes, which is about 40 MiB and a resource for a moment. What is left over is
## there all the time, so the least of each figure counts.
const COUNTED_MSEC := 5000
## The memory of the process differs by what the allocator has not given back.
const MOST_RESIDENT_MIB := 24.0

var _rounds := SHORT_ROUNDS if "--short" in OS.get_cmdline_user_args() else ROUNDS
var _round := -1
var _frame := 0
var _reloads := 0
var _before := ""
var _warm: Dictionary[String, float] = {}
var _last: Dictionary[String, float] = {}
var _counted_from := 0
var _failures := PackedStringArray()


func _enter_tree() -> void:
	GDExtensionManager.extensions_reloaded.connect(_on_extensions_reloaded)


func _process(_delta: float) -> void:
	if EditorInterface.get_resource_filesystem().is_scanning():
		return
	_frame += 1
	if _frame < FRAMES:
		return
	_frame = 0
	if _round < 0:
		print("case reload.rounds")
		_open()
	elif _round < _rounds:
		if _round == 0:
			_before = _text()
			_check_world()
		elif _round == WARM and not _has_counted(_warm):
			return
		_replace_library(_round)
	elif _round == _rounds:
		if not _has_counted(_last):
			return
		_check_all()
		_paint()
	elif _round == _rounds + 1:
		_check_painted()
		_end()
	_round += 1


func _check(condition: bool, what: String) -> void:
	if not condition:
		_failures.append(what)


func _on_extensions_reloaded() -> void:
	_reloads += 1


func _check_all() -> void:
	_check(_reloads == _rounds, "%d reloads" % _reloads)
	_check(_text() == _before, "all that is saved of the scene is the same")
	_check_world()
	print("FIGURE after %d reloads: %s" % [WARM, _warm])
	print("FIGURE after %d reloads: %s" % [_rounds, _last])
	for name: String in ["nodes", "orphans", "resources"]:
		_check(_last[name] <= _warm[name], "%s: %d, %d" % [name, _warm[name], _last[name]])
	_check(_last["objects"] - _warm["objects"] <= MOST_OBJECTS, "objects are left")
	_check(_last["static"] - _warm["static"] <= MOST_MIB, "memory is left")
	_check(_last["resident"] - _warm["resident"] <= MOST_RESIDENT_MIB, "resident memory grows")


## What nodes of the addon have given to the manager is there after a reload too.
func _check_world() -> void:
	var manager := _manager()
	_check(manager.get_terrain_at(Vector2i(21, 11)) == 77, "round %d: a stamp" % _round)
	_check(manager.get_links().size() == 2, "round %d: links of the layout and bake" % _round)
	_check(manager.get_height(Vector2(8, 8)) == 3.0, "round %d: heights of the bake" % _round)
	_check(manager.get_terrain_at(Vector2i(3, 4)) == 255, "round %d: painted walls" % _round)


func _end() -> void:
	for reason in _failures:
		print("FAILED reload.rounds: %s" % reason)
	print("%d passed, %d failed" % [int(_failures.is_empty()), int(not _failures.is_empty())])
	get_tree().quit(1 if not _failures.is_empty() else 0)


## Selects the manager, switches the painter on and draws a stroke with the mouse.
func _paint() -> void:
	EditorInterface.get_selection().clear()
	EditorInterface.get_selection().add_node(_manager())
	EditorInterface.edit_node(_manager())
	for node: Node in get_tree().root.find_children("*", "Button", true, false):
		var button := node as Button
		if button.text == "Paint terrain" and button.is_visible_in_tree():
			_click(button.get_screen_transform() * (0.5 * button.size))
	_click(_place(Vector2i(30, 20)))


func _check_painted() -> void:
	_check(_manager().terrain.get_terrain(Vector2i(30, 20)) == 255, "the painter goes on")
	var undo := EditorInterface.get_editor_undo_redo()
	undo.get_history_undo_redo(undo.get_object_history_id(_manager())).undo()
	_check(_manager().terrain.get_terrain(Vector2i(30, 20)) == 1, "and its strokes are undone")


func _place(cell: Vector2i) -> Vector2:
	var view: Control = (
		get_tree().root.find_children("*", "CanvasItemEditorViewport", true, false)[0]
	)
	var to_view := EditorInterface.get_editor_viewport_2d().global_canvas_transform
	return view.get_global_rect().position + to_view * _manager().get_cell_center(cell)


func _click(place: Vector2) -> void:
	for pressed: bool in [true, false]:
		var event := InputEventMouseButton.new()
		event.button_index = MOUSE_BUTTON_LEFT
		event.pressed = pressed
		event.button_mask = MOUSE_BUTTON_MASK_LEFT if pressed else 0 as MouseButtonMask
		event.position = place
		event.global_position = place
		Input.parse_input_event(event)
		Input.flush_buffered_events()


## Gives the file of the library another time, and the focus to the window.
func _replace_library(round: int) -> void:
	for name in DirAccess.get_files_at(LIBRARIES):
		if name.get_extension() == "so":
			var file := ProjectSettings.globalize_path(LIBRARIES.path_join(name))
			OS.execute("touch", ["-d", "@%d" % (1700000000 + round), file])
	get_tree().root.propagate_notification(NOTIFICATION_APPLICATION_FOCUS_OUT)
	get_tree().root.propagate_notification(NOTIFICATION_APPLICATION_FOCUS_IN)


func _manager() -> FlowFieldManager:
	return EditorInterface.get_edited_scene_root().get_node("Manager") as FlowFieldManager


## A scene in which each class of the extension has properties that are not the default.
func _open() -> void:
	var level := Node2D.new()
	level.name = "Level"
	var manager := _make_manager()
	var swarm := EnemySwarm.new()
	swarm.name = "Swarm"
	var type := SwarmAgentType.new()
	type.max_speed = 33.0
	type.look = SwarmLook.new()
	type.look.lod_distances = [10.0]
	swarm.agent_types = [type]
	swarm.arrival_action = EnemySwarm.ARRIVAL_DESPAWN
	var goal := FlowGoal2D.new()
	goal.name = "Goal"
	goal.position = Vector2(700, 300)
	var spawner := SwarmSpawner2D.new()
	spawner.name = "Spawner"
	spawner.rate = 3.5
	for node: Node in [manager, swarm, goal, spawner]:
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
	EditorInterface.set_main_screen_editor("2D")


## A manager with painted walls, drawn stamps and links, and baked heights and links.
func _make_manager() -> FlowFieldManager:
	var manager := FlowFieldManager.new()
	manager.name = "Manager"
	manager.grid_size = Vector2i(48, 32)
	manager.layer_count = 2
	manager.terrain = FlowTerrain.new()
	manager.terrain.size = manager.grid_size
	manager.terrain.fill_region(Rect2i(3, 4, 9, 2), 255)
	manager.terrain_set = FlowTerrainSet.create_basic()
	manager.terrain_set.kinds[1].costs = {&"cart": 7}
	var cart := FlowMovementType.new()
	cart.resource_name = "cart"
	cart.set_cost(9, 30)
	cart.speed_factors = {9: 0.5}
	manager.movement_types = [cart]
	var layout := FlowLayout.new()
	layout.name = "Layout"
	var placed := FlowPlacedStamp.new()
	placed.stamp = FlowStamp.new()
	placed.stamp.fill(77)
	placed.cell = Vector2i(20, 10)
	layout.stamps = [placed]
	var link := FlowPlacedLink.new()
	link.to = Vector2i(9, 9)
	layout.links = [link]
	manager.add_child(layout)
	var bake := FlowBake.new()
	bake.name = "Bake"
	bake.maps = FlowBakedMaps.new()
	var heights: PackedFloat32Array = []
	heights.resize(49 * 33)
	heights.fill(3.0)
	bake.maps.heights = [heights]
	bake.maps.link_starts = [Vector2(1, 1)]
	bake.maps.link_ends = [Vector2(5, 1)]
	manager.add_child(bake)
	return manager


## All that would be saved of the open scene.
func _text() -> String:
	var packed := PackedScene.new()
	packed.pack(EditorInterface.get_edited_scene_root())
	ResourceSaver.save(packed, SAVED)
	return FileAccess.get_file_as_string(SAVED)


## Counts for a while and keeps the least of each figure. Returns whether it is done.
func _has_counted(least: Dictionary[String, float]) -> bool:
	if least.is_empty():
		_counted_from = Time.get_ticks_msec()
	var counts := _counts()
	for name: String in counts:
		least[name] = minf(counts[name], least.get(name, INF))
	return Time.get_ticks_msec() - _counted_from >= COUNTED_MSEC


func _counts() -> Dictionary[String, float]:
	return {
		"objects": Performance.get_monitor(Performance.OBJECT_COUNT),
		"resources": Performance.get_monitor(Performance.OBJECT_RESOURCE_COUNT),
		"nodes": Performance.get_monitor(Performance.OBJECT_NODE_COUNT),
		"orphans": Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT),
		"static": Performance.get_monitor(Performance.MEMORY_STATIC) / 1048576.0,
		"resident": _resident(),
	}


## The memory of the process in MiB, as Linux counts it.
func _resident() -> float:
	var output := []
	OS.execute("ps", ["-o", "rss=", "-p", str(OS.get_process_id())], output)
	return (output[0] as String).to_int() / 1024.0
