@tool
@icon("../icons/FlowStamp.svg")
class_name FlowLayout
extends Node
## Gives its parent, a [FlowFieldManager], the stamps and links that are drawn in the editor.
##
## The painter adds this node. It acts when it is ready, which is before the manager and the nodes
## below it in the scene are, by [method FlowFieldManager.place_stamps] and
## [method FlowFieldManager.add_link], and takes everything back when it leaves the tree.

## The stamps, the later ones on top.
@export var stamps: Array[FlowPlacedStamp] = []:
	set(value):
		_follow(stamps, false)
		stamps = value
		_follow(stamps, true)
		apply_later()
@export var links: Array[FlowPlacedLink] = []:
	set(value):
		_follow(links, false)
		links = value
		_follow(links, true)
		apply_later()

## The ids of the manager for each entry that it has taken; 0 for others.
var _stamp_ids: PackedInt64Array = []
var _link_ids: PackedInt64Array = []
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
		NOTIFICATION_EXIT_TREE:
			take_back()


func _get_configuration_warnings() -> PackedStringArray:
	return get_setup_warnings()


## Returns what is wrong, as the editor shows it beside the node. Empty if nothing is wrong.
func get_setup_warnings() -> PackedStringArray:
	var manager := get_parent() as FlowFieldManager
	if manager == null:
		return ["The parent of a FlowLayout must be a FlowFieldManager."]
	var warnings := PackedStringArray()
	for i in stamps.size():
		_add_trouble(warnings, "stamps[%d]" % i, find_stamp_trouble(stamps[i], manager))
	for i in links.size():
		_add_trouble(warnings, "links[%d]" % i, find_link_trouble(links[i], manager))
	return warnings


## Gives the manager the stamps and links, instead of those before. Entries that do not fit the
## manager are left out, with one error for all of them.
func apply() -> void:
	_is_waiting = false
	var manager := get_parent() as FlowFieldManager
	if manager == null:
		push_error("FlowLayout.apply: the parent must be a FlowFieldManager, not %s" % get_parent())
		return
	take_back()
	_place_stamps(manager)
	_add_links(manager)
	var warnings := get_setup_warnings()
	if Engine.is_editor_hint():
		update_configuration_warnings()
	elif not warnings.is_empty():
		push_error("FlowLayout.apply: left out: %s" % "; ".join(warnings))


## Takes the stamps and links from the manager that it has got from this node.
func take_back() -> void:
	var manager := get_parent() as FlowFieldManager
	if manager == null:
		return
	# The manager may have dropped some, with cells that are outside of a smaller grid.
	var stamps_there := manager.get_stamps()
	var ids: PackedInt64Array = []
	for id in _stamp_ids:
		if id in stamps_there:
			ids.append(id)
	manager.remove_stamps(ids)
	var links_there := manager.get_links()
	for id in _link_ids:
		if id in links_there:
			manager.remove_link(id)
	_forget()


## Gives the manager the stamps and links once all changes of this frame are made.
func apply_later() -> void:
	if is_node_ready() and not _is_waiting:
		_is_waiting = true
		_apply_if_needed.call_deferred()


## The id that the manager has for an entry of [member stamps]; 0 if it has none. With it
## [method FlowFieldManager.remove_stamp] removes the stamp in the game.
func get_stamp_id(index: int) -> int:
	return _stamp_ids[index] if index >= 0 and index < _stamp_ids.size() else 0


## The id that the manager has for an entry of [member links]; 0 if it has none.
func get_link_id(index: int) -> int:
	return _link_ids[index] if index >= 0 and index < _link_ids.size() else 0


## Why a stamp cannot be placed; empty if it can.
static func find_stamp_trouble(placed: FlowPlacedStamp, manager: FlowFieldManager) -> String:
	if placed == null or placed.stamp == null:
		return "there is no stamp"
	if placed.layer < 0 or placed.layer >= manager.layer_count:
		return "there is no layer %d" % placed.layer
	var rect := placed.get_rect()
	if not Rect2i(Vector2i.ZERO, manager.grid_size).encloses(rect):
		return (
			"cells %s to %s are not all inside the grid" % [rect.position, rect.end - Vector2i.ONE]
		)
	return ""


## Why a link cannot be added; empty if it can.
static func find_link_trouble(placed: FlowPlacedLink, manager: FlowFieldManager) -> String:
	if placed == null:
		return "there is no link"
	for layer: int in [placed.from_layer, placed.to_layer]:
		if layer < 0 or layer >= manager.layer_count:
			return "there is no layer %d" % layer
	for cell: Vector2i in [placed.from, placed.to]:
		if not Rect2i(Vector2i.ZERO, manager.grid_size).has_point(cell):
			return "cell %s is outside the grid" % cell
	if placed.from == placed.to and placed.from_layer == placed.to_layer:
		return "it begins and ends in cell %s" % placed.from
	return ""


static func _add_trouble(warnings: PackedStringArray, name: String, trouble: String) -> void:
	if not trouble.is_empty():
		warnings.append("%s: %s" % [name, trouble])


func _place_stamps(manager: FlowFieldManager) -> void:
	_stamp_ids.resize(stamps.size())
	_stamp_ids.fill(0)
	var placed: Array[FlowStamp] = []
	var cells: PackedVector2Array = []
	var turns: PackedInt32Array = []
	var indices: PackedInt32Array = []
	for i in stamps.size():
		if find_stamp_trouble(stamps[i], manager).is_empty():
			placed.append(stamps[i].stamp)
			cells.append(manager.cell_on_layer(stamps[i].cell, stamps[i].layer))
			turns.append(stamps[i].quarter_turns)
			indices.append(i)
	if placed.is_empty():
		return
	var ids := manager.place_stamps(placed, cells, turns)
	for i in ids.size():
		_stamp_ids[indices[i]] = ids[i]


func _add_links(manager: FlowFieldManager) -> void:
	_link_ids.resize(links.size())
	_link_ids.fill(0)
	for i in links.size():
		var link := links[i]
		if find_link_trouble(link, manager).is_empty():
			_link_ids[i] = manager.add_link(
				manager.cell_on_layer(link.from, link.from_layer),
				manager.cell_on_layer(link.to, link.to_layer),
				link.cost,
				link.both_ways,
				link.travel,
				link.seconds,
				link.arc
			)


func _follow(entries: Array, on: bool) -> void:
	for entry: Resource in entries:
		if entry == null:
			continue
		if on and not entry.changed.is_connected(apply_later):
			entry.changed.connect(apply_later)
		elif not on and entry.changed.is_connected(apply_later):
			entry.changed.disconnect(apply_later)


func _apply_if_needed() -> void:
	if _is_waiting and is_inside_tree():
		apply()


## The managers of a library that was loaded anew have nothing of this node, but may have other
## stamps and links with the same ids.
func _on_extensions_reloaded() -> void:
	_forget()
	apply_later()


func _forget() -> void:
	_stamp_ids.clear()
	_link_ids.clear()
