@tool
extends RefCounted
## The data of a debug view: one layer of a field as parameters of a material. The views in 2D and
## 3D differ only in the mesh on which that material is drawn.
##
## The data are textures with one texel for each cell, which are read again only when the manager
## reports a change.

## Emitted when the costs, and with them the size of the map, were read again.
signal map_loaded
## Emitted when the heights were read again.
signal heights_loaded

const Textures := preload("flow_debug_textures.gd")

var material := ShaderMaterial.new()
## Whether heights are read even if they are not shown.
var is_draped := false
## The layer of the grid.
var layer := 0
var grid_size := Vector2i.ZERO
var bounds := Rect2()
## The least and the greatest height, of samples on large maps.
var height_range := Vector2.ZERO
## Whether the layer has heights.
var has_heights := false

var manager: FlowFieldManager:
	set(value):
		_disconnect_manager()
		manager = value
		_connect_manager()
		refresh()
var goal := 0:
	set(value):
		goal = value
		update_switches()
		refresh()
var movement_type := 0:
	set(value):
		movement_type = value
		refresh()

var show_cost := true
var show_heat := true
var show_arrows := true
var show_numbers := true
var show_islands := false
var show_closed := true
var show_line_of_sight := false
var show_age := false
var show_sectors := false
var show_tiles := false
var show_heights := false
var show_walls := true
var show_grid := true
var opaque_ground := false

var _textures := Textures.new(material)
var _tiles_seen := -1
var _terrain_dirty := true
var _field_dirty := true
var _sectors_dirty := true
var _heights_dirty := true


## Reads all data from the manager again with the next [method update].
func refresh() -> void:
	_terrain_dirty = true
	_field_dirty = true
	_heights_dirty = true


## Chooses what a preset shows. CUSTOM leaves it unchanged.
func apply_mode(mode: FlowDebugView.Mode) -> void:
	if mode == FlowDebugView.Mode.CUSTOM:
		return
	show_cost = mode != FlowDebugView.Mode.CLEARANCE
	show_grid = true
	show_closed = true
	show_islands = mode == FlowDebugView.Mode.ISLANDS
	show_line_of_sight = mode == FlowDebugView.Mode.LINE_OF_SIGHT
	show_age = mode == FlowDebugView.Mode.FIELD_AGE
	show_heat = mode == FlowDebugView.Mode.INTEGRATION
	show_numbers = mode == FlowDebugView.Mode.INTEGRATION
	show_arrows = (
		mode in [FlowDebugView.Mode.FLOW, FlowDebugView.Mode.TILES, FlowDebugView.Mode.FIELD_AGE]
	)
	show_sectors = mode == FlowDebugView.Mode.SECTORS or mode == FlowDebugView.Mode.TILES
	show_tiles = mode == FlowDebugView.Mode.TILES
	show_heights = mode == FlowDebugView.Mode.HEIGHTS
	update_switches()
	refresh()


## Passes what is shown to the material.
func update_switches() -> void:
	_set_amount(&"cost_amount", show_cost)
	_set_amount(&"heat_amount", show_heat and goal > 0)
	_set_amount(&"arrow_amount", show_arrows and goal > 0)
	_set_amount(&"number_amount", show_numbers and goal > 0)
	_set_amount(&"island_amount", show_islands)
	_set_amount(&"closed_amount", show_closed)
	_set_amount(&"sight_amount", show_line_of_sight and goal > 0)
	_set_amount(&"age_amount", show_age and goal > 0)
	_set_amount(&"sector_amount", show_sectors)
	_set_amount(&"tile_amount", show_tiles)
	_set_amount(&"height_amount", show_heights)
	_set_amount(&"wall_amount", show_walls)
	_set_amount(&"grid_amount", show_grid)
	_set_amount(&"ground_amount", opaque_ground)


## Reads what has changed since the last call. The manager must be valid.
func update() -> void:
	if manager.grid_size != grid_size or manager.get_bounds() != bounds:
		refresh()
	if _terrain_dirty:
		_terrain_dirty = false
		_load_cost()
		_sectors_dirty = true
	if _field_dirty and _shows_field():
		_field_dirty = false
		_load_field()
		_sectors_dirty = true
	if _heights_dirty and (is_draped or show_heights):
		_heights_dirty = false
		_load_heights()
	if _sectors_dirty or (show_tiles and _is_tiled() and _tiles_have_changed()):
		_sectors_dirty = false
		_load_sectors()


## The texture of a parameter, or null.
func get_texture(parameter: StringName) -> ImageTexture:
	return _textures.get_texture(parameter)


## Sets the heights of the first and the last colour.
func colour_heights(extent: Vector2) -> void:
	material.set_shader_parameter(&"height_range", extent)
	var rise := maxf(extent.y - extent.x, 0.01)
	material.set_shader_parameter(&"height_step", Textures.contour_step(rise / 20.0))


func _connect_manager() -> void:
	if not is_instance_valid(manager):
		return
	manager.terrain_changed.connect(_on_terrain_changed)
	manager.costs_changed.connect(_on_costs_changed)
	manager.heights_changed.connect(_on_heights_changed)
	manager.goal_ready.connect(_on_goal_ready)


func _disconnect_manager() -> void:
	if not is_instance_valid(manager):
		return
	if manager.terrain_changed.is_connected(_on_terrain_changed):
		manager.terrain_changed.disconnect(_on_terrain_changed)
		manager.costs_changed.disconnect(_on_costs_changed)
		manager.heights_changed.disconnect(_on_heights_changed)
		manager.goal_ready.disconnect(_on_goal_ready)


func _on_terrain_changed(_cells: Rect2i) -> void:
	_terrain_dirty = true


func _on_costs_changed() -> void:
	_terrain_dirty = true


func _on_heights_changed() -> void:
	_heights_dirty = true


func _on_goal_ready(ready_goal: int) -> void:
	if ready_goal == goal:
		# A change of the wall penalty alters costs too, and is reported here.
		_terrain_dirty = true
		_field_dirty = true


func _set_amount(parameter: StringName, on: bool) -> void:
	material.set_shader_parameter(parameter, 1.0 if on else 0.0)


func _load_cost() -> void:
	grid_size = manager.grid_size
	_textures.grid_size = grid_size
	bounds = manager.get_bounds()
	var costs := manager.get_costs(movement_type, layer)
	if costs.size() != grid_size.x * grid_size.y:
		return
	_textures.upload(&"cost_map", Image.FORMAT_R8, costs)
	material.set_shader_parameter(&"grid_size", Vector2(grid_size))
	if show_closed:
		var closed := manager.get_closed_cells(movement_type, layer)
		_textures.upload(&"closed_map", Image.FORMAT_R8, closed)
	if show_islands:
		var islands := manager.get_islands(movement_type, layer).to_byte_array()
		_textures.upload(&"island_map", Image.FORMAT_RGBA8, islands)
	map_loaded.emit()


func _load_field() -> void:
	var count := grid_size.x * grid_size.y
	var in_sight := PackedByteArray()
	var costs_to_goal := PackedFloat32Array()
	var directions := PackedVector2Array()
	if goal > 0 and manager.has_goal(goal):
		if not _is_tiled():
			costs_to_goal = manager.get_integration(goal, movement_type, layer)
		directions = manager.get_directions(goal, movement_type, layer)
		if show_line_of_sight:
			in_sight = manager.get_line_of_sight(goal, movement_type, layer)
	if costs_to_goal.size() != count:
		costs_to_goal.resize(count)
		costs_to_goal.fill(INF)
	if directions.size() != count:
		directions.resize(count)
		directions.fill(Vector2.ZERO)
	var highest := maxf(Textures.range_of(costs_to_goal).y, 1.0)
	_textures.upload(&"integration_map", Image.FORMAT_RF, costs_to_goal.to_byte_array())
	_textures.upload(&"direction_map", Image.FORMAT_RGF, directions.to_byte_array())
	if show_line_of_sight:
		in_sight.resize(count)
		_textures.upload(&"sight_map", Image.FORMAT_R8, in_sight)
	if show_age:
		_load_ages(count)
	material.set_shader_parameter(&"has_costs", not _is_tiled())
	material.set_shader_parameter(&"integration_max", highest)
	material.set_shader_parameter(&"contour_step", Textures.contour_step(highest / 60.0))


func _load_ages(count: int) -> void:
	var ages := PackedInt32Array()
	if goal > 0 and manager.has_goal(goal):
		ages = manager.get_field_ages(goal, movement_type, layer)
	# Floats hold the frame numbers of days exactly, and every GPU supports such textures.
	var frames := PackedFloat32Array(Array(ages))
	frames.resize(count)
	_textures.upload(&"age_map", Image.FORMAT_RF, frames.to_byte_array())


func _load_heights() -> void:
	var heights := manager.get_heights(layer)
	has_heights = not heights.is_empty()
	height_range = Textures.range_of(heights)
	if has_heights:
		var image := Image.create_from_data(
			grid_size.x + 1, grid_size.y + 1, false, Image.FORMAT_RF, heights.to_byte_array()
		)
		_textures.show_image(&"height_map", image)
	material.set_shader_parameter(&"has_heights", has_heights)
	colour_heights(height_range)
	heights_loaded.emit()


## Whether anything of the goal's field is shown: reading a field takes longest.
func _shows_field() -> bool:
	return show_heat or show_arrows or show_numbers or show_line_of_sight or show_age


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
	if not show_sectors and not show_tiles:
		return
	# The rows of wall between layers belong to sectors too.
	var first := manager.cell_on_layer(Vector2i.ZERO, layer)
	material.set_shader_parameter(&"sector_side", manager.sector_size)
	material.set_shader_parameter(&"sector_shift", first.y % manager.sector_size)
	if show_sectors:
		_load_portals(first)
	var tiles := _textures.new_image()
	if show_tiles and _is_tiled():
		for cells: Rect2i in manager.get_built_sectors(goal, movement_type):
			_textures.fill_cells(tiles, Rect2i(cells.position - first, cells.size), 1.0)
	_textures.show_image(&"tile_map", tiles)


## A portal window is two cells deep: each of them has the portal at one side.
func _load_portals(first: Vector2i) -> void:
	var along_x := _textures.new_image()
	var along_y := _textures.new_image()
	for cells: Rect2i in manager.get_portals(movement_type):
		var at := cells.position - first
		if cells.size.y == 2 and (cells.position.y + 1) % manager.sector_size == 0:
			_textures.fill_cells(along_y, Rect2i(at, Vector2i(cells.size.x, 1)), 1.0)
			_textures.fill_cells(
				along_y, Rect2i(at + Vector2i.DOWN, Vector2i(cells.size.x, 1)), 0.5
			)
		else:
			_textures.fill_cells(along_x, Rect2i(at, Vector2i(1, cells.size.y)), 1.0)
			_textures.fill_cells(
				along_x, Rect2i(at + Vector2i.RIGHT, Vector2i(1, cells.size.y)), 0.5
			)
	_textures.show_image(&"portal_x_map", along_x)
	_textures.show_image(&"portal_y_map", along_y)
