extends "res://tests/test_suite.gd"
## The parts of the RTS demo that need no window.


func _open() -> Rts:
	var rts := (load("res://demos/rts/rts.tscn") as PackedScene).instantiate() as Rts
	scene.add_child(rts)
	rts.set_process(false)
	return rts


func _run(rts: Rts, ticks: int) -> void:
	for i in ticks:
		rts.manager.update()
		rts.swarm.step(1.0 / 60.0)


func test_the_map_is_repeatable_and_bases_are_joined() -> void:
	var map := RtsMap.make()
	check_eq(RtsMap.make().cells, map.cells, "repeatable")
	for id: int in RtsGround.NAMES:
		var count := map.cells.count(id)
		check(count > 100 or id == RtsGround.BUILDING, "%s: %d" % [RtsGround.NAMES[id], count])
	var manager := new_manager(RtsMap.SIZE)
	manager.movement_types = RtsUnits.movement_types()
	manager.set_terrain_bytes(map.cells)
	var places: Array[Vector2] = []
	for base: Vector2i in RtsMap.BASES:
		places.append(manager.get_cell_center(base))
	for kind in RtsUnits.NAMES.size():
		for to: Vector2 in places:
			check(
				manager.is_reachable(places[0], to, kind), "%s to %s" % [RtsUnits.NAMES[kind], to]
			)
		for plateau: Array in RtsMap.PLATEAUS:
			var top := manager.get_cell_center(plateau[0] as Vector2i)
			check(
				manager.is_reachable(places[0], top, kind),
				"%s up to %s" % [RtsUnits.NAMES[kind], plateau[0]]
			)
	var island := manager.get_cell_center(RtsMap.LAKE)
	check(not manager.is_reachable(places[0], island, RtsUnits.Kind.TANK), "no tank to the island")
	check(manager.is_reachable(places[0], island, RtsUnits.Kind.HOVERCRAFT), "but hovercraft")


func test_the_figures_include_all_work_of_a_tick() -> void:
	var rts := _open()
	await physics_frames(3)
	var step: float = rts.swarm.get_stats()["total_ms"]
	check(step > 0.0 and rts.clock.last_ms >= step, "tick %f, step %f" % [rts.clock.last_ms, step])


func test_every_bridge_joins_its_shores() -> void:
	var map := RtsMap.make()
	for index in RtsMap.BRIDGES.size():
		var cell := RtsMap.bridge_at(index)
		check_eq(map.at(cell), RtsGround.ROAD, "bridge %d at %s" % [index, cell])
	# Without bridges some bases are cut off from each other; with any that stay, they are not.
	var manager := new_manager(RtsMap.SIZE)
	manager.movement_types = RtsUnits.movement_types()
	var drowned := map.cells.duplicate()
	for i in drowned.size():
		if drowned[i] == RtsGround.ROAD:
			drowned[i] = RtsGround.WATER
	manager.set_terrain_bytes(drowned)
	var from := manager.get_cell_center(RtsMap.BASES[0])
	var to := manager.get_cell_center(RtsMap.BASES[1])
	check(not manager.is_reachable(from, to, RtsUnits.Kind.TANK), "rivers part them")


func test_goals_end_with_the_units_that_go_there() -> void:
	var rts := _open()
	var random := RandomNumberGenerator.new()
	random.seed = 3
	var ids := rts.swarm.get_ids()
	for n in 400:
		var some := PackedInt64Array()
		for i in 3:
			some.append(ids[random.randi_range(0, ids.size() - 1)])
		var base := rts.manager.get_cell_center(RtsMap.BASES[n % 3])
		var place := base + Vector2(random.randf(), random.randf()) * 300.0
		rts.orders.send(some, PackedVector2Array([place]))
	check(rts.manager.get_goals().size() > 256, "many orders at once")
	_run(rts, 3)
	rts.orders.send(ids, PackedVector2Array([rts.manager.get_cell_center(RtsMap.BASES[1])]))
	_run(rts, 1)
	check_eq(rts.manager.get_goals().size(), 1, "one order for all leaves one goal")


func test_all_units_go_as_near_as_they_can() -> void:
	var rts := _open()
	var island := rts.manager.get_cell_center(RtsMap.LAKE)
	var ends := rts.orders.send(rts.swarm.get_ids(), PackedVector2Array([island]))
	check(ends.has(island), "hovercraft go to the island")
	check(ends.size() >= 2, "the others to its shores: %s" % ends)
	_run(rts, 120)
	check_eq(rts.swarm.get_stats()["lost"], 0, "no unit is lost")
	var nearer := 0
	var places := rts.swarm.get_positions()
	var velocities := rts.swarm.get_velocities()
	for i in places.size():
		nearer += int(velocities[i].length() > 20.0)
	check(nearer > places.size() * 8 / 10, "they move: %d" % nearer)


func test_a_closed_bridge_sends_units_to_another() -> void:
	var rts := _open()
	var near := RtsMap.bridge_at(1)
	var type := RtsUnits.Kind.TANK
	var from := rts.manager.get_cell_center(near - Vector2i(20, 0))
	var to := rts.manager.get_cell_center(near + Vector2i(20, 0))
	var goal := rts.manager.create_goal(PackedVector2Array([to]), FlowFieldManager.GOAL_MODE_TILED)
	rts.manager.request_route(goal, from, type)
	var open_cost := rts.manager.get_cost_to_goal(goal, from, type)
	var wall: Array[RtsBuilding] = []
	for n in 10:
		var corner := RtsBuilder.corner_at(near + Vector2i(0, n * 2 - 10), RtsBuilding.Kind.WALL)
		wall.append(RtsBuilding.new(RtsBuilding.Kind.WALL, corner))
	check(rts.builder.place(wall) >= 5, "the bridge is closed")
	rts.manager.update()
	check(rts.manager.request_route(goal, from, type), "there are other bridges")
	var closed_cost := rts.manager.get_cost_to_goal(goal, from, type)
	check(closed_cost > open_cost * 2.0, "farther: %f, %f" % [open_cost, closed_cost])
	for building: RtsBuilding in wall:
		if building.stamp_id != 0:
			rts.builder.remove(building)
	rts.manager.update()
	rts.manager.request_route(goal, from, type)
	check_near(rts.manager.get_cost_to_goal(goal, from, type), open_cost, 0.01, "as before")
