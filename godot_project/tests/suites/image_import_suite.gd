extends "res://tests/test_suite.gd"
## FlowFieldManager.load_image: terrain ids from the pixels of an image.

const SIZE := Vector2i(5, 3)


## Every pixel differs, in every channel.
func _colors() -> Image:
	var image := Image.create_empty(SIZE.x, SIZE.y, false, Image.FORMAT_RGBA8)
	for y in SIZE.y:
		for x in SIZE.x:
			image.set_pixel(x, y, Color8(1 + x, 20 + y, 50 + x * y, 200 + x + y))
	return image


func test_a_channel_is_the_terrain() -> void:
	var manager := new_manager(SIZE)
	var image := _colors()
	check_eq(manager.load_image(image), OK, "red by default")
	check_eq(manager.get_terrain_at(Vector2i(4, 0)), 5, "red")
	check_eq(manager.get_terrain_at(Vector2i(0, 2)), 1, "red of another row")
	check_eq(manager.load_image(image, FlowFieldManager.CHANNEL_GREEN), OK, "green")
	check_eq(manager.get_terrain_at(Vector2i(3, 2)), 22, "green")
	check_eq(manager.load_image(image, FlowFieldManager.CHANNEL_BLUE), OK, "blue")
	check_eq(manager.get_terrain_at(Vector2i(4, 2)), 58, "blue")
	check_eq(manager.load_image(image, FlowFieldManager.CHANNEL_ALPHA), OK, "alpha")
	check_eq(manager.get_terrain_at(Vector2i(4, 2)), 206, "alpha")
	check_eq(manager.load_image(image, FlowFieldManager.CHANNEL_RED), OK, "red")
	check_eq(manager.get_terrain_at(Vector2i(2, 1)), 3, "red again")


func test_luminance_is_that_of_the_colour() -> void:
	var manager := new_manager(SIZE)
	var image := Image.create_empty(SIZE.x, SIZE.y, false, Image.FORMAT_RGB8)
	var random := RandomNumberGenerator.new()
	random.seed = 4
	for y in SIZE.y:
		for x in SIZE.x:
			image.set_pixel(x, y, Color(random.randf(), random.randf(), random.randf()))
	image.set_pixel(0, 0, Color.WHITE)
	check_eq(manager.load_image(image, FlowFieldManager.CHANNEL_LUMINANCE), OK, "load")
	for y in SIZE.y:
		for x in SIZE.x:
			var expected := image.get_pixel(x, y).get_luminance() * 255.0
			var id := manager.get_terrain_at(Vector2i(x, y))
			check(absf(id - expected) < 0.502, "(%d, %d): %d for %f" % [x, y, id, expected])


func test_ids_can_be_looked_up() -> void:
	var manager := new_manager(SIZE)
	var ids := PackedByteArray()
	ids.resize(256)
	ids.fill(1)
	ids[3] = WALL
	ids[5] = 8
	check_eq(manager.load_image(_colors(), FlowFieldManager.CHANNEL_RED, ids), OK, "load")
	check_eq(
		manager.get_terrain_bytes(),
		PackedByteArray([1, 1, 255, 1, 8, 1, 1, 255, 1, 8, 1, 1, 255, 1, 8]),
		"terrain"
	)


func test_any_format_will_do() -> void:
	var formats: Array[Image.Format] = [
		Image.FORMAT_L8,
		Image.FORMAT_R8,
		Image.FORMAT_RGB8,
		Image.FORMAT_RF,
		Image.FORMAT_RGBAH,
	]
	for format: Image.Format in formats:
		var image := Image.create_empty(SIZE.x, SIZE.y, true, format)
		image.fill(Color.WHITE)
		image.set_pixel(2, 1, Color.BLACK)
		var manager := new_manager(SIZE)
		check_eq(manager.load_image(image), OK, "format %d" % format)
		check_eq(manager.get_terrain_bytes().count(WALL), 14, "format %d: walls" % format)
		check_eq(manager.get_terrain_at(Vector2i(2, 1)), 0, "format %d: black" % format)
		check_eq(image.get_format(), format, "the image itself stays as it is")


## Blocks of 4 x 4 pixels: two colours of 16 bits, then two bits a pixel that choose.
func test_a_compressed_image_is_unpacked() -> void:
	var white := PackedByteArray([255, 255, 255, 255, 0, 0, 0, 0])
	var black := PackedByteArray([0, 0, 0, 0, 0, 0, 0, 0])
	var blocks := white + black + white + black
	var image := Image.create_from_data(8, 8, false, Image.FORMAT_DXT1, blocks)
	check(image.is_compressed(), "compressed")
	var manager := new_manager(Vector2i(8, 8))
	check_eq(manager.load_image(image), OK, "load")
	check(image.is_compressed(), "the image itself stays compressed")
	check_eq(manager.get_terrain_bytes().count(WALL), 32, "white")
	check_eq(manager.get_terrain_at(Vector2i(1, 6)), WALL, "left")
	check_eq(manager.get_terrain_at(Vector2i(6, 3)), 0, "right")


func test_a_part_of_the_grid_can_be_filled() -> void:
	var manager := new_manager(Vector2i(9, 7))
	manager.set_terrain(Vector2i(0, 0), 77)
	manager.update()
	var changed: Array[Rect2i] = []
	manager.terrain_changed.connect(func(cells: Rect2i) -> void: changed.append(cells))
	var part := Rect2i(Vector2i(3, 2), SIZE)
	check_eq(
		manager.load_image(_colors(), FlowFieldManager.CHANNEL_GREEN, PackedByteArray(), part),
		OK,
		"load"
	)
	check_eq(manager.get_terrain_at(Vector2i(0, 0)), 77, "outside of it")
	check_eq(manager.get_terrain_at(Vector2i(3, 2)), 20, "first")
	check_eq(manager.get_terrain_at(Vector2i(7, 4)), 22, "last")
	check_eq(manager.get_terrain_bytes().count(1), 63 - 15 - 1, "the rest")
	manager.update()
	check_eq(changed, [part] as Array[Rect2i], "terrain_changed")


func test_bad_images_are_refused() -> void:
	var manager := new_manager(SIZE)
	var method := "FlowFieldManager.load_image"
	expect_error([method, "image", "null"], func() -> int: return manager.load_image(null))
	expect_error([method, "image"], func() -> int: return manager.load_image(Image.new()))
	var large := Image.create_empty(6, 3, false, Image.FORMAT_R8)
	var result: int = expect_error(
		[method, "image", "(5, 3)", "(6, 3)"], func() -> int: return manager.load_image(large)
	)
	check_eq(result, ERR_INVALID_PARAMETER, "result")
	for channel: int in [-1, 5]:
		expect_error(
			[method, "channel", str(channel)],
			func() -> int: return manager.load_image(_colors(), channel)
		)
	var ids := PackedByteArray([1, 2, 3])
	expect_error(
		[method, "ids", "256", "3"], func() -> int: return manager.load_image(_colors(), 0, ids)
	)
	var beyond := Rect2i(1, 0, 5, 3)
	expect_error(
		[method, "cells", str(beyond)],
		func() -> int: return manager.load_image(_colors(), 0, PackedByteArray(), beyond)
	)
	check_eq(manager.get_terrain_bytes().count(1), 15, "unchanged")
