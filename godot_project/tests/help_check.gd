@tool
extends EditorPlugin
## Opens the editor's help of every class of the extension, and checks that it lists all enums, and
## that nothing in it is without a description.
##
## `cargo xtask test` copies this script into a project with the packed addon, as a plugin that the
## editor starts with. Same output as run_tests.gd.

const FRAMES := 30
const GAP := "currently no description"

var _passed := 0
var _failed := 0


func _enter_tree() -> void:
	_check_all.call_deferred()


func _check_all() -> void:
	# The help is put together by a thread that starts with the editor.
	for frame in FRAMES:
		await get_tree().process_frame
	for name in ClassDB.get_class_list():
		if ClassDB.class_get_api_type(name) == ClassDB.API_EXTENSION:
			await _check(name)
	print("%d passed, %d failed" % [_passed, _failed])
	get_tree().quit(1 if _failed > 0 else 0)


func _check(name: String) -> void:
	print("case help.", name)
	var editor := EditorInterface.get_script_editor()
	editor.goto_help("class_name:" + name)
	for frame in FRAMES:
		await get_tree().process_frame
	var text := ""
	for page: Node in editor.find_children(name, "EditorHelp", true, false):
		for label: RichTextLabel in page.find_children("*", "RichTextLabel", true, false):
			text += label.get_parsed_text()
	var gaps := text.count(GAP)
	for of_class: String in ClassDB.class_get_enum_list(name, true):
		if not text.contains("enum %s:" % of_class):
			print("help.%s has no enum %s" % [name, of_class])
			gaps += 1
	if text.contains(name) and gaps == 0:
		_passed += 1
	else:
		_failed += 1
		print("FAILED help.%s: %d characters, %d gaps" % [name, text.length(), gaps])
