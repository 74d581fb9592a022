@tool
extends RefCounted
## Whether changes of a resource of the edited scene are saved with the scene.

## The permissions to write of owner, group and others.
const WRITABLE := 0b010_010_010


## Why changes of a resource would be lost when a scene is saved; empty if they would not. `title`
## is what the resource is called.
static func refusal(resource: Resource, title: String, scene_path: String) -> String:
	var path := resource.resource_path
	var file := path.get_slice("::", 0)
	if file.is_empty() or (file == scene_path and path != file):
		return ""
	var remedy := "Make the %s unique in the inspector to change it here." % title
	if FileAccess.file_exists(file + ".import"):
		return (
			"The %s is part of the imported file %s, which cannot be saved. %s"
			% [title, file, remedy]
		)
	if path != file:
		return "The %s is part of %s: open that to change it. %s" % [title, file, remedy]
	if is_read_only(file):
		return "The file of the %s, %s, is read-only. %s" % [title, file, remedy]
	return ""


## Whether a resource has a file of its own.
static func has_file(resource: Resource) -> bool:
	return not resource.resource_path.is_empty() and not "::" in resource.resource_path


## Whether a file exists and cannot be written.
static func is_read_only(file: String) -> bool:
	if not FileAccess.file_exists(file):
		return false
	# Where there are no such permissions, this is 0.
	var permissions := FileAccess.get_unix_permissions(file)
	if permissions != 0 and permissions & WRITABLE == 0:
		return true
	return FileAccess.open(file, FileAccess.READ_WRITE) == null
