@tool
extends "bake_kind.gd"
## Walls from the collision shapes of a scene, in 2D and 3D.


func _init() -> void:
	name = &"shapes"
	title = "Collision shapes"
	tip = "Walls from static bodies, physics layers of tiles and GridMaps, in 2D and 3D"
	nothing = "no static body in the scene"
	fills_layer = true


func find_sources(root: Node, _settings: Settings) -> Array[Node]:
	return (
		SceneNodes
		. of_classes(
			root,
			[
				&"StaticBody2D",
				&"CollisionShape2D",
				&"CollisionPolygon2D",
				&"TileMapLayer",
				&"StaticBody3D",
				&"CollisionShape3D",
				&"CollisionPolygon3D",
				&"GridMap",
			]
		)
	)


func inputs(_manager: FlowFieldManager, settings: Settings) -> Array:
	return [settings.source, settings.keeps_terrain]


func begin(copy: FlowFieldManager, root: Node, settings: Settings) -> Error:
	return copy.bake_terrain(root, settings.get_source(), Rect2i(), settings.layer)
