@tool
extends RefCounted
## Gives the result of a bake to a manager, as one undoable step. What a manager has already is
## changed in place, wherever it is saved; what it has not is saved beside the scene.

const Files := preload("bake_files.gd")
const LayerTerrain := preload("../paint/layer_terrain.gd")
const LayoutEdits := preload("../paint/layout_edits.gd")
const Records := preload("bake_records.gd")
const Result := preload("bake_result.gd")
const SavedResource := preload("../saved_resource.gd")
const UndoSteps := preload("../paint/undo_steps.gd")
const TILES := "tiles.tiles"

## What could not be done; empty if all could.
var trouble := ""

## An EditorUndoRedoManager or UndoRedo.
var _undo: Object
var _manager: FlowFieldManager
var _root: Node
## Resources with a file that the step changes.
var _changed: Array[Resource] = []


func _init(undo: Object, manager: FlowFieldManager, root: Node) -> void:
	_undo = undo
	_manager = manager
	_root = root


## The FlowBake of a manager, or null.
static func find_bake(manager: FlowFieldManager) -> FlowBake:
	for child in manager.get_children():
		if child is FlowBake:
			return child as FlowBake
	return null


## Gives a result to the manager, and notes what has been baked.
func commit(title: String, result: Result, records: Dictionary) -> void:
	trouble = _find_trouble(result)
	var terrains := _new_terrains(result)
	var bake := find_bake(_manager)
	var is_new := bake == null and (_has_maps(result) or result.save_tiles.is_valid())
	if is_new:
		bake = FlowBake.new()
		bake.name = "Bake"
	var maps := _new_maps(bake, result)
	var tiles := _new_tiles(result)
	if not trouble.is_empty():
		if is_new:
			bake.free()
		return
	_begin("Bake %s" % title.to_lower())
	if bake != null:
		_change_node(bake, is_new)
	var layout := LayoutEdits.find_layout(_manager)
	if layout != null:
		_change_node(layout, false)
	if result.layer_count > 0:
		_change(_manager, &"layer_count", result.layer_count)
	_set_terrains(result, terrains)
	if maps != null:
		_change(bake, &"maps", maps)
	elif _has_maps(result):
		_change_maps(bake, result)
	if not tiles.is_empty():
		_change(bake, &"tiles", tiles)
	_set_records(records)
	if is_new:
		# Last, because the editor asks for the paths of nodes whose properties it restores.
		UndoSteps.add_undo(_undo, _manager, &"remove_child", [bake])
	_undo.call(&"commit_action")
	_save_changed()


static func _has_maps(result: Result) -> bool:
	return result.has_links or not result.heights.is_empty()


func _find_trouble(result: Result) -> String:
	var resources: Array[Resource] = []
	for layer in result.terrains:
		resources.append(LayerTerrain.of(_manager, layer))
	var bake := find_bake(_manager)
	if bake != null and _has_maps(result):
		resources.append(bake.maps)
	for resource in resources:
		if resource == null:
			continue
		var title := "terrain" if resource is FlowTerrain else "maps"
		var text := SavedResource.refusal(resource, title, _root.scene_file_path)
		if not text.is_empty():
			return text
	return ""


## Terrains for the layers that have none, saved.
func _new_terrains(result: Result) -> Dictionary[int, FlowTerrain]:
	var made: Dictionary[int, FlowTerrain] = {}
	for layer in result.terrains:
		if LayerTerrain.of(_manager, layer) == null:
			var terrain := FlowTerrain.new()
			terrain.size = _manager.grid_size
			terrain.cells = result.terrains[layer]
			var number := "" if layer == 0 else "_%d" % layer
			_save(terrain, "terrain%s.res" % number)
			made[layer] = terrain
	return made


## Maps for a manager that has none, saved; null if it has, or if there is nothing to keep.
func _new_maps(bake: FlowBake, result: Result) -> FlowBakedMaps:
	if not _has_maps(result) or bake.maps != null:
		return null
	var maps := FlowBakedMaps.new()
	maps.heights = _heights(maps.heights, result)
	maps.link_starts = result.link_starts
	maps.link_ends = result.link_ends
	_save(maps, "maps.res")
	return maps


## Saves tiles, and returns the name of their file; empty if there are none.
func _new_tiles(result: Result) -> String:
	if not result.save_tiles.is_valid() or not trouble.is_empty():
		return ""
	var file := Files.path(_manager, _root, TILES)
	if SavedResource.is_read_only(file):
		trouble = "%s is read-only." % file
	elif result.save_tiles.call(file) != OK:
		trouble = "%s cannot be written." % file
	return file


## Heights of all layers after a bake of some.
func _heights(before: Array[PackedFloat32Array], result: Result) -> Array[PackedFloat32Array]:
	var heights := before.duplicate()
	if result.layer_count > 0:
		heights.clear()
	for layer in result.heights:
		if heights.size() <= layer:
			heights.resize(layer + 1)
		heights[layer] = result.heights[layer]
	return heights


func _save(resource: Resource, ending: String) -> void:
	if not trouble.is_empty():
		return
	var file := Files.path(_manager, _root, ending)
	if SavedResource.is_read_only(file):
		trouble = "%s is read-only." % file
		return
	var error := ResourceSaver.save(resource, file, ResourceSaver.FLAG_COMPRESS)
	if error != OK:
		trouble = "%s cannot be saved: %s." % [file, error_string(error)]
		return
	resource.take_over_path(file)


func _begin(title: String) -> void:
	if _undo is UndoRedo:
		(_undo as UndoRedo).create_action(title)
	else:
		_undo.call(&"create_action", title, UndoRedo.MERGE_DISABLE, _manager)


func _change(object: Object, property: StringName, value: Variant) -> void:
	_undo.call(&"add_do_property", object, property, value)
	_undo.call(&"add_undo_property", object, property, object.get(property))
	var resource := object as Resource
	if resource != null and resource not in _changed and SavedResource.has_file(resource):
		_changed.append(resource)


## Heights, links and stamps must be taken back before the layers change that have them.
func _change_node(node: Node, is_new: bool) -> void:
	if is_new:
		UndoSteps.add_do(_undo, _manager, &"add_child", [node, true])
		_undo.call(&"add_do_property", node, &"owner", _root)
		_undo.call(&"add_do_reference", node)
	else:
		UndoSteps.add_do(_undo, node, &"take_back", [])
	UndoSteps.add_undo(_undo, node, &"take_back", [])
	if not is_new:
		UndoSteps.add_do(_undo, node, &"apply_later", [])
		UndoSteps.add_undo(_undo, node, &"apply_later", [])


func _set_terrains(result: Result, made: Dictionary[int, FlowTerrain]) -> void:
	var upper := _manager.layer_terrains.duplicate()
	if result.layer_count > 0:
		upper.resize(result.layer_count - 1)
	for layer in result.terrains:
		var terrain := LayerTerrain.of(_manager, layer)
		if terrain != null:
			_change(terrain, &"cells", result.terrains[layer])
		elif layer == 0:
			_change(_manager, &"terrain", made[layer])
		else:
			upper.resize(maxi(upper.size(), layer))
			upper[layer - 1] = made[layer]
	if upper != _manager.layer_terrains:
		_change(_manager, &"layer_terrains", upper)
	# A manager whose terrain is taken away keeps the cells of it.
	for layer in made:
		if layer < _manager.layer_count:
			var before := _base_terrain(layer)
			UndoSteps.add_undo(_undo, _manager, &"set_terrain_bytes", [before, layer])


## The terrain of a layer without stamps.
func _base_terrain(layer: int) -> PackedByteArray:
	var cells := _manager.grid_size.x * _manager.grid_size.y
	return _manager.get_base_terrain_bytes().slice(layer * cells, (layer + 1) * cells)


func _change_maps(bake: FlowBake, result: Result) -> void:
	_change(bake.maps, &"heights", _heights(bake.maps.heights, result))
	if result.has_links:
		_change(bake.maps, &"link_starts", result.link_starts)
		_change(bake.maps, &"link_ends", result.link_ends)


func _set_records(records: Dictionary) -> void:
	UndoSteps.add_do(_undo, _manager, &"set_meta", [Records.META, records])
	if _manager.has_meta(Records.META):
		UndoSteps.add_undo(_undo, _manager, &"set_meta", [Records.META, Records.of(_manager)])
	else:
		UndoSteps.add_undo(_undo, _manager, &"remove_meta", [Records.META])


func _save_changed() -> void:
	for resource in _changed:
		if ResourceSaver.save(resource, "", ResourceSaver.FLAG_COMPRESS) != OK:
			trouble = "%s cannot be saved." % resource.resource_path
