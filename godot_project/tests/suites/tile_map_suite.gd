extends "res://tests/test_suite.gd"
## FlowFieldManager.load_tile_map_layers: cost from a custom data layer or from collision shapes.

const TILE := 16


## A tile set with tiles at (0, 0): nothing, (1, 0): flow_cost 9, (2, 0): flow_cost 255,
## (3, 0): a collision polygon.
func _tile_set() -> TileSet:
	var tiles := TileSet.new()
	tiles.tile_size = Vector2i(TILE, TILE)
	tiles.add_physics_layer()
	tiles.add_custom_data_layer()
	tiles.set_custom_data_layer_name(0, "flow_cost")
	tiles.set_custom_data_layer_type(0, TYPE_INT)
	var source := TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(
		Image.create_empty(TILE * 4, TILE, false, Image.FORMAT_RGBA8)
	)
	source.texture_region_size = Vector2i(TILE, TILE)
	tiles.add_source(source, 0)
	for x in 4:
		source.create_tile(Vector2i(x, 0))
	source.get_tile_data(Vector2i(1, 0), 0).set_custom_data("flow_cost", 9)
	source.get_tile_data(Vector2i(2, 0), 0).set_custom_data("flow_cost", 255)
	var solid := source.get_tile_data(Vector2i(3, 0), 0)
	solid.add_collision_polygon(0)
	var half := TILE / 2.0
	(
		solid
		. set_collision_polygon_points(
			0,
			0,
			PackedVector2Array(
				[
					Vector2(-half, -half),
					Vector2(half, -half),
					Vector2(half, half),
					Vector2(-half, half),
				]
			)
		)
	)
	return tiles


func _layer(tiles: TileSet) -> TileMapLayer:
	var layer := TileMapLayer.new()
	layer.tile_set = tiles
	scene.add_child(layer)
	return layer


func test_custom_data_becomes_terrain() -> void:
	var manager := new_manager(Vector2i(6, 4), TILE)
	var layer := _layer(_tile_set())
	layer.set_cell(Vector2i(0, 0), 0, Vector2i(0, 0))
	layer.set_cell(Vector2i(1, 0), 0, Vector2i(1, 0))
	layer.set_cell(Vector2i(5, 3), 0, Vector2i(2, 0))
	check_eq(manager.load_tile_map_layers([layer] as Array[TileMapLayer]), OK, "load")
	manager.update()
	check_eq(manager.get_terrain_at(Vector2i(0, 0)), 1, "a tile without data is clear")
	check_eq(manager.get_terrain_at(Vector2i(1, 0)), 9, "cost 9")
	check_eq(manager.get_terrain_at(Vector2i(5, 3)), WALL, "wall")
	check_eq(manager.get_terrain_at(Vector2i(2, 2)), 1, "no tile is clear")


func test_collision_shapes_become_walls() -> void:
	var manager := new_manager(Vector2i(6, 4), TILE)
	var layer := _layer(_tile_set())
	layer.set_cell(Vector2i(2, 1), 0, Vector2i(3, 0))
	layer.set_cell(Vector2i(3, 1), 0, Vector2i(0, 0))
	check_eq(manager.load_tile_map_layers([layer] as Array[TileMapLayer]), OK, "load")
	check_eq(manager.get_terrain_at(Vector2i(2, 1)), WALL, "solid tile")
	check_eq(manager.get_terrain_at(Vector2i(3, 1)), 1, "tile without a shape")


func test_the_dearest_of_several_layers_counts() -> void:
	var manager := new_manager(Vector2i(6, 4), TILE)
	var tiles := _tile_set()
	var ground := _layer(tiles)
	var objects := _layer(tiles)
	ground.set_cell(Vector2i(1, 1), 0, Vector2i(1, 0))
	objects.set_cell(Vector2i(1, 1), 0, Vector2i(2, 0))
	ground.set_cell(Vector2i(2, 1), 0, Vector2i(2, 0))
	objects.set_cell(Vector2i(2, 1), 0, Vector2i(0, 0))
	check_eq(manager.load_tile_map_layers([ground, objects] as Array[TileMapLayer]), OK, "load")
	check_eq(manager.get_terrain_at(Vector2i(1, 1)), WALL, "object on ground")
	check_eq(manager.get_terrain_at(Vector2i(2, 1)), WALL, "plain tile over a wall")


func test_layers_may_be_moved_and_the_grid_may_be_finer() -> void:
	var manager := new_manager(Vector2i(12, 8), TILE / 2.0)
	manager.origin = Vector2(100.0, 60.0)
	var layer := _layer(_tile_set())
	layer.position = Vector2(100.0, 60.0)
	layer.set_cell(Vector2i(2, 1), 0, Vector2i(2, 0))
	check_eq(manager.load_tile_map_layers([layer] as Array[TileMapLayer]), OK, "load")
	var walls: Array[Vector2i] = []
	for y in 8:
		for x in 12:
			if manager.get_terrain_at(Vector2i(x, y)) == WALL:
				walls.append(Vector2i(x, y))
	check_eq(
		walls,
		[Vector2i(4, 2), Vector2i(5, 2), Vector2i(4, 3), Vector2i(5, 3)] as Array[Vector2i],
		"four small cells under one tile"
	)


func test_tiles_outside_of_the_grid_are_left_out() -> void:
	var manager := new_manager(Vector2i(3, 3), TILE)
	var layer := _layer(_tile_set())
	layer.set_cell(Vector2i(-1, 0), 0, Vector2i(2, 0))
	layer.set_cell(Vector2i(40, 40), 0, Vector2i(2, 0))
	check_eq(manager.load_tile_map_layers([layer] as Array[TileMapLayer]), OK, "load")
	check_eq(manager.get_terrain_bytes().count(1), 9, "nothing inside")


func test_another_data_layer_can_be_named() -> void:
	var manager := new_manager(Vector2i(3, 3), TILE)
	var tiles := _tile_set()
	tiles.add_custom_data_layer()
	tiles.set_custom_data_layer_name(1, "swamp")
	tiles.set_custom_data_layer_type(1, TYPE_INT)
	var source := tiles.get_source(0) as TileSetAtlasSource
	source.get_tile_data(Vector2i(0, 0), 0).set_custom_data("swamp", 77)
	var layer := _layer(tiles)
	layer.set_cell(Vector2i(1, 1), 0, Vector2i(0, 0))
	check_eq(manager.load_tile_map_layers([layer] as Array[TileMapLayer], "swamp"), OK, "load")
	check_eq(manager.get_terrain_at(Vector2i(1, 1)), 77, "cost")


func test_bad_layers_are_refused() -> void:
	var manager := new_manager(Vector2i(3, 3), TILE)
	var none: Array[TileMapLayer] = []
	var with_null: Array[TileMapLayer] = [null]
	var without_tiles: Array[TileMapLayer] = [_layer(null)]
	for layers: Array[TileMapLayer] in [none, with_null, without_tiles]:
		var result: int = expect_error(
			["FlowFieldManager.load_tile_map_layers", "layers"],
			func() -> int: return manager.load_tile_map_layers(layers)
		)
		check_eq(result, ERR_INVALID_PARAMETER, "result")
	check_eq(manager.get_terrain_bytes().count(1), 9, "unchanged")


func test_costs_out_of_range_are_refused() -> void:
	var manager := new_manager(Vector2i(3, 3), TILE)
	var tiles := _tile_set()
	var source := tiles.get_source(0) as TileSetAtlasSource
	source.get_tile_data(Vector2i(1, 0), 0).set_custom_data("flow_cost", 300)
	var layer := _layer(tiles)
	layer.set_cell(Vector2i(1, 1), 0, Vector2i(1, 0))
	expect_error(
		["FlowFieldManager.load_tile_map_layers", "flow_cost", "300"],
		func() -> int: return manager.load_tile_map_layers([layer] as Array[TileMapLayer])
	)
	check_eq(manager.get_terrain_bytes().count(1), 9, "unchanged")


func test_layers_may_have_tile_sets_of_their_own() -> void:
	var manager := new_manager(Vector2i(6, 4), TILE)
	var ground := _layer(_tile_set())
	ground.set_cell(Vector2i(1, 1), 0, Vector2i(1, 0))
	ground.set_cell(Vector2i(5, 3), 0, Vector2i(1, 0))
	# Half the tile size, no custom data, scaled up and sorted by y.
	var plain := TileSet.new()
	plain.tile_size = Vector2i(TILE / 2, TILE / 2)
	plain.add_physics_layer()
	var source := TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(
		Image.create_empty(TILE, TILE, false, Image.FORMAT_RGBA8)
	)
	source.texture_region_size = Vector2i(TILE / 2, TILE / 2)
	plain.add_source(source, 7)
	source.create_tile(Vector2i(1, 1))
	var solid := source.get_tile_data(Vector2i(1, 1), 0)
	solid.add_collision_polygon(0)
	solid.set_collision_polygon_points(
		0, 0, PackedVector2Array([Vector2(-4, -4), Vector2(4, -4), Vector2(4, 4)])
	)
	var walls := _layer(plain)
	walls.scale = Vector2(2.0, 2.0)
	walls.position = Vector2(TILE, 0.0)
	walls.y_sort_enabled = true
	walls.y_sort_origin = 5
	walls.set_cell(Vector2i(0, 1), 7, Vector2i(1, 1))
	walls.set_cell(Vector2i(3, 2), 7, Vector2i(1, 1))
	check_eq(manager.load_tile_map_layers([ground, walls] as Array[TileMapLayer]), OK, "load")
	check_eq(manager.get_terrain_at(Vector2i(1, 1)), WALL, "a wall on rough ground")
	check_eq(manager.get_terrain_at(Vector2i(4, 2)), WALL, "a wall on nothing")
	check_eq(manager.get_terrain_at(Vector2i(5, 3)), 9, "rough ground")
	check_eq(manager.get_terrain_bytes().count(1), 24 - 3, "the rest")


func test_a_part_of_the_grid_can_be_read_again() -> void:
	var manager := new_manager(Vector2i(6, 4), TILE)
	manager.set_terrain(Vector2i(0, 0), 50)
	manager.update()
	var changed: Array[Rect2i] = []
	manager.terrain_changed.connect(func(cells: Rect2i) -> void: changed.append(cells))
	var layer := _layer(_tile_set())
	for x in 6:
		layer.set_cell(Vector2i(x, 1), 0, Vector2i(1, 0))
	var layers: Array[TileMapLayer] = [layer]
	var part := Rect2i(2, 0, 3, 4)
	check_eq(manager.load_tile_map_layers(layers, "flow_cost", part), OK, "load")
	check_eq(manager.get_terrain_at(Vector2i(0, 0)), 50, "left alone")
	check_eq(manager.get_terrain_bytes().count(9), 3, "three tiles")
	manager.update()
	check_eq(changed, [Rect2i(2, 1, 3, 1)] as Array[Rect2i], "only what differs has changed")
	expect_error(
		["FlowFieldManager.load_tile_map_layers", "cells"],
		func() -> int: return manager.load_tile_map_layers(layers, "flow_cost", Rect2i(5, 0, 2, 2))
	)
