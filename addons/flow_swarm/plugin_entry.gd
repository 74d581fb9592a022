@tool
extends EditorPlugin
## What plugin.cfg names. It says what is wrong with an installation, and otherwise starts
## plugin.gd, which does not compile without the library.
##
## The editor calls the plugin that it started, so the calls for plugin.gd are handed on. Nothing
## here, and in what it preloads, names a class of the extension.

const ExportCheck := preload("editor/install/export_check.gd")
const Installation := preload("editor/install/installation.gd")

var _plugin: EditorPlugin
var _export_check: ExportCheck


func _enter_tree() -> void:
	var installation := Installation.new(_get_folder())
	var faults := installation.get_faults()
	for fault: String in faults:
		push_error("Flow Swarm: " + fault)
	if not faults.is_empty():
		return
	_export_check = ExportCheck.new(installation.get_manifest())
	add_export_plugin(_export_check)
	_plugin = (load(_get_folder().path_join("plugin.gd")) as GDScript).new()
	add_child(_plugin)


func _exit_tree() -> void:
	if _export_check != null:
		remove_export_plugin(_export_check)
		_export_check = null
	if _plugin != null:
		_plugin.queue_free()
		_plugin = null


func _handles(object: Object) -> bool:
	return _plugin != null and _plugin._handles(object)


func _edit(object: Object) -> void:
	if _plugin != null:
		_plugin._edit(object)


func _make_visible(visible: bool) -> void:
	if _plugin != null:
		_plugin._make_visible(visible)


func _forward_canvas_gui_input(event: InputEvent) -> bool:
	return _plugin != null and _plugin._forward_canvas_gui_input(event)


func _forward_3d_gui_input(camera: Camera3D, event: InputEvent) -> int:
	return AFTER_GUI_INPUT_PASS if _plugin == null else _plugin._forward_3d_gui_input(camera, event)


func _forward_canvas_draw_over_viewport(view: Control) -> void:
	if _plugin != null:
		_plugin._forward_canvas_draw_over_viewport(view)


func _forward_3d_draw_over_viewport(view: Control) -> void:
	if _plugin != null:
		_plugin._forward_3d_draw_over_viewport(view)


## Where the addon lies, which may be any folder.
func _get_folder() -> String:
	return (get_script() as Script).resource_path.get_base_dir()
