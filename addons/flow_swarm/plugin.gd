@tool
extends EditorPlugin
## The addon in the editor: paints the terrain of the selected FlowFieldManager in the 2D and 3D
## views, bakes and previews in a dock, and makes crowds from scenes. What they do is in editor/.

const Baking := preload("editor/bake/baking.gd")
const CanvasInput := preload("editor/canvas_input.gd")
const FlowDock := preload("editor/ui/flow_dock.gd")
const MakeCrowdMenu := preload("characters/make_crowd_menu.gd")
const PaintPanel := preload("editor/ui/paint_panel.gd")
const Painting := preload("editor/painting.gd")
const Preview := preload("editor/preview/preview.gd")
const SpaceInput := preload("editor/space_input.gd")
const TablesPlugin := preload("editor/inspect/tables_plugin.gd")
const ICON: Texture2D = preload("icons/FlowTerrain.svg")
const MENUS: Array[CustomControlContainer] = [
	CONTAINER_CANVAS_EDITOR_MENU, CONTAINER_SPATIAL_EDITOR_MENU
]

var _manager: FlowFieldManager
var _painting: Painting
var _canvas_input: CanvasInput
var _space_input: SpaceInput
var _panel: PaintPanel
var _preview := Preview.new()
var _dock: FlowDock
## The switches in the menus of both views.
var _switches: Array[Button] = []
var _make_crowd := MakeCrowdMenu.new()
var _tables := TablesPlugin.new()


func _enter_tree() -> void:
	_painting = Painting.new(get_undo_redo())
	_painting.changed.connect(update_overlays)
	get_undo_redo().version_changed.connect(update_overlays)
	_canvas_input = CanvasInput.new(_painting)
	_space_input = SpaceInput.new(_painting)
	_panel = PaintPanel.new(_painting)
	for menu: CustomControlContainer in MENUS:
		var switch := _new_switch()
		_switches.append(switch)
		add_control_to_container(menu, switch)
	_dock = FlowDock.new(Baking.new(get_undo_redo()), _preview, _make_crowd)
	add_control_to_dock(DOCK_SLOT_RIGHT_BL, _dock)
	scene_changed.connect(_on_scene_changed)
	add_context_menu_plugin(EditorContextMenuPlugin.CONTEXT_SLOT_FILESYSTEM, _make_crowd)
	add_inspector_plugin(_tables)


func _exit_tree() -> void:
	get_undo_redo().version_changed.disconnect(update_overlays)
	_painting.end()
	_dock.show_manager(null)
	remove_control_from_docks(_dock)
	_dock.queue_free()
	remove_context_menu_plugin(_make_crowd)
	remove_inspector_plugin(_tables)
	for i in MENUS.size():
		remove_control_from_container(MENUS[i], _switches[i])
		_switches[i].queue_free()
	_switches.clear()
	_show_panel(false)
	_panel.queue_free()


func _handles(object: Object) -> bool:
	# A stamp is edited in the inspector while it is placed with the mouse.
	return object is FlowFieldManager or (object is FlowStamp and _painting.is_active())


func _edit(object: Object) -> void:
	if object is FlowStamp:
		_painting.choose_stamp(object as FlowStamp)
		return
	_painting.end()
	_manager = object as FlowFieldManager
	if _manager != null:
		_dock.show_manager(_manager)
	_show_painting()


func _make_visible(visible: bool) -> void:
	for switch: Button in _switches:
		switch.visible = visible
	if not visible:
		_painting.end()
	_show_painting()


func _forward_canvas_gui_input(event: InputEvent) -> bool:
	if event is InputEventMouseMotion:
		var to_world := EditorInterface.get_editor_viewport_2d().global_canvas_transform
		var place := (event as InputEventMouseMotion).position
		_preview.point_at(to_world.affine_inverse() * place)
	if not _painting.is_active():
		return false
	update_overlays()
	return _canvas_input.take(event)


func _forward_3d_gui_input(camera: Camera3D, event: InputEvent) -> int:
	if event is InputEventMouseMotion:
		var place := (event as InputEventMouseMotion).position
		_preview.point_along(camera.project_ray_origin(place), camera.project_ray_normal(place))
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
	var is_shown := is_instance_valid(_manager) and _manager.is_inside_tree()
	var is_on := _switches[0].button_pressed and is_shown
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


## The dock works on the first manager of a scene until another one is selected, also while other
## nodes are.
func _on_scene_changed(root: Node) -> void:
	_dock.show_manager(null)
	var managers: Array[Node] = []
	if root is FlowFieldManager:
		managers.append(root)
	elif root != null:
		managers = root.find_children("*", "FlowFieldManager")
	if not managers.is_empty():
		_dock.show_manager(managers[0] as FlowFieldManager)
