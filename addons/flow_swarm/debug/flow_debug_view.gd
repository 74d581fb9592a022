@tool
class_name FlowDebugView
extends Node2D
## Draws a flow field over its grid: costs, costs to the goal, directions and numbers, islands,
## cells that are too narrow, cells in sight of the goal, sectors with their portals, tiles, the age
## of the field of a goal that walks, and heights of the ground.
##
## One quad with one shader, of the lowest layer. The data are textures with one texel for each
## cell, which are updated only when the manager reports a change. [member
## FlowFieldManager.debug_view] adds such a node automatically; add one yourself to choose colours
## and what is shown. [FlowDebugView3D] shows the same in 3D.

## The presets of layers, as in [member FlowFieldManager.debug_view].
enum Mode {
	CUSTOM,
	COST,
	INTEGRATION,
	FLOW,
	ISLANDS,
	CLEARANCE,
	LINE_OF_SIGHT,
	SECTORS,
	TILES,
	FIELD_AGE,
	HEIGHTS,
}

const SHADER: Shader = preload("flow_debug.gdshader")
const Source := preload("flow_debug_source.gd")

## The manager whose field is shown.
@export var manager: FlowFieldManager:
	set(value):
		_source.manager = value
		queue_redraw()
	get:
		return _source.manager

## The goal whose field is shown. With 0 only terrain is shown.
@export var goal: int = 0:
	set(value):
		_source.goal = value
	get:
		return _source.goal

## The index of the movement type whose costs and field are shown.
@export var movement_type: int = 0:
	set(value):
		_source.movement_type = value
	get:
		return _source.movement_type

## A preset for the switches below. CUSTOM leaves them unchanged.
@export var mode: Mode = Mode.CUSTOM:
	set(value):
		mode = value
		_source.apply_mode(mode)

@export_group("Layers")
## Colours cells that cost more than clear ground.
@export var show_cost: bool = true:
	set(value):
		_source.show_cost = value
		_source.update_switches()
	get:
		return _source.show_cost
## Colours the cost to the goal, with contour lines.
@export var show_heat: bool = true:
	set(value):
		_source.show_heat = value
		_source.update_switches()
	get:
		return _source.show_heat
## One arrow for each cell, if cells are large enough on the screen.
@export var show_arrows: bool = true:
	set(value):
		_source.show_arrows = value
		_source.update_switches()
	get:
		return _source.show_arrows
## The cost to the goal as a number in each cell, if cells are large enough on the screen.
@export var show_numbers: bool = true:
	set(value):
		_source.show_numbers = value
		_source.update_switches()
	get:
		return _source.show_numbers
## A colour for each island: cells of one colour are joined by paths.
@export var show_islands: bool = false:
	set(value):
		_source.show_islands = value
		_source.update_switches()
		_source.refresh()
	get:
		return _source.show_islands
## Hatches cells that are too narrow for the movement type but are not walls. If `false`, they look
## like walls.
@export var show_closed: bool = true:
	set(value):
		_source.show_closed = value
		_source.update_switches()
		_source.refresh()
	get:
		return _source.show_closed
## Highlights the cells in sight of the goal.
@export var show_line_of_sight: bool = false:
	set(value):
		_source.show_line_of_sight = value
		_source.update_switches()
		_source.refresh()
	get:
		return _source.show_line_of_sight
## Tints cells by the age of their directions, for a goal that walks: see [method
## FlowFieldManager.get_field_age].
@export var show_age: bool = false:
	set(value):
		_source.show_age = value
		_source.update_switches()
		_source.refresh()
	get:
		return _source.show_age
## The borders of sectors, and the portals through which routes cross them.
@export var show_sectors: bool = false:
	set(value):
		_source.show_sectors = value
		_source.update_switches()
		_source.refresh()
	get:
		return _source.show_sectors
## Highlights the sectors that have a tile of the goal, if its mode is TILED.
@export var show_tiles: bool = false:
	set(value):
		_source.show_tiles = value
		_source.update_switches()
		_source.refresh()
	get:
		return _source.show_tiles
## Colours cells by the height of the ground, with contour lines.
@export var show_heights: bool = false:
	set(value):
		_source.show_heights = value
		_source.update_switches()
		_source.refresh()
	get:
		return _source.show_heights
## Lines between cells.
@export var show_grid: bool = true:
	set(value):
		_source.show_grid = value
		_source.update_switches()
	get:
		return _source.show_grid
## Paints opaque ground. If `false`, the game below stays visible.
@export var opaque_ground: bool = false:
	set(value):
		_source.opaque_ground = value
		_source.update_switches()
	get:
		return _source.opaque_ground

var _source := Source.new()


func _init() -> void:
	_source.material.shader = SHADER
	_source.map_loaded.connect(queue_redraw)
	material = _source.material
	_source.update_switches()


func _process(_delta: float) -> void:
	if not is_instance_valid(manager):
		return
	if Engine.is_editor_hint():
		# In the editor no physics frame applies edits of the terrain resource to the manager.
		manager.update()
	_source.update()


func _draw() -> void:
	var texture := _source.get_texture(&"cost_map")
	if texture != null and is_instance_valid(manager):
		draw_texture_rect(texture, _source.bounds, false)


## Reads all data from the manager again in the next frame.
func refresh() -> void:
	_source.refresh()
	queue_redraw()


## The highest cost to the goal on the map, for the colour ramp.
func get_integration_max() -> float:
	return _source.material.get_shader_parameter(&"integration_max") as float
