extends "res://tests/test_suite.gd"
## What the suites of FlowFieldManager.bake_terrain share.

var manager: FlowFieldManager
var root: Node


## A manager over 8 x 6 cells of width 10, and a root for geometry.
func _set_up(empty_root: Node) -> void:
	manager = new_manager(Vector2i(8, 6), 10.0)
	root = empty_root
	scene.add_child(root)


## Bakes and compares with rows of text: '#' is a wall, '.' clear, a digit that terrain.
func _check_bake(source: FlowSourceGeometry, rows: Array[String], what: String) -> void:
	check_eq(manager.bake_terrain(root, source), OK, "%s: result" % what)
	_check_terrain(rows, what)


func _check_terrain(rows: Array[String], what: String) -> void:
	var found: Array[String] = []
	var bytes := manager.get_terrain_bytes()
	for y in manager.grid_size.y:
		var row := ""
		for x in manager.grid_size.x:
			var id := bytes[y * manager.grid_size.x + x]
			row += "#" if id == WALL else ("." if id == 1 else str(id))
		found.append(row)
	check(found == rows, "%s:\n%s\nexpected\n%s" % [what, "\n".join(found), "\n".join(rows)])
