extends "res://tests/test_suite.gd"
## What FlowDebugView shows, on a real graphics driver.


func _image(view: FlowDebugView, parameter: StringName) -> Image:
	var material := view.material as ShaderMaterial
	return (material.get_shader_parameter(parameter) as Texture2D).get_image()


func _frames(count: int) -> void:
	for i in count:
		await scene.get_tree().process_frame


func test_it_follows_edits_and_goals() -> void:
	var manager := new_manager(Vector2i(10, 10))
	var view := FlowDebugView.new()
	view.manager = manager
	scene.add_child(view)
	view.goal = new_goal(manager, Vector2i(9, 9))
	await _frames(2)
	manager.set_terrain(Vector2i(4, 4), WALL)
	manager.move_goal(view.goal, PackedVector2Array([manager.get_cell_center(Vector2i(0, 0))]))
	manager.update()
	await _frames(2)
	check_eq(_image(view, &"cost_map").get_data()[44], WALL, "wall")
	check_eq(_image(view, &"integration_map").get_pixel(0, 0).r, 0.0, "goal")
	manager.grid_size = Vector2i(7, 3)
	await _frames(3)
	check_eq(_image(view, &"cost_map").get_size(), Vector2i(7, 3), "new size")
