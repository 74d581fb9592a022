class_name RtsBuilder
extends RefCounted
## Places buildings on the map as stamps, removes them, and knows where no building can stand.

signal changed(cells: Rect2i)

var manager: FlowFieldManager
var swarm: EnemySwarm
var buildings: Array[RtsBuilding] = []

var _by_cell: Dictionary[Vector2i, RtsBuilding] = {}


## The corner of a building with its middle at a cell. Walls form rows, so their corners are at even
## cells.
static func corner_at(cell: Vector2i, kind: RtsBuilding.Kind) -> Vector2i:
	var size := RtsBuilding.size_of(kind)
	var corner := cell - size / 2
	if kind == RtsBuilding.Kind.WALL:
		corner = Vector2i((cell.x >> 1) << 1, (cell.y >> 1) << 1)
	return corner.clamp(Vector2i.ZERO, RtsMap.SIZE - size)


## Whether the ground is free and firm, and no unit is in the way.
func can_place(building: RtsBuilding) -> bool:
	for cell: Vector2i in building.cells():
		if not manager.is_in_grid(cell) or not RtsGround.is_buildable(manager.get_terrain_at(cell)):
			return false
	return not _is_in_the_way(building)


## Places those buildings of a list that can be placed, as one edit. Returns their number.
func place(wanted: Array[RtsBuilding]) -> int:
	var stamps: Array[FlowStamp] = []
	var corners := PackedVector2Array()
	var placed: Array[RtsBuilding] = []
	for building: RtsBuilding in wanted:
		if can_place(building):
			stamps.append(RtsBuilding.stamp_of(building.kind))
			corners.append(Vector2(building.corner))
			placed.append(building)
	if placed.is_empty():
		return 0
	var ids := manager.place_stamps(stamps, corners)
	for i in ids.size():
		placed[i].stamp_id = ids[i]
		_remember(placed[i])
	return ids.size()


func get_building_at(cell: Vector2i) -> RtsBuilding:
	return _by_cell.get(cell) as RtsBuilding


func remove(building: RtsBuilding) -> void:
	manager.remove_stamp(building.stamp_id)
	buildings.erase(building)
	for cell: Vector2i in building.cells():
		_by_cell.erase(cell)
	changed.emit(building.rect())


func _remember(building: RtsBuilding) -> void:
	buildings.append(building)
	for cell: Vector2i in building.cells():
		_by_cell[cell] = building
	changed.emit(building.rect())


func _is_in_the_way(building: RtsBuilding) -> bool:
	var side := Vector2.ONE * manager.cell_size
	var middle := manager.get_cell_center(building.corner)
	var ground := Rect2(middle - side * 0.5, Vector2(building.rect().size) * side)
	for id: int in swarm.query_rect(ground.grow(RtsUnits.RADII[RtsUnits.Kind.WALKER])):
		var place := swarm.get_agent_position(id)
		var reach := RtsUnits.RADII[RtsUnits.kind_of(swarm.get_agent_type(id))]
		if place.distance_to(place.clamp(ground.position, ground.end)) < reach:
			return true
	return false
