class_name RtsRouteView
extends Node2D
## Shows the route that a selected unit would take to the pointer. It is requested before any order,
## with a goal that only this view uses.

const COLOR := Color("ffe27a")
const REFRESH := 0.15

var manager: FlowFieldManager
var swarm: EnemySwarm
var selection: RtsSelection
## Whether routes are shown.
var active := false:
	set(value):
		active = value
		if not active:
			_forget()

var _goal := 0
var _pointer := Vector2.ZERO
var _path := PackedVector2Array()
var _age := 0.0


func _process(delta: float) -> void:
	_age += delta
	if active and _age > REFRESH:
		_age = 0.0
		_look_up()


func point_at(place: Vector2) -> void:
	_pointer = place


func get_path_shown() -> PackedVector2Array:
	return _path


func _look_up() -> void:
	_path = PackedVector2Array()
	var ids := selection.get_ids()
	if not ids.is_empty() and manager.is_in_grid(manager.get_cell(_pointer)):
		var targets := PackedVector2Array([_pointer])
		if _goal == 0:
			_goal = manager.create_goal(targets, FlowFieldManager.GOAL_MODE_TILED)
		elif manager.get_goal_targets(_goal) != targets:
			manager.move_goal(_goal, targets)
		var place := swarm.get_agent_position(ids[0])
		var kind := RtsUnits.kind_of(swarm.get_agent_type(ids[0]))
		if manager.request_route(_goal, place, kind):
			_path = manager.get_path_from(_goal, place, kind)
	queue_redraw()


func _forget() -> void:
	if _goal != 0:
		manager.release_goal(_goal)
	_goal = 0
	_path = PackedVector2Array()
	queue_redraw()


func _draw() -> void:
	if _path.size() < 2:
		return
	var width := 3.0 / get_canvas_transform().get_scale().x
	draw_polyline(_path, Color(0.0, 0.0, 0.0, 0.5), width * 2.0)
	draw_polyline(_path, COLOR, width)
	draw_circle(_path[_path.size() - 1], width * 3.0, COLOR)
