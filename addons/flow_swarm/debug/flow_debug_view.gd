@tool
class_name FlowDebugView
extends Node2D
## Draws a flow field over its grid: costs, costs to the goal, directions and numbers, islands,
## cells that are too narrow, cells in sight of the goal, sectors with their portals, tiles, and the
## age of the field of a goal that walks.
##
## One quad with one shader. The data are textures with one texel for each cell, which are updated
## only when the manager reports a change. [member FlowFieldManager.debug_view] adds such a node
## automatically; add one yourself to choose colours and layers.

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
}

const SHADER: Shader = preload("flow_debug.gdshader")
const SectorLayer := preload("flow_sector_layer.gd")
## The most cells that are read to find the highest cost to the goal.
const MAX_SAMPLES := 65536
const UNREACHABLE := 1e30

## The manager whose field is shown.
@export var manager: FlowFieldManager:
	set(value):
		_disconnect_manager()
		manager = value
		_connect_manager()
		refresh()

## The goal whose field is shown. With 0 only terrain is shown.
@export var goal: int = 0:
	set(value):
		goal = value
		_update_switches()
		refresh()

## The index of the movement type whose costs and field are shown.
@export var movement_type: int = 0:
	set(value):
		movement_type = value
		refresh()

## A preset for the switches below. CUSTOM leaves them unchanged.
@export var mode: Mode = Mode.CUSTOM:
	set(value):
		mode = value
		_apply_mode()

@export_group("Layers")
## Colours cells that cost more than clear ground.
@export var show_cost: bool = true:
	set(value):
		show_cost = value
		_update_switches()
## Colours the cost to the goal, with contour lines.
@export var show_heat: bool = true:
	set(value):
		show_heat = value
		_update_switches()
## One arrow for each cell, if cells are large enough on the screen.
@export var show_arrows: bool = true:
	set(value):
		show_arrows = value
		_update_switches()
## The cost to the goal as a number in each cell, if cells are large enough on the screen.
@export var show_numbers: bool = true:
	set(value):
		show_numbers = value
		_update_switches()
## A colour for each island: cells of one colour are joined by paths.
@export var show_islands: bool = false:
	set(value):
		show_islands = value
		_terrain_dirty = true
		_update_switches()
## Hatches cells that are too narrow for the movement type but are not walls. If `false`, they look
## like walls.
@export var show_closed: bool = true:
	set(value):
		show_closed = value
		_terrain_dirty = true
		_update_switches()
## Highlights the cells in sight of the goal.
@export var show_line_of_sight: bool = false:
	set(value):
		show_line_of_sight = value
		_field_dirty = true
		_update_switches()
## Tints cells by the age of their directions, for a goal that walks: see [method
## FlowFieldManager.get_field_age].
@export var show_age: bool = false:
	set(value):
		show_age = value
		_field_dirty = true
		_update_switches()
## The borders of sectors, and the portals through which routes cross them.
@export var show_sectors: bool = false:
	set(value):
		show_sectors = value
		_sectors_dirty = true
## Highlights the sectors that have a tile of the goal, if its mode is TILED.
@export var show_tiles: bool = false:
	set(value):
		show_tiles = value
		_sectors_dirty = true
## Lines between cells.
@export var show_grid: bool = true:
	set(value):
		show_grid = value
		_update_switches()
## Paints opaque ground. If `false`, the game below stays visible.
@export var opaque_ground: bool = false:
	set(value):
		opaque_ground = value
		_update_switches()

var _material := ShaderMaterial.new()
var _cost_texture: ImageTexture
var _closed_texture: ImageTexture
var _island_texture: ImageTexture
var _sight_texture: ImageTexture
var _age_texture: ImageTexture
var _integration_texture: ImageTexture
var _direction_texture: ImageTexture
var _grid_size := Vector2i.ZERO
var _tiles_seen := -1
var _bounds := Rect2()
var _terrain_dirty := true
var _field_dirty := true
var _sectors_dirty := true
var _sectors: SectorLayer


func _init() -> void:
	_material.shader = SHADER
	material = _material
	_update_switches()


func _process(_delta: float) -> void:
	if not is_instance_valid(manager):
		return
	if Engine.is_editor_hint():
		# In the editor no physics frame applies edits of the terrain resource to the manager.
		manager.update()
	if manager.grid_size != _grid_size or manager.get_bounds() != _bounds:
		refresh()
	if _terrain_dirty:
		_terrain_dirty = false
		_load_cost()
		_sectors_dirty = true
	if _field_dirty:
		_field_dirty = false
		_load_field()
		_sectors_dirty = true
	if _sectors_dirty or (show_tiles and _is_tiled() and _tiles_have_changed()):
		_sectors_dirty = false
		_load_sectors()


func _draw() -> void:
	if _cost_texture != null and is_instance_valid(manager):
		draw_texture_rect(_cost_texture, _bounds, false)


## Reads all data from the manager again in the next frame.
func refresh() -> void:
	_terrain_dirty = true
	_field_dirty = true
	queue_redraw()


## The highest cost to the goal on the map, for the colour ramp.
func get_integration_max() -> float:
	return _material.get_shader_parameter(&"integration_max") as float


func _connect_manager() -> void:
	if not is_instance_valid(manager):
		return
	manager.terrain_changed.connect(_on_terrain_changed)
	manager.costs_changed.connect(_on_costs_changed)
	manager.goal_ready.connect(_on_goal_ready)


func _disconnect_manager() -> void:
	if not is_instance_valid(manager):
		return
	if manager.terrain_changed.is_connected(_on_terrain_changed):
		manager.terrain_changed.disconnect(_on_terrain_changed)
		manager.costs_changed.disconnect(_on_costs_changed)
		manager.goal_ready.disconnect(_on_goal_ready)


func _on_terrain_changed(_cells: Rect2i) -> void:
	_terrain_dirty = true


func _on_costs_changed() -> void:
	_terrain_dirty = true


func _on_goal_ready(ready_goal: int) -> void:
	if ready_goal == goal:
		# A change of the wall penalty alters costs too, and is reported here.
		_terrain_dirty = true
		_field_dirty = true


func _apply_mode() -> void:
	if mode == Mode.CUSTOM:
		return
	show_cost = mode != Mode.CLEARANCE
	show_grid = true
	show_closed = true
	show_islands = mode == Mode.ISLANDS
	show_line_of_sight = mode == Mode.LINE_OF_SIGHT
	show_age = mode == Mode.FIELD_AGE
	show_heat = mode == Mode.INTEGRATION
	show_numbers = mode == Mode.INTEGRATION
	show_arrows = mode in [Mode.FLOW, Mode.TILES, Mode.FIELD_AGE]
	show_sectors = mode == Mode.SECTORS or mode == Mode.TILES
	show_tiles = mode == Mode.TILES


func _update_switches() -> void:
	_set_amount(&"cost_amount", show_cost)
	_set_amount(&"heat_amount", show_heat and goal > 0)
	_set_amount(&"arrow_amount", show_arrows and goal > 0)
	_set_amount(&"number_amount", show_numbers and goal > 0)
	_set_amount(&"island_amount", show_islands)
	_set_amount(&"closed_amount", show_closed)
	_set_amount(&"sight_amount", show_line_of_sight and goal > 0)
	_set_amount(&"age_amount", show_age and goal > 0)
	_set_amount(&"grid_amount", show_grid)
	_set_amount(&"ground_amount", opaque_ground)


func _set_amount(parameter: StringName, on: bool) -> void:
	_material.set_shader_parameter(parameter, 1.0 if on else 0.0)


func _load_cost() -> void:
	_grid_size = manager.grid_size
	_bounds = manager.get_bounds()
	var costs := manager.get_costs(movement_type)
	if costs.size() != _grid_size.x * _grid_size.y:
		return
	_cost_texture = _upload(_cost_texture, Image.FORMAT_R8, costs)
	_material.set_shader_parameter(&"cost_map", _cost_texture)
	_material.set_shader_parameter(&"grid_size", Vector2(_grid_size))
	if show_closed:
		var closed := manager.get_closed_cells(movement_type)
		_closed_texture = _upload(_closed_texture, Image.FORMAT_R8, closed)
		_material.set_shader_parameter(&"closed_map", _closed_texture)
	if show_islands:
		var islands := manager.get_islands(movement_type).to_byte_array()
		_island_texture = _upload(_island_texture, Image.FORMAT_RGBA8, islands)
		_material.set_shader_parameter(&"island_map", _island_texture)
	queue_redraw()


func _load_field() -> void:
	var count := _grid_size.x * _grid_size.y
	var in_sight := PackedByteArray()
	var costs_to_goal := PackedFloat32Array()
	var directions := PackedVector2Array()
	if goal > 0 and manager.has_goal(goal):
		if not _is_tiled():
			costs_to_goal = manager.get_integration(goal, movement_type)
		directions = manager.get_directions(goal, movement_type)
		if show_line_of_sight:
			in_sight = manager.get_line_of_sight(goal, movement_type)
	if costs_to_goal.size() != count:
		costs_to_goal.resize(count)
		costs_to_goal.fill(INF)
	if directions.size() != count:
		directions.resize(count)
		directions.fill(Vector2.ZERO)
	var highest := _highest(costs_to_goal)
	_integration_texture = _upload(
		_integration_texture, Image.FORMAT_RF, costs_to_goal.to_byte_array()
	)
	_direction_texture = _upload(_direction_texture, Image.FORMAT_RGF, directions.to_byte_array())
	if show_line_of_sight:
		in_sight.resize(count)
		_sight_texture = _upload(_sight_texture, Image.FORMAT_R8, in_sight)
		_material.set_shader_parameter(&"sight_map", _sight_texture)
	if show_age:
		_load_ages(count)
	_material.set_shader_parameter(&"integration_map", _integration_texture)
	_material.set_shader_parameter(&"direction_map", _direction_texture)
	_material.set_shader_parameter(&"integration_max", highest)
	_material.set_shader_parameter(&"contour_step", _contour_step(highest))


func _load_ages(count: int) -> void:
	var ages := PackedInt32Array()
	if goal > 0 and manager.has_goal(goal):
		ages = manager.get_field_ages(goal, movement_type)
	# Floats hold the frame numbers of days exactly, and every GPU supports such textures.
	var frames := PackedFloat32Array(Array(ages))
	frames.resize(count)
	_age_texture = _upload(_age_texture, Image.FORMAT_RF, frames.to_byte_array())
	_material.set_shader_parameter(&"age_map", _age_texture)


func _is_tiled() -> bool:
	return (
		goal > 0
		and manager.has_goal(goal)
		and manager.get_goal_mode(goal) == FlowFieldManager.GOAL_MODE_TILED
	)


func _tiles_have_changed() -> bool:
	var built: int = manager.get_tile_stats()["tiles_built"]
	if built == _tiles_seen:
		return false
	_tiles_seen = built
	_field_dirty = true
	return true


func _load_sectors() -> void:
	if _sectors == null:
		if not show_sectors and not show_tiles:
			return
		_sectors = SectorLayer.new()
		add_child(_sectors, false, Node.INTERNAL_MODE_BACK)
	var portals: Array[Rect2i] = []
	if show_sectors:
		portals = manager.get_portals(movement_type)
	var built: Array[Rect2i] = []
	if show_tiles and _is_tiled():
		built = manager.get_built_sectors(goal, movement_type)
	var side := manager.sector_size if show_sectors else 0
	_sectors.show_cells(_bounds, manager.cell_size, side, portals, built)


func _upload(texture: ImageTexture, format: Image.Format, bytes: PackedByteArray) -> ImageTexture:
	var image := Image.create_from_data(_grid_size.x, _grid_size.y, false, format, bytes)
	if texture == null or texture.get_size() != Vector2(_grid_size):
		return ImageTexture.create_from_image(image)
	texture.update(image)
	return texture


## The highest finite value; on large maps that of evenly spaced samples.
func _highest(values: PackedFloat32Array) -> float:
	# An odd stride does not repeat the same columns on maps of even width.
	var stride := maxi(1, values.size() / MAX_SAMPLES) | 1
	var highest := 0.0
	for i in range(0, values.size(), stride):
		var value := values[i]
		if value < UNREACHABLE and value > highest:
			highest = value
	return maxf(highest, 1.0)


## A round number that gives about fifty lines between the goal and the farthest cell.
func _contour_step(highest: float) -> float:
	var rough := highest / 60.0
	var power := pow(10.0, floorf(log(rough) / log(10.0)))
	for factor: float in [1.0, 2.0, 5.0]:
		if rough <= factor * power:
			return factor * power
	return 10.0 * power
