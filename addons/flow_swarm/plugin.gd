@tool
extends EditorPlugin
## Paints the terrain of the selected FlowFieldManager in the 2D view. The left button paints the
## chosen terrain id; with Shift it paints clear ground. The data is stored in the manager's
## FlowTerrain resource.

const CLEAR := 1
const WALL := 255
const TerrainFit := preload("terrain_fit.gd")
const MakeCrowdMenu := preload("characters/make_crowd_menu.gd")
const ICON: Texture2D = preload("icons/FlowTerrain.svg")

var _manager: FlowFieldManager
var _bar: HBoxContainer
var _paint: Button
var _terrain_id: SpinBox
var _question: ConfirmationDialog
var _stroking := false
var _last_cell := Vector2i.ZERO
var _cells_before := PackedByteArray()
var _make_crowd := MakeCrowdMenu.new()


func _enter_tree() -> void:
	_bar = HBoxContainer.new()
	_paint = Button.new()
	_paint.text = "Paint terrain"
	_paint.icon = ICON
	_paint.toggle_mode = true
	_paint.theme_type_variation = &"FlatButton"
	_paint.tooltip_text = "Left button paints the terrain id, Shift erases to clear ground."
	_paint.toggled.connect(_on_paint_toggled)
	_bar.add_child(_paint)
	_terrain_id = SpinBox.new()
	_terrain_id.min_value = CLEAR
	_terrain_id.max_value = WALL
	_terrain_id.value = WALL
	_terrain_id.tooltip_text = "Terrain id: 1 is clear ground, 255 is a wall."
	_bar.add_child(_terrain_id)
	_bar.hide()
	_question = ConfirmationDialog.new()
	_question.title = "Terrain and grid differ"
	_question.ok_button_text = "Resize the terrain"
	_question.add_button("Resize the grid", false, "grid")
	_question.confirmed.connect(_on_terrain_chosen)
	_question.custom_action.connect(_on_grid_chosen)
	EditorInterface.get_base_control().add_child(_question)
	add_control_to_container(CONTAINER_CANVAS_EDITOR_MENU, _bar)
	add_context_menu_plugin(EditorContextMenuPlugin.CONTEXT_SLOT_FILESYSTEM, _make_crowd)


func _exit_tree() -> void:
	remove_context_menu_plugin(_make_crowd)
	remove_control_from_container(CONTAINER_CANVAS_EDITOR_MENU, _bar)
	_bar.queue_free()
	_question.queue_free()


func _handles(object: Object) -> bool:
	return object is FlowFieldManager


func _edit(object: Object) -> void:
	_manager = object as FlowFieldManager
	_stroking = false


func _make_visible(visible: bool) -> void:
	_bar.visible = visible


func _forward_canvas_gui_input(event: InputEvent) -> bool:
	if not is_instance_valid(_manager) or not _paint.button_pressed:
		return false
	var mouse := event as InputEventMouse
	if mouse == null:
		return false
	var button := event as InputEventMouseButton
	if button != null and button.button_index == MOUSE_BUTTON_LEFT:
		if button.pressed:
			if _is_ready_to_paint():
				_begin_stroke(_cell_at(mouse))
				_paint_line(_cell_at(mouse), button.shift_pressed)
		elif _stroking:
			_end_stroke()
		return true
	if event is InputEventMouseMotion and _stroking:
		_paint_line(_cell_at(mouse), mouse.shift_pressed)
		return true
	return false


func _cell_at(mouse: InputEventMouse) -> Vector2i:
	var view := EditorInterface.get_editor_viewport_2d()
	var place := view.global_canvas_transform.affine_inverse() * mouse.position
	return _manager.get_cell(place)


func _on_paint_toggled(on: bool) -> void:
	if not on or not is_instance_valid(_manager):
		return
	if _is_ready_to_paint():
		_manager.debug_view = FlowFieldManager.DEBUG_COST


## Returns `true` if the terrain can be painted. Creates a terrain if there is none, and shows a
## dialogue if the size of the terrain is not that of the grid.
func _is_ready_to_paint() -> bool:
	if _manager.terrain == null:
		_give_terrain()
	if TerrainFit.is_fit(_manager):
		return true
	_question.dialog_text = TerrainFit.question(_manager)
	_question.popup_centered()
	return false


func _on_terrain_chosen() -> void:
	if is_instance_valid(_manager) and not TerrainFit.is_fit(_manager):
		TerrainFit.resize_terrain(_manager, get_undo_redo())
		_manager.debug_view = FlowFieldManager.DEBUG_COST


func _on_grid_chosen(_action: StringName) -> void:
	_question.hide()
	if is_instance_valid(_manager) and not TerrainFit.is_fit(_manager):
		TerrainFit.resize_grid(_manager, get_undo_redo())
		_manager.debug_view = FlowFieldManager.DEBUG_COST


## Creates a terrain resource of the grid's size, as one undoable step.
func _give_terrain() -> void:
	var terrain := FlowTerrain.new()
	terrain.size = _manager.grid_size
	var undo := get_undo_redo()
	undo.create_action("Create flow terrain")
	undo.add_do_property(_manager, &"terrain", terrain)
	undo.add_undo_property(_manager, &"terrain", null)
	undo.commit_action()


func _begin_stroke(cell: Vector2i) -> void:
	_stroking = true
	_last_cell = cell
	_cells_before = _manager.terrain.cells.duplicate()


func _end_stroke() -> void:
	_stroking = false
	var terrain := _manager.terrain
	var undo := get_undo_redo()
	undo.create_action("Paint flow terrain")
	undo.add_do_property(terrain, &"cells", terrain.cells.duplicate())
	undo.add_undo_property(terrain, &"cells", _cells_before)
	undo.commit_action()


## Paints all cells from the last one to this one.
func _paint_line(to: Vector2i, erase: bool) -> void:
	var id := CLEAR if erase else int(_terrain_id.value)
	var steps := maxi(absi(to.x - _last_cell.x), absi(to.y - _last_cell.y))
	for i in steps + 1:
		var share := 1.0 if steps == 0 else float(i) / steps
		var cell := Vector2i(Vector2(_last_cell).lerp(Vector2(to), share).round())
		if _manager.is_in_grid(cell):
			_manager.terrain.set_terrain(cell, id)
	_last_cell = to
