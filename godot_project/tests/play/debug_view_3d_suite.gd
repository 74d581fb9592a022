extends "res://tests/play/play_base.gd"
## What FlowDebugView3D shows, on a real graphics driver.

var manager: FlowFieldManager
var camera: Camera3D


## A hill 6 high in the middle of 24 x 24 cells.
func _height(x: float, y: float) -> float:
	return 6.0 * exp(-Vector2(x - 12.0, y - 12.0).length_squared() / 30.0)


func _open_hill() -> void:
	var space := Node3D.new()
	scene.add_child(space)
	manager = FlowFieldManager.new()
	manager.grid_size = Vector2i(24, 24)
	manager.cell_size = 1.0
	space.add_child(manager)
	var heights := PackedFloat32Array()
	for y in 25:
		for x in 25:
			heights.append(_height(x, y))
	manager.set_heights(heights)
	var environment := WorldEnvironment.new()
	environment.environment = Environment.new()
	environment.environment.background_mode = Environment.BG_COLOR
	environment.environment.background_color = Color.BLACK
	space.add_child(environment)
	camera = Camera3D.new()
	space.add_child(camera)
	camera.make_current()


func _look_from_above() -> void:
	camera.projection = Camera3D.PROJECTION_ORTHOGONAL
	camera.size = 26.0
	camera.position = Vector3(12.0, 40.0, 12.0)
	camera.rotation_degrees = Vector3(-90.0, 0.0, 0.0)


func _color_at(image: Image, place: Vector3) -> Color:
	return image.get_pixelv(Vector2i(camera.unproject_position(place)))


func test_the_outline_of_a_hill_is_at_the_heights_of_the_ground() -> void:
	_open_hill()
	manager.debug_view = FlowFieldManager.DEBUG_HEIGHTS
	camera.projection = Camera3D.PROJECTION_ORTHOGONAL
	camera.size = 16.0
	camera.position = Vector3(12.0, 4.0, 60.0)
	await frames(4)
	var image := await shown_image()
	for x: float in [8.0, 10.0, 12.0, 15.0]:
		var top := manager.get_height(Vector2(x, 12.0))
		var above := _color_at(image, Vector3(x, top + 0.4, 12.0))
		var below := _color_at(image, Vector3(x, top - 0.3, 12.0))
		check(color_distance(above, Color.BLACK) < 0.02, "nothing above %f: %s" % [x, above])
		check(color_distance(below, Color.BLACK) > 0.2, "the hill at %f: %s" % [x, below])


func test_colours_are_those_of_the_view_in_2d() -> void:
	_open_hill()
	manager.clear_heights()
	manager.set_terrain_rect(Rect2i(3, 3, 6, 6), WALL)
	manager.debug_view = FlowFieldManager.DEBUG_COST
	_look_from_above()
	await frames(2)
	for view: Node in manager.get_children(true):
		view.set(&"opaque_ground", true)
	await frames(3)
	var image := await shown_image()
	var wall := _color_at(image, Vector3(6.5, 0.0, 6.5))
	var ground := _color_at(image, Vector3(15.5, 0.0, 15.5))
	check(color_distance(wall, Color(0.21, 0.25, 0.33)) < 0.05, "wall: %s" % wall)
	check(color_distance(ground, Color(0.063, 0.078, 0.125)) < 0.05, "ground: %s" % ground)


func test_holes_and_what_is_beyond_the_grid_show_what_is_below() -> void:
	_open_hill()
	manager.set_heights_rect(Rect2i(5, 5, 1, 1), [NAN])
	manager.debug_view = FlowFieldManager.DEBUG_HEIGHTS
	_look_from_above()
	await frames(4)
	var image := await shown_image()
	for cell: Vector2 in [Vector2(4.5, 4.5), Vector2(5.3, 5.6), Vector2(-0.5, 3.0)]:
		var color := _color_at(image, Vector3(cell.x, 0.0, cell.y))
		check(color_distance(color, Color.BLACK) < 0.02, "nothing at %s: %s" % [cell, color])
	var beside := _color_at(image, Vector3(6.5, 0.0, 5.5))
	check(color_distance(beside, Color.BLACK) > 0.15, "the next cell: %s" % beside)


func test_each_mode_draws_without_errors() -> void:
	_open_hill()
	manager.set_terrain_rect(Rect2i(5, 14, 8, 2), WALL)
	var goal := manager.create_goal([Vector2(20.0, 6.0)])
	manager.update()
	manager.debug_goal = goal
	camera.position = Vector3(12.0, 22.0, 30.0)
	camera.rotation_degrees = Vector3(-52.0, 0.0, 0.0)
	var shown: Array[PackedByteArray] = []
	for mode in range(FlowFieldManager.DEBUG_COST, FlowFieldManager.DEBUG_HEIGHTS + 1):
		manager.debug_view = mode as FlowFieldManager.DebugView
		await frames(3)
		shown.append((await shown_image()).get_data())
		await save_picture("debug_view_3d_%d" % mode)
	for mode: int in [
		FlowFieldManager.DEBUG_INTEGRATION,
		FlowFieldManager.DEBUG_FLOW,
		FlowFieldManager.DEBUG_ISLANDS,
		FlowFieldManager.DEBUG_LINE_OF_SIGHT,
		FlowFieldManager.DEBUG_SECTORS,
		FlowFieldManager.DEBUG_HEIGHTS,
	]:
		check(shown[mode - 1] != shown[0], "mode %d differs from costs" % mode)


func test_changes_of_terrain_and_heights_are_shown() -> void:
	_open_hill()
	manager.debug_view = FlowFieldManager.DEBUG_COST
	await frames(3)
	manager.set_terrain(Vector2i(5, 4), WALL)
	manager.set_heights_rect(Rect2i(3, 2, 1, 1), [7.5])
	manager.update()
	await frames(3)
	var view: FlowDebugView3D = manager.get_children(true)[0]
	var material := view.get_material(0)
	var costs := material.get_shader_parameter(&"cost_map") as Texture2D
	check_eq(costs.get_image().get_data()[4 * 24 + 5], WALL, "wall")
	var heights := material.get_shader_parameter(&"height_map") as Texture2D
	check_eq(heights.get_image().get_pixel(3, 2).r, 7.5, "height")
	manager.clear_heights()
	manager.update()
	await frames(3)
	check_eq(material.get_shader_parameter(&"has_heights"), false, "flat again")
