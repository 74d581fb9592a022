class_name SiegeTerrain
extends StaticBody3D
## The ground: a height map for collision, a mesh of the same heights, and land outside the map that
## is only seen.

const GRASS := Color(0.40, 0.49, 0.26)
const DRY_GRASS := Color(0.55, 0.55, 0.33)
const ROCK := Color(0.55, 0.53, 0.49)
const PATH := Color(0.59, 0.53, 0.44)
const TOWN := Color(0.56, 0.52, 0.46)

const CELLS := int(SiegeGround.SIZE)
## How far the land goes on outside the map, and the side of its squares.
const OUTSKIRTS := 440.0
const OUTSKIRTS_STEP := 10.0

@export var material: Material


func _ready() -> void:
	var heights := SiegeGround.get_heights()
	var map := HeightMapShape3D.new()
	map.map_width = CELLS + 1
	map.map_depth = CELLS + 1
	map.map_data = heights
	var shape := CollisionShape3D.new()
	shape.shape = map
	add_child(shape)
	_show(_build_mesh(heights, CELLS + 1, 1.0, 0.0), true)
	var side := int(OUTSKIRTS * 2.0 / OUTSKIRTS_STEP) + 1
	var far := _sample(side, OUTSKIRTS_STEP)
	var hole := SiegeGround.SIZE * 0.5 - OUTSKIRTS_STEP
	_show(_build_mesh(far, side, OUTSKIRTS_STEP, hole), false)


func _show(mesh: ArrayMesh, casts_shadow: bool) -> void:
	var instance := MeshInstance3D.new()
	instance.mesh = mesh
	instance.material_override = material
	if not casts_shadow:
		instance.cast_shadow = GeometryInstance3D.SHADOW_CASTING_SETTING_OFF
	add_child(instance)


func _sample(side: int, step: float) -> PackedFloat32Array:
	var heights := PackedFloat32Array()
	heights.resize(side * side)
	var start := -(side - 1) * step * 0.5
	for row in side:
		for column in side:
			var height := SiegeGround.height_at(start + column * step, start + row * step)
			heights[row * side + column] = height
	return heights


## A grid of vertices with colours. Squares within `hole` of the middle are left out.
func _build_mesh(heights: PackedFloat32Array, side: int, step: float, hole: float) -> ArrayMesh:
	var start := -(side - 1) * step * 0.5
	var vertices := PackedVector3Array()
	var normals := PackedVector3Array()
	var colors := PackedColorArray()
	for row in side:
		for column in side:
			var at := row * side + column
			var left := heights[at - 1] if column > 0 else heights[at]
			var right := heights[at + 1] if column < side - 1 else heights[at]
			var above := heights[at - side] if row > 0 else heights[at]
			var below := heights[at + side] if row < side - 1 else heights[at]
			var place := Vector3(start + column * step, heights[at], start + row * step)
			var normal := Vector3(left - right, 2.0 * step, above - below).normalized()
			# Squares around the hole sink below the map, so that no gap is seen at its edge.
			var off := maxf(absf(place.x), absf(place.z)) - hole
			var sunk := 0.0 if hole == 0.0 or off > step else (4.0 if off <= 0.0 else 0.5)
			vertices.append(place - Vector3(0.0, sunk, 0.0))
			normals.append(normal)
			colors.append(_color_at(place, normal))
	var indices := PackedInt32Array()
	for row in side - 1:
		for column in side - 1:
			var corner := vertices[row * side + column]
			var middle := corner + Vector3(step, 0.0, step) * 0.5
			if maxf(absf(middle.x), absf(middle.z)) < hole:
				continue
			var at := row * side + column
			indices.append_array([at, at + 1, at + side, at + 1, at + side + 1, at + side])
	var arrays := []
	arrays.resize(Mesh.ARRAY_MAX)
	arrays[Mesh.ARRAY_VERTEX] = vertices
	arrays[Mesh.ARRAY_NORMAL] = normals
	arrays[Mesh.ARRAY_COLOR] = colors
	arrays[Mesh.ARRAY_INDEX] = indices
	var mesh := ArrayMesh.new()
	mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, arrays)
	return mesh


## Alpha is how much grass there is.
func _color_at(place: Vector3, normal: Vector3) -> Color:
	var flat := Vector2(place.x, place.z)
	var wave := sin(place.x * 0.11 + 2.0 * sin(place.z * 0.05)) * sin(place.z * 0.09)
	var color := GRASS.lerp(DRY_GRASS, clampf(0.5 + 0.5 * wave, 0.0, 1.0))
	var bare := smoothstep(0.86, 0.70, normal.y)
	color = color.lerp(ROCK, bare)
	var town := 1.0 - smoothstep(-3.0, 3.0, SiegeGround.distance_to_town(flat))
	color = color.lerp(TOWN, town * 0.85)
	var road := SiegeGround.nearest_on_road(flat)
	var off := flat.distance_to(Vector2(road.x, road.z))
	var path := 1.0 - smoothstep(SiegeGround.ROAD_WIDTH * 0.42, SiegeGround.ROAD_WIDTH * 0.62, off)
	path = maxf(path, 0.8 * smoothstep(0.85, 1.0, SiegeGround.ditch_share(flat)))
	color = color.lerp(PATH, path)
	return Color(color, 1.0 - maxf(maxf(bare, town), path))
