extends "res://tests/suites/bake_base.gd"
## FlowFieldManager.bake_terrain covers the cells in which the physics engine finds something.

const BODIES := 14
## The physics engine decides by margins of its own: cells that a shape barely enters are left out.
const DOUBT := 0.06

var _random := RandomNumberGenerator.new()


func _shape_2d(kind: int) -> Shape2D:
	match kind:
		0:
			var box := RectangleShape2D.new()
			box.size = Vector2(_random.randf_range(2.0, 30.0), _random.randf_range(2.0, 30.0))
			return box
		1:
			var disc := CircleShape2D.new()
			disc.radius = _random.randf_range(1.0, 18.0)
			return disc
		2:
			var pill := CapsuleShape2D.new()
			pill.radius = _random.randf_range(1.0, 8.0)
			pill.height = pill.radius * _random.randf_range(2.0, 5.0)
			return pill
		3:
			var line := SegmentShape2D.new()
			line.a = _place() * 0.3
			line.b = _place() * 0.3
			return line
	var hull := ConvexPolygonShape2D.new()
	var points := PackedVector2Array()
	for i in 8:
		points.append(_place() * 0.25)
	hull.set_point_cloud(points)
	return hull


func _shape_3d(kind: int) -> Shape3D:
	match kind:
		0:
			var box := BoxShape3D.new()
			box.size = Vector3(_size(), _size(), _size())
			return box
		1:
			var ball := SphereShape3D.new()
			ball.radius = _size() * 0.5
			return ball
		2:
			var pill := CapsuleShape3D.new()
			pill.radius = _random.randf_range(1.0, 8.0)
			pill.height = pill.radius * _random.randf_range(2.0, 5.0)
			return pill
		3:
			var drum := CylinderShape3D.new()
			drum.radius = _size() * 0.5
			drum.height = _size()
			return drum
	var hull := ConvexPolygonShape3D.new()
	var points := PackedVector3Array()
	for x: float in [-1.0, 1.0]:
		for y: float in [-1.0, 1.0]:
			for z: float in [-1.0, 1.0]:
				points.append(Vector3(x * _size(), y * _size(), z * _size()) * 0.5)
	hull.points = points
	return hull


func _size() -> float:
	return _random.randf_range(2.0, 30.0)


func _place() -> Vector2:
	return Vector2(_random.randf() * 80.0, _random.randf() * 60.0)


func test_bodies_in_2d() -> void:
	for run_index in 6:
		_random.seed = run_index
		_set_up(Node2D.new())
		for i in BODIES:
			var body := StaticBody2D.new()
			var child := CollisionShape2D.new()
			child.shape = _shape_2d(i % 5)
			child.position = _place() * 0.2
			child.rotation = _random.randf() * TAU
			body.position = _place()
			body.rotation = _random.randf() * TAU
			body.add_child(child)
			root.add_child(body)
		check_eq(manager.bake_terrain(root, null), OK, "bake")
		await scene.get_tree().physics_frame
		await scene.get_tree().physics_frame
		var query := PhysicsShapeQueryParameters2D.new()
		var square := RectangleShape2D.new()
		query.shape = square
		var space := (root as Node2D).get_world_2d().direct_space_state
		var sure := _compare(
			func(center: Vector2, width: float) -> bool:
				square.size = Vector2(width, width)
				query.transform = Transform2D(0.0, center)
				return not space.intersect_shape(query, 1).is_empty()
		)
		check(sure > 30, "run %d: %d cells without doubt" % [run_index, sure])
		root.free()
		manager.free()


func test_bodies_in_3d() -> void:
	for run_index in 6:
		_random.seed = 100 + run_index
		_set_up(Node3D.new())
		for i in BODIES:
			var body := StaticBody3D.new()
			var child := CollisionShape3D.new()
			child.shape = _shape_3d(i % 5)
			child.position = Vector3(_random.randf() * 9.0, 0.0, _random.randf() * 9.0)
			child.rotation = Vector3(0.0, _random.randf() * TAU, _random.randf() * TAU)
			var place := _place()
			body.position = Vector3(place.x, _random.randf_range(-9.0, 20.0), place.y)
			body.rotation = Vector3(_random.randf() * TAU, _random.randf() * TAU, 0.0)
			body.add_child(child)
			root.add_child(body)
		var source := FlowSourceGeometry.new()
		source.min_height = 2.0
		source.max_height = 8.0
		check_eq(manager.bake_terrain(root, source), OK, "bake")
		await scene.get_tree().physics_frame
		await scene.get_tree().physics_frame
		var query := PhysicsShapeQueryParameters3D.new()
		var block := BoxShape3D.new()
		query.shape = block
		var space := (root as Node3D).get_world_3d().direct_space_state
		var sure := _compare(
			func(center: Vector2, width: float) -> bool:
				block.size = Vector3(width, 6.0 + (width - 10.0), width)
				query.transform = Transform3D(Basis.IDENTITY, Vector3(center.x, 5.0, center.y))
				return not space.intersect_shape(query, 1).is_empty()
		)
		check(sure > 30, "run %d: %d cells without doubt" % [run_index, sure])
		root.free()
		manager.free()


## Asks of each cell whether something is in a square about its centre: if in a slightly smaller
## one, the cell must be a wall; if not in a slightly larger one, it must not. Returns the number of
## cells where the two agree.
func _compare(is_hit: Callable) -> int:
	var sure := 0
	check(manager.get_terrain_bytes().count(WALL) > 6, "there are walls")
	for y in manager.grid_size.y:
		for x in manager.grid_size.x:
			var cell := Vector2i(x, y)
			var center := manager.get_cell_center(cell)
			var width := manager.cell_size
			var inner: bool = is_hit.call(center, width * (1.0 - DOUBT))
			var outer: bool = is_hit.call(center, width * (1.0 + DOUBT))
			if inner != outer:
				continue
			sure += 1
			var expected := WALL if inner else 1
			check_eq(manager.get_terrain_at(cell), expected, "cell %s" % cell)
	return sure
