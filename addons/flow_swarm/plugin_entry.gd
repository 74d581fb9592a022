@tool
extends EditorPlugin
## What plugin.cfg names. It says what is wrong with an installation, and otherwise starts
## plugin.gd, which does not compile without the library.
##
## The editor calls the plugin that it started, so the calls for plugin.gd are handed on. Nothing
## here, and in what it preloads, names a class of the extension.

const ExportCheck := preload("editor/install/export_check.gd")
const Installation := preload("editor/install/installation.gd")
const ICON := "icons/FlowTerrain.svg"

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
	_start()


func _exit_tree() -> void:
	var files := EditorInterface.get_resource_filesystem()
	if files.resources_reimported.is_connected(_on_resources_reimported):
		files.resources_reimported.disconnect(_on_resources_reimported)
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


## Starts plugin.gd, once the icons that it shows are imported: when a project is opened for the
## first time on a machine, plugins start before the import.
func _start() -> void:
	if _is_imported(_get_folder().path_join(ICON)):
		_plugin = (load(_get_folder().path_join("plugin.gd")) as GDScript).new()
		add_child(_plugin)
		return
	var files := EditorInterface.get_resource_filesystem()
	files.resources_reimported.connect(_on_resources_reimported, CONNECT_ONE_SHOT)


func _on_resources_reimported(_paths: PackedStringArray) -> void:
	_start()


static func _is_imported(path: String) -> bool:
	var config := ConfigFile.new()
	if config.load(path + ".import") != OK:
		return false
	return FileAccess.file_exists(config.get_value("remap", "path", ""))


## Where the addon lies, which may be any folder.
func _get_folder() -> String:
	return (get_script() as Script).resource_path.get_base_dir()
