@tool
@icon("../icons/FlowGoal2D.svg")
class_name FlowGoal2D
extends Marker2D
## A goal in the scene: agents go to this node, flee from it, or keep at a distance from it.
##
## The node does what scripts do with [method FlowFieldManager.create_goal],
## [method FlowFieldManager.move_goal] and [method EnemySwarm.set_group_goal]: while it is in the
## scene tree and [member enabled] it has a goal, which the [member groups] of the
## [member swarms] follow. As a child of a player, the goal walks with the player. The goal is
## released when the node leaves the tree.
## [br][br]
## Where the node is outside of the grid, the goal stays at its last place in it.
## [br][br]
## The goal is created in the first physics frame, after [code]_ready()[/code] of all nodes, so
## that scripts may make the terrain there. In 3D scenes use [FlowGoal3D].

## The shape of the goal. With [constant POINT] it is the position of the node. With
## [constant CIRCLE] and [constant RECTANGLE] it is all cells whose centres are in the area, and
## agents go to the nearest one; the area turns and scales with the node.
enum Shape { POINT, CIRCLE, RECTANGLE }

const Checks := preload("shared/checks.gd")
const GoalGizmo := preload("goal/goal_gizmo.gd")
const GoalProperties := preload("goal/goal_properties.gd")
const NodeView := preload("shared/node_view.gd")
const PlacedGoal := preload("goal/placed_goal.gd")
const Strokes := preload("shared/strokes.gd")

## If [code]false[/code], there is no goal.
@export var enabled := true:
	set(value):
		enabled = value
		if not enabled:
			_goal.release()
## The manager that has the goal. If empty, the nearest one in the scene tree: a sibling, or a
## sibling of the nearest ancestor.
@export var manager: FlowFieldManager:
	set(value):
		_goal.manager = value
	get:
		return _goal.manager
## What agents do about the goal: go to it, flee from it, or keep between two distances of it.
@export var kind := FlowFieldManager.GOAL_KIND_SEEK:
	set(value):
		_goal.kind = value
		notify_property_list_changed()
	get:
		return _goal.kind
## How the way to the goal is found: see [method FlowFieldManager.create_goal].
@export var mode := FlowFieldManager.GOAL_MODE_FULL:
	set(value):
		_goal.mode = value
	get:
		return _goal.mode
## The distance at which agents that flee are safe, in world units: see
## [method FlowFieldManager.create_flee_goal].
@export_range(0.0, 1024.0, 0.1, "or_greater", "suffix:px") var flee_distance := 256.0:
	set(value):
		if Checks.is_number("FlowGoal2D.flee_distance", value, 0.0, Checks.FARTHEST):
			_goal.reach = value
	get:
		return _goal.reach
## The least distance from the goal that agents keep, in world units: see
## [method FlowFieldManager.create_range_goal].
@export_range(0.0, 1024.0, 0.1, "or_greater", "suffix:px") var min_distance := 96.0:
	set(value):
		if Checks.is_number("FlowGoal2D.min_distance", value, 0.0, Checks.FARTHEST):
			_goal.least = value
	get:
		return _goal.least
## The greatest distance from the goal that agents keep, in world units.
@export_range(0.0, 1024.0, 0.1, "or_greater", "suffix:px") var max_distance := 192.0:
	set(value):
		if Checks.is_number("FlowGoal2D.max_distance", value, 0.0, Checks.FARTHEST):
			_goal.most = value
	get:
		return _goal.most

@export_group("Place")
## The shape of the goal.
@export var shape := Shape.POINT:
	set(value):
		_goal.shape.kind = value
		notify_property_list_changed()
	get:
		return _goal.shape.kind as Shape
## The radius of a circle, in world units if the node is not scaled.
@export_range(0.0, 1024.0, 0.1, "or_greater", "suffix:px") var radius := 64.0:
	set(value):
		if Checks.is_number("FlowGoal2D.radius", value, 0.0, Checks.FARTHEST):
			_goal.shape.radius = value
	get:
		return _goal.shape.radius
## The width and height of a rectangle, in world units if the node is not scaled.
@export var size := Vector2(128.0, 128.0):
	set(value):
		if Checks.is_size("FlowGoal2D.size", value):
			_goal.shape.size = value
	get:
		return _goal.shape.size
## The layer of the grid on which the goal is: see [member FlowFieldManager.layer_count].
@export_range(0, 63) var layer := 0:
	set(value):
		if Checks.is_count("FlowGoal2D.layer", value, 0, 63):
			layer = value

@export_group("Followers")
## The swarms whose [member groups] follow the goal. If empty, all swarms that use the manager,
## also those that come later.
@export var swarms: Array[EnemySwarm] = []:
	set(value):
		_goal.release()
		_goal.followers.swarms = value
	get:
		return _goal.followers.swarms
## The groups, 0 to 255, that follow the goal. Without groups scripts say which agents follow it, by
## [member goal_id].
@export var groups := PackedInt32Array([0]):
	set(value):
		if Checks.are_groups("FlowGoal2D.groups", value):
			_goal.release()
			_goal.followers.groups = value
	get:
		return _goal.followers.groups

## The id of the goal in its manager; 0 while there is none. It is another one each time that the
## node enters the scene tree, is enabled, or gets another kind of goal. Read only.
var goal_id: int:
	get:
		return _goal.id

var _goal := PlacedGoal.new()
var _view := NodeView.new()


func _init() -> void:
	_goal.title = "FlowGoal2D"
	_goal.reach = 256.0
	_goal.least = 96.0
	_goal.most = 192.0
	_goal.shape.radius = 64.0
	_goal.shape.size = Vector2(128.0, 128.0)


func _notification(what: int) -> void:
	match what:
		NOTIFICATION_ENTER_TREE:
			_goal.enter(self)
			_view.start(self)
		NOTIFICATION_EXIT_TREE:
			_goal.leave(self)
		NOTIFICATION_INTERNAL_PHYSICS_PROCESS:
			if enabled:
				_goal.update(self, global_transform, NAN, layer)
		NOTIFICATION_INTERNAL_PROCESS:
			if _view.is_due(get_process_delta_time()):
				_view.show_warnings(self, get_setup_warnings())
				_view.show_in_2d(self, _get_gizmo())
		NOTIFICATION_DRAW:
			if NodeView.is_shown(self):
				_view.strokes.draw_on(self)


func _validate_property(property: Dictionary) -> void:
	GoalProperties.validate(property, kind, shape)


func _get_configuration_warnings() -> PackedStringArray:
	return get_setup_warnings()


## Returns what is wrong with the properties, as the editor shows it beside the node. Empty if
## nothing is wrong, or if the node is not in the scene tree.
func get_setup_warnings() -> PackedStringArray:
	if not is_inside_tree():
		return []
	return _goal.find_trouble(self, global_transform, NAN, layer)


func _get_gizmo() -> Strokes:
	var is_on := enabled and _view.warnings.is_empty()
	var strokes := Strokes.new()
	GoalGizmo.draw(strokes, _goal, global_transform, is_on, 12.0)
	return strokes
