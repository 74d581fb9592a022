extends "res://tests/test_suite.gd"
## The recipes in examples: what each of them promises. docs/recipes.md shows them.

const FOLDER := "res://examples"
## How many times as fast as usual the recipes run.
const PACE := 20
const HEALTH := 0


## Opens a recipe in a run that repeats.
func _open(name: String) -> Node:
	seed(1)
	var path := FOLDER.path_join(name).path_join(name + ".tscn")
	var recipe := (load(path) as PackedScene).instantiate()
	scene.add_child(recipe)
	return recipe


## Runs the recipes for some seconds of their own time.
func _run_for(seconds: float) -> void:
	Engine.time_scale = PACE
	Engine.physics_ticks_per_second = 60 * PACE
	Engine.max_physics_steps_per_frame = 60
	await physics_frames(ceili(60.0 * seconds))
	Engine.time_scale = 1.0
	Engine.physics_ticks_per_second = 60
	Engine.max_physics_steps_per_frame = 8


func _mean_distance(places: PackedVector2Array, to: Vector2) -> float:
	var sum := 0.0
	for place in places:
		sum += place.distance_to(to)
	return sum / places.size()


func test_every_recipe_can_be_opened_twice() -> void:
	var names := ResourceLoader.list_directory(FOLDER)
	check(names.size() > 6, "recipes: %s" % names)
	for name in names:
		for times in 2:
			var recipe := _open(name.trim_suffix("/"))
			await _run_for(0.5)
			for node in recipe.find_children("*", "EnemySwarm"):
				var warnings := (node as EnemySwarm).get_setup_warnings()
				check(warnings.is_empty(), "%s: %s" % [name, warnings])
			for node in recipe.find_children("*", "FlowFieldManager"):
				var warnings := (node as FlowFieldManager).get_setup_warnings()
				check(warnings.is_empty(), "%s: %s" % [name, warnings])
			recipe.free()


func test_first_steps_2d_leads_the_crowd_to_the_target() -> void:
	var recipe := _open("first_steps_2d")
	var manager: FlowFieldManager = recipe.get("manager")
	var swarm: EnemySwarm = recipe.get("swarm")
	await _run_for(7.0)
	var target: Vector2 = recipe.get("target")
	check_eq(manager.get_goal_targets(recipe.get("goal") as int), PackedVector2Array([target]), "")
	check(_mean_distance(swarm.get_positions(), target) < 330.0, "the crowd is near the target")
	check(deepest_overlap(manager, swarm.get_positions(), 6.0) < 0.5, "and in no wall")
	check_eq(swarm.get_stats()["lost"], 0, "agents without a route")


func test_first_steps_3d_bakes_the_walls_and_leads_the_crowd() -> void:
	var recipe := _open("first_steps_3d")
	var manager: FlowFieldManager = recipe.get("manager")
	var swarm: EnemySwarm = recipe.get("swarm")
	check_eq(manager.get_terrain_at(manager.get_cell(Vector2(-4.0, -8.0))), WALL, "a wall")
	check_eq(manager.get_terrain_at(manager.get_cell(Vector2(-4.0, -12.0))), 1, "the floor")
	await _run_for(8.0)
	var target := (recipe.get("target") as Node3D).position
	var place := Vector2(target.x, target.z)
	var near := swarm.query_circle(place, 8.0).size()
	check(near > 15, "agents near the target: %d" % near)
	check_eq(swarm.get_stats()["lost"], 0, "agents without a route")
	check(deepest_overlap(manager, swarm.get_positions(), 0.42) < 0.05, "and in no wall")


func test_tower_defence_shoots_at_the_first_on_the_path() -> void:
	var recipe := _open("tower_defence")
	var manager: FlowFieldManager = recipe.get("manager")
	var swarm: EnemySwarm = recipe.get("swarm")
	await _run_for(12.0)
	check(recipe.get("kills") as int > 0, "enemies die")
	check_eq(recipe.get("lives"), 100, "none has reached the base")
	var goal := manager.get_goals()[0]
	var towers: PackedVector2Array = recipe.get("towers")
	var shots: PackedVector2Array = recipe.get("shots")
	check(not shots.is_empty(), "a tower has shot")
	var targets := swarm.query_nearest_many(
		towers, 120.0, recipe.get("first_on_path") as SwarmQuery
	)
	for i in towers.size():
		for id in swarm.query_circle(towers[i], 120.0):
			var first := manager.get_cost_to_goal(goal, swarm.get_agent_position(targets[i]))
			var other := manager.get_cost_to_goal(goal, swarm.get_agent_position(id))
			check(first <= other + 1.5, "no enemy in range of tower %d is ahead" % i)


func test_tower_defence_counts_lives() -> void:
	var recipe := _open("tower_defence")
	var swarm: EnemySwarm = recipe.get("swarm")
	var ids := swarm.spawn_many(PackedVector2Array([Vector2(950, 513), Vector2(950, 530)]))
	swarm.set_user_ints(ids, PackedInt32Array([10, 10]), HEALTH)
	await _run_for(4.0)
	check_eq(recipe.get("lives"), 98, "each enemy at the base costs a life")
	check(not swarm.has_agent(ids[0]), "and is removed")


func test_survivors_chase_and_shots_kill_and_push() -> void:
	var recipe := _open("survivors")
	var swarm: EnemySwarm = recipe.get("swarm")
	var hero := recipe.get("hero") as Node2D
	await _run_for(0.1)
	var id := swarm.spawn(hero.position + Vector2(0.0, 100.0))
	swarm.set_user_ints(PackedInt64Array([id]), PackedInt32Array([9]), HEALTH)
	recipe.call("_shoot")
	var fastest := 0.0
	for i in 20:
		await _run_for(1.0 / 60.0)
		fastest = maxf(fastest, swarm.get_agent_velocity(id).y)
	check(swarm.get_agent_user_int(id, HEALTH) < 9, "the shot hits")
	check(fastest > 100.0, "and pushes away: %f" % fastest)
	await _run_for(20.0)
	check(recipe.get("kills") as int > 20, "kills: %d" % recipe.get("kills"))
	check(recipe.get("health") as float < 100.0, "the horde has reached the hero")
	check(_mean_distance(swarm.get_positions(), hero.position) < 600.0, "and is around him")


func test_armies_meet_and_both_lose_soldiers() -> void:
	var recipe := _open("armies")
	var blue: EnemySwarm = recipe.get("blue")
	var red: EnemySwarm = recipe.get("red")
	await _run_for(6.0)
	check_eq(blue.get_agent_count() + red.get_agent_count(), 520, "out of sight none falls")
	await _run_for(12.0)
	for army: EnemySwarm in [blue, red]:
		var left := army.get_agent_count()
		check(left > 50 and left < 230, "soldiers of %s: %d" % [army.name, left])
	red.clear()
	await _run_for(0.5)
	check(red.get_agent_count() > 200, "after a victory both armies are filled up")


func test_breakable_walls_hold_fall_and_are_repaired() -> void:
	var recipe := _open("breakable_walls")
	var manager: FlowFieldManager = recipe.get("manager")
	var swarm: EnemySwarm = recipe.get("swarm")
	await _run_for(13.0)
	check_eq(manager.get_stamps().size(), 8, "the fence stands")
	check_eq(swarm.query_rect(Rect2(756.0, 0.0, 400.0, 648.0)).size(), 0, "no agent is behind it")
	check(swarm.query_rect(Rect2(680.0, 0.0, 76.0, 648.0)).size() > 5, "some beat on it")
	await _run_for(12.0)
	check(manager.get_stamps().size() < 8, "a piece has fallen")
	check(recipe.get("looted") as int > 0, "and agents have reached the gold")
	swarm.clear()
	recipe.call("_repair")
	check_eq(manager.get_stamps().size(), 8, "the fence is repaired")


func test_health_bars_are_over_hurt_agents_only() -> void:
	var recipe := _open("health_bars")
	var swarm: EnemySwarm = recipe.get("swarm")
	await _run_for(14.0)
	var full: Array = recipe.get("FULL_HEALTH")
	var hurt: Array = recipe.get("hurt")
	for type in full.size():
		var expected := PackedInt64Array()
		for id in swarm.get_ids():
			var health := swarm.get_agent_user_int(id, HEALTH)
			if swarm.get_agent_type(id) == type and health < full[type]:
				expected.append(id)
		expected.sort()
		var found := swarm.query_rect(Rect2(0.0, 0.0, 1152.0, 648.0), hurt[type] as SwarmQuery)
		check_eq(found, expected, "hurt agents of type %d" % type)
		check(expected.size() > 0, "some are hurt")
		check(expected.size() < swarm.get_agent_count(), "others are not")


func test_boss_to_node_keeps_its_numbers() -> void:
	var recipe := _open("boss_to_node")
	var swarm: EnemySwarm = recipe.get("swarm")
	var hero := recipe.get("hero") as Node2D
	var boss: int = recipe.get("boss")
	swarm.set_user_ints([boss], [77], 3)
	swarm.set_user_floats([boss], [0.5], 2)
	await _run_for(1.0)
	check_eq(recipe.get("boss_node"), null, "far from the hero it is an agent")
	var place := hero.position + Vector2(-150.0, 0.0)
	swarm.set_agent_positions([boss], [place])
	await _run_for(0.2)
	var node := recipe.get("boss_node") as Node2D
	check(node != null, "near the hero it is a node")
	check_near_vector(node.position, place, 20.0, "at the same place")
	await _run_for(2.0)
	check_near_vector(swarm.get_agent_position(boss), node.position, 3.0, "the agent follows it")
	var crowd := swarm.query_circle(node.position, 25.0)
	check_eq(crowd, PackedInt64Array([boss]), "the crowd gives way")
	await _run_for(5.0)
	check(not is_instance_valid(node), "later there is no node")
	check_eq(
		swarm.get_agent_state(boss), EnemySwarm.AGENT_FOLLOWING, "and the agent goes by itself"
	)
	check_eq(swarm.get_agent_user_int(boss, 3), 77, "a number")
	check_eq(swarm.get_agent_user_float(boss, 2), 0.5, "a number with a fraction")
	check_eq(swarm.get_agent_type(boss), 1, "type")
	check(swarm.get_agent_user_int(boss, HEALTH) < 100, "what it lost as a node")


func test_flee_keeps_the_crowd_out_of_reach() -> void:
	var recipe := _open("flee")
	var manager: FlowFieldManager = recipe.get("manager")
	var swarm: EnemySwarm = recipe.get("swarm")
	var hunter := recipe.get("hunter") as Node2D
	var goal: int = recipe.get("goal")
	check(swarm.get_agent_count() > 300, "agents")
	var nearest := INF
	for i in 8:
		await _run_for(2.5)
		check(manager.get_closest_walls(hunter.position, 11.0).is_empty(), "the hunter is free")
		for place in swarm.get_positions():
			nearest = minf(nearest, place.distance_to(hunter.position))
		var costs := manager.get_costs_to_goal(goal, swarm.get_positions())
		var safe := 0
		for cost in costs:
			safe += int(cost == 0.0)
		check(safe > 0.8 * costs.size(), "safe: %d of %d" % [safe, costs.size()])
	check(nearest > 30.0, "none is caught: %f" % nearest)
	check(deepest_overlap(manager, swarm.get_positions(), 6.0) < 0.5, "none is in a wall")


func test_archers_keep_their_distance_and_shoot_across_the_river() -> void:
	var recipe := _open("archers")
	var manager: FlowFieldManager = recipe.get("manager")
	var swarm: EnemySwarm = recipe.get("swarm")
	var full: int = recipe.get("FULL_HEALTH")
	var across := 0
	var all := 0
	for i in 44:
		await _run_for(0.5)
		var ogre: Vector2 = recipe.get("ogre")
		for place: Vector2 in recipe.get("shots"):
			check(place.distance_to(ogre) < 240.0, "shots come from near")
			across += int(not manager.is_in_sight(place, ogre))
			all += 1
	check(all - across > 100, "shots from this side: %d" % (all - across))
	check(across > 20, "shots over the river: %d" % across)
	check(recipe.get("health") as int < full, "the ogre is hit")
	# The ogre walks at 45, archers at up to 85.
	var near := swarm.query_circle(recipe.get("ogre") as Vector2, 70.0).size()
	check(near < 5, "archers beside the ogre: %d" % near)
	check(
		deepest_overlap(manager, swarm.get_positions(), 8.0) < 0.5, "none is in a wall or the river"
	)


func test_flyers_cross_walls_and_walkers_go_around() -> void:
	var recipe := _open("flyers")
	var manager: FlowFieldManager = recipe.get("manager")
	var swarm: EnemySwarm = recipe.get("swarm")
	var home: Vector2 = recipe.get("HOME")
	var over_walls := 0
	var recycled := 0
	for i in 20:
		await _run_for(1.0)
		var types := swarm.get_types()
		var places := swarm.get_positions()
		for agent in types.size():
			if manager.get_terrain_at(manager.get_cell(places[agent])) == WALL:
				check_eq(types[agent], 1, "the type of an agent over a wall")
				over_walls += 1
		recycled = maxi(recycled, swarm.query_circle(home, 35.0).size())
	check(over_walls > 20, "flyers over walls: %d" % over_walls)
	check(recycled < 20, "agents that have arrived go back to the start")
	check_eq(swarm.get_stats()["lost"], 0, "agents without a route")


func test_save_and_load_restores_all() -> void:
	var recipe := _open("save_and_load")
	var manager: FlowFieldManager = recipe.get("manager")
	var swarm: EnemySwarm = recipe.get("swarm")
	await _run_for(1.5)
	recipe.call("save_game")
	var places := swarm.get_positions()
	var terrain := manager.get_terrain_bytes()
	var state := swarm.state_hash()
	await _run_for(1.0)
	check(swarm.get_positions() != places, "agents have moved on")
	check(manager.get_terrain_bytes() != terrain, "and there is another block")
	recipe.call("load_game")
	check_eq(swarm.get_positions(), places, "positions")
	check_eq(manager.get_terrain_bytes(), terrain, "terrain")
	check_eq(swarm.state_hash(), state, "all there is of agents")
	# Twice the same from there.
	var ends := PackedInt64Array()
	for i in 2:
		recipe.call("load_game")
		var tree := scene.get_tree()
		for frame in 30:
			await tree.physics_frame
		ends.append(swarm.state_hash())
	check_eq(ends[0], ends[1], "a run from the save repeats")


func test_stealth_guards_notice_only_what_they_see() -> void:
	var recipe := _open("stealth")
	var manager: FlowFieldManager = recipe.get("manager")
	var swarm: EnemySwarm = recipe.get("swarm")
	var guards: PackedInt64Array = recipe.get("guards")
	await _run_for(0.5)
	check_eq(swarm.get_group_agents(3).size(), 0, "no enemy chases")
	# In front of the first guard, behind a wall and then in the open.
	var guard := swarm.get_agent_position(guards[0])
	manager.set_terrain_rect(
		Rect2i(manager.get_cell(guard) + Vector2i(-3, 3), Vector2i(7, 1)), WALL
	)
	recipe.set("intruder", guard + Vector2(0.0, 110.0))
	recipe.set("stage", 2)
	await _run_for(0.05)
	check(not manager.is_in_sight(guard, recipe.get("intruder") as Vector2), "a wall is between")
	check_eq(swarm.get_group_agents(3).size(), 0, "the guard notices nothing")
	manager.set_terrain_rect(Rect2i(manager.get_cell(guard) + Vector2i(-3, 3), Vector2i(7, 1)), 1)
	await _run_for(0.05)
	check_eq(swarm.get_group_agents(3), PackedInt64Array([guards[0]]), "the guard chases")
	await _run_for(0.5)
	recipe.set("intruder", Vector2(90.0, 60.0))
	recipe.set("stage", 0)
	await _run_for(2.5)
	check_eq(swarm.get_group_agents(3).size(), 0, "and gives up")


func test_orders_send_soldiers_into_formation() -> void:
	var recipe := _open("orders")
	var manager: FlowFieldManager = recipe.get("manager")
	var swarm: EnemySwarm = recipe.get("swarm")
	(recipe.get("order_timer") as Timer).stop()
	var ids := swarm.get_ids()
	var first := ids.slice(0, 40)
	var second := ids.slice(40, 90)
	recipe.call("send", first, Vector2(1000.0, 120.0))
	recipe.call("send", second, Vector2(600.0, 320.0))  # in a rock
	await _run_for(16.0)
	check_eq(swarm.get_arrived().size(), 90, "all have arrived")
	for place in swarm.get_positions_of(first):
		check_near_vector(place, Vector2(1000.0, 120.0), 100.0, "a soldier of the first order")
	for place in swarm.get_positions_of(second):
		check_near_vector(place, Vector2(600.0, 320.0), 260.0, "a soldier of the second order")
	check(deepest_overlap(manager, swarm.get_positions(), 8.0) < 0.5, "none is in a wall")
	recipe.call("send", ids, Vector2(300.0, 600.0))
	manager.update()
	check_eq(manager.get_goals().size(), 1, "goals that no agent follows are released")
	await _run_for(0.1)
	# A dragged box selects, and a click with the right button sends.
	recipe.set("drag_from", swarm.get_agent_position(ids[0]) - Vector2(2.0, 2.0))
	var box: Rect2 = recipe.call("_get_box")
	check(box.size.x >= 0.0 and box.size.y >= 0.0, "boxes may be dragged in any direction")


func test_mazing_never_closes_the_maze() -> void:
	var recipe := _open("mazing")
	var manager: FlowFieldManager = recipe.get("manager")
	var swarm: EnemySwarm = recipe.get("swarm")
	var spawn: Vector2 = recipe.get("SPAWN")
	var base: Vector2 = recipe.get("BASE")
	var goal: int = recipe.get("goal")
	var straight := manager.get_cost_to_goal(goal, spawn)
	await _run_for(30.0)
	var towers: Dictionary = recipe.get("towers")
	check(towers.size() > 55, "towers: %d" % towers.size())
	check_eq(manager.get_stamps().size(), towers.size(), "stamps")
	check(manager.is_reachable(spawn, base), "the maze is open")
	check(manager.get_cost_to_goal(goal, spawn) > 2.0 * straight, "and the way is long")
	check_eq(swarm.get_stats()["lost"], 0, "enemies without a route")
	swarm.clear()
	# A column from edge to edge: one of its towers would close the maze.
	var refused := 0
	for row in 12:
		refused += 0 if recipe.call("build", Vector2i(60, 3 * row)) else 1
	check_eq(refused, 1, "towers that are refused")
	check(manager.is_reachable(spawn, base), "the maze is still open")
	check_eq(recipe.call("build", Vector2i(7, 0)), false, "no tower on another")
	check_eq(recipe.call("build", Vector2i(-2, 0)), false, "and none beyond the edge")


## The origins at which the agents of the recipe hills_3d are drawn, in the order of get_ids().
func _drawn_places(swarm: EnemySwarm) -> PackedVector3Array:
	var places := PackedVector3Array()
	for drawn in swarm.get_drawn_counts():
		var node := drawn["node"] as MultiMeshInstance3D
		var buffer := node.multimesh.buffer
		var stride := buffer.size() / node.multimesh.instance_count
		for i: int in drawn["count"]:
			var at := i * stride
			places.append(Vector3(buffer[at + 3], buffer[at + 7], buffer[at + 11]))
	return places


func _fall_from(place: Vector3, down: float) -> Dictionary:
	var space := scene.get_viewport().find_world_3d().direct_space_state
	# The engine's rays miss a height map on the edges of its cells, so a second one falls beside.
	for aside: Vector3 in [Vector3.ZERO, Vector3(0.01, 0.0, 0.004)]:
		var from := place + aside
		var ray := PhysicsRayQueryParameters3D.create(from, from + Vector3.DOWN * down)
		var hit := space.intersect_ray(ray)
		if not hit.is_empty():
			return hit
	return {}


## Checks that all agents are drawn on a floor of the level. Returns how many are on the deck and
## how many below it.
func _check_standing(recipe: Node, what: String) -> Vector2i:
	var manager: FlowFieldManager = recipe.get("manager")
	var swarm: EnemySwarm = recipe.get("swarm")
	var hero: CharacterBody3D = recipe.get("hero")
	var drawn := _drawn_places(swarm)
	var positions := swarm.get_positions()
	var layers := swarm.get_layers()
	check_eq(drawn.size(), 5000, "%s: agents that are drawn" % what)
	var floating := 0.0  # above or below the heights of the layer
	var aside := 0.0
	var off := 0.0  # above or below the bodies of the level
	var buried := 0
	var counts := Vector2i.ZERO
	for i in drawn.size():
		var place := drawn[i]
		var ground := manager.get_height(manager.on_layer(positions[i], layers[i]))
		floating = maxf(floating, absf(place.y - ground))
		aside = maxf(aside, positions[i].distance_to(Vector2(place.x, place.z)))
		# From the middle of the body to the floor; no result within a body or below the hills.
		var hit := _fall_from(place + Vector3.UP, 2.0)
		if hit.is_empty():
			buried += 1
		elif hit["collider"] != hero:
			off = maxf(off, absf((hit["position"] as Vector3).y - place.y))
		if absf(place.x) < 15.0 and absf(place.z) < 3.2:
			counts.x += int(layers[i] == 1 and absf(place.y - 6.0) < 0.01)
			counts.y += int(layers[i] == 0 and place.y < 4.0)
	check(floating < 0.01, "%s: above or below the ground by %f" % [what, floating])
	check(aside < 0.001, "%s: drawn beside the position by %f" % [what, aside])
	check_eq(buried, 0, "%s: agents in the bridge or in the hills" % what)
	check(off < 0.12, "%s: above or below a body by %f" % [what, off])
	return counts


## The share of the agents that would reach the goal within some metres.
func _share_near(recipe: Node, metres: float) -> float:
	var manager: FlowFieldManager = recipe.get("manager")
	var swarm: EnemySwarm = recipe.get("swarm")
	var places := PackedVector2Array()
	var positions := swarm.get_positions()
	var layers := swarm.get_layers()
	for i in positions.size():
		places.append(manager.on_layer(positions[i], layers[i]))
	var near := 0
	for cost in manager.get_costs_to_goal(recipe.get("goal") as int, places):
		near += int(cost * manager.cell_size < metres)
	return float(near) / places.size()


func test_hills_3d_needs_few_lines() -> void:
	var script := FileAccess.get_file_as_string(FOLDER.path_join("hills_3d/hills_3d.gd"))
	check(script.count("\n") <= 60, "lines: %d" % script.count("\n"))


func test_hills_3d_chases_over_the_bridge_and_below_it() -> void:
	var recipe := _open("hills_3d")
	var manager: FlowFieldManager = recipe.get("manager")
	var swarm: EnemySwarm = recipe.get("swarm")
	var hero: CharacterBody3D = recipe.get("hero")
	var goal: int = recipe.get("goal")
	check_eq(manager.layer_count, 2, "the hills and the bridge")
	var both := 0
	for i in 4:
		await _run_for(3.0)
		var counts := _check_standing(recipe, "after %d s" % (3 * i + 3))
		both += int(counts.x > 50 and counts.y > 50)
	check(both > 2, "agents are on the bridge and below it at the same time")
	for height: float in [6.0, 0.0]:
		recipe.set("route", [Vector2.ZERO] as Array[Vector2])
		recipe.set("stop", 0)
		hero.position = Vector3(0.0, height + 0.1, 0.0)
		await _run_for(0.5)
		var before := _share_near(recipe, 40.0)
		await _run_for(15.0)
		var what := "the body at a height of %d" % height
		var layer := 1 if height > 0.0 else 0
		check_eq(manager.get_layer(manager.get_goal_targets(goal)[0]), layer, what)
		var counts := _check_standing(recipe, what)
		var near := _share_near(recipe, 40.0)
		check(near > 0.6 and near > before, "%s: near it: %f, before %f" % [what, near, before])
		var around := counts.x if layer == 1 else counts.y
		check(around > 300, "%s: agents around it: %d" % [what, around])
	check_eq(swarm.get_stats()["lost"], 0, "agents without a route")
