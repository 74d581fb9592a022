@tool
extends RefCounted
## A goal under the mouse, to show directions to it. It belongs to the manager of the edited scene
## while it is shown, and is not saved.

const GroundRay := preload("../paint/ground_ray.gd")
const LayerHeight := preload("../../debug/layer_height.gd")

## The id of the goal; 0 while there is none.
var id := 0

var _manager: FlowFieldManager
var _cell := Vector2i.ZERO


## Has the goal at a position, unless that is outside of the grid. Returns whether there is another
## goal than before.
func move_to(manager: FlowFieldManager, position: Vector2) -> bool:
	if not position.is_finite() or not manager.is_in_grid(manager.get_cell(position)):
		return false
	var cell := manager.get_cell(position)
	if manager == _manager and id != 0 and manager.has_goal(id):
		if cell != _cell:
			manager.move_goal(id, [manager.get_cell_center(cell)])
			_cell = cell
		return false
	release()
	_manager = manager
	_cell = cell
	id = manager.create_goal([manager.get_cell_center(cell)])
	return true


func release() -> void:
	if id != 0 and is_instance_valid(_manager) and _manager.has_goal(id):
		_manager.release_goal(id)
	id = 0
	_manager = null


## Where a ray first meets the ground of any layer, as positions are given on that layer; not finite
## if it meets none.
static func hit(manager: FlowFieldManager, from: Vector3, direction: Vector3) -> Vector2:
	var nearest := INF
	var found := Vector2.INF
	for layer in manager.layer_count:
		var place := GroundRay.hit_heights(manager, layer, from, direction)
		if not place.is_finite() and layer == 0 and is_nan(_height_in_middle(manager)):
			place = GroundRay.hit_plane(from, direction, LayerHeight.of(manager, layer))
		if place.is_finite() and from.distance_to(place) < nearest:
			nearest = from.distance_to(place)
			found = manager.on_layer(Vector2(place.x, place.z), layer)
	return found


## Not a number on layers without heights, and in a hole.
static func _height_in_middle(manager: FlowFieldManager) -> float:
	return manager.get_height(manager.get_bounds().get_center())
