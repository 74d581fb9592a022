@tool
extends RefCounted
## A manager whose terrain, stamps and links are drawn in the editor: what is chosen in the panel,
## whether drawing is possible, undoable steps, and the overlays in the views.

## Emitted when something that the panel shows has changed.
signal changed
## Emitted when terrain and grid have different sizes, and one of them must be resized to go on.
signal resize_needed

const CellOutline := preload("view/cell_outline.gd")
const GroundRay := preload("paint/ground_ray.gd")
const Keys := preload("paint_keys.gd")
const LayerHeight := preload("../debug/layer_height.gd")
const LayerTerrain := preload("paint/layer_terrain.gd")
const LayoutEdits := preload("paint/layout_edits.gd")
const LayoutShapes := preload("view/layout_shapes.gd")
const LinkTool := preload("paint/link_tool.gd")
const Overlay2D := preload("view/terrain_overlay_2d.gd")
const Overlay3D := preload("view/terrain_overlay_3d.gd")
const Painter := preload("paint/terrain_painter.gd")
const StampTool := preload("paint/stamp_tool.gd")
const TerrainFit := preload("paint/terrain_fit.gd")
const UndoSteps := preload("paint/undo_steps.gd")

var manager: FlowFieldManager
var layer := 0:
	set(value):
		layer = value
		_show_layer()
		changed.emit()
var tool := Painter.Tool.PAINT:
	set(value):
		tool = value
		changed.emit()
var is_erasing := false:
	set(value):
		is_erasing = value
		changed.emit()
## What the panel tells the user; empty if there is nothing to tell.
var message := "":
	set(value):
		if value != message:
			message = value
			changed.emit()
var painter := Painter.new()
var stamps: StampTool
var links: LinkTool
## The cell under the mouse.
var hovered := Vector2i.ZERO

## An EditorUndoRedoManager.
var _undo: Object
var _overlay_2d: Overlay2D
var _overlay_3d: Overlay3D
var _has_heights := false
## Whether the manager can be asked for heights.
var _fits := false
var _shapes := LayoutShapes.new()
## The outline of the brush, and what it was made of.
var _outline: PackedVector2Array = []
var _outlined: PackedByteArray = []


func _init(undo: Object) -> void:
	_undo = undo
	var edits := LayoutEdits.new(undo)
	stamps = StampTool.new(edits)
	links = LinkTool.new(edits)
	painter.stroke_ended.connect(_on_stroke_ended)
	painter.id_picked.connect(_on_id_picked)


## Shows the terrain of a manager to paint it.
func begin(of_manager: FlowFieldManager) -> void:
	end()
	manager = of_manager
	message = ""
	_add_overlays()
	layer = mini(layer, manager.layer_count - 1)


## Stops painting. A stroke that has begun ends as if the button had been released.
func end() -> void:
	painter.release()
	painter.terrain = null
	links.cancel()
	for overlay: Variant in [_overlay_2d, _overlay_3d]:
		if is_instance_valid(overlay):
			(overlay as Node).queue_free()
	_overlay_2d = null
	_overlay_3d = null
	manager = null


## Whether a manager is painted. Those of scenes in other tabs are not.
func is_active() -> bool:
	return is_instance_valid(manager) and manager.is_inside_tree()


## Reads the heights of the ground of the layer anew.
func read_heights() -> void:
	# Whatever is asked of a manager whose terrain does not fit reports that.
	_fits = TerrainFit.is_fit(manager, LayerTerrain.of(manager, layer))
	_has_heights = _fits and not manager.get_heights(layer).is_empty()
	if is_instance_valid(_overlay_3d):
		_overlay_3d.refresh_heights()


## Whether strokes can begin. If not, tells why or asks. Gives the layer a terrain if it has none.
func is_ready() -> bool:
	message = _refusal()
	if not message.is_empty():
		return false
	if not Keys.draws_layout(tool) and LayerTerrain.of(manager, layer) == null:
		LayerTerrain.give(manager, layer, _undo)
	var terrain := LayerTerrain.of(manager, layer)
	if not TerrainFit.is_fit(manager, terrain):
		resize_needed.emit()
		return false
	if EditorInterface.is_playing_scene():
		message = "The game is running: it shows what is painted now when it is started again."
	painter.terrain = terrain
	return true


func press(cell: Vector2i, mouse: InputEventMouseButton) -> void:
	if is_busy() or not is_ready():
		return
	hovered = cell
	var erases := is_erasing or mouse.button_index == MOUSE_BUTTON_RIGHT
	match tool:
		Painter.Tool.STAMP:
			_use_stamp(cell, erases)
		Painter.Tool.LINK when erases:
			links.erase(manager, _root(), cell, layer)
		Painter.Tool.LINK:
			links.begin(cell, layer)
		_:
			painter.press(cell, Keys.tool_of(tool, mouse), erases)


func move(cell: Vector2i) -> void:
	hovered = cell
	painter.move(cell)


func release() -> void:
	painter.release()
	if links.is_busy():
		message = links.finish(manager, _root(), hovered, layer)


## Whether something is being drawn.
func is_busy() -> bool:
	return painter.is_busy() or links.is_busy()


## Uses a key. Returns whether it was one of the painter.
func take_key(key: InputEventKey) -> bool:
	if not Keys.is_plain(key):
		return false
	if Keys.TOOLS.has(key.keycode):
		tool = Keys.TOOLS[key.keycode]
	elif Keys.TURNS.has(key.keycode) and tool == Painter.Tool.STAMP:
		stamps.quarter_turns += Keys.TURNS[key.keycode]
		changed.emit()
	elif Keys.LAYERS.has(key.keycode):
		layer = clampi(layer + Keys.LAYERS[key.keycode], 0, manager.layer_count - 1)
	elif key.keycode == Keys.ERASER:
		is_erasing = not is_erasing
	elif key.keycode == Keys.SMALLER:
		set_brush_size(painter.brush.size - 1)
	elif key.keycode == Keys.LARGER:
		set_brush_size(painter.brush.size + 1)
	elif key.keycode == KEY_ESCAPE and is_busy():
		painter.cancel()
		links.cancel()
	else:
		return false
	return true


func set_brush_size(size: int) -> void:
	painter.brush.size = size
	changed.emit()


## Chooses the stamp that is placed.
func choose_stamp(stamp: FlowStamp) -> void:
	stamps.stamp = stamp
	is_erasing = false
	message = ""
	changed.emit()


func set_id(id: int) -> void:
	painter.id = id
	is_erasing = false


## Where a ray meets the ground of the layer; GroundRay.MISS if it does not.
func ground_at(from: Vector3, direction: Vector3) -> Vector3:
	if _has_heights:
		return GroundRay.hit_heights(manager, layer, from, direction)
	return GroundRay.hit_plane(from, direction, LayerHeight.of(manager, layer))


## A point of the ground of a layer at a position in cells.
func ground_of(place: Vector2, on_layer := layer) -> Vector3:
	var flat := manager.origin + place * manager.cell_size
	var height := manager.get_height(flat, on_layer) if _fits else NAN
	if is_nan(height):
		height = LayerHeight.of(manager, on_layer)
	return Vector3(flat.x, height, flat.y)


## The outline of what is under the mouse or would be painted, as pairs of points in cells.
func outline() -> PackedVector2Array:
	if painter.is_busy() and painter.stroke_tool() == Painter.Tool.RECT:
		return CellOutline.of_rect(painter.rect())
	if tool >= Painter.Tool.FILL:
		return CellOutline.of_rect(_hovered_rect())
	var lines := _brush_outline(hovered)
	if painter.is_busy() and painter.stroke_tool() == Painter.Tool.LINE:
		var ends := painter.line()
		lines.append_array(_brush_outline(ends[0]))
		var middle := Vector2(0.5, 0.5)
		lines.append_array([Vector2(ends[0]) + middle, Vector2(ends[1]) + middle])
	return lines


## The stamps and links of the manager, and the one that would be drawn in the hovered cell.
func layout_shapes(with_preview: bool) -> LayoutShapes:
	_shapes.begin(manager, layer)
	if not with_preview or is_erasing:
		return _shapes
	if tool == Painter.Tool.STAMP and stamps.stamp != null:
		var placed := stamps.preview(hovered, layer)
		_shapes.add_stamp_preview(placed, not stamps.refusal(manager, placed).is_empty())
	elif links.is_busy():
		var placed := links.preview(hovered, layer)
		var trouble := FlowLayout.find_link_trouble(placed, manager)
		_shapes.add_link_preview(placed, not trouble.is_empty())
	return _shapes


## Gives the terrain the size of the grid, or the grid that of the terrain.
func resize(is_terrain: bool) -> void:
	if not is_active():
		return
	var terrain := LayerTerrain.of(manager, layer)
	if TerrainFit.is_fit(manager, terrain):
		return
	if is_terrain:
		TerrainFit.resize_terrain(manager, terrain, _undo)
	else:
		TerrainFit.resize_grid(manager, terrain, _undo)


## What to ask about terrain and grid of different sizes.
func resize_question() -> String:
	return TerrainFit.question(manager, LayerTerrain.of(manager, layer))


## Gives the manager the basic terrain set, as one undoable step.
func give_basic_set() -> void:
	_undo.call(&"create_action", "Create terrain set")
	_undo.call(&"add_do_property", manager, &"terrain_set", FlowTerrainSet.create_basic())
	_undo.call(&"add_undo_property", manager, &"terrain_set", manager.terrain_set)
	_undo.call(&"commit_action")
	changed.emit()


func _refusal() -> String:
	var selected := EditorInterface.get_selection().get_selected_nodes()
	if selected.size() != 1 or selected[0] != manager:
		return "Select %s alone to paint its terrain." % manager.name
	if layer >= manager.layer_count:
		return "There are %d layers." % manager.layer_count
	if Keys.draws_layout(tool):
		return LayoutEdits.refusal(manager, _root())
	var terrain := LayerTerrain.of(manager, layer)
	if terrain == null:
		return ""
	return LayerTerrain.refusal(terrain, _root().scene_file_path if _root() != null else "")


func _root() -> Node:
	return EditorInterface.get_edited_scene_root()


func _use_stamp(cell: Vector2i, erases: bool) -> void:
	if erases:
		stamps.erase(manager, _root(), cell, layer)
		return
	var placed := stamps.preview(cell, layer)
	var trouble := stamps.refusal(manager, placed)
	if trouble.is_empty():
		stamps.place(manager, _root(), placed)
	else:
		message = trouble


## What a click would use: a cell, or the stamp that it would take away.
func _hovered_rect() -> Rect2:
	if tool == Painter.Tool.STAMP and is_erasing:
		var placed := StampTool.find(manager, hovered, layer)
		if placed != null:
			return placed.get_rect()
	return Rect2(hovered, Vector2i.ONE)


## Shows the terrain in both views.
func _add_overlays() -> void:
	_overlay_2d = Overlay2D.new()
	_overlay_2d.manager = manager
	_overlay_3d = Overlay3D.new()
	_overlay_3d.manager = manager
	for overlay: Node in [_overlay_2d, _overlay_3d]:
		manager.add_child(overlay, false, Node.INTERNAL_MODE_BACK)


func _show_layer() -> void:
	if not is_active():
		return
	painter.release()
	if is_instance_valid(_overlay_2d):
		_overlay_2d.layer = layer
	if is_instance_valid(_overlay_3d):
		_overlay_3d.layer = layer
		read_heights()


func _brush_outline(cell: Vector2i) -> PackedVector2Array:
	var brush := painter.brush
	if _outlined != brush.mask():
		_outlined = brush.mask()
		_outline = CellOutline.of_mask(_outlined, brush.size)
	return Transform2D(0.0, brush.area(cell).position) * _outline


func _on_stroke_ended(patch: Painter.Patch) -> void:
	UndoSteps.add_stroke(_undo, manager, painter.terrain, patch)


func _on_id_picked(id: int) -> void:
	set_id(id)
	if tool == Painter.Tool.PICK:
		tool = Painter.Tool.PAINT
