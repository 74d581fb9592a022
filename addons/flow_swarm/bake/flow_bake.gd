@tool
@icon("../icons/FlowTerrain.svg")
class_name FlowBake
extends Node
## Gives its parent, a [FlowFieldManager], what the Bake dock has baked and the manager has no
## property for: heights of the ground, links between layers, and tiles.
##
## The dock adds this node. It acts when it is ready, which is before the manager and the nodes
## below it in the scene are, by [method FlowFieldManager.set_heights],
## [method FlowFieldManager.add_links] and [method FlowFieldManager.load_tiles].

## Heights and links.
@export var maps: FlowBakedMaps:
	set(value):
		if maps != null:
			maps.changed.disconnect(apply_later)
		maps = value
		if maps != null:
			maps.changed.connect(apply_later)
		apply_later()
## The file of tiles, as [method FlowFieldManager.save_tiles] or
## [method FlowFieldManager.bake_tiles] writes it. It is loaded in the game
## only, and must be named in the filters of export presets.
@export_file("*.tiles") var tiles := ""

## The links that were added to the manager.
var _links: PackedInt64Array = []
## The layers that were given heights.
var _layers: PackedInt32Array = []
var _is_waiting := false


func _notification(what: int) -> void:
	match what:
		NOTIFICATION_READY:
			if Engine.is_editor_hint():
				GDExtensionManager.extensions_reloaded.connect(_on_extensions_reloaded)
			apply()
		NOTIFICATION_ENTER_TREE:
			if is_node_ready():
				apply()
		NOTIFICATION_UNPARENTED:
			_forget()


func _get_configuration_warnings() -> PackedStringArray:
	return get_setup_warnings()


## Returns what is wrong, as the editor shows it beside the node. Empty if nothing is wrong.
func get_setup_warnings() -> PackedStringArray:
	var manager := get_parent() as FlowFieldManager
	if manager == null:
		return ["The parent of a FlowBake must be a FlowFieldManager."]
	var trouble := find_trouble(maps, manager)
	return [] if trouble.is_empty() else PackedStringArray([trouble])


## Gives the manager the maps, instead of those before, and in a game the tiles.
func apply() -> void:
	_is_waiting = false
	var manager := get_parent() as FlowFieldManager
	if manager == null:
		push_error("FlowBake.apply: the parent must be a FlowFieldManager, not %s" % get_parent())
		return
	take_back()
	if Engine.is_editor_hint():
		update_configuration_warnings()
	var trouble := find_trouble(maps, manager)
	if not trouble.is_empty():
		push_error("FlowBake.apply: %s" % trouble)
		return
	_give(manager)
	if not tiles.is_empty() and not Engine.is_editor_hint():
		manager.load_tiles(tiles)


## Takes heights and links from the manager that it has got from this node.
func take_back() -> void:
	var manager := get_parent() as FlowFieldManager
	if manager == null:
		return
	if not _links.is_empty():
		var known := manager.get_links()
		for link in _links:
			if link in known:
				manager.remove_link(link)
	for layer in _layers:
		if layer < manager.layer_count:
			manager.clear_heights(layer)
	_forget()


## Gives the manager the maps once all changes of this frame are made.
func apply_later() -> void:
	if is_node_ready() and not _is_waiting:
		_is_waiting = true
		_apply_if_needed.call_deferred()


## Why maps cannot be given to a manager; empty if they can.
static func find_trouble(of_maps: FlowBakedMaps, manager: FlowFieldManager) -> String:
	if of_maps == null:
		return ""
	var corners := (manager.grid_size.x + 1) * (manager.grid_size.y + 1)
	if of_maps.heights.size() > manager.layer_count:
		return (
			"maps were baked for %d layers, and the manager has %d: bake again"
			% [of_maps.heights.size(), manager.layer_count]
		)
	for heights: PackedFloat32Array in of_maps.heights:
		if not heights.is_empty() and heights.size() != corners:
			return "maps were not baked for a grid of %s: bake again" % manager.grid_size
	if of_maps.link_starts.size() != of_maps.link_ends.size():
		return (
			"maps have %d starts of links and %d ends"
			% [of_maps.link_starts.size(), of_maps.link_ends.size()]
		)
	return ""


func _give(manager: FlowFieldManager) -> void:
	if maps == null:
		return
	for layer in maps.heights.size():
		if not maps.heights[layer].is_empty():
			manager.set_heights(maps.heights[layer], layer)
			_layers.append(layer)
	if not maps.link_starts.is_empty():
		_links = manager.add_links(
			maps.link_starts, maps.link_ends, 1.0, true, FlowFieldManager.LINK_WALK
		)


func _apply_if_needed() -> void:
	if _is_waiting and is_inside_tree():
		apply()


## The managers of a library that was loaded anew have nothing of this node, but may have other
## links with the same ids.
func _on_extensions_reloaded() -> void:
	_forget()
	apply_later()


func _forget() -> void:
	_links.clear()
	_layers.clear()
