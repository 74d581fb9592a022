extends "res://tests/suites/bake_base.gd"
## FlowFieldManager.bake_terrain and FlowSourceGeometry in 2D.

const NOTHING: Array[String] = [
	"........", "........", "........", "........", "........", "........"
]


func _body(place: Vector2, shape: Shape2D, layer := 1) -> StaticBody2D:
	var body := StaticBody2D.new()
	body.collision_layer = layer
	body.position = place
	var child := CollisionShape2D.new()
	child.shape = shape
	body.add_child(child)
	root.add_child(body)
	return body


func _box(size: Vector2) -> RectangleShape2D:
	var box := RectangleShape2D.new()
	box.size = size
	return box


func test_a_box_on_the_grid_covers_its_cells() -> void:
	_set_up(Node2D.new())
	_body(Vector2(30.0, 20.0), _box(Vector2(20.0, 20.0)))
	var rows: Array[String] = [
		"........", "..##....", "..##....", "........", "........", "........"
	]
	_check_bake(FlowSourceGeometry.new(), rows, "a box")
	_check_bake(null, rows, "no source is the default one")


func test_what_a_shape_reaches_into_is_covered() -> void:
	_set_up(Node2D.new())
	_body(Vector2(35.0, 25.0), _box(Vector2(11.0, 0.5)))
	var rows: Array[String] = [
		"........", "........", "..###...", "........", "........", "........"
	]
	_check_bake(null, rows, "thin, and over the edge on both sides")


func test_every_kind_of_shape_is_known() -> void:
	_set_up(Node2D.new())
	var disc := CircleShape2D.new()
	disc.radius = 11.0
	var body := _body(Vector2(20.0, 20.0), disc)
	var rows: Array[String] = [
		".##.....", "####....", "####....", ".##.....", "........", "........"
	]
	_check_bake(null, rows, "circle")
	var shape := body.get_child(0) as CollisionShape2D
	var pill := CapsuleShape2D.new()
	pill.radius = 5.0
	pill.height = 40.0
	shape.shape = pill
	body.position = Vector2(25.0, 20.0)
	rows = ["..#.....", "..#.....", "..#.....", "..#.....", "........", "........"]
	_check_bake(null, rows, "capsule")
	body.rotation = PI / 2.0
	body.position = Vector2(40.0, 25.0)
	rows = ["........", "........", "..####..", "........", "........", "........"]
	_check_bake(null, rows, "capsule, lying")
	body.rotation = 0.0
	body.position = Vector2.ZERO
	var convex := ConvexPolygonShape2D.new()
	convex.points = PackedVector2Array([Vector2(0, 0), Vector2(40, 0), Vector2(0, 40)])
	shape.shape = convex
	rows = ["####....", "###.....", "##......", "#.......", "........", "........"]
	_check_bake(null, rows, "convex polygon")
	var segment := SegmentShape2D.new()
	segment.a = Vector2(5.0, 15.0)
	segment.b = Vector2(75.0, 16.0)
	shape.shape = segment
	rows = ["........", "########", "........", "........", "........", "........"]
	_check_bake(null, rows, "segment")
	var concave := ConcavePolygonShape2D.new()
	concave.segments = PackedVector2Array(
		[Vector2(5, 5), Vector2(25, 5), Vector2(25, 5), Vector2(25, 35)]
	)
	shape.shape = concave
	rows = ["###.....", "..#.....", "..#.....", "..#.....", "........", "........"]
	_check_bake(null, rows, "concave polygon: its segments")
	var boundary := WorldBoundaryShape2D.new()
	shape.shape = boundary
	body.position = Vector2(0.0, 40.0)
	rows = ["........", "........", "........", "........", "########", "########"]
	_check_bake(null, rows, "world boundary: all below")
	body.rotation = PI / 2.0
	body.position = Vector2(30.0, 0.0)
	rows = ["###.....", "###.....", "###.....", "###.....", "###.....", "###....."]
	_check_bake(null, rows, "world boundary: all to the left")
	shape.shape = SeparationRayShape2D.new()
	_check_bake(null, NOTHING, "a ray is no obstacle")
	shape.shape = null
	_check_bake(null, NOTHING, "no shape at all")


func test_a_concave_collision_polygon_keeps_its_notch() -> void:
	_set_up(Node2D.new())
	var body := StaticBody2D.new()
	var polygon := CollisionPolygon2D.new()
	polygon.polygon = PackedVector2Array(
		[
			Vector2(0, 0),
			Vector2(50, 0),
			Vector2(50, 40),
			Vector2(30, 40),
			Vector2(30, 20),
			Vector2(20, 20),
			Vector2(20, 40),
			Vector2(0, 40),
		]
	)
	body.add_child(polygon)
	root.add_child(body)
	var rows: Array[String] = [
		"#####...", "#####...", "##.##...", "##.##...", "........", "........"
	]
	_check_bake(null, rows, "solid")
	polygon.disabled = true
	_check_bake(null, NOTHING, "disabled")


func test_transforms_of_all_parents_count() -> void:
	_set_up(Node2D.new())
	(root as Node2D).position = Vector2(10.0, 0.0)
	(root as Node2D).scale = Vector2(2.0, 1.0)
	var body := _body(Vector2(10.0, 10.0), _box(Vector2(10.0, 20.0)))
	var shape := body.get_child(0) as CollisionShape2D
	shape.position = Vector2(5.0, 10.0)
	var rows: Array[String] = [
		"........", "...##...", "...##...", "........", "........", "........"
	]
	_check_bake(null, rows, "moved and scaled")
	shape.rotation = PI / 2.0
	rows = ["........", "..####..", "..####..", "........", "........", "........"]
	shape.position = Vector2(5.0, 10.0)
	(shape.shape as RectangleShape2D).size = Vector2(20.0, 20.0)
	_check_bake(null, rows, "and turned")


func test_the_collision_mask_chooses_bodies() -> void:
	_set_up(Node2D.new())
	_body(Vector2(5.0, 5.0), _box(Vector2(10.0, 10.0)), 1)
	_body(Vector2(25.0, 5.0), _box(Vector2(10.0, 10.0)), 4)
	var source := FlowSourceGeometry.new()
	source.parsed_collision_mask = 2
	_check_bake(source, NOTHING, "neither")
	source.parsed_collision_mask = 6
	var rows: Array[String] = [
		"..#.....", "........", "........", "........", "........", "........"
	]
	_check_bake(source, rows, "one of two")


func test_only_static_bodies_count() -> void:
	_set_up(Node2D.new())
	var others: Array[CollisionObject2D] = [RigidBody2D.new(), CharacterBody2D.new(), Area2D.new()]
	for body: CollisionObject2D in others:
		var shape := CollisionShape2D.new()
		shape.shape = _box(Vector2(10.0, 10.0))
		body.position = Vector2(25.0, 25.0)
		body.add_child(shape)
		root.add_child(body)
	_check_bake(null, NOTHING, "what moves is no terrain")


func test_the_source_mode_chooses_nodes() -> void:
	_set_up(Node2D.new())
	var holder := Node2D.new()
	root.add_child(holder)
	var body := _body(Vector2(5.0, 5.0), _box(Vector2(10.0, 10.0)))
	body.reparent(holder)
	var elsewhere := _body(Vector2(25.0, 5.0), _box(Vector2(10.0, 10.0)))
	elsewhere.reparent(scene)
	var source := FlowSourceGeometry.new()
	var rows: Array[String] = [
		"#.......", "........", "........", "........", "........", "........"
	]
	check_eq(
		source.source_geometry_mode,
		FlowSourceGeometry.SOURCE_GEOMETRY_ROOT_NODE_CHILDREN,
		"default mode"
	)
	_check_bake(source, rows, "all below the root")
	source.source_geometry_mode = FlowSourceGeometry.SOURCE_GEOMETRY_GROUPS_EXPLICIT
	_check_bake(source, NOTHING, "no node is in the group")
	holder.add_to_group(source.source_geometry_group_name)
	elsewhere.add_to_group(source.source_geometry_group_name)
	rows = ["..#.....", "........", "........", "........", "........", "........"]
	_check_bake(source, rows, "the group's own nodes")
	source.source_geometry_mode = FlowSourceGeometry.SOURCE_GEOMETRY_GROUPS_WITH_CHILDREN
	rows = ["#.#.....", "........", "........", "........", "........", "........"]
	_check_bake(source, rows, "with those below")
	source.source_geometry_group_name = &"another"
	_check_bake(source, NOTHING, "another group")


func test_terrain_can_be_kept() -> void:
	_set_up(Node2D.new())
	_body(Vector2(5.0, 5.0), _box(Vector2(10.0, 10.0)))
	manager.set_terrain_rect(Rect2i(0, 0, 8, 2), 5)
	var source := FlowSourceGeometry.new()
	source.keep_terrain = true
	source.terrain_id = 3
	var rows: Array[String] = [
		"35555555", "55555555", "........", "........", "........", "........"
	]
	_check_bake(source, rows, "kept")
	source.keep_terrain = false
	rows = ["3.......", "........", "........", "........", "........", "........"]
	_check_bake(source, rows, "replaced")


func test_a_part_of_the_grid_can_be_baked() -> void:
	_set_up(Node2D.new())
	_body(Vector2(40.0, 30.0), _box(Vector2(60.0, 40.0)))
	manager.update()
	var changed: Array[Rect2i] = []
	manager.terrain_changed.connect(func(cells: Rect2i) -> void: changed.append(cells))
	check_eq(manager.bake_terrain(root, null, Rect2i(2, 0, 3, 3)), OK, "bake")
	var rows: Array[String] = [
		"........", "..###...", "..###...", "........", "........", "........"
	]
	_check_terrain(rows, "a part")
	manager.update()
	check_eq(changed, [Rect2i(2, 1, 3, 2)] as Array[Rect2i], "only what differs has changed")


func test_tiles_count_with_their_polygons() -> void:
	_set_up(Node2D.new())
	var tiles := TileSet.new()
	tiles.tile_size = Vector2i(20, 20)
	tiles.add_physics_layer()
	tiles.set_physics_layer_collision_layer(0, 2)
	var atlas := TileSetAtlasSource.new()
	atlas.texture = ImageTexture.create_from_image(
		Image.create_empty(20, 20, false, Image.FORMAT_RGBA8)
	)
	atlas.texture_region_size = Vector2i(20, 20)
	tiles.add_source(atlas, 0)
	atlas.create_tile(Vector2i.ZERO)
	var tile := atlas.get_tile_data(Vector2i.ZERO, 0)
	tile.add_collision_polygon(0)
	# The left half of the tile.
	(
		tile
		. set_collision_polygon_points(
			0,
			0,
			PackedVector2Array(
				[Vector2(-10, -10), Vector2(0, -10), Vector2(0, 10), Vector2(-10, 10)]
			),
		)
	)
	var layer := TileMapLayer.new()
	layer.tile_set = tiles
	root.add_child(layer)
	layer.set_cell(Vector2i(0, 0), 0, Vector2i.ZERO)
	layer.set_cell(Vector2i(1, 0), 0, Vector2i.ZERO, TileSetAtlasSource.TRANSFORM_FLIP_H)
	layer.set_cell(Vector2i(2, 0), 0, Vector2i.ZERO, TileSetAtlasSource.TRANSFORM_TRANSPOSE)
	layer.set_cell(
		Vector2i(3, 0),
		0,
		Vector2i.ZERO,
		TileSetAtlasSource.TRANSFORM_TRANSPOSE | TileSetAtlasSource.TRANSFORM_FLIP_V
	)
	layer.position = Vector2(0.0, 20.0)
	var rows: Array[String] = [
		"........", "........", "#..###..", "#..#..##", "........", "........"
	]
	_check_bake(null, rows, "flipped and turned")
	var source := FlowSourceGeometry.new()
	source.parsed_collision_mask = 1
	_check_bake(source, NOTHING, "on another layer")
	layer.collision_enabled = false
	_check_bake(null, NOTHING, "without collision")


func test_bad_calls_are_refused() -> void:
	_set_up(Node2D.new())
	var method := "FlowFieldManager.bake_terrain"
	var body := _body(Vector2(25.0, 25.0), _box(Vector2(10.0, 10.0)))
	body.name = "Broken"
	body.position = Vector2(INF, 0.0)
	var result: int = expect_error(
		[method, "Broken", "inf"], func() -> int: return manager.bake_terrain(root, null)
	)
	check_eq(result, ERR_INVALID_DATA, "result")
	expect_error([method, "root"], func() -> int: return manager.bake_terrain(null, null))
	var outside := Node2D.new()
	expect_error([method, "root"], func() -> int: return manager.bake_terrain(outside, null))
	outside.free()
	body.position = Vector2.ZERO
	for cells: Rect2i in [Rect2i(5, 0, 4, 1), Rect2i(0, 0, -1, 2), Rect2i(1, 1, 0, 3)]:
		expect_error(
			[method, "cells", str(cells)],
			func() -> int: return manager.bake_terrain(root, null, cells)
		)
	_check_terrain(NOTHING, "unchanged")


func test_bad_properties_are_refused() -> void:
	var source := FlowSourceGeometry.new()
	expect_error(
		["FlowSourceGeometry.source_geometry_mode", "3"],
		func() -> void: source.source_geometry_mode = 3
	)
	for id: int in [0, 256, -1]:
		expect_error(
			["FlowSourceGeometry.terrain_id", str(id)], func() -> void: source.terrain_id = id
		)
	expect_error(["FlowSourceGeometry.min_height", "NaN"], func() -> void: source.min_height = NAN)
	expect_error(["FlowSourceGeometry.max_height", "inf"], func() -> void: source.max_height = INF)
	expect_error(
		["FlowSourceGeometry.grid_map_terrain", "item 7", "300"],
		func() -> void: source.grid_map_terrain = {7: 300} as Dictionary[int, int]
	)
	check_eq(source.source_geometry_mode, 0, "mode")
	check_eq(source.terrain_id, 255, "id")
	check_near(source.min_height, 0.1, 1e-6, "min height")
	check_near(source.max_height, 2.0, 1e-6, "max height")
	check_eq(source.grid_map_terrain.size(), 0, "grid map terrain")
