extends "res://tests/test_suite.gd"
## The parts of the lab that need no window.


func test_strokes_have_no_gaps() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 1
	for n in 200:
		var from := Vector2i(random.randi_range(-9, 9), random.randi_range(-9, 9))
		var to := Vector2i(random.randi_range(-9, 9), random.randi_range(-9, 9))
		var line := LabPainter.line_of_cells(from, to)
		check_eq(line[0], from, "starts at %s" % from)
		check_eq(line[line.size() - 1], to, "ends at %s" % to)
		for i in range(1, line.size()):
			var hop := (line[i] - line[i - 1]).abs()
			check_eq(hop.x + hop.y, 1, "cells %s to %s share an edge" % [line[i - 1], line[i]])
		var span := (to - from).abs()
		check_eq(line.size(), span.x + span.y + 1, "no detour from %s to %s" % [from, to])


func test_every_preset_can_be_played() -> void:
	for index in LabPresets.NAMES.size():
		var map := LabPresets.build(index, Lab.GRID_SIZE)
		var what := LabPresets.NAMES[index]
		check_eq(map.cells.size(), Lab.GRID_SIZE.x * Lab.GRID_SIZE.y, "%s: cells" % what)
		check_eq(map.cells.count(0), 0, "%s: every cell has a terrain" % what)
		var manager := new_manager(Lab.GRID_SIZE, 32.0)
		manager.set_terrain_bytes(map.cells)
		var goal := new_goal(manager, map.goal)
		var start := manager.get_cell_center(map.start)
		check(manager.get_cost_to_goal(goal, start) < INF, "%s: start reaches goal" % what)
		check_eq(LabPresets.build(index, Lab.GRID_SIZE).cells, map.cells, "%s: repeatable" % what)


func test_presets_differ() -> void:
	var walls: Array[int] = []
	for index in LabPresets.NAMES.size():
		walls.append(LabPresets.build(index, Lab.GRID_SIZE).cells.count(WALL))
	check_eq(walls[1], 0, "the open map has no walls")
	check(walls[0] > 100 and walls[2] > 100 and walls[3] > 300, "the others do: %s" % [walls])


func test_the_spawner_keeps_the_population() -> void:
	var manager := new_manager(Vector2i(30, 20), 32.0)
	var swarm := new_swarm(manager, new_goal(manager, Vector2i(29, 10)))
	var spawner := LabSpawner.new()
	spawner.manager = manager
	spawner.swarm = swarm
	spawner.start = manager.get_cell_center(Vector2i(5, 10))
	spawner.agents_per_second = 600.0
	spawner.population = 40
	scene.add_child(spawner)
	for i in 30:
		await scene.get_tree().physics_frame
	check_eq(swarm.get_agent_count(), 40, "up to the population")
	for place: Vector2 in swarm.get_positions():
		check(place.distance_to(spawner.start) <= spawner.spawn_radius, "near the start")
	spawner.population = 15
	check_eq(swarm.get_agent_count(), 15, "surplus leaves")
	spawner.running = false
	spawner.population = 100
	for i in 5:
		await scene.get_tree().physics_frame
	check_eq(swarm.get_agent_count(), 15, "paused")
