@tool
extends RefCounted
## Textures of a material with one texel for each cell of a layer, and what else is derived from
## the values in them.

## The most values that are read to find the highest of a texture.
const MAX_SAMPLES := 65536
const UNREACHABLE := 1e30

var grid_size := Vector2i.ZERO

var _material: ShaderMaterial
var _textures: Dictionary[StringName, ImageTexture] = {}


func _init(material: ShaderMaterial) -> void:
	_material = material


## The texture of a parameter, or null.
func get_texture(parameter: StringName) -> ImageTexture:
	return _textures.get(parameter)


## Shows the bytes of all cells.
func upload(parameter: StringName, format: Image.Format, bytes: PackedByteArray) -> void:
	show_image(parameter, Image.create_from_data(grid_size.x, grid_size.y, false, format, bytes))


func show_image(parameter: StringName, image: Image) -> void:
	var texture := get_texture(parameter)
	if texture != null and texture.get_size() == Vector2(image.get_size()):
		texture.update(image)
		return
	texture = ImageTexture.create_from_image(image)
	_textures[parameter] = texture
	_material.set_shader_parameter(parameter, texture)


## An image of one byte for each cell, all 0.
func new_image() -> Image:
	return Image.create_empty(maxi(grid_size.x, 1), maxi(grid_size.y, 1), false, Image.FORMAT_R8)


## Fills the part of a rectangle that is on the layer.
func fill_cells(image: Image, cells: Rect2i, value: float) -> void:
	var part := cells.intersection(Rect2i(Vector2i.ZERO, grid_size))
	if part.has_area():
		image.fill_rect(part, Color(value, 0.0, 0.0))


## The least and the greatest finite value; on large maps those of evenly spaced samples. Zero
## without any.
static func range_of(values: PackedFloat32Array) -> Vector2:
	# An odd stride does not repeat the same columns on maps of even width.
	var stride := maxi(1, values.size() / MAX_SAMPLES) | 1
	var found := Vector2(INF, -INF)
	for i in range(0, values.size(), stride):
		var value := values[i]
		if absf(value) < UNREACHABLE:
			found = Vector2(minf(found.x, value), maxf(found.y, value))
	return found if found.x <= found.y else Vector2.ZERO


## The first round number from a value on.
static func contour_step(least: float) -> float:
	var power := pow(10.0, floorf(log(least) / log(10.0)))
	for factor: float in [1.0, 2.0, 5.0]:
		if least <= factor * power:
			return factor * power
	return 10.0 * power
