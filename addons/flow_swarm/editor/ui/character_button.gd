@tool
extends Button
## "Characters..." in the dock: asks for a scene file and makes a look for crowds of it, as "Make
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
		_dialog.file_mode = EditorFileDialog.FILE_MODE_OPEN_FILE
		for ending in MakeCrowdMenu.ENDINGS:
			_dialog.add_filter("*." + ending)
		_dialog.file_selected.connect(make_look)
		add_child(_dialog)
	_dialog.popup_file_dialog()


## Makes a look of a scene file.
func make_look(path: String) -> void:
	var errors := ErrorCatcher.run(_make.bind(path))
	if errors.is_empty():
		told.emit("Characters: saved %s." % MakeCrowdMenu.look_path(path))
	else:
		told.emit("Characters: %s" % "\n".join(errors))


func _make(path: String) -> Error:
	_menu.make_looks([path])
	return OK
