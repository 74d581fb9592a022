extends "res://tests/test_suite.gd"
## Layers and links: from the properties to a crowd that crosses a bridge.

const SIZE := Vector2i(24, 20)

var manager: FlowFieldManager


## A road that a wall cuts, and a bridge over it with a ramp at each end, four cells wide.
func _make_bridge() -> void:
	manager = new_manager(SIZE)
	manager.layer_count = 2
	var bytes := PackedByteArray()
	bytes.resize(SIZE.x * SIZE.y)
	bytes.fill(WALL)
	var deck := FlowTerrain.new()
	deck.size = SIZE
	deck.cells = bytes
	var terrains: Array[FlowTerrain] = [deck]
	manager.layer_terrains = terrains
	var corner := manager.cell_on_layer(Vector2i(6, 8), 1)
	manager.set_terrain_rect(Rect2i(corner, Vector2i(12, 4)), 1)
	manager.set_terrain_rect(Rect2i(11, 0, 2, SIZE.y), WALL)


func _add_ramps() -> PackedInt64Array:
	var from := PackedVector2Array()
	var to := PackedVector2Array()
	for x: int in [6, 17]:
		for y in range(8, 12):
			from.append(Vector2(x, y))
			to.append(Vector2(manager.cell_on_layer(Vector2i(x, y), 1)))
	return manager.add_links(from, to, 2.0)


func _at(x: int, y: int, layer := 0) -> Vector2:
	return manager.on_layer(manager.get_cell_center(Vector2i(x, y)), layer)


func _start() -> Vector2:
	return _at(2, 10)


func _target() -> PackedVector2Array:
	return PackedVector2Array([_at(22, 10)])


func _check_status(goal: int, status: int, what: String) -> void:
	check_eq(manager.get_query_status(goal, _start()), status, what)


## The path from the start leads over the bridge.
func _check_path(goal: int) -> void:
	var layers: Array[int] = []
	for place in manager.get_path_from(goal, _start()):
		layers.append(manager.get_layer(place))
	check(layers.has(1) and layers[0] == 0 and layers[-1] == 0, "up and down again: %s" % [layers])


## The first ramp leads up, and is not walked.
func _check_ramp(goal: int) -> void:
	check_near_vector(manager.get_link_ahead(goal, _at(6, 10)), _at(6, 10, 1), 0.01, "up")
	check_eq(manager.get_link_ahead(goal, _start()), Vector2.INF, "no link there")
	check_eq(manager.get_flow_vector(goal, _at(6, 10)), Vector2.ZERO, "not walked")


func test_places_stand_for_positions_on_layers() -> void:
	_make_bridge()
	var position := Vector2(33.0, 47.0)
	var place := manager.on_layer(position, 1)
	check_eq(manager.on_layer(position, 0), position, "the lowest layer's are themselves")
	check_eq(manager.get_layer(position), 0, "layer of a position")
	check_eq(manager.get_layer(place), 1, "layer of a place")
	check_near_vector(manager.off_layer(place), position, 0.01, "and back")
	check_eq(manager.get_cell(place), manager.cell_on_layer(Vector2i(2, 2), 1), "cells too")
	check(manager.is_in_grid(manager.get_cell(place)), "in the grid")
	var between := manager.cell_on_layer(Vector2i.ZERO, 1) - Vector2i(0, 1)
	check(not manager.is_in_grid(between), "between layers")
	check_eq(manager.get_bounds().size, Vector2(SIZE) * 16.0, "bounds of a layer")
	expect_error(["on_layer", "layer", "2"], manager.on_layer.bind(position, 2))
	expect_error(["cell_on_layer", "24"], manager.cell_on_layer.bind(SIZE, 1))
	expect_error(["layer_count", "65"], func() -> void: manager.layer_count = 65)
	check_eq(manager.layer_count, 2, "unchanged")


func test_whole_maps_are_told_by_layer() -> void:
	_make_bridge()
	var count := SIZE.x * SIZE.y
	var upper := manager.get_costs(0, 1)
	check_eq(upper.size(), count, "costs")
	check_eq(upper.count(1), 48, "the deck")
	check_eq(manager.get_costs().count(WALL), 2 * SIZE.y, "the wall below")
	check_eq(manager.get_terrain_bytes(1), upper, "terrain")
	var painted := upper.duplicate()
	painted[0] = 7
	check_eq(manager.set_terrain_bytes(painted, 1), OK, "painted")
	check_eq(manager.get_terrain_at(manager.cell_on_layer(Vector2i.ZERO, 1)), 7, "there")
	check_eq(manager.get_terrain_at(Vector2i.ZERO), 1, "and not below")
	var goal := manager.create_goal(_target())
	for map: Variant in [
		manager.get_integration(goal, 0, 1),
		manager.get_directions(goal, 0, 1),
		manager.get_islands(0, 1),
		manager.get_closed_cells(0, 1),
		manager.get_line_of_sight(goal, 0, 1),
	]:
		check_eq(len(map), count, "as many as a layer's cells")
	expect_error(["get_costs", "layer"], manager.get_costs.bind(0, 2))
	expect_error(["set_terrain_bytes", "layer"], manager.set_terrain_bytes.bind(painted, -1))


func test_links_come_and_go() -> void:
	_make_bridge()
	var goal := manager.create_goal(_target())
	_check_status(goal, FlowFieldManager.QUERY_DISCONNECTED, "the wall cuts the road")
	var ramps := _add_ramps()
	check_eq(ramps.size(), 8, "two ramps of four cells")
	check_eq(manager.get_links(), ramps, "all links")
	_check_status(goal, FlowFieldManager.QUERY_OK, "over the bridge")
	check(manager.is_reachable(_start(), _at(22, 10)), "reachable")
	_check_path(goal)
	var cells := manager.get_link_cells(ramps[0])
	check_eq(cells, PackedVector2Array([Vector2(6, 8), Vector2(6, 8 + 52)]), "a link's cells")
	_check_ramp(goal)
	for ramp in ramps:
		check_eq(manager.remove_link(ramp), OK, "removed")
	_check_status(goal, FlowFieldManager.QUERY_DISCONNECTED, "cut again")
	var alone := manager.add_link(Vector2i(1, 1), Vector2i(20, 1), 5.0, false)
	check(alone > 0, "a teleporter within a layer")
	_check_status(goal, FlowFieldManager.QUERY_OK, "through it")
	check_near(manager.get_cost_to_goal(goal, _at(1, 1)), 5.0 + 9.5, 1.0, "its cost and the rest")
	expect_error(["remove_link", "link"], manager.remove_link.bind(ramps[0]))
	expect_error(["get_link_cells"], manager.get_link_cells.bind(ramps[0]))
	expect_error(["add_link", "(3, 3)"], manager.add_link.bind(Vector2i(3, 3), Vector2i(3, 3)))
	expect_error(["add_link", "cost"], manager.add_link.bind(Vector2i(3, 3), Vector2i(4, 4), 0.0))
	expect_error(["add_links"], manager.add_links.bind(_target(), PackedVector2Array()))


func test_links_lead_tiled_goals_too() -> void:
	_make_bridge()
	manager.sector_size = 8
	var goal := manager.create_goal(_target(), FlowFieldManager.GOAL_MODE_TILED)
	_check_status(goal, FlowFieldManager.QUERY_DISCONNECTED, "the wall cuts the road")
	var ramps := _add_ramps()
	_check_status(goal, FlowFieldManager.QUERY_OK, "a route that was not requested")
	check(manager.request_route(goal, _start()), "a route")
	_check_status(goal, FlowFieldManager.QUERY_PENDING, "tiles to be built")
	check(manager.get_cost_to_goal(goal, _start()) > 20.0, "over the bridge")
	for is_built: bool in [false, true]:
		_check_path(goal)
		while manager.get_tile_stats()["tiles_waiting"] > 0:
			manager.update()
	_check_status(goal, FlowFieldManager.QUERY_OK, "built")
	_check_ramp(goal)
	manager.set_terrain_rect(Rect2i(6, 8, 1, 4), WALL)
	manager.update()
	_check_status(goal, FlowFieldManager.QUERY_DISCONNECTED, "the ramp is shut")
	manager.set_terrain_rect(Rect2i(6, 8, 1, 4), 1)
	for ramp in ramps:
		manager.remove_link(ramp)
	_check_status(goal, FlowFieldManager.QUERY_DISCONNECTED, "no ramps")


func _cross_the_bridge(mode: int) -> void:
	_make_bridge()
	manager.sector_size = 8
	manager.tiles_per_tick = 2
	_add_ramps()
	var swarm := new_swarm(manager, manager.create_goal(_target(), mode))
	swarm.arrival_action = EnemySwarm.ARRIVAL_DESPAWN
	var places := PackedVector2Array()
	for i in 60:
		places.append(Vector2(20.0 + 16.0 * (i % 6), 60.0 + 16.0 * (i / 6)))
	swarm.spawn_many(places)
	var above := 0
	for tick in 1500:
		manager.update()
		steps(swarm, 1)
		above = maxi(above, swarm.get_layers().count(1))
		if swarm.get_agent_count() == 0:
			break
	check_eq(swarm.get_agent_count(), 0, "all are across")
	check(above > 5, "over the bridge: %d" % above)


func test_a_crowd_crosses_the_bridge() -> void:
	_cross_the_bridge(FlowFieldManager.GOAL_MODE_FULL)


func test_a_crowd_crosses_the_bridge_over_tiles() -> void:
	_cross_the_bridge(FlowFieldManager.GOAL_MODE_TILED)
	check(manager.get_tile_stats()["tiles_built"] > 4, "tiles")


func test_agents_tell_their_layers() -> void:
	_make_bridge()
	var swarm := new_swarm(manager)
	var position := manager.get_cell_center(Vector2i(9, 9))
	var below := swarm.spawn(position)
	var above := swarm.spawn(position, 0, 0, 1)
	steps(swarm, 3)
	check_eq(swarm.get_agent_layer(below), 0, "below")
	check_eq(swarm.get_agent_layer(above), 1, "above")
	check_near_vector(swarm.get_agent_position(above), position, 0.01, "in world units")
	check_near_vector(swarm.get_agent_position(below), position, 0.01, "not pushed from above")
	check_near_vector(swarm.get_positions()[1], position, 0.01, "all positions")
	check_eq(swarm.query_circle(position, 30.0), PackedInt64Array([below]), "found below")
	var place := manager.on_layer(position, 1)
	check_eq(swarm.query_circle(place, 30.0), PackedInt64Array([above]), "found above")
	check_eq(
		swarm.set_agent_positions(
			PackedInt64Array([below]), PackedVector2Array([place + Vector2.ONE])
		),
		OK,
		"moved up"
	)
	check_eq(swarm.get_agent_layer(below), 1, "now above")
	expect_error(["spawn", "layer", "2"], swarm.spawn.bind(position, 0, 0, 2))
	expect_error(["get_agent_layer"], swarm.get_agent_layer.bind(12345))


func test_layers_are_drawn_at_their_heights_or_alone() -> void:
	_make_bridge()
	var swarm := new_swarm(manager)
	var output := MultiMeshInstance3D.new()
	scene.add_child(output)
	swarm.output = output
	swarm.layer_height = 3.0
	var position := manager.get_cell_center(Vector2i(9, 9))
	swarm.spawn(position)
	swarm.spawn(position, 0, 0, 1)
	steps(swarm, 1)
	var buffer := output.multimesh.buffer
	var stride := buffer.size() / output.multimesh.instance_count
	check_near(buffer[7], 0.0, 0.01, "below")
	check_near(buffer[stride + 7], 3.0, 0.01, "above")
	check_near(buffer[stride + 11], position.y, 0.01, "in world units")
	check(buffer[5] > 0.1 and buffer[stride + 5] > 0.1, "both are shown")
	swarm.visible_layer = 1
	steps(swarm, 1)
	buffer = output.multimesh.buffer
	check_near(buffer[5], 0.0, 0.001, "hidden")
	check(buffer[stride + 5] > 0.1, "shown")
	expect_error(["visible_layer"], func() -> void: swarm.visible_layer = 64)
	expect_error(["layer_height"], func() -> void: swarm.layer_height = INF)


func test_terrains_that_fit_no_layer_are_warned_of() -> void:
	_make_bridge()
	check_eq(manager.get_setup_warnings().size(), 0, "all fit")
	var small := FlowTerrain.new()
	small.size = Vector2i(3, 3)
	var terrains: Array[FlowTerrain] = [small, FlowTerrain.new()]
	manager.layer_terrains = terrains
	var warnings := "\n".join(manager.get_setup_warnings())
	check(warnings.contains("layer 1") and warnings.contains("layer 2"), warnings)
	terrains.clear()
	manager.layer_terrains = terrains


func test_a_layer_terrain_of_another_size_is_named() -> void:
	var manager := new_manager(Vector2i(4, 4))
	manager.layer_count = 3
	var good := FlowTerrain.new()
	good.size = Vector2i(4, 4)
	manager.layer_terrains = [good, FlowTerrain.new()]
	var words: Array[String] = ["layer_terrains[1]", "(64, 64)", "(4, 4)"]
	expect_error(words, manager.update)
	manager.terrain = FlowTerrain.new()
	expect_error(["terrain", "(64, 64)", "(4, 4)"], manager.update)
