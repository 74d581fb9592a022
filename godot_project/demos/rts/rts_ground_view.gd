class_name RtsGroundView
extends Node2D
## Draws the painted ground as one quad. Its shader makes soft shores, tree tops and lit cliffs from
## smooth masks.

const DETAIL_SIZE := 256

var _bounds := Rect2()


## Makes the masks of a map and shows it within the given bounds.
func show_map(map: RtsMap, bounds: Rect2) -> void:
	_bounds = bounds
	var shown := material as ShaderMaterial
	shown.set_shader_parameter(&"covers", _mask(map, _cover_table()))
	shown.set_shader_parameter(&"shapes", _mask(map, _shape_table()))
	shown.set_shader_parameter(&"detail", _detail())
	shown.set_shader_parameter(&"map_size", Vector2(RtsMap.SIZE))
	queue_redraw()


func _draw() -> void:
	draw_rect(_bounds, Color.WHITE)


## Red: water of any depth. Green: deep water. Blue: woods. Alpha: roads and ramps.
func _cover_table() -> PackedInt32Array:
	return _table(
		{
			RtsGround.SHALLOWS: Color8(255, 0, 0, 0),
			RtsGround.WATER: Color8(255, 255, 0, 0),
			RtsGround.FOREST: Color8(0, 0, 255, 0),
			RtsGround.ROAD: Color8(0, 0, 0, 255),
			RtsGround.RAMP: Color8(0, 0, 0, 150),
		}
	)


## Red: height. Green: stone. Blue: cliffs.
func _shape_table() -> PackedInt32Array:
	return _table(
		{
			RtsGround.PLATEAU: Color8(200, 0, 0, 255),
			RtsGround.CLIFF: Color8(110, 0, 255, 255),
			RtsGround.RAMP: Color8(90, 0, 0, 255),
			RtsGround.ROCK: Color8(70, 255, 0, 255),
		}
	)


func _table(colors: Dictionary[int, Color]) -> PackedInt32Array:
	var table := PackedInt32Array()
	table.resize(256)
	for id: int in colors:
		table[id] = colors[id].to_abgr32()
	return table


## A texture with a table's colour for each cell, smoothed.
func _mask(map: RtsMap, table: PackedInt32Array) -> ImageTexture:
	var texels := PackedInt32Array()
	texels.resize(map.cells.size())
	for i in texels.size():
		texels[i] = table[map.cells[i]]
	var size := RtsMap.SIZE
	var bytes := texels.to_byte_array()
	var image := Image.create_from_data(size.x, size.y, false, Image.FORMAT_RGBA8, bytes)
	image.resize(size.x * 2, size.y * 2, Image.INTERPOLATE_CUBIC)
	image.resize(size.x, size.y, Image.INTERPOLATE_CUBIC)
	return ImageTexture.create_from_image(image)


## Patterns that repeat. Red: distance from the middles of tree tops. Green: a value for each tree
## top. Blue: clouds. Alpha: grain.
func _detail() -> ImageTexture:
	var channels: Array[PackedByteArray] = [
		_pattern(FastNoiseLite.TYPE_CELLULAR, FastNoiseLite.RETURN_DISTANCE, 0.06),
		_pattern(FastNoiseLite.TYPE_CELLULAR, FastNoiseLite.RETURN_CELL_VALUE, 0.06),
		_pattern(FastNoiseLite.TYPE_SIMPLEX_SMOOTH, 0, 0.018),
		_pattern(FastNoiseLite.TYPE_SIMPLEX, 0, 0.16),
	]
	var bytes := PackedByteArray()
	bytes.resize(DETAIL_SIZE * DETAIL_SIZE * 4)
	for channel in 4:
		var values := channels[channel]
		for i in values.size():
			bytes[i * 4 + channel] = values[i]
	var image := Image.create_from_data(DETAIL_SIZE, DETAIL_SIZE, false, Image.FORMAT_RGBA8, bytes)
	image.generate_mipmaps()
	return ImageTexture.create_from_image(image)


func _pattern(type: int, returned: int, frequency: float) -> PackedByteArray:
	var noise := FastNoiseLite.new()
	noise.seed = 3
	noise.noise_type = type as FastNoiseLite.NoiseType
	noise.cellular_return_type = returned as FastNoiseLite.CellularReturnType
	noise.cellular_jitter = 0.8
	noise.frequency = frequency
	noise.fractal_type = FastNoiseLite.FRACTAL_NONE
	if type == FastNoiseLite.TYPE_SIMPLEX_SMOOTH:
		noise.fractal_type = FastNoiseLite.FRACTAL_FBM
	return noise.get_seamless_image(DETAIL_SIZE, DETAIL_SIZE).get_data()
