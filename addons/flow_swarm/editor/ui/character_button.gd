@tool
extends Button
## "Characters..." in the dock: asks for scene files and makes looks for crowds of them, as "Make
## Crowd from Scene" in the FileSystem dock does.

## Emitted with what the dock is to tell.
signal told(text: String)

const ErrorCatcher := preload("../bake/error_catcher.gd")
const MakeCrowdMenu := preload("../../characters/make_crowd_menu.gd")

var _menu: MakeCrowdMenu
var _dialog: EditorFileDialog


func _init(menu: MakeCrowdMenu) -> void:
	_menu = menu
	text = "Characters..."
	tooltip_text = "Makes a look for crowds of an animated scene, beside its file"


func _pressed() -> void:
	if _dialog == null:
		_dialog = EditorFileDialog.new()
		_dialog.title = "Make crowd from scene"
		_dialog.file_mode = EditorFileDialog.FILE_MODE_OPEN_FILES
		for ending in MakeCrowdMenu.ENDINGS:
			_dialog.add_filter("*." + ending)
		_dialog.files_selected.connect(make_looks)
		add_child(_dialog)
	_dialog.popup_file_dialog()


func make_looks(paths: PackedStringArray) -> void:
	var errors := ErrorCatcher.run(_make.bind(paths))
	if not errors.is_empty():
		told.emit("Characters: %s" % "\n".join(errors))
		return
	var looks: PackedStringArray = []
	for path in MakeCrowdMenu.scenes_of(paths):
		looks.append(MakeCrowdMenu.look_path(path))
	told.emit("Characters: saved %s." % ", ".join(looks))


func _make(paths: PackedStringArray) -> Error:
	_menu.make_looks(paths)
	return OK
