extends "res://tests/test_suite.gd"
## FlowFieldManager.rebake_terrain_3d: after any change, a box gives what a whole bake gives.

const CELL := 0.5
const SIZE := Vector2(30.0, 20.0)

var manager: FlowFieldManager
var root: Node3D


func _set_up() -> void:
	manager = _new_manager()
	root = Node3D.new()
	scene.add_child(root)
	_box(Vector3(15.0, -0.5, 10.0), Vector3(30.0, 1.0, 20.0))
	# A deck that keeps the number of layers.
	_box(Vector3(26.0, 2.9, 10.0), Vector3(6.0, 0.2, 6.0))


func _new_manager() -> FlowFieldManager:
	return new_manager(Vector2i(SIZE / CELL), CELL)


func _add(shape: Shape3D, place: Transform3D) -> StaticBody3D:
	var body := StaticBody3D.new()
	var child := CollisionShape3D.new()
	child.shape = shape
	body.add_child(child)
	body.transform = place
	root.add_child(body)
	return body


func _box(at: Vector3, size: Vector3) -> StaticBody3D:
	var box := BoxShape3D.new()
	box.size = size
	return _add(box, Transform3D(Basis.IDENTITY, at))


## Terrain, heights and links of all layers.
func _state(of: FlowFieldManager) -> Array:
	var state := []
	for layer in of.layer_count:
		state.append(of.get_terrain_bytes(layer))
		state.append(of.get_heights(layer).to_byte_array())
	var links := []
	for link in of.get_links():
		links.append(str(of.get_link_cells(link)))
	links.sort()
	state.append(links)
	return state


## Bakes a box of the scene again and compares with a whole bake.
func _check_rebaked(at: Vector2, size: Vector2, what: String) -> void:
	var before := _state(manager)
	var low := at - size / 2.0
	var box := AABB(Vector3(low.x, 0.0, low.y), Vector3(size.x, 1.0, size.y))
	check_eq(manager.rebake_terrain_3d(box), OK, what)
	var whole := _new_manager()
	check_eq(whole.bake_terrain_3d(root, null), OK, what)
	var state := _state(manager)
	check(state == _state(whole), "%s: as a whole bake" % what)
	check(state != before, "%s: seen" % what)
	whole.free()


func _bake() -> void:
	check_eq(manager.bake_terrain_3d(root, null), OK, "bake")


func test_bodies_and_their_shapes_change() -> void:
	_set_up()
	var crate := _box(Vector3(5.0, 0.5, 5.0), Vector3.ONE)
	var far := _box(Vector3(14.0, 0.5, 15.0), Vector3.ONE)
	_bake()
	var at := Vector2(5.0, 5.0)
	crate.position.x = 8.0
	_check_rebaked(Vector2(6.5, 5.0), Vector2(6.0, 3.0), "moved")
	var shape: CollisionShape3D = crate.get_child(0)
	shape.position.z = 1.5
	at = Vector2(8.0, 5.75)
	_check_rebaked(at, Vector2(3.0, 4.0), "its shape moved")
	shape.disabled = true
	_check_rebaked(at, Vector2(3.0, 4.0), "disabled")
	shape.disabled = false
	_check_rebaked(at, Vector2(3.0, 4.0), "enabled")
	crate.collision_layer = 0
	_check_rebaked(at, Vector2(3.0, 4.0), "on no layer")
	crate.collision_layer = 1
	shape.shape = SphereShape3D.new()
	_check_rebaked(at, Vector2(3.0, 4.0), "another shape")
	var hull := ConvexPolygonShape3D.new()
	hull.points = (shape.shape as SphereShape3D).get_debug_mesh().get_faces().slice(0, 60)
	shape.shape = hull
	_check_rebaked(at, Vector2(3.0, 4.0), "a hull")
	hull.points = PackedVector3Array(
		[Vector3.ZERO, Vector3.RIGHT * 2.0, Vector3.UP * 2.0, Vector3.BACK]
	)
	_check_rebaked(at + Vector2(1.0, 0.0), Vector2(5.0, 4.0), "its points")
	# A shape grows into the box from far away.
	((far.get_child(0) as CollisionShape3D).shape as BoxShape3D).size = Vector3(9.0, 1.0, 1.0)
	_check_rebaked(Vector2(14.0, 15.0), Vector2(10.0, 2.0), "grown")
	crate.free()
	_check_rebaked(at + Vector2(1.0, 0.0), Vector2(5.0, 4.0), "freed")
	var faces := ConcavePolygonShape3D.new()
	var plane := PlaneMesh.new()
	plane.size = Vector2(3.0, 3.0)
	faces.set_faces(plane.get_faces())
	_add(faces, Transform3D(Basis.IDENTITY, Vector3(5.0, 0.3, 5.0)))
	_check_rebaked(Vector2(5.0, 5.0), Vector2(4.0, 4.0), "faces")
	# A body below a node that was no body's parent before.
	var nested := _box(Vector3(11.0, 0.5, 5.0), Vector3.ONE)
	nested.reparent(far.get_child(0))
	_check_rebaked(Vector2(11.0, 5.0), Vector2(2.0, 2.0), "below a shape")


func test_height_maps_change_in_any_transform() -> void:
	_set_up()
	var map := HeightMapShape3D.new()
	map.map_width = 9
	map.map_depth = 7
	var heights := PackedFloat32Array()
	for number in 63:
		heights.append(0.3 + 0.1 * (number % 5))
	map.map_data = heights
	var turned := Basis(Vector3.UP, 0.7).scaled(Vector3(1.2, 1.0, 1.2))
	var leaning := Basis(Vector3.RIGHT, 0.1) * Basis(Vector3.UP, 2.0)
	var mirrored := Basis(Vector3.UP, -2.0).scaled(Vector3(-1.0, 1.0, 1.3))
	var body := _add(map, Transform3D(turned, Vector3(8.0, 0.2, 9.0)))
	_bake()
	for basis: Basis in [turned, leaning, mirrored]:
		body.basis = basis
		check_eq(manager.bake_terrain_3d(root, null), OK, "bake")
		for number: int in [10, 31, 47, 62]:
			heights[number] += 0.25
			map.map_data = heights
			var corner := Vector3(number % 9 - 4.0, heights[number], number / 9 - 3.0)
			var at := body.transform * corner
			var what := "corner %d of %s" % [number, basis]
			_check_rebaked(Vector2(at.x, at.z), Vector2(4.0, 4.0), what)


func test_grid_maps_change() -> void:
	_set_up()
	var library := MeshLibrary.new()
	for item in 2:
		var box := BoxShape3D.new()
		box.size = Vector3(1.0, 0.5, 1.0 + 2.0 * item)
		var place := Transform3D(Basis(Vector3.UP, 0.3), Vector3(0.4, 0.2, item))
		library.create_item(item)
		library.set_item_shapes(item, [box, place])
	var map := GridMap.new()
	map.mesh_library = library
	map.cell_size = Vector3(1.5, 1.0, 1.5)
	map.cell_scale = 1.2
	map.transform = Transform3D(
		Basis(Vector3.UP, 0.4).scaled(Vector3(1.1, 1.0, 1.1)), Vector3(3, 0, 6)
	)
	root.add_child(map)
	for x: int in [0, 4]:
		for z: int in [0, 4]:
			map.set_cell_item(Vector3i(x, 0, z), (x + z) / 4 % 2, 0)
	_bake()
	for cell: Vector3i in [Vector3i(0, 0, 0), Vector3i(4, 0, 4), Vector3i(4, 0, 0)]:
		var at := map.to_global(map.map_to_local(cell))
		map.set_cell_item(cell, 1, 16)
		_check_rebaked(Vector2(at.x, at.z), Vector2(9.0, 9.0), "turned %s" % cell)
		map.set_cell_item(cell, GridMap.INVALID_CELL_ITEM)
		_check_rebaked(Vector2(at.x, at.z), Vector2(9.0, 9.0), "no item at %s" % cell)
