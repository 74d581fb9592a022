@tool
extends EditorContextMenuPlugin
## "Make Crowd from Scene" in the menu of scene files in the FileSystem dock: saves a SwarmLook
## beside each of them.

const TEXT := "Make Crowd from Scene"
const ENDINGS: PackedStringArray = ["tscn", "scn", "glb", "gltf", "fbx", "blend"]
const ICON: Texture2D = preload("../icons/SwarmLook.svg")


func _popup_menu(paths: PackedStringArray) -> void:
	if not scenes_of(paths).is_empty():
		add_context_menu_item(TEXT, make_looks, ICON)


## The scene files among these paths.
static func scenes_of(paths: PackedStringArray) -> PackedStringArray:
	var scenes := PackedStringArray()
	for path: String in paths:
		if ENDINGS.has(path.get_extension().to_lower()):
			scenes.append(path)
	return scenes


## The file for the look of a scene.
static func look_path(scene_path: String) -> String:
	return scene_path.get_basename() + "_crowd.res"


## Bakes all scene files among these paths.
func make_looks(paths: PackedStringArray) -> void:
	for path: String in scenes_of(paths):
		if SwarmCharacterBaker.bake_file(path, look_path(path)) == OK:
			print("%s: saved %s" % [TEXT, look_path(path)])
	EditorInterface.get_resource_filesystem().scan()
