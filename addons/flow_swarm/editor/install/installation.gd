@tool
extends RefCounted
## What is wrong with an installation of the addon: a library that is missing, a second copy.

const MANIFEST := "flow_swarm.gdextension"
## The engine's list of the manifests in the project.
const LIST := "res://.godot/extension_list.cfg"
const CLASS := &"FlowFieldManager"
const PLATFORMS: PackedStringArray = ["windows", "macos", "linux", "android", "ios", "web"]
const PROCESSORS: PackedStringArray = ["x86_64", "x86_32", "arm64", "arm32", "rv64", "wasm32"]
const COPIES := """the addon is in the project %d times: %s; \
keep one folder, delete the others and restart the editor"""
const DAMAGED := "%s is missing or damaged: unpack the addon's zip again"
const NO_ENTRY := "there is no library for %s: %s names those for %s"
const MISSING := """the library for %s is missing: %s; \
unpack the addon's zip again, or build it with `cargo xtask build`, and restart the editor"""
const NOT_LOADED := """the library for %s was not loaded: %s; restart the editor, and if that \
does not help, see the engine's first messages: Godot %s or newer is needed"""

## Where the addon lies.
var folder: String


func _init(addon: String) -> void:
	folder = addon


func get_manifest() -> String:
	return folder.path_join(MANIFEST)


## A line for each fault; empty if everything is in place.
func get_faults() -> PackedStringArray:
	# A copy that the engine has just found is loaded, but not listed; one that failed is listed.
	var manifests := GDExtensionManager.get_loaded_extensions()
	for path: String in FileAccess.get_file_as_string(LIST).split("\n", false):
		if not manifests.has(path):
			manifests.append(path)
	var copies := get_copies(manifests)
	if copies.size() > 1:
		return [COPIES % [copies.size(), ", ".join(copies)]]
	if not ClassDB.class_exists(CLASS):
		return [get_library_fault(OS.has_feature)]
	return []


## The folders of this addon's manifests, each with the version of the addon in it.
static func get_copies(manifests: PackedStringArray) -> PackedStringArray:
	var copies := PackedStringArray()
	for path: String in manifests:
		if path.get_file() == MANIFEST and FileAccess.file_exists(path):
			var config := ConfigFile.new()
			config.load(path.get_base_dir().path_join("plugin.cfg"))
			var version: String = config.get_value("plugin", "version", "of an unknown version")
			copies.append("%s (%s)" % [path.get_base_dir(), version])
	return copies


## Why there are no classes, on a system with the features that the callable confirms.
func get_library_fault(has_feature: Callable) -> String:
	var config := ConfigFile.new()
	if config.load(get_manifest()) != OK or not config.has_section("libraries"):
		return DAMAGED % get_manifest()
	var system := "%s.%s" % [_first(PLATFORMS, has_feature), _first(PROCESSORS, has_feature)]
	var library := ""
	var entries := config.get_section_keys("libraries")
	for entry: String in entries:
		if Array(entry.split(".")).all(has_feature):
			library = folder.path_join(config.get_value("libraries", entry))
	if library == "":
		return NO_ENTRY % [system, get_manifest(), ", ".join(entries)]
	if not FileAccess.file_exists(library):
		return MISSING % [system, library]
	var oldest: String = config.get_value("configuration", "compatibility_minimum", "4.5")
	return NOT_LOADED % [system, library, oldest]


static func _first(tags: PackedStringArray, has_feature: Callable) -> String:
	for tag: String in tags:
		if has_feature.call(tag):
			return tag
	return "unknown"
