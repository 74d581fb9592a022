extends "res://tests/test_suite.gd"
## What the plugin says of an installation, for systems other than this one too.

const Installation := preload("res://addons/flow_swarm/editor/install/installation.gd")
const FOLDER := "user://installation"
const MANIFEST := """[configuration]

compatibility_minimum = "4.5"

[libraries]

linux.x86_64 = "bin/one.so"
windows.x86_64 = "bin/two.dll"
"""


func _new_installation() -> Installation:
	DirAccess.make_dir_recursive_absolute(FOLDER.path_join("bin"))
	_write(Installation.MANIFEST, MANIFEST)
	_write("plugin.cfg", '[plugin]\n\nversion="1.2.3"\n')
	return Installation.new(FOLDER)


func _write(file: String, text: String) -> void:
	FileAccess.open(FOLDER.path_join(file), FileAccess.WRITE).store_string(text)


func _remove() -> void:
	for file: String in [Installation.MANIFEST, "plugin.cfg", "bin/one.so", "bin", ""]:
		DirAccess.remove_absolute(FOLDER.path_join(file))


func _fault_on(installation: Installation, tags: PackedStringArray) -> String:
	return installation.get_library_fault(func(tag: String) -> bool: return tags.has(tag))


func test_a_missing_library_is_named_with_its_platform() -> void:
	var installation := _new_installation()
	var fault := _fault_on(installation, ["windows", "x86_64", "editor"])
	check(fault.begins_with("the library for windows.x86_64 is missing"), fault)
	check(fault.contains(FOLDER + "/bin/two.dll;"), fault)
	_remove()


func test_a_platform_without_a_library_is_told_which_there_are() -> void:
	var installation := _new_installation()
	var fault := _fault_on(installation, ["android", "arm64"])
	check(fault.begins_with("there is no library for android.arm64"), fault)
	check(fault.ends_with("linux.x86_64, windows.x86_64"), fault)
	_remove()


func test_a_library_that_is_there_was_not_loaded() -> void:
	var installation := _new_installation()
	_write("bin/one.so", "no library")
	var fault := _fault_on(installation, ["linux", "x86_64"])
	check(fault.begins_with("the library for linux.x86_64 was not loaded"), fault)
	check(fault.contains("Godot 4.5 or newer"), fault)
	_remove()


func test_a_damaged_manifest_is_named() -> void:
	var installation := _new_installation()
	_write(Installation.MANIFEST, "")
	var fault := _fault_on(installation, ["linux", "x86_64"])
	check(fault.contains(FOLDER + "/flow_swarm.gdextension is missing or damaged"), fault)
	_remove()


func test_copies_are_listed_with_their_versions() -> void:
	var installation := _new_installation()
	var own := installation.get_manifest()
	var manifests: PackedStringArray = [
		own, "res://other.gdextension", "res://gone/" + own.get_file()
	]
	check_eq(Installation.get_copies(manifests), PackedStringArray([FOLDER + " (1.2.3)"]), "one")
	_remove()


func test_this_installation_has_no_faults() -> void:
	var folder := "res://addons/flow_swarm"
	check_eq(Installation.new(folder).get_faults(), PackedStringArray(), "faults")
