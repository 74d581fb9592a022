class_name RtsBuildingView
extends Node2D
## Draws the buildings: walls with battlements, round towers, bunkers with a yard.

const SHADOW := Color(0.03, 0.05, 0.04, 0.42)
const SIDE := Color("6d6353")
const TOP := Color("c9bd9e")
const LIT := Color("e6dcc0")
const DARK := Color("8b7f69")
const ROOF := Color("7f9aa8")

var manager: FlowFieldManager
var builder: RtsBuilder:
	set(value):
		builder = value
		builder.changed.connect(func(_cells: Rect2i) -> void: queue_redraw())


## The ground plan of a building in one colour, as a preview.
static func draw_plan(
	canvas: CanvasItem, building: RtsBuilding, in_manager: FlowFieldManager, color: Color
) -> void:
	var side := Vector2.ONE * in_manager.cell_size
	for cell: Vector2i in building.cells():
		var middle := in_manager.get_cell_center(cell)
		canvas.draw_rect(Rect2(middle - side * 0.5, side), color)
	var edge := _ground(building, in_manager)
	canvas.draw_rect(edge, Color(color, 1.0), false, 2.0)


static func _ground(building: RtsBuilding, in_manager: FlowFieldManager) -> Rect2:
	var side := Vector2.ONE * in_manager.cell_size
	var from := in_manager.get_cell_center(building.corner) - side * 0.5
	return Rect2(from, Vector2(building.rect().size) * side)


func _draw() -> void:
	# All shadows come first: they fall on the ground, not on neighbouring buildings.
	for building: RtsBuilding in builder.buildings:
		_draw_shadow(building)
	for building: RtsBuilding in builder.buildings:
		match building.kind:
			RtsBuilding.Kind.WALL:
				_draw_wall(_ground(building, manager))
			RtsBuilding.Kind.TOWER:
				_draw_tower(_ground(building, manager))
			RtsBuilding.Kind.BUNKER:
				_draw_bunker(building)


func _draw_shadow(building: RtsBuilding) -> void:
	var ground := _ground(building, manager)
	if building.kind == RtsBuilding.Kind.TOWER:
		draw_circle(ground.get_center() + Vector2(13.0, 17.0), ground.size.x * 0.5, SHADOW)
		return
	for part: Rect2 in _parts(building):
		draw_rect(Rect2(part.position + Vector2(8.0, 11.0), part.size), SHADOW)


func _draw_wall(ground: Rect2) -> void:
	_draw_block(ground, 5.0)
	# Battlements: four stones, which form a row along a wall in either direction.
	var stone := ground.size * 0.22
	for corner: Vector2 in [
		Vector2(0.14, 0.12), Vector2(0.64, 0.12), Vector2(0.14, 0.52), Vector2(0.64, 0.52)
	]:
		draw_rect(Rect2(ground.position + ground.size * corner, stone), LIT)


func _draw_tower(ground: Rect2) -> void:
	var middle := ground.get_center()
	var reach := ground.size.x * 0.5
	draw_circle(middle + Vector2(0.0, 4.0), reach, SIDE, true, -1.0, true)
	draw_circle(middle + Vector2(0.0, -4.0), reach, TOP, true, -1.0, true)
	draw_circle(middle + Vector2(0.0, -4.0), reach * 0.74, DARK, true, -1.0, true)
	draw_circle(middle + Vector2(-2.0, -8.0), reach * 0.52, ROOF, true, -1.0, true)
	draw_circle(middle + Vector2(-6.0, -13.0), reach * 0.20, ROOF.lightened(0.45), true, -1.0, true)


func _draw_bunker(building: RtsBuilding) -> void:
	for part: Rect2 in _parts(building):
		_draw_block(part, 7.0)
	var ground := _ground(building, manager)
	var side := manager.cell_size
	for n in 3:
		var at := ground.position + Vector2(side * (1.6 + 2.4 * n), side * 0.75)
		draw_circle(at, side * 0.42, ROOF.darkened(0.3), true, -1.0, true)
		draw_circle(at + Vector2(-1.5, -2.0), side * 0.26, ROOF.lightened(0.3), true, -1.0, true)


func _draw_block(ground: Rect2, height: float) -> void:
	draw_rect(ground, SIDE)
	draw_rect(ground.grow_side(SIDE_BOTTOM, -height), TOP)
	draw_rect(ground.grow_side(SIDE_BOTTOM, -height).grow(-3.0), TOP.darkened(0.08))


## The rectangles that a building consists of.
func _parts(building: RtsBuilding) -> Array[Rect2]:
	var ground := _ground(building, manager)
	if building.kind != RtsBuilding.Kind.BUNKER:
		return [ground]
	var cell := manager.cell_size
	var wing := Vector2(2.0 * cell, ground.size.y - 2.0 * cell)
	return [
		Rect2(ground.position, Vector2(ground.size.x, 2.0 * cell)),
		Rect2(ground.position + Vector2(0.0, 2.0 * cell), wing),
		Rect2(ground.position + Vector2(ground.size.x - wing.x, 2.0 * cell), wing),
	]
