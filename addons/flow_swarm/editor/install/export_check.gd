@tool
extends EditorExportPlugin
## Warns of an export that leaves the addon's library out, as "selected scenes" does: no scene
## depends on a manifest, and the engine adds a library to an export with its manifest.

const TEXT := """%s is not among the exported files, so the game lacks the library and its \
classes: export all resources, or add "%s" to the filter for non-resource files (tab Resources)."""

var _manifest: String
var _is_exported := false


func _init(manifest: String = "") -> void:
	_manifest = manifest


func _get_name() -> String:
	return "FlowSwarmExportCheck"


func _export_begin(_features: PackedStringArray, _debug: bool, _path: String, _flags: int) -> void:
	_is_exported = false


func _export_file(path: String, _type: String, _features: PackedStringArray) -> void:
	if path == _manifest:
		_is_exported = true


func _export_end() -> void:
	if _is_exported:
		return
	var text := TEXT % [_manifest, _manifest.trim_prefix("res://")]
	get_export_platform().add_message(
		EditorExportPlatform.EXPORT_MESSAGE_WARNING, "Flow Swarm", text
	)
