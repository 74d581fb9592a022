@tool
extends RefCounted
## The terrain sets and movement types of the managers of the edited scene: what terrain ids are
## called where a resource does not know itself.


## The set of the manager that has a movement type, or else of the first manager that has any; null
## if there is none.
static func find_set(of_type: FlowMovementType = null) -> FlowTerrainSet:
	var first: FlowTerrainSet = null
	for manager in _managers():
		if manager.terrain_set == null:
			continue
		if of_type != null and of_type in manager.movement_types:
			return manager.terrain_set
		if first == null:
			first = manager.terrain_set
	return first


## The names of movement types that a set may have costs for: those of the managers that have the
## set, and those that it names already.
static func find_type_names(of_set: FlowTerrainSet) -> PackedStringArray:
	var names := PackedStringArray()
	for manager in _managers():
		if manager.terrain_set != of_set:
			continue
		for type in manager.movement_types:
			if type != null and not type.resource_name.is_empty():
				names.append(type.resource_name)
	for kind in of_set.kinds:
		if kind != null:
			names.append_array(PackedStringArray(kind.costs.keys()))
			names.append_array(PackedStringArray(kind.speeds.keys()))
	var unique := PackedStringArray()
	for name in names:
		if not name in unique:
			unique.append(name)
	return unique


static func scene_path() -> String:
	var root := EditorInterface.get_edited_scene_root()
	return root.scene_file_path if root != null else ""


static func _managers() -> Array[FlowFieldManager]:
	var managers: Array[FlowFieldManager] = []
	var root := EditorInterface.get_edited_scene_root()
	if root is FlowFieldManager:
		managers.append(root)
	if root != null:
		for found in root.find_children("*", "FlowFieldManager"):
			managers.append(found as FlowFieldManager)
	return managers
