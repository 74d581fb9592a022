@tool
extends RefCounted
## Lines in the plane of the agents, in world units, as a gizmo in 2D or 3D.

const Strokes := preload("strokes.gd")
const SIDES := 64

var lines: Array[PackedVector2Array] = []
var colors: PackedColorArray = []
## The height of each line in 3D.
var heights: PackedFloat32Array = []
## The height of the lines that are added next.
var height := 0.0


func add_line(points: PackedVector2Array, color: Color) -> void:
	if points.size() > 1:
		lines.append(points)
		colors.append(color)
		heights.append(height)


func add_circle(middle: Vector2, radius: float, color: Color) -> void:
	var points: PackedVector2Array = []
	for i in SIDES + 1:
		points.append(middle + radius * Vector2.from_angle(TAU * i / SIDES))
	add_line(points, color)


## Two lines that cross at a point.
func add_cross(middle: Vector2, reach: float, color: Color) -> void:
	for arm: Vector2 in [Vector2(reach, reach), Vector2(reach, -reach)]:
		add_line([middle - arm, middle + arm], color)


func is_same(other: Strokes) -> bool:
	return lines == other.lines and colors == other.colors and heights == other.heights


## Draws the lines in world coordinates, whatever the transform of the item is.
func draw_on(item: Node2D) -> void:
	var frame := item.global_transform
	if not frame.is_finite() or is_zero_approx(frame.determinant()):
		return
	item.draw_set_transform_matrix(frame.affine_inverse())
	for index in lines.size():
		item.draw_polyline(lines[index], colors[index])
	item.draw_set_transform_matrix(Transform2D.IDENTITY)


## Puts the lines into a mesh, in world coordinates.
func put_into(mesh: ImmediateMesh) -> void:
	mesh.clear_surfaces()
	for index in lines.size():
		mesh.surface_begin(Mesh.PRIMITIVE_LINE_STRIP)
		mesh.surface_set_color(colors[index])
		for point in lines[index]:
			mesh.surface_add_vertex(Vector3(point.x, heights[index], point.y))
		mesh.surface_end()
