extends "res://tests/test_suite.gd"
## What fills terrain from images, heights, tiles and shapes can fill any layer.

const SIZE := Vector2i(4, 3)
const CLEAR_LAYER: Array[int] = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]

var manager: FlowFieldManager


func _make_floors() -> void:
	manager = new_manager(SIZE, 10.0)
	manager.layer_count = 3


## That only the middle one of three layers has changed, to these ids; it is clear again then.
func _check_middle(expected: Array[int], what: String) -> void:
	for layer: int in [0, 2]:
		var other := manager.get_terrain_bytes(layer)
		check_eq(other, PackedByteArray(CLEAR_LAYER), "%s: layer %d" % [what, layer])
	check_eq(manager.get_terrain_bytes(1), PackedByteArray(expected), what)
	check_eq(manager.set_terrain_bytes(PackedByteArray(CLEAR_LAYER), 1), OK, "cleared")


func _image(size: Vector2i) -> Image:
	var image := Image.create_empty(size.x, size.y, false, Image.FORMAT_R8)
	image.fill(Color8(1, 0, 0))
	image.set_pixel(1, 0, Color8(9, 0, 0))
	return image


func test_images() -> void:
	_make_floors()
	check_eq(manager.load_image(_image(SIZE), 0, PackedByteArray(), Rect2i(), 1), OK, "all of it")
	_check_middle([1, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], "an image")
	var cells := Rect2i(1, 1, 2, 2)
	check_eq(
		manager.load_image(_image(Vector2i(2, 2)), 0, PackedByteArray(), cells, 1), OK, "a part"
	)
	_check_middle([1, 1, 1, 1, 1, 1, 9, 1, 1, 1, 1, 1], "a part")
	var load := func(part: Rect2i, layer: int) -> int:
		return manager.load_image(_image(Vector2i(2, 2)), 0, PackedByteArray(), part, layer)
	expect_error(["load_image", "layer", "3"], load.bind(cells, 3))
	expect_error(["load_image", "layer", "-1"], load.bind(cells, -1))
	expect_error(["load_image", "cells"], load.bind(Rect2i(3, 2, 2, 2), 1))
	_check_middle(CLEAR_LAYER, "nothing changes after an error")


func test_heights() -> void:
	_make_floors()
	var heights := PackedFloat32Array()
	heights.resize(SIZE.x * SIZE.y)
	heights[0] = 500.0
	check_eq(manager.load_height_map(heights, 45.0, 8, 1), OK, "heights")
	_check_middle([255, 255, 1, 1, 255, 1, 1, 1, 1, 1, 1, 1], "heights")
	check_eq(manager.load_height_map(heights), OK, "the lowest layer")
	check_eq(manager.get_terrain_bytes()[0], WALL, "is filled without a number")
	check_eq(manager.set_terrain_bytes(PackedByteArray(CLEAR_LAYER)), OK, "cleared")
	var image := Image.create_empty(SIZE.x, SIZE.y, false, Image.FORMAT_RF)
	image.set_pixel(0, 0, Color(500.0, 0.0, 0.0))
	check_eq(manager.load_height_image(image, 1.0, 45.0, 8, 1), OK, "an image of heights")
	_check_middle([255, 255, 1, 1, 255, 1, 1, 1, 1, 1, 1, 1], "an image of heights")
	expect_error(
		["load_height_map", "layer", "3"], manager.load_height_map.bind(heights, 45.0, 8, 3)
	)
	expect_error(
		["load_height_image", "layer"], manager.load_height_image.bind(image, 1.0, 45.0, 8, -2)
	)
	_check_middle(CLEAR_LAYER, "nothing changes after an error")


func test_tiles() -> void:
	_make_floors()
	var tiles := TileSet.new()
	tiles.tile_size = Vector2i(10, 10)
	tiles.add_custom_data_layer()
	tiles.set_custom_data_layer_name(0, "flow_cost")
	tiles.set_custom_data_layer_type(0, TYPE_INT)
	var source := TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(
		Image.create_empty(10, 10, false, Image.FORMAT_RGBA8)
	)
	source.texture_region_size = Vector2i(10, 10)
	tiles.add_source(source, 0)
	source.create_tile(Vector2i.ZERO)
	source.get_tile_data(Vector2i.ZERO, 0).set_custom_data("flow_cost", 7)
	var upper := TileMapLayer.new()
	upper.tile_set = tiles
	scene.add_child(upper)
	upper.set_cell(Vector2i(2, 1), 0, Vector2i.ZERO)
	var load := func(part: Rect2i, layer: int) -> int:
		var layers: Array[TileMapLayer] = [upper]
		return manager.load_tile_map_layers(layers, "flow_cost", part, layer)
	check_eq(load.call(Rect2i(), 1), OK, "tiles")
	_check_middle([1, 1, 1, 1, 1, 1, 7, 1, 1, 1, 1, 1], "tiles")
	check_eq(load.call(Rect2i(2, 1, 1, 1), 1), OK, "a cell")
	_check_middle([1, 1, 1, 1, 1, 1, 7, 1, 1, 1, 1, 1], "a cell")
	expect_error(["load_tile_map_layers", "layer", "3"], load.bind(Rect2i(), 3))
	_check_middle(CLEAR_LAYER, "nothing changes after an error")


func test_shapes() -> void:
	_make_floors()
	var root := Node2D.new()
	scene.add_child(root)
	var body := StaticBody2D.new()
	body.position = Vector2(15.0, 25.0)
	var child := CollisionShape2D.new()
	var box := RectangleShape2D.new()
	box.size = Vector2(9.0, 9.0)
	child.shape = box
	body.add_child(child)
	root.add_child(body)
	check_eq(manager.bake_terrain(root, null, Rect2i(), 1), OK, "a bake")
	_check_middle([1, 1, 1, 1, 1, 1, 1, 1, 1, 255, 1, 1], "a bake")
	manager.set_terrain(manager.cell_on_layer(Vector2i(3, 0), 1), 5)
	var keeping := FlowSourceGeometry.new()
	keeping.keep_terrain = true
	check_eq(manager.bake_terrain(root, keeping, Rect2i(0, 0, 4, 3), 1), OK, "kept")
	_check_middle([1, 1, 1, 5, 1, 1, 1, 1, 1, 255, 1, 1], "what was there is kept")
	expect_error(["bake_terrain", "layer", "3"], manager.bake_terrain.bind(root, null, Rect2i(), 3))
	expect_error(
		["bake_terrain", "cells"], manager.bake_terrain.bind(root, null, Rect2i(0, 0, 4, 4), 1)
	)
	_check_middle(CLEAR_LAYER, "nothing changes after an error")
