extends "res://tests/test_suite.gd"
## FlowGoal2D and FlowGoal3D: goals as nodes of a scene.

var manager: FlowFieldManager
var swarm: EnemySwarm


func _set_up() -> void:
	manager = new_manager(Vector2i(20, 20), 10.0)
	swarm = new_swarm(manager)


func _goal_at(place: Vector2, parent: Node = scene) -> FlowGoal2D:
	var goal := FlowGoal2D.new()
	goal.position = place
	parent.add_child(goal)
	return goal


func _targets(goal: FlowGoal2D) -> PackedVector2Array:
	return manager.get_goal_targets(goal.goal_id)


func test_a_goal_is_found_made_and_followed() -> void:
	_set_up()
	var goal := _goal_at(Vector2(155, 45))
	check_eq(goal.goal_id, 0, "not before the first physics frame")
	await physics_frames(2)
	check(goal.goal_id != 0, "then it has an id")
	check_eq(manager.get_goals(), PackedInt64Array([goal.goal_id]), "the only one")
	check_eq(_targets(goal), PackedVector2Array([Vector2(155, 45)]), "where the node is")
	check_eq(manager.get_goal_kind(goal.goal_id), FlowFieldManager.GOAL_KIND_SEEK, "kind")
	check_eq(manager.get_goal_mode(goal.goal_id), FlowFieldManager.GOAL_MODE_FULL, "mode")
	check_eq(swarm.get_group_goal(0), goal.goal_id, "group 0 follows it")
	check_eq(swarm.get_group_goal(1), 0, "group 1 does not")
	check_eq(goal.get_setup_warnings(), PackedStringArray(), "warnings")


func test_it_walks_with_its_parent() -> void:
	_set_up()
	var hero := Node2D.new()
	scene.add_child(hero)
	hero.position = Vector2(100, 100)
	var goal := _goal_at(Vector2(5, 0), hero)
	await physics_frames(2)
	var id := goal.goal_id
	check_eq(_targets(goal), PackedVector2Array([Vector2(105, 100)]), "beside it")
	hero.position = Vector2(42, 57)
	await physics_frames(2)
	check_eq(_targets(goal), PackedVector2Array([Vector2(47, 57)]), "after the move")
	check_eq(goal.goal_id, id, "it is the same goal")
	hero.rotation = PI / 2.0
	await physics_frames(2)
	check_near_vector(_targets(goal)[0], Vector2(42, 62), 0.001, "after a turn")
	var before := _targets(goal)
	hero.position += Vector2(0.09, 0.0)
	await physics_frames(2)
	check_eq(_targets(goal), before, "less than a hundredth of a cell is no move")
	hero.position += Vector2(0.02, 0.0)
	await physics_frames(2)
	check(_targets(goal) != before, "but together they are")


func test_outside_of_the_grid_it_stays_at_its_last_place() -> void:
	_set_up()
	var goal := _goal_at(Vector2(105, 100))
	await physics_frames(2)
	for outside: Vector2 in [Vector2(-1, 50), Vector2(1.0e30, 0), Vector2(NAN, 0)]:
		goal.position = outside
		await physics_frames(2)
		check_eq(_targets(goal), PackedVector2Array([Vector2(105, 100)]), "at %s" % outside)
	goal.position = Vector2(7, 8)
	await physics_frames(2)
	check_eq(_targets(goal), PackedVector2Array([Vector2(7, 8)]), "and goes on inside")


func test_areas_are_the_cells_in_them() -> void:
	_set_up()
	var goal := FlowGoal2D.new()
	goal.shape = FlowGoal2D.Shape.RECTANGLE
	goal.size = Vector2(30, 10)
	goal.position = Vector2(55, 55)
	scene.add_child(goal)
	await physics_frames(2)
	var row := PackedVector2Array([Vector2(45, 55), Vector2(55, 55), Vector2(65, 55)])
	check_eq(_targets(goal), row, "a rectangle")
	var id := goal.goal_id
	goal.rotation = PI / 2.0
	await physics_frames(2)
	var column := PackedVector2Array([Vector2(55, 45), Vector2(55, 55), Vector2(55, 65)])
	check_eq(_targets(goal), column, "turned")
	goal.shape = FlowGoal2D.Shape.CIRCLE
	goal.radius = 10.0
	await physics_frames(2)
	check_eq(_targets(goal).size(), 5, "a circle: %s" % _targets(goal))
	goal.scale = Vector2(2, 2)
	await physics_frames(2)
	check_eq(_targets(goal).size(), 13, "twice as large")
	goal.position = Vector2(0, 55)
	await physics_frames(2)
	check_eq(_targets(goal).size(), 6, "the part in the grid: %s" % _targets(goal))
	check_eq(goal.goal_id, id, "always the same goal")


func test_it_is_released_when_it_leaves_the_tree() -> void:
	_set_up()
	var goal := _goal_at(Vector2(105, 100))
	await physics_frames(2)
	var first := goal.goal_id
	scene.remove_child(goal)
	check_eq(manager.get_goals().size(), 0, "released")
	check_eq(swarm.get_group_goal(0), 0, "nothing follows it")
	check_eq(goal.goal_id, 0, "it has no goal")
	scene.add_child(goal)
	await physics_frames(2)
	check(goal.goal_id > first, "a new one in the tree")
	check_eq(swarm.get_group_goal(0), goal.goal_id, "which is followed")
	goal.enabled = false
	check_eq(manager.get_goals().size(), 0, "not while it is off")
	await physics_frames(2)
	check_eq(manager.get_goals().size(), 0, "and not later")
	goal.enabled = true
	await physics_frames(2)
	var other := manager.create_goal([Vector2(5, 5)])
	swarm.set_group_goal(0, other)
	goal.free()
	check_eq(manager.get_goals(), PackedInt64Array([other]), "freed")
	check_eq(swarm.get_group_goal(0), other, "what a script has set stays")


func test_the_manager_may_go_first_and_come_back() -> void:
	_set_up()
	var goal := _goal_at(Vector2(105, 100))
	await physics_frames(2)
	manager.free()
	swarm.free()
	var wait := func() -> void: await physics_frames(3)
	var texts := await allow_errors(["FlowGoal2D: There is no FlowFieldManager"], wait)
	check_eq(texts.size(), 1, "one error")
	check_eq(goal.goal_id, 0, "no goal")
	_set_up()
	await physics_frames(2)
	check_eq(manager.get_goals(), PackedInt64Array([goal.goal_id]), "with the next manager")
	check_eq(swarm.get_group_goal(0), goal.goal_id, "and its swarm")


func test_swarms_that_come_later_follow_too() -> void:
	_set_up()
	var goal := _goal_at(Vector2(105, 100))
	await physics_frames(2)
	swarm.set_group_goal(0, 0)
	var late := new_swarm(manager)
	await physics_frames(2)
	check_eq(late.get_group_goal(0), goal.goal_id, "the new one")
	check_eq(swarm.get_group_goal(0), 0, "the old one does what the script says")


func test_only_the_named_swarms_and_groups_follow() -> void:
	_set_up()
	var other := new_swarm(manager)
	var goal := FlowGoal2D.new()
	goal.swarms = [other]
	goal.groups = [3, 7]
	goal.position = Vector2(50, 50)
	scene.add_child(goal)
	await physics_frames(2)
	check_eq(other.get_group_goal(3), goal.goal_id, "group 3")
	check_eq(other.get_group_goal(7), goal.goal_id, "group 7")
	check_eq(other.get_group_goal(0), 0, "not group 0")
	check_eq(swarm.get_group_goal(3), 0, "not the other swarm")
	goal.groups = [4]
	await physics_frames(2)
	check_eq(other.get_group_goal(3), 0, "no longer group 3")
	check_eq(other.get_group_goal(4), goal.goal_id, "but group 4")
	goal.groups = []
	await physics_frames(2)
	check(goal.goal_id != 0, "a goal without groups is for scripts")
	check_eq(other.get_group_goal(4), 0, "none follows")
	check_eq(goal.get_setup_warnings(), PackedStringArray(), "warnings")


func test_kinds_and_modes() -> void:
	_set_up()
	var goal := _goal_at(Vector2(105, 100))
	goal.mode = FlowFieldManager.GOAL_MODE_TILED
	await physics_frames(2)
	check_eq(manager.get_goal_mode(goal.goal_id), FlowFieldManager.GOAL_MODE_TILED, "mode")
	goal.kind = FlowFieldManager.GOAL_KIND_FLEE
	goal.flee_distance = 30.0
	await physics_frames(2)
	check_eq(manager.get_goals().size(), 1, "the old one is released")
	check_eq(manager.get_goal_kind(goal.goal_id), FlowFieldManager.GOAL_KIND_FLEE, "kind")
	check(manager.get_cost_to_goal(goal.goal_id, Vector2(125, 100)) > 0.0, "in reach")
	check_eq(manager.get_cost_to_goal(goal.goal_id, Vector2(155, 100)), 0.0, "out of reach")
	goal.kind = FlowFieldManager.GOAL_KIND_RANGE
	goal.min_distance = 20.0
	goal.max_distance = 40.0
	await physics_frames(2)
	check_eq(manager.get_goal_kind(goal.goal_id), FlowFieldManager.GOAL_KIND_RANGE, "kind")
	check_eq(manager.get_cost_to_goal(goal.goal_id, Vector2(135, 100)), 0.0, "between")
	check(manager.get_cost_to_goal(goal.goal_id, Vector2(115, 100)) > 0.0, "too near")
	check_eq(swarm.get_group_goal(0), goal.goal_id, "followed")


func test_a_resized_grid_moves_the_cells_of_areas() -> void:
	_set_up()
	var goal := FlowGoal2D.new()
	goal.shape = FlowGoal2D.Shape.RECTANGLE
	goal.size = Vector2(20, 20)
	goal.position = Vector2(50, 50)
	scene.add_child(goal)
	await physics_frames(2)
	check_eq(_targets(goal).size(), 4, "cells of 10")
	manager.cell_size = 5.0
	await physics_frames(2)
	check_eq(_targets(goal).size(), 16, "cells of 5")


func test_layers_in_2d() -> void:
	_set_up()
	manager.layer_count = 2
	var goal := _goal_at(Vector2(105, 100))
	goal.layer = 1
	await physics_frames(2)
	var place := _targets(goal)[0]
	check_eq(manager.get_layer(place), 1, "layer")
	check_near_vector(manager.off_layer(place), Vector2(105, 100), 0.01, "position")
	manager.layer_count = 1
	var wait := func() -> void: await physics_frames(3)
	# The manager reports the goal that has lost its layer, the node that it cannot be placed.
	var words: Array[String] = ["targets outside the new grid", "layer 1 does not exist"]
	check_eq((await allow_errors(words, wait)).size(), 2, "one error each")


func test_in_3d_the_floor_below_the_node_counts() -> void:
	_set_up()
	manager.layer_count = 2
	for layer in 2:
		var heights := PackedFloat32Array()
		heights.resize(21 * 21)
		heights.fill(6.0 * layer)
		manager.set_heights(heights, layer)
	var hero := Node3D.new()
	scene.add_child(hero)
	var goal := FlowGoal3D.new()
	hero.add_child(goal)
	for height: float in [0.0, 5.5, 6.0, 9.0, -3.0]:
		hero.position = Vector3(105.0, height, 50.0)
		await physics_frames(2)
		var place := manager.get_goal_targets(goal.goal_id)[0]
		check_eq(manager.get_layer(place), int(height >= 6.0), "at the height %s" % height)
		check_near_vector(manager.off_layer(place), Vector2(105, 50), 0.01, "x and z")
	goal.shape = FlowGoal3D.Shape.RECTANGLE
	goal.size = Vector2(10.0, 30.0)
	hero.position = Vector3(105.0, 6.2, 55.0)
	hero.rotation.y = PI / 2.0
	await physics_frames(2)
	var cells: Array[Vector2] = []
	for place in manager.get_goal_targets(goal.goal_id):
		check_eq(manager.get_layer(place), 1, "layer")
		cells.append(manager.off_layer(place).round())
	check_eq(cells, [Vector2(95, 55), Vector2(105, 55), Vector2(115, 55)] as Array[Vector2], "area")


func test_a_script_on_the_node_may_override_everything() -> void:
	_set_up()
	var script := GDScript.new()
	script.source_code = "extends FlowGoal2D\nvar ticks := 0\n\n"
	script.source_code += "func _enter_tree() -> void:\n\tpass\n\n"
	script.source_code += "func _ready() -> void:\n\tpass\n\nfunc _exit_tree() -> void:\n\tpass\n\n"
	script.source_code += "func _physics_process(_delta: float) -> void:\n\tticks += 1\n"
	script.reload()
	var goal := script.new() as FlowGoal2D
	goal.position = Vector2(50, 50)
	scene.add_child(goal)
	await physics_frames(3)
	check(goal.goal_id != 0, "it has its goal")
	check(goal.get(&"ticks") as int > 0, "and the script runs")
	goal.free()
	check_eq(manager.get_goals().size(), 0, "released")


func test_bad_values_are_refused() -> void:
	var goal := FlowGoal2D.new()
	scene.add_child(goal)
	goal.enabled = false
	expect_error(["FlowGoal2D.radius", "-1"], func() -> void: goal.radius = -1.0)
	expect_error(["FlowGoal2D.size.y", "nan"], func() -> void: goal.size = Vector2(1, NAN))
	expect_error(["FlowGoal2D.flee_distance", "inf"], func() -> void: goal.flee_distance = INF)
	expect_error(["FlowGoal2D.min_distance"], func() -> void: goal.min_distance = -0.5)
	expect_error(["FlowGoal2D.max_distance"], func() -> void: goal.max_distance = NAN)
	expect_error(["FlowGoal2D.layer", "64"], func() -> void: goal.layer = 64)
	expect_error(["FlowGoal2D.groups", "256"], func() -> void: goal.groups = [1, 256])
	check_eq(goal.radius, 64.0, "radius")
	check_eq(goal.size, Vector2(128, 128), "size")
	check_eq(goal.groups, PackedInt32Array([0]), "groups")
	var solid := FlowGoal3D.new()
	scene.add_child(solid)
	solid.enabled = false
	expect_error(["FlowGoal3D.radius", "-1"], func() -> void: solid.radius = -1.0)
	check_eq(solid.radius, 4.0, "radius in 3D")


func _check_warning(goal: FlowGoal2D, words: Array[String]) -> void:
	var warnings := goal.get_setup_warnings()
	check_eq(warnings.size(), 1, "warnings %s" % warnings)
	for word in words:
		check(warnings.size() == 1 and warnings[0].contains(word), "%s in %s" % [word, warnings])


func test_what_is_missing_is_warned_about_and_reported_once() -> void:
	var goal := FlowGoal2D.new()
	goal.position = Vector2(-50, 50)
	scene.add_child(goal)
	_check_warning(goal, ["no FlowFieldManager"])
	_set_up()
	_check_warning(goal, ["outside of the grid"])
	var wait := func() -> void: await physics_frames(4)
	var texts := await allow_errors(["FlowGoal2D: The goal at (-50.0, 50.0) is outside"], wait)
	check_eq(texts.size(), 1, "one error")
	goal.position = Vector2(55, 55)
	manager.set_terrain(Vector2i(5, 5), WALL)
	_check_warning(goal, ["in a wall"])
	manager.set_terrain(Vector2i(5, 5), 1)
	var rival := _goal_at(Vector2(5, 5))
	_check_warning(goal, ["Another FlowGoal", "group 0"])
	rival.groups = [1]
	check_eq(goal.get_setup_warnings().size(), 0, "in another group")
	rival.free()
	goal.shape = FlowGoal2D.Shape.CIRCLE
	goal.radius = 100000.0
	manager.grid_size = Vector2i(300, 300)
	_check_warning(goal, ["more than 65536 cells"])
	goal.shape = FlowGoal2D.Shape.POINT
	goal.kind = FlowFieldManager.GOAL_KIND_RANGE
	goal.max_distance = 1.0
	_check_warning(goal, ["max_distance 1", "min_distance 96"])
	goal.kind = FlowFieldManager.GOAL_KIND_SEEK
	goal.swarms = [null]
	_check_warning(goal, ["swarms[0] is empty"])
	goal.swarms = [swarm]
	swarm.manager = null
	_check_warning(goal, ["swarms[0]", "another manager"])
	goal.swarms = []
	_check_warning(goal, ["No EnemySwarm uses the manager"])


func test_the_inspector_shows_what_has_an_effect() -> void:
	var goal := FlowGoal2D.new()
	scene.add_child(goal)
	goal.enabled = false
	goal.kind = FlowFieldManager.GOAL_KIND_FLEE
	goal.shape = FlowGoal2D.Shape.CIRCLE
	var shown: Array[String] = []
	for property in goal.get_property_list():
		if property["usage"] & PROPERTY_USAGE_EDITOR:
			shown.append(property["name"])
	for name: String in ["kind", "flee_distance", "radius", "groups", "swarms", "manager"]:
		check(name in shown, "%s is shown" % name)
	for name: String in ["mode", "min_distance", "max_distance", "size"]:
		check(name not in shown, "%s is hidden" % name)
