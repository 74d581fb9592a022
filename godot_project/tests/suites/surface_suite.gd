extends "res://tests/test_suite.gd"
## Every public method, property, signal and constant occurs in some suite, so that none is
## forgotten when one is added.

const FOLDER := "res://tests/suites"


func _read_suites() -> String:
	var text := ""
	for file: String in DirAccess.get_files_at(FOLDER):
		if file.ends_with(".gd"):
			text += FileAccess.get_file_as_string(FOLDER.path_join(file))
	return text


func _is_used(word: String, text: String) -> bool:
	return RegEx.create_from_string("\\b%s\\b" % word).search(text) != null


func _properties_of(type: StringName) -> PackedStringArray:
	var names := PackedStringArray()
	for property: Dictionary in ClassDB.class_get_property_list(type, true):
		if property["usage"] & PROPERTY_USAGE_EDITOR:
			names.append(property["name"] as String)
	return names


func test_all_of_the_surface_is_tested() -> void:
	var text := _read_suites()
	for type: StringName in CLASSES:
		var names := _properties_of(type)
		check(names.size() > 0, "%s has properties" % type)
		var setters: Dictionary[StringName, bool] = {}
		for property: String in names:
			setters[ClassDB.class_get_property_setter(type, property)] = true
			setters[ClassDB.class_get_property_getter(type, property)] = true
		for method: Dictionary in ClassDB.class_get_method_list(type, true):
			var name: String = method["name"]
			if not setters.has(StringName(name)) and not name.begins_with("_"):
				names.append(name)
		for entry: Dictionary in ClassDB.class_get_signal_list(type, true):
			names.append(entry["name"] as String)
		names.append_array(ClassDB.class_get_integer_constant_list(type, true))
		for name: String in names:
			check(_is_used(name, text), "%s.%s occurs in no suite" % [type, name])


func test_arguments_have_names_that_scripts_can_use() -> void:
	var good := RegEx.create_from_string("^[a-z][a-z0-9_]*$")
	for type: StringName in CLASSES:
		for method: Dictionary in ClassDB.class_get_method_list(type, true):
			for argument: Dictionary in method["args"] as Array:
				var name: String = argument["name"]
				check(good.search(name) != null, "%s.%s: %s" % [type, method["name"], name])
