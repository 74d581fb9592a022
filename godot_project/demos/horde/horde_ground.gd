class_name HordeGround
extends Node2D
## Draws floor and walls of the whole arena with one shader.

var _bounds := Rect2()


func show_terrain(cells: PackedByteArray, size: Vector2i, cell: float) -> void:
	_bounds = Rect2(Vector2.ZERO, Vector2(size) * cell)
	var image := Image.create_from_data(size.x, size.y, false, Image.FORMAT_R8, cells)
	_give(&"terrain", ImageTexture.create_from_image(image))
	_give(&"cell", cell)
	_give(&"center", _bounds.get_center())
	_give(&"plaza", HordeArena.PLAZA_RADIUS * cell)
	queue_redraw()


## The position of the light, around the player.
func set_light(place: Vector2) -> void:
	_give(&"light", place)


func _draw() -> void:
	draw_rect(_bounds, Color.WHITE)


func _give(parameter: StringName, value: Variant) -> void:
	(material as ShaderMaterial).set_shader_parameter(parameter, value)
