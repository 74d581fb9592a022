@tool
extends "spawn_places.gd"
## The places of a spawner in 3D.

const Plane2D := preload("../shared/plane.gd")

var _path: Path3D


func read(node: Node) -> void:
	frames.clear()
	heights.clear()
	_path = null
	for child in node.get_children():
		if child is Path3D and _path == null:
			_path = child as Path3D
		elif child is Marker3D and not (child is FlowGoal3D or child is SwarmSpawner3D):
			_add(child as Marker3D)
	if frames.is_empty():
		_add(node as Node3D)


func has_path() -> bool:
	return _path != null and _path.curve != null and _path.curve.get_baked_length() > 0.0


func get_path_point(share: float) -> Vector3:
	var along := _path.curve.sample_baked(share * _path.curve.get_baked_length())
	var at := _path.global_transform * along
	return Vector3(at.x, at.z, at.y)


func _add(node: Node3D) -> void:
	frames.append(Plane2D.flatten(node.global_transform))
	heights.append(node.global_position.y)
