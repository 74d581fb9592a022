@tool
class_name FlowDebugView3D
extends Node3D
## Drapes a flow field over the heights of the ground: what [FlowDebugView] draws in 2D, for each
## layer of the grid.
##
## Each layer is a grid of flat chunks with one shader, which moves their vertices to the heights of
## the ground. Cells with a hole are cut out, and on layers above the lowest walls too. Textures are
## updated only when the manager reports a change. [member FlowFieldManager.debug_view] adds such a
## node automatically in 3D scenes; add one yourself to choose layers. It is always at the place of
## the grid in the world, whatever the transforms of its ancestors.

const SHADER: Shader = preload("flow_debug_3d.gdshader")
const Source := preload("flow_debug_source.gd")
const LayerHeight := preload("layer_height.gd")
## The edge length of a chunk in cells.
const CHUNK := 64

## The manager whose field is shown.
@export var manager: FlowFieldManager:
	set(value):
		manager = value
		_is_stale = true

## The goal whose field is shown. With 0 only terrain is shown.
@export var goal: int = 0:
	set(value):
		goal = value
		for source: Source in _sources:
			source.goal = value

## The index of the movement type whose costs and field are shown.
@export var movement_type: int = 0:
	set(value):
		movement_type = value
		for source: Source in _sources:
			source.movement_type = value

## What is shown. CUSTOM is the same as COST.
@export var mode: FlowDebugView.Mode = FlowDebugView.Mode.COST:
	set(value):
		mode = value
		_update_modes()

## The only layer that is shown; with -1 all are.
@export_range(-1, 63) var layer: int = -1:
	set(value):
		layer = value
		_is_stale = true

## How far the view is above the ground, in cells.
@export_range(0.0, 2.0, 0.01, "or_greater") var lift: float = 0.08:
	set(value):
		lift = value
		_is_stale = true

## The height between layers without heights of their own. 0 stands for that of the first swarm of
## the manager, or 3 without one.
@export var layer_height: float = 0.0:
	set(value):
		layer_height = value
		_is_stale = true

## Paints opaque ground. If [code]false[/code], the game below stays visible.
@export var opaque_ground: bool = false:
	set(value):
		opaque_ground = value
		_update_modes()

var _sources: Array[Source] = []
## The chunks of each source.
var _roots: Array[Node3D] = []
## Whether the sources are out of date.
var _is_stale := true
var _layer_count := 0


func _init() -> void:
	top_level = true


func _process(_delta: float) -> void:
	if not is_instance_valid(manager):
		visible = false
		return
	visible = true
	if Engine.is_editor_hint():
		# In the editor no physics frame applies edits of the terrain resource to the manager.
		manager.update()
	global_transform = Transform3D.IDENTITY
	if _is_stale or manager.layer_count != _layer_count:
		_make_sources()
	for source: Source in _sources:
		source.update()


## Reads all data from the manager again in the next frame.
func refresh() -> void:
	_is_stale = true


## The material of a layer that is shown, or null: its parameters are the data of the view.
func get_material(of_layer: int) -> ShaderMaterial:
	for source: Source in _sources:
		if source.layer == of_layer:
			return source.material
	return null


func _make_sources() -> void:
	_is_stale = false
	_layer_count = manager.layer_count
	for root: Node3D in _roots:
		root.queue_free()
	_roots.clear()
	_sources.clear()
	for index: int in _layer_count:
		if layer == -1 or layer == index:
			_add_source(index)
	_update_modes()


func _add_source(index: int) -> void:
	var source := Source.new()
	source.is_draped = true
	source.layer = index
	source.manager = manager
	source.goal = goal
	source.movement_type = movement_type
	# A wall on an upper layer is mostly where there is no floor.
	source.show_walls = index == 0
	source.material.shader = SHADER
	source.material.render_priority = index
	source.material.set_shader_parameter(
		&"base_height", LayerHeight.of(manager, index, layer_height)
	)
	var root := Node3D.new()
	add_child(root, false, Node.INTERNAL_MODE_BACK)
	var mesh := PlaneMesh.new()
	source.map_loaded.connect(_make_chunks.bind(root, mesh, source.material))
	source.heights_loaded.connect(_fit_box.bind(source.layer, mesh))
	source.heights_loaded.connect(_colour_heights)
	_sources.append(source)
	_roots.append(root)


func _update_modes() -> void:
	for source: Source in _sources:
		var is_custom := mode == FlowDebugView.Mode.CUSTOM
		source.apply_mode(FlowDebugView.Mode.COST if is_custom else mode)
		source.opaque_ground = opaque_ground
		source.update_switches()


## Lays chunks over the grid, unless they are there.
func _make_chunks(root: Node3D, mesh: PlaneMesh, material: ShaderMaterial) -> void:
	var bounds := manager.get_bounds()
	var cell := manager.cell_size
	if root.has_meta(&"laid") and root.get_meta(&"laid") == [bounds, cell]:
		return
	root.set_meta(&"laid", [bounds, cell])
	for child: Node in root.get_children():
		child.queue_free()
	material.set_shader_parameter(&"grid_origin", bounds.position)
	material.set_shader_parameter(&"cell_size", cell)
	material.set_shader_parameter(&"lift", lift * cell)
	var side := CHUNK * cell
	mesh.size = Vector2(side, side)
	mesh.subdivide_width = CHUNK - 1
	mesh.subdivide_depth = CHUNK - 1
	for y in ceili(bounds.size.y / side):
		for x in ceili(bounds.size.x / side):
			var chunk := MeshInstance3D.new()
			chunk.mesh = mesh
			chunk.material_override = material
			chunk.cast_shadow = GeometryInstance3D.SHADOW_CASTING_SETTING_OFF
			chunk.position = Vector3(
				bounds.position.x + (x + 0.5) * side, 0.0, bounds.position.y + (y + 0.5) * side
			)
			root.add_child(chunk)


## Sets the box by which chunks are culled: vertices get their heights on the GPU.
func _fit_box(of_layer: int, mesh: PlaneMesh) -> void:
	var extent := Vector2.ONE * LayerHeight.of(manager, of_layer, layer_height)
	for source: Source in _sources:
		if source.layer == of_layer and source.has_heights:
			extent = source.height_range
	# On large maps the range is that of samples, so there is as much room again on both sides.
	var room := extent.y - extent.x + (1.0 + lift) * manager.cell_size
	var low := Vector3(-0.5 * mesh.size.x, extent.x - room, -0.5 * mesh.size.y)
	var size := Vector3(mesh.size.x, extent.y - extent.x + 2.0 * room, mesh.size.y)
	mesh.custom_aabb = AABB(low, size)


## Gives all layers the same colours for the same heights.
func _colour_heights() -> void:
	var extent := Vector2(INF, -INF)
	for source: Source in _sources:
		if source.has_heights:
			extent.x = minf(extent.x, source.height_range.x)
			extent.y = maxf(extent.y, source.height_range.y)
	if extent.x <= extent.y:
		for source: Source in _sources:
			source.colour_heights(extent)
