@tool
extends "spawn_places.gd"
## The places of a spawner in 2D.

var _path: Path2D


func read(node: Node) -> void:
	frames.clear()
	_path = null
	for child in node.get_children():
		if child is Path2D and _path == null:
			_path = child as Path2D
		elif child is Marker2D and not (child is FlowGoal2D or child is SwarmSpawner2D):
			frames.append((child as Marker2D).global_transform)
	if frames.is_empty():
		frames.append((node as Node2D).global_transform)
	heights.resize(frames.size())
	heights.fill(NAN)


func has_path() -> bool:
	return _path != null and _path.curve != null and _path.curve.get_baked_length() > 0.0


func get_path_point(share: float) -> Vector3:
	var along := _path.curve.sample_baked(share * _path.curve.get_baked_length())
	var at := _path.global_transform * along
	return Vector3(at.x, at.y, NAN)
