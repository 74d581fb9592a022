@tool
extends EditorPlugin
## The addon in the editor: paints the terrain of the selected FlowFieldManager in the 2D and 3D
## views, and makes crowds from scenes. What painting does is in editor/.

const CanvasInput := preload("editor/canvas_input.gd")
const MakeCrowdMenu := preload("characters/make_crowd_menu.gd")
const PaintPanel := preload("editor/ui/paint_panel.gd")
const Painting := preload("editor/painting.gd")
const SpaceInput := preload("editor/space_input.gd")
const ICON: Texture2D = preload("icons/FlowTerrain.svg")
const MENUS: Array[CustomControlContainer] = [
	CONTAINER_CANVAS_EDITOR_MENU, CONTAINER_SPATIAL_EDITOR_MENU
]

var _manager: FlowFieldManager
var _painting: Painting
var _canvas_input: CanvasInput
var _space_input: SpaceInput
var _panel: PaintPanel
## The switches in the menus of both views.
var _switches: Array[Button] = []
var _make_crowd := MakeCrowdMenu.new()


func _enter_tree() -> void:
	_painting = Painting.new(get_undo_redo())
	_painting.changed.connect(update_overlays)
	_canvas_input = CanvasInput.new(_painting)
	_space_input = SpaceInput.new(_painting)
	_panel = PaintPanel.new(_painting)
	for menu: CustomControlContainer in MENUS:
		var switch := _new_switch()
		_switches.append(switch)
		add_control_to_container(menu, switch)
	add_context_menu_plugin(EditorContextMenuPlugin.CONTEXT_SLOT_FILESYSTEM, _make_crowd)


func _exit_tree() -> void:
	_painting.end()
	remove_context_menu_plugin(_make_crowd)
	for i in MENUS.size():
		remove_control_from_container(MENUS[i], _switches[i])
		_switches[i].queue_free()
	_switches.clear()
	_show_panel(false)
	_panel.queue_free()


func _handles(object: Object) -> bool:
	return object is FlowFieldManager


func _edit(object: Object) -> void:
	_painting.end()
	_manager = object as FlowFieldManager
	_show_painting()


func _make_visible(visible: bool) -> void:
	for switch: Button in _switches:
		switch.visible = visible
	if not visible:
		_painting.end()
	_show_painting()


func _forward_canvas_gui_input(event: InputEvent) -> bool:
	if not _painting.is_active():
		return false
	update_overlays()
	return _canvas_input.take(event)


func _forward_3d_gui_input(camera: Camera3D, event: InputEvent) -> int:
	if not _painting.is_active():
		return AFTER_GUI_INPUT_PASS
	update_overlays()
	return AFTER_GUI_INPUT_STOP if _space_input.take(camera, event) else AFTER_GUI_INPUT_PASS


func _forward_canvas_draw_over_viewport(view: Control) -> void:
	if _painting.is_active():
		_canvas_input.draw(view)


func _forward_3d_draw_over_viewport(view: Control) -> void:
	if _painting.is_active():
		_space_input.draw(view)


func _new_switch() -> Button:
	var switch := Button.new()
	switch.text = "Paint terrain"
	switch.icon = ICON
	switch.toggle_mode = true
	switch.theme_type_variation = &"FlatButton"
	switch.tooltip_text = "Paint the terrain of the selected FlowFieldManager with the mouse."
	switch.toggled.connect(_on_switched)
	switch.hide()
	return switch


func _on_switched(on: bool) -> void:
	for switch: Button in _switches:
		switch.set_pressed_no_signal(on)
	_show_painting()
	if _painting.is_active():
		_painting.is_ready()


## Paints if a manager is selected and the switch is on.
func _show_painting() -> void:
	if _switches.is_empty():
		return
	var is_on := _switches[0].button_pressed and is_instance_valid(_manager)
	if is_on and not _painting.is_active():
		_painting.begin(_manager)
	elif not is_on:
		_painting.end()
	_show_panel(is_on)
	update_overlays()


## The panel is in the editor only while a manager is painted, as those of other painters are.
func _show_panel(on: bool) -> void:
	if on and not _panel.is_inside_tree():
		add_control_to_bottom_panel(_panel, "Terrain")
		make_bottom_panel_item_visible(_panel)
	elif not on and _panel.is_inside_tree():
		hide_bottom_panel()
		remove_control_from_bottom_panel(_panel)
