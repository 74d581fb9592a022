class_name SiegePlants
extends StaticBody3D
## Trees and rocks outside the town, a MultiMesh for each kind. Trunks and rocks on the map are
## solid.

const TREES := 420
const ROCKS := 130
const FARTHEST := 260.0
const LEAVES: Array[Color] = [Color(0.20, 0.33, 0.15), Color(0.26, 0.40, 0.17)]
const TRUNK := Color(0.34, 0.24, 0.16)
const STONE := Color(0.44, 0.43, 0.41)

@export var material: Material

var _random := RandomNumberGenerator.new()


func _ready() -> void:
	_random.seed = 21
	_scatter(
		_build_mesh(
			[
				[0.22, 0.16, 0.0, 1.2, TRUNK],
				[1.6, 0.0, 0.9, 2.6, LEAVES[0]],
				[1.25, 0.0, 2.3, 2.3, LEAVES[1]],
				[0.85, 0.0, 3.7, 1.9, LEAVES[0]]
			]
		),
		TREES,
		Vector2(0.8, 1.7),
		0.35
	)
	_scatter(
		_build_mesh([[1.0, 0.85, -0.5, 0.8, STONE], [0.85, 0.3, 0.3, 0.5, STONE]]),
		ROCKS,
		Vector2(0.4, 1.5),
		0.9
	)


func _scatter(mesh: ArrayMesh, count: int, scales: Vector2, solid_radius: float) -> void:
	var places: Array[Transform3D] = []
	while places.size() < count:
		var at := Vector2.from_angle(_random.randf() * TAU) * sqrt(_random.randf()) * FARTHEST
		var size := _random.randf_range(scales.x, scales.y)
		var turn := _random.randf() * TAU
		if not _is_free(at):
			continue
		var foot := Vector3(at.x, SiegeGround.height_at(at.x, at.y) - 0.1, at.y)
		var basis := Basis(Vector3.UP, turn).scaled(Vector3.ONE * size)
		places.append(Transform3D(basis, foot))
		if maxf(absf(at.x), absf(at.y)) < SiegeGround.SIZE * 0.5:
			_make_solid(foot, solid_radius * size)
	var multimesh := MultiMesh.new()
	multimesh.transform_format = MultiMesh.TRANSFORM_3D
	multimesh.mesh = mesh
	multimesh.instance_count = count
	for i in count:
		multimesh.set_instance_transform(i, places[i])
	var instance := MultiMeshInstance3D.new()
	instance.multimesh = multimesh
	add_child(instance)


## Away from the town, the road, the ditch and the camps; denser farther out.
func _is_free(at: Vector2) -> bool:
	var road := SiegeGround.nearest_on_road(at)
	if at.distance_to(Vector2(road.x, road.z)) < 8.0 or SiegeGround.distance_to_town(at) < 16.0:
		return false
	if absf(at.y - SiegeGround.DITCH_MIDDLE) < 10.0 and absf(at.x) < SiegeGround.DITCH_ENDS.y + 4.0:
		return false
	for camp in SiegeOutworks.CAMPS:
		if at.distance_to(camp) < 16.0:
			return false
	# The attackers' field in front of the gate stays open.
	var open := smoothstep(40.0, 110.0, at.distance_to(Vector2(0.0, 40.0)))
	return _random.randf() < 0.08 + open


func _make_solid(foot: Vector3, radius: float) -> void:
	var shape := CylinderShape3D.new()
	shape.radius = radius
	shape.height = 2.4
	var node := CollisionShape3D.new()
	node.shape = shape
	node.position = foot
	add_child(node)


## Cones on top of each other: radius below and above, foot, height and colour.
func _build_mesh(parts: Array[Array]) -> ArrayMesh:
	var tool := SurfaceTool.new()
	tool.begin(Mesh.PRIMITIVE_TRIANGLES)
	tool.set_smooth_group(-1)
	var sides := 7
	for part in parts:
		var low := part[2] as float
		var high := low + (part[3] as float)
		tool.set_color(part[4] as Color)
		for i in sides:
			var from := Vector3(cos(TAU * i / sides), 0.0, sin(TAU * i / sides))
			var to := Vector3(cos(TAU * (i + 1) / sides), 0.0, sin(TAU * (i + 1) / sides))
			var a := from * (part[0] as float) + Vector3.UP * low
			var b := to * (part[0] as float) + Vector3.UP * low
			var c := to * (part[1] as float) + Vector3.UP * high
			var d := from * (part[1] as float) + Vector3.UP * high
			for corner: Vector3 in [a, b, c, a, c, d, d, c, Vector3.UP * high]:
				tool.add_vertex(corner)
	tool.generate_normals()
	tool.set_material(material)
	return tool.commit()
