extends "res://tests/test_suite.gd"
## FlowFieldManager.load_height_map and load_height_image: slopes cost, cliffs are walls.


func test_slopes_cost_and_cliffs_are_walls() -> void:
	var manager := new_manager(Vector2i(4, 1), 2.0)
	# Corners of cells: rises of 0, half, all of and more than the limit of 45 degrees.
	var row: Array[float] = [0.0, 0.0, 1.0, 3.0, 5.2]
	check_eq(manager.load_height_map(PackedFloat32Array(row + row), 45.0, 11), OK, "load")
	check_eq(manager.get_terrain_bytes(), PackedByteArray([1, 6, 11, WALL]), "terrain")
	check_eq(manager.load_height_map(PackedFloat32Array(row + row)), OK, "defaults")
	check_eq(manager.get_terrain_bytes(), PackedByteArray([1, 5, 8, WALL]), "45 degrees, cost 8")
	check_eq(manager.load_height_map(PackedFloat32Array(row + row), 60.0, 3), OK, "steeper")
	check_eq(manager.get_terrain_bytes(), PackedByteArray([1, 2, 2, 2]), "all fit to walk on")


func test_heights_may_be_at_the_centres_of_cells() -> void:
	var manager := new_manager(Vector2i(4, 1), 2.0)
	check_eq(manager.load_height_map(PackedFloat32Array([0, 0, 0, 9])), OK, "load")
	check_eq(manager.get_terrain_bytes(), PackedByteArray([1, 1, WALL, WALL]), "a step")


func test_the_data_of_a_height_map_shape_fits() -> void:
	var shape := HeightMapShape3D.new()
	shape.map_width = 7
	shape.map_depth = 5
	var data := shape.map_data
	data[2 * 7 + 3] = 20.0
	data[0] = NAN
	shape.map_data = data
	var manager := new_manager(Vector2i(6, 4), 1.0)
	check_eq(manager.load_height_map(shape.map_data), OK, "load")
	var expected := PackedByteArray()
	for y in 4:
		for x in 6:
			var at_peak := (x == 2 or x == 3) and (y == 1 or y == 2)
			expected.append(WALL if at_peak or (x == 0 and y == 0) else 1)
	check_eq(manager.get_terrain_bytes(), expected, "four cells around the peak, and the hole")


func test_images_give_heights_too() -> void:
	var manager := new_manager(Vector2i(3, 2), 1.0)
	var image := Image.create_empty(4, 3, true, Image.FORMAT_RF)
	for y in 3:
		image.set_pixel(2, y, Color(4.0, 0.0, 0.0))
		image.set_pixel(3, y, Color(4.25, 0.0, 0.0))
	check_eq(manager.load_height_image(image), OK, "load")
	check_eq(manager.get_terrain_bytes(), PackedByteArray([1, 255, 3, 1, 255, 3]), "terrain")
	check_eq(manager.load_height_image(image, 0.25, 45.0, 101), OK, "flatter")
	check_eq(manager.get_terrain_bytes(), PackedByteArray([1, 101, 7, 1, 101, 7]), "terrain")
	var gray := Image.create_empty(3, 2, false, Image.FORMAT_L8)
	gray.set_pixel(0, 0, Color.WHITE)
	check_eq(manager.load_height_image(gray, 10.0), OK, "one pixel per cell, 8 bits")
	check_eq(manager.get_terrain_bytes(), PackedByteArray([255, 255, 1, 255, 1, 1]), "terrain")


func test_bad_heights_are_refused() -> void:
	var manager := new_manager(Vector2i(3, 2), 1.0)
	var method := "FlowFieldManager.load_height_map"
	var flat := PackedFloat32Array([0, 0, 0, 0, 0, 0])
	expect_error(
		[method, "heights", "12", "5"],
		func() -> int: return manager.load_height_map(flat.slice(0, 5))
	)
	expect_error(
		[method, "heights", "inf"],
		func() -> int: return manager.load_height_map(PackedFloat32Array([0, 0, INF, 0, 0, 0]))
	)
	for degrees: float in [0.0, 90.0, -5.0, NAN]:
		expect_error(
			[method, "max_slope"], func() -> int: return manager.load_height_map(flat, degrees)
		)
	for cost: int in [0, 255]:
		expect_error(
			[method, "slope_cost", str(cost)],
			func() -> int: return manager.load_height_map(flat, 45.0, cost)
		)
	method = "FlowFieldManager.load_height_image"
	expect_error([method, "image"], func() -> int: return manager.load_height_image(null))
	var large := Image.create_empty(5, 3, false, Image.FORMAT_RF)
	expect_error(
		[method, "(3, 2)", "(4, 3)", "(5, 3)"],
		func() -> int: return manager.load_height_image(large)
	)
	var right := Image.create_empty(3, 2, false, Image.FORMAT_RF)
	expect_error(
		[method, "height_scale", "inf"], func() -> int: return manager.load_height_image(right, INF)
	)
	check_eq(manager.get_terrain_bytes().count(1), 6, "unchanged")
