extends "res://tests/test_suite.gd"
## FlowLayout: stamps and links that are saved with a scene are given to its manager, follow their
## resources, and are taken back.

const LayoutEdits := preload("res://addons/flow_swarm/editor/paint/layout_edits.gd")
const StampRuns := preload("res://addons/flow_swarm/editor/paint/stamp_runs.gd")
const SIZE := Vector2i(20, 12)


func _make_manager() -> FlowFieldManager:
	var manager := FlowFieldManager.new()
	manager.name = "Manager"
	manager.grid_size = SIZE
	manager.cell_size = 1.0
	manager.layer_count = 2
	return manager


## Three walls above a door of terrain 7 between two cells that leave the terrain.
func _make_stamp() -> FlowStamp:
	var stamp := FlowStamp.new()
	stamp.size = Vector2i(3, 2)
	stamp.cells = [255, 255, 255, 0, 7, 0]
	return stamp


func _placed(stamp: FlowStamp, cell: Vector2i, layer := 0, turns := 0) -> FlowPlacedStamp:
	var placed := FlowPlacedStamp.new()
	placed.stamp = stamp
	placed.cell = cell
	placed.layer = layer
	placed.quarter_turns = turns
	return placed


func _link(from: Vector2i, to: Vector2i, to_layer := 0) -> FlowPlacedLink:
	var link := FlowPlacedLink.new()
	link.from = from
	link.to = to
	link.to_layer = to_layer
	return link


## A manager in the tree with a layout of two stamps and two links.
func _add_level() -> FlowFieldManager:
	var manager := _make_manager()
	var layout := FlowLayout.new()
	layout.name = "Layout"
	var stamp := _make_stamp()
	layout.stamps = [_placed(stamp, Vector2i(2, 3)), _placed(stamp, Vector2i(10, 5), 1, 1)]
	var jump := _link(Vector2i(4, 4), Vector2i(6, 6), 1)
	jump.cost = 3.0
	jump.both_ways = false
	jump.travel = FlowFieldManager.LINK_TIMED
	jump.seconds = 2.5
	jump.arc = 1.5
	layout.links = [_link(Vector2i(0, 0), Vector2i(19, 11)), jump]
	manager.add_child(layout)
	layout.owner = manager
	scene.add_child(manager)
	return manager


func _layout(manager: FlowFieldManager) -> FlowLayout:
	return manager.get_node("Layout") as FlowLayout


func test_a_scene_has_its_stamps_and_links_when_it_is_ready() -> void:
	var original := _add_level()
	var packed := PackedScene.new()
	check_eq(packed.pack(original), OK, "packed.pack(original)")
	original.free()
	var manager := packed.instantiate() as FlowFieldManager
	scene.add_child(manager)
	check_eq(manager.get_terrain_at(Vector2i(3, 3)), 255, "get_terrain_at(Vector2i(3, 3))")
	check_eq(manager.get_terrain_at(Vector2i(3, 4)), 7, "get_terrain_at(Vector2i(3, 4))")
	check_eq(manager.get_terrain_at(Vector2i(2, 4)), 1, "terrain is left")
	# Turned from +x towards +y, the door is left of the walls.
	check_eq(
		manager.get_terrain_at(manager.cell_on_layer(Vector2i(10, 6), 1)),
		7,
		"get_terrain_at(cell_on_layer(Vector2i(10, 6), 1))"
	)
	check_eq(
		manager.get_terrain_at(manager.cell_on_layer(Vector2i(11, 7), 1)),
		255,
		"get_terrain_at(cell_on_layer(Vector2i(11, 7), 1))"
	)
	var links := manager.get_links()
	check_eq(links.size(), 2, "links.size()")
	var ends := manager.get_link_cells(links[1])
	check_eq(Vector2i(ends[1]), manager.cell_on_layer(Vector2i(6, 6), 1), "Vector2i(ends[1])")
	check_eq(
		manager.get_link_travel(links[1]), FlowFieldManager.LINK_TIMED, "get_link_travel(links[1])"
	)
	check_eq(manager.get_link_seconds(links[1]), 2.5, "get_link_seconds(links[1])")
	check_eq(manager.get_link_arc(links[1]), 1.5, "get_link_arc(links[1])")
	check_eq(_layout(manager).get_link_id(1), links[1], "get_link_id(1)")
	check_eq(_layout(manager).get_stamp_id(1), manager.get_stamps()[1], "get_stamp_id(1)")
	check_eq(_layout(manager).get_stamp_id(2), 0, "get_stamp_id(2)")
	manager.free()


## The teleporter is the only way across a wall.
func test_agents_take_a_link_of_a_layout() -> void:
	var manager := _make_manager()
	manager.layer_count = 1
	for y in SIZE.y:
		manager.set_terrain(Vector2i(10, y), 255)
	var layout := FlowLayout.new()
	layout.links = [_link(Vector2i(8, 2), Vector2i(12, 9))]
	manager.add_child(layout)
	scene.add_child(manager)
	var goal := manager.create_goal([Vector2(18.5, 9.5)])
	check_eq(
		manager.get_query_status(goal, Vector2(1.5, 5.5)),
		FlowFieldManager.QUERY_OK,
		"get_query_status(goal, Vector2(1.5, 5.5))"
	)
	layout.links = []
	await scene.get_tree().process_frame
	check(
		manager.get_query_status(goal, Vector2(1.5, 5.5)) != FlowFieldManager.QUERY_OK,
		"without the link there is no path"
	)
	manager.free()


func test_a_change_of_a_stamp_changes_all_of_its_places() -> void:
	var manager := _add_level()
	var layout := _layout(manager)
	layout.stamps[0].stamp.set_terrain(Vector2i(1, 1), 9)
	await scene.get_tree().process_frame
	check_eq(manager.get_terrain_at(Vector2i(3, 4)), 9, "get_terrain_at(Vector2i(3, 4))")
	check_eq(
		manager.get_terrain_at(manager.cell_on_layer(Vector2i(10, 6), 1)),
		9,
		"get_terrain_at(cell_on_layer(Vector2i(10, 6), 1))"
	)
	layout.stamps[0].cell = Vector2i(2, 8)
	await scene.get_tree().process_frame
	check_eq(manager.get_terrain_at(Vector2i(3, 4)), 1, "it has left its old place")
	check_eq(manager.get_terrain_at(Vector2i(3, 9)), 9, "get_terrain_at(Vector2i(3, 9))")
	check_eq(manager.get_stamps().size(), 2, "stamps of the manager")
	manager.free()


## What the game has placed itself stays.
func test_a_layout_that_leaves_takes_back_its_own_only() -> void:
	var manager := _add_level()
	var own := manager.place_stamp(_make_stamp(), Vector2i(15, 1))
	var own_link := manager.add_link(Vector2i(1, 1), Vector2i(2, 2))
	_layout(manager).free()
	check_eq(manager.get_stamps(), PackedInt64Array([own]), "get_stamps()")
	check_eq(manager.get_links(), PackedInt64Array([own_link]), "get_links()")
	check_eq(manager.get_terrain_at(Vector2i(3, 3)), 1, "get_terrain_at(Vector2i(3, 3))")
	manager.free()


func test_a_manager_that_comes_back_has_each_thing_once() -> void:
	var manager := _add_level()
	scene.remove_child(manager)
	check_eq(manager.get_stamps().size(), 0, "stamps of the manager")
	scene.add_child(manager)
	check_eq(manager.get_stamps().size(), 2, "stamps of the manager")
	check_eq(manager.get_links().size(), 2, "links of the manager")
	manager.free()


func test_entries_that_do_not_fit_are_named_and_left_out() -> void:
	var manager := _make_manager()
	var layout := FlowLayout.new()
	var stamp := _make_stamp()
	layout.stamps = [
		_placed(stamp, Vector2i(18, 3)), _placed(stamp, Vector2i(2, 2)), null, _placed(null, SIZE)
	]
	layout.links = [
		_link(Vector2i(3, 3), Vector2i(3, 3)),
		_link(Vector2i(0, 0), SIZE),
		_link(Vector2i(0, 0), Vector2i(5, 5), 2),
		_link(Vector2i(0, 0), Vector2i(5, 5), 1),
	]
	manager.add_child(layout)
	expect_error(["FlowLayout.apply", "stamps[0]", "links[2]"], scene.add_child.bind(manager))
	var warnings := layout.get_setup_warnings()
	check_eq(warnings.size(), 6, "%s" % warnings)
	check(warnings[0].begins_with("stamps[0]: cells (18, 3) to (20, 4)"), warnings[0])
	check(warnings[5].contains("no layer 2"), warnings[5])
	check_eq(manager.get_stamps().size(), 1, "stamps of the manager")
	check_eq(manager.get_links().size(), 1, "links of the manager")
	check_eq(layout.get_stamp_id(0), 0, "get_stamp_id(0)")
	check_eq(layout.get_stamp_id(1), manager.get_stamps()[0], "get_stamp_id(1)")
	manager.free()


func test_a_layout_without_a_manager_warns() -> void:
	var layout := FlowLayout.new()
	expect_error(["FlowLayout.apply", "parent"], scene.add_child.bind(layout))
	check_eq(layout.get_setup_warnings().size(), 1, "get_setup_warnings().size()")
	layout.free()


## The manager itself drops what a smaller grid has no room for.
func test_a_smaller_grid() -> void:
	var manager := _add_level()
	var layout := _layout(manager)
	layout.links = [layout.links[1]]
	await scene.get_tree().process_frame
	manager.grid_size = Vector2i(8, 12)
	expect_error(["stamps"], manager.get_stamps)
	expect_error(["FlowLayout.apply", "stamps[1]"], layout.apply)
	check_eq(manager.get_stamps().size(), 1, "stamps of the manager")
	check_eq(manager.get_links().size(), 1, "links of the manager")
	manager.free()


## The painter's own reading of a turned stamp is that of the manager.
func test_turned_cells_are_those_that_the_manager_places() -> void:
	var stamp := FlowStamp.new()
	stamp.size = Vector2i(3, 2)
	stamp.cells = [10, 11, 12, 13, 14, 15]
	for turns in 4:
		var manager := _make_manager()
		scene.add_child(manager)
		var placed := _placed(stamp, Vector2i(4, 4), 0, turns)
		manager.place_stamp(stamp, placed.cell, turns)
		var rect := placed.get_rect()
		for y in rect.size.y:
			for x in rect.size.x:
				var cell := Vector2i(x, y)
				var id := manager.get_terrain_at(rect.position + cell)
				check_eq(StampRuns.id_at(stamp, turns, cell), id, "%s, %d turns" % [cell, turns])
		manager.free()


func test_edits_are_undone_and_done_again() -> void:
	var level := Node.new()
	var manager := _make_manager()
	level.add_child(manager)
	manager.owner = level
	var before := Node.new()
	manager.add_child(before)
	scene.add_child(level)
	var undo := UndoRedo.new()
	var edits := LayoutEdits.new(undo)
	edits.add_stamp(manager, level, _placed(_make_stamp(), Vector2i(2, 3)))
	var layout := LayoutEdits.find_layout(manager)
	check_eq(layout.get_index(), 0, "before nodes that need its stamps")
	check_eq(layout.owner, level, "owner")
	edits.add_link(manager, level, _link(Vector2i(0, 0), Vector2i(5, 5)))
	edits.remove_stamp(manager, level, layout.stamps[0])
	check_eq([layout.stamps.size(), layout.links.size()], [0, 1], "[stamps.size(), links.size()]")
	undo.undo()
	undo.undo()
	check_eq([layout.stamps.size(), layout.links.size()], [1, 0], "[stamps.size(), links.size()]")
	undo.undo()
	check_eq(LayoutEdits.find_layout(manager), null, "LayoutEdits.find_layout(manager)")
	check_eq(manager.get_stamps().size(), 0, "stamps of the manager")
	undo.redo()
	await scene.get_tree().process_frame
	check_eq(manager.get_stamps().size(), 1, "stamps of the manager")
	undo.free()
	level.free()
