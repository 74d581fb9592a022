@tool
extends RefCounted
## Bakes for a manager of the edited scene: runs a kind of bake on a copy of the manager, over
## frames if need be, and gives the result to the manager.

## Emitted when something that the dock shows has changed.
signal changed

const ErrorCatcher := preload("error_catcher.gd")
const Files := preload("bake_files.gd")
const HeightsBake := preload("kinds/heights_bake.gd")
const Kind := preload("kinds/bake_kind.gd")
const ManagerCopy := preload("../manager_copy.gd")
const Records := preload("bake_records.gd")
const Settings := preload("bake_settings.gd")
const ShapesBake := preload("kinds/shapes_bake.gd")
const Step := preload("bake_step.gd")
const StoreysBake := preload("kinds/storeys_bake.gd")
const TerrainFit := preload("../paint/terrain_fit.gd")
const TileLayersBake := preload("kinds/tile_layers_bake.gd")
const TilesBake := preload("kinds/tiles_bake.gd")

var kinds: Array[Kind] = [
	TileLayersBake.new(),
	ShapesBake.new(),
	HeightsBake.new(),
	StoreysBake.new(),
	TilesBake.new(),
]
var settings := Settings.new()
var manager: FlowFieldManager:
	set(value):
		if value == manager:
			return
		cancel()
		manager = value
		message = ""
		if value != null:
			settings = Records.last_settings(value)
		changed.emit()
## What the dock tells the user; empty if there is nothing to tell.
var message := ""

var _undo: Object
var _root: Node
## What runs, on a copy of the manager; null if nothing does.
var _kind: Kind
var _copy: FlowFieldManager
var _print := ""


func _init(undo: Object) -> void:
	_undo = undo


func is_running() -> bool:
	return _kind != null and is_instance_valid(_copy)


## How much of what runs is done, 0 to 1.
func progress() -> float:
	return _kind.progress(_copy) if is_running() else 1.0


## The states of all kinds, in their order.
func states(root: Node) -> Array[Records.State]:
	var found: Array[Records.State] = []
	for kind in kinds:
		found.append(Records.state(manager, root, kind, settings))
	return found


## Starts to bake. Most kinds are done within the call.
func start(kind: Kind, root: Node) -> void:
	if is_running():
		tell("A bake is running.")
		return
	message = _refusal(kind, root)
	if not message.is_empty():
		tell(message)
		return
	_root = root
	_kind = kind
	_copy = ManagerCopy.of_manager(manager, manager)
	if kind.fills_layer or kind.fills_all:
		# What is baked is the terrain below stamps.
		_copy.remove_stamps(_copy.get_stamps())
	_print = Records.fingerprint(manager, root, kind, settings)
	_run(kind.begin.bind(_copy, root, settings))
	_end_if_done()


## Goes on with what runs. To be called in every frame.
func advance() -> void:
	if not is_running():
		return
	_run(_kind.advance.bind(_copy))
	_end_if_done()


func cancel() -> void:
	if is_running():
		_copy.cancel_bake()
		_end()
		tell("Cancelled: nothing was changed.")


## Shows a text in the dock.
func tell(text: String) -> void:
	message = text
	changed.emit()


func _refusal(kind: Kind, root: Node) -> String:
	var text := Files.refusal(manager, root)
	if not text.is_empty():
		return text
	if not kind.nothing.is_empty() and kind.find_sources(root, settings).is_empty():
		return "Nothing to bake: %s." % kind.nothing
	if settings.layer >= manager.layer_count and kind.fills_layer:
		return (
			"There are %d layers, so there is no layer %d." % [manager.layer_count, settings.layer]
		)
	for terrain: FlowTerrain in [manager.terrain] + manager.layer_terrains:
		if not TerrainFit.is_fit(manager, terrain):
			return TerrainFit.question(manager, terrain) + "\nPaint terrain offers to resize one."
	return ""


func _run(action: Callable) -> void:
	var errors := ErrorCatcher.run(action)
	if not errors.is_empty():
		var title := _kind.title
		_end()
		tell("%s: nothing was changed.\n%s" % [title, "\n".join(errors)])


func _end_if_done() -> void:
	if not is_running():
		return
	if progress() < 1.0:
		changed.emit()
		return
	var result := _kind.result(_copy, settings)
	var records := Records.after(manager, _kind, settings, _print, kinds)
	var step := Step.new(_undo, manager, _root)
	step.commit(_kind.title, result, records)
	var text := "%s: baked." % _kind.title if step.trouble.is_empty() else step.trouble
	_end()
	tell(text)


func _end() -> void:
	_kind = null
	if is_instance_valid(_copy):
		_copy.queue_free()
	_copy = null
