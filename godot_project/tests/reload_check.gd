@tool
extends EditorPlugin
## Replaces the library of the extension a hundred times under the open editor, as a build of a newer
## one does: the file changes, and the window of the editor gets the focus. Nothing of the scene is
## lost, no object, node or memory is left over, and the painter works afterwards. Prints as
## run_tests.gd does, and ends the editor.
##
## With the library the editor loads all scripts again, which cancels whatever awaits. So this goes on
## from frame to frame.

const SCENE := "res://reload_check.tscn"
const SAVED := "user://reload_check.tscn"
const LIBRARIES := "res://addons/flow_swarm/bin"
const ROUNDS := 100
## The rounds after which the editor has all that it makes once.
const WARM := 20
## The frames in which the editor reloads.
const FRAMES := 12
## What the editor's own undo history and caches may take in all rounds, in MiB.
const MOST_GROWTH := 16.0

var _round := -1
var _frame := 0
var _reloads := 0
var _before := ""
var _warm: Dictionary = {}
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
		_open()
	elif _round < ROUNDS:
		if _round == 0:
			_before = _text()
		if _round % 10 == 0:
			print("round %d: %s" % [_round, _counts()])
		_replace_library(_round)
	else:
		print("round %d: %s" % [_round, _counts()])
		print("reloads ", _reloads, " same ", _text() == _before)
		get_tree().quit()
	_round += 1


func _check(condition: bool, what: String) -> void:
	if not condition:
		_failures.append(what)


func _on_extensions_reloaded() -> void:
	_reloads += 1


## Gives the file of the library another time, and the focus to the window.
func _replace_library(round: int) -> void:
	var file := ""
	for name in DirAccess.get_files_at(LIBRARIES):
		if name.get_extension() == "so":
			file = ProjectSettings.globalize_path(LIBRARIES.path_join(name))
	OS.execute("touch", ["-d", "@%d" % (1700000000 + round), file])
	get_tree().root.propagate_notification(NOTIFICATION_APPLICATION_FOCUS_OUT)
	get_tree().root.propagate_notification(NOTIFICATION_APPLICATION_FOCUS_IN)


## A scene in which each class of the extension has properties that are not the default.
func _open() -> void:
	var level := Node2D.new()
	level.name = "Level"
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
	swarm.manager = manager
	var packed := PackedScene.new()
	packed.pack(level)
	ResourceSaver.save(packed, SCENE)
	level.free()
	EditorInterface.open_scene_from_path(SCENE)
	EditorInterface.set_main_screen_editor("2D")


## All that would be saved of the open scene.
func _text() -> String:
	var packed := PackedScene.new()
	packed.pack(EditorInterface.get_edited_scene_root())
	ResourceSaver.save(packed, SAVED)
	return FileAccess.get_file_as_string(SAVED)


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
	for line in FileAccess.get_file_as_string("/proc/self/status").split("\n"):
		if line.begins_with("VmRSS:"):
			return line.to_int() / 1024.0
	return 0.0
