extends "res://tests/suites/bake_base.gd"
## FlowFieldManager.bake_terrain and FlowSourceGeometry in 3D: from above, between two heights.

const NOTHING: Array[String] = [
	"........", "........", "........", "........", "........", "........"
]


func _body(place: Vector3, shape: Shape3D) -> StaticBody3D:
	var body := StaticBody3D.new()
	body.position = place
	var child := CollisionShape3D.new()
	child.shape = shape
	body.add_child(child)
	root.add_child(body)
	return body


func _box(size: Vector3) -> BoxShape3D:
	var box := BoxShape3D.new()
	box.size = size
	return box


func test_boxes_count_by_their_height() -> void:
	_set_up(Node3D.new())
	# A floor whose top is at 0, a wall that stands on it, and a beam above everyone's head.
	_body(Vector3(40.0, -5.0, 30.0), _box(Vector3(80.0, 10.0, 60.0)))
	_body(Vector3(30.0, 2.0, 25.0), _box(Vector3(20.0, 4.0, 10.0)))
	_body(Vector3(65.0, 3.0, 25.0), _box(Vector3(10.0, 2.0, 50.0)))
	var rows: Array[String] = [
		"........", "........", "..##....", "........", "........", "........"
	]
	_check_bake(null, rows, "below 2")
	var source := FlowSourceGeometry.new()
	source.max_height = 3.0
	rows = ["......#.", "......#.", "..##..#.", "......#.", "......#.", "........"]
	_check_bake(source, rows, "below 3")
	source.min_height = 4.5
	source.max_height = 5.0
	_check_bake(source, NOTHING, "above all")


func test_every_kind_of_shape_is_known() -> void:
	_set_up(Node3D.new())
	var ball := SphereShape3D.new()
	ball.radius = 11.0
	var body := _body(Vector3(20.0, 0.5, 20.0), ball)
	var child := body.get_child(0) as CollisionShape3D
	var rows: Array[String] = [
		".##.....", "####....", "####....", ".##.....", "........", "........"
	]
	_check_bake(null, rows, "sphere")
	body.position.y = 12.0
	rows = ["........", ".##.....", ".##.....", "........", "........", "........"]
	_check_bake(null, rows, "the sphere's lowest part")
	body.position = Vector3(20.0, 0.0, 20.0)
	var drum := CylinderShape3D.new()
	drum.radius = 11.0
	drum.height = 4.0
	child.shape = drum
	rows = [".##.....", "####....", "####....", ".##.....", "........", "........"]
	_check_bake(null, rows, "cylinder")
	var pill := CapsuleShape3D.new()
	pill.radius = 5.0
	pill.height = 40.0
	child.shape = pill
	body.rotation = Vector3(0.0, 0.0, PI / 2.0)
	body.position = Vector3(40.0, 1.0, 25.0)
	rows = ["........", "........", "..####..", "........", "........", "........"]
	_check_bake(null, rows, "capsule, lying along x")
	body.rotation = Vector3.ZERO
	body.position = Vector3.ZERO
	var convex := ConvexPolygonShape3D.new()
	convex.points = PackedVector3Array(
		[
			Vector3(0, 0, 0),
			Vector3(40, 0, 0),
			Vector3(0, 0, 40),
			Vector3(0, 4, 0),
			Vector3(40, 4, 0),
			Vector3(0, 4, 40),
		]
	)
	child.shape = convex
	rows = ["####....", "###.....", "##......", "#.......", "........", "........"]
	_check_bake(null, rows, "convex polygon")
	var faces := ConcavePolygonShape3D.new()
	(
		faces
		. set_faces(
			PackedVector3Array(
				[
					Vector3(5, 0, 5),
					Vector3(35, 0, 5),
					Vector3(35, 2, 5),
					Vector3(0, 0, 0),
					Vector3(80, 0, 60),
					Vector3(0, 0, 60),
				]
			)
		)
	)
	child.shape = faces
	rows = ["####....", "........", "........", "........", "........", "........"]
	_check_bake(null, rows, "faces: an upright one, and a floor")
	child.disabled = true
	_check_bake(null, NOTHING, "disabled")


func test_the_collision_mask_chooses_bodies() -> void:
	_set_up(Node3D.new())
	_body(Vector3(5.0, 0.0, 5.0), _box(Vector3(10.0, 4.0, 10.0))).collision_layer = 2
	var source := FlowSourceGeometry.new()
	source.parsed_collision_mask = 1
	_check_bake(source, NOTHING, "another layer")
	source.parsed_collision_mask = 3
	var rows: Array[String] = [
		"#.......", "........", "........", "........", "........", "........"
	]
	_check_bake(source, rows, "its layer")


## Item 0: a floor plate below 0, 1: a full block, 2: half a block, 3: nothing solid.
func _library() -> MeshLibrary:
	var library := MeshLibrary.new()
	for item in 4:
		library.create_item(item)
	library.set_item_shapes(
		0, [_box(Vector3(10.0, 1.0, 10.0)), Transform3D(Basis.IDENTITY, Vector3(0.0, -5.5, 0.0))]
	)
	library.set_item_shapes(1, [_box(Vector3(10.0, 10.0, 10.0)), Transform3D.IDENTITY])
	library.set_item_shapes(
		2, [_box(Vector3(2.0, 10.0, 10.0)), Transform3D(Basis.IDENTITY, Vector3(-4.0, 0.0, 0.0))]
	)
	return library


func _grid_map() -> GridMap:
	var map := GridMap.new()
	map.cell_size = Vector3(20.0, 10.0, 20.0)
	map.mesh_library = _library()
	root.add_child(map)
	return map


func test_grid_maps_count_with_their_items() -> void:
	_set_up(Node3D.new())
	var map := _grid_map()
	map.set_cell_item(Vector3i(0, 0, 0), 0)
	map.set_cell_item(Vector3i(1, 0, 0), 1)
	map.set_cell_item(Vector3i(2, 0, 0), 3)
	map.set_cell_item(Vector3i(3, 1, 0), 1)
	map.set_cell_item(Vector3i(0, 0, 2), 2)
	var turned := map.get_orthogonal_index_from_basis(Basis(Vector3.UP, PI))
	map.set_cell_item(Vector3i(2, 0, 2), 2, turned)
	# The block is 10 wide, in the middle of its cell; the half block 4 at the left of that.
	var rows: Array[String] = [
		"..##....", "..##....", "........", "........", "........", "........"
	]
	rows[4] = "#....#.."
	rows[5] = "#....#.."
	_check_bake(null, rows, "blocks")
	map.cell_scale = 2.0
	rows[4] = "##..##.."
	rows[5] = "##..##.."
	map.set_cell_item(Vector3i(0, 0, 2), GridMap.INVALID_CELL_ITEM)
	rows[4] = "....##.."
	rows[5] = "....##.."
	map.set_cell_item(Vector3i(2, 0, 2), 1)
	_check_bake(null, rows, "scaled up, a block fills its cell")
	map.position.y = 5.0
	_check_bake(null, rows, "raised, but within reach")
	map.position.y = 12.5
	_check_bake(null, NOTHING, "raised out of reach")


func test_items_can_be_given_a_terrain() -> void:
	_set_up(Node3D.new())
	var map := _grid_map()
	map.set_cell_item(Vector3i(0, -1, 0), 0)
	map.set_cell_item(Vector3i(1, 0, 1), 1)
	map.set_cell_item(Vector3i(3, 0, 2), 3)
	var source := FlowSourceGeometry.new()
	source.grid_map_terrain = {0: 4, 3: 9} as Dictionary[int, int]
	var rows: Array[String] = [
		"44......", "44......", "..##....", "..##....", "......99", "......99"
	]
	_check_bake(source, rows, "a swamp below the floor, and an item without shapes")
	map.collision_layer = 8
	source.parsed_collision_mask = 7
	_check_bake(source, NOTHING, "on another layer")


func test_a_group_chooses_grid_maps() -> void:
	_set_up(Node3D.new())
	var map := _grid_map()
	map.set_cell_item(Vector3i(0, 0, 0), 1)
	var other := _grid_map()
	other.set_cell_item(Vector3i(2, 0, 0), 1)
	other.add_to_group(&"walls")
	var source := FlowSourceGeometry.new()
	source.source_geometry_mode = FlowSourceGeometry.SOURCE_GEOMETRY_GROUPS_EXPLICIT
	source.source_geometry_group_name = &"walls"
	var rows: Array[String] = [
		"....##..", "....##..", "........", "........", "........", "........"
	]
	_check_bake(source, rows, "one of two")
