@tool
extends "background_bake.gd"
## The floors of a 3D scene on as many layers as needed, on worker threads.


func _init() -> void:
	name = &"storeys"
	title = "Storeys"
	tip = "Floors above each other in a 3D scene: layers, terrain, heights and links"
	nothing = "no static body, GridMap or CSG shape in 3D in the scene"
	fills_all = true


func find_sources(root: Node, settings: Settings) -> Array[Node]:
	var classes: Array[StringName] = [
		&"StaticBody3D", &"CollisionShape3D", &"CollisionPolygon3D", &"GridMap", &"CSGShape3D"
	]
	var read := settings.get_source().parsed_geometry_type
	if read != FlowSourceGeometry.PARSED_GEOMETRY_STATIC_COLLIDERS:
		classes.append(&"MeshInstance3D")
	return SceneNodes.of_classes(root, classes)


func inputs(_manager: FlowFieldManager, settings: Settings) -> Array:
	return [settings.source, settings.keeps_terrain]


func begin(copy: FlowFieldManager, root: Node, settings: Settings) -> Error:
	# Links of the copy are those of an earlier bake.
	for link in copy.get_links():
		copy.remove_link(link)
	return _wait_for(copy, copy.bake_terrain_3d_async(root, settings.get_source()))


func result(copy: FlowFieldManager, _settings: Settings) -> Result:
	var found := Result.new()
	found.take_storeys(copy)
	return found
