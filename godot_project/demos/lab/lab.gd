class_name Lab
extends Node2D
## The interactive flow field lab: drag the start and the goal, paint walls, and watch thousands of
## agents follow. This script only connects the parts.

const GRID_SIZE := Vector2i(64, 44)
const AGENT_RADIUS := 5.0
const WALL_PENALTY := 20
const PANEL_WIDTH := 336.0
const EDGE := 16.0
## The width in cells of each of the panel's brushes; the stamp tool is not a brush.
const BRUSH_SIZES: Array[int] = [1, 3, 3, 0]
const STAMP_BRUSH := 3
## The number of agents on the map at the start.
const FIRST_AGENTS := 3000
## The number of kinds of avoidance.
const AVOIDANCES := 4
## The rate, per second, at which the shown arrival rate follows the measured one.
const ARRIVAL_WEIGHT := 1.0

var goal_id := 0
var running := true

var _wall_brush := LabPresets.WALL
var _agent_type := SwarmAgentType.new()
var _movement := FlowMovementType.new()
var _map_goal := Vector2.ZERO
var _arrivals_per_second := 0.0

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var field: FlowDebugView = $Field
@onready var stamps: LabStamps = $Stamps
@onready var painter: LabPainter = $Painter
@onready var markers: LabMarkers = $Markers
@onready var spawner: LabSpawner = $Spawner
@onready var overlap: LabOverlap = $Overlap
@onready var camera: LabCamera = $Camera
@onready var panel: LabPanel = $Interface/Panel
@onready var legend: LabLegend = $Interface/Legend
@onready var frame: Panel = $Frame


func _ready() -> void:
	RenderingServer.set_default_clear_color(LabTheme.BACKGROUND)
	_set_up_simulation()
	_set_up_interface()
	_connect_parts()
	choose_preset(0)


func _process(_delta: float) -> void:
	_show_figures()


func _physics_process(delta: float) -> void:
	# A running mean over about a second; arrivals add to it.
	if running:
		_arrivals_per_second *= 1.0 - delta * ARRIVAL_WEIGHT


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if not key.pressed or key.echo:
		return
	match key.keycode:
		KEY_SPACE:
			set_running(not running)
		KEY_C:
			clear_walls()
		KEY_S:
			scatter()
		KEY_F:
			camera.fit()
		KEY_R:
			stamps.turn()
		KEY_A:
			choose_avoidance((_agent_type.avoidance + 1) % AVOIDANCES)
		KEY_O:
			(panel.get_control(&"overlap") as BaseButton).button_pressed = not overlap.shown
		KEY_1, KEY_2, KEY_3, KEY_4:
			var index := key.keycode - KEY_1
			(panel.get_control(StringName("preset_%d" % index)) as Button).button_pressed = true
			choose_preset(index)
		_:
			return
	get_viewport().set_input_as_handled()


## Loads a map, places start and goal, and fills it with agents.
func choose_preset(index: int) -> void:
	var map := LabPresets.build(index, GRID_SIZE)
	swarm.clear()
	stamps.remove_all()
	manager.set_terrain_bytes(map.cells)
	markers.start = manager.get_cell_center(map.start)
	markers.goal = manager.get_cell_center(map.goal)
	spawner.start = markers.start
	move_goal(markers.goal)
	manager.update()
	spawner.scatter(mini(FIRST_AGENTS, spawner.population), goal_id)


func move_goal(place: Vector2) -> void:
	_map_goal = place
	if goal_id == 0:
		goal_id = manager.create_goal(PackedVector2Array([place]))
		swarm.set_group_goal(0, goal_id)
		field.goal = goal_id
	else:
		manager.move_goal(goal_id, PackedVector2Array([place]))


## Sets [member SwarmAgentType.avoidance] of all agents.
func choose_avoidance(index: int) -> void:
	_agent_type.avoidance = index as SwarmAgentType.Avoidance
	panel.show_choice(&"avoidance", index)


func set_running(on: bool) -> void:
	running = on
	swarm.auto_step = on
	spawner.running = on
	panel.set_running(on)


func clear_walls() -> void:
	stamps.remove_all()
	manager.set_terrain_rect(Rect2i(Vector2i.ZERO, GRID_SIZE), LabPresets.CLEAR)


## Adds agents to the map up to the wanted number.
func scatter() -> void:
	spawner.scatter(spawner.population, goal_id)


func _set_up_simulation() -> void:
	manager.grid_size = GRID_SIZE
	_movement.wall_penalty = WALL_PENALTY
	_movement.clearance_radius = AGENT_RADIUS
	manager.movement_types = [_movement]
	_agent_type.radius = AGENT_RADIUS
	_agent_type.max_speed = 110.0
	_agent_type.acceleration = 330.0
	_agent_type.color = LabTheme.GOOD
	swarm.manager = manager
	swarm.output = $Agents
	swarm.agent_types = [_agent_type]
	spawner.manager = manager
	spawner.swarm = swarm
	spawner.agent_radius = AGENT_RADIUS
	overlap.swarm = swarm
	overlap.output = $Agents
	painter.manager = manager
	stamps.manager = manager
	field.manager = manager


func _set_up_interface() -> void:
	var bounds := manager.get_bounds()
	markers.bounds = bounds
	frame.position = bounds.position
	frame.size = bounds.size
	frame.add_theme_stylebox_override(&"panel", LabTheme.map_frame())
	var theme := LabTheme.build()
	panel.theme = theme
	legend.theme = theme
	panel.offset_left = -PANEL_WIDTH - EDGE
	legend.offset_right = -PANEL_WIDTH - EDGE * 2.5
	camera.bounds = bounds
	camera.margins = Vector4(
		EDGE + 4.0, EDGE + 4.0, PANEL_WIDTH + EDGE * 2.0 + 4.0, LabLegend.HEIGHT + 18.0
	)
	camera.fit()
	panel.show_choice(&"solver", manager.solver)
	panel.show_choice(&"rule", manager.direction_rule)
	panel.show_choice(&"avoidance", _agent_type.avoidance)
	spawner.population = int((panel.get_control(&"population") as HSlider).value)
	spawner.agents_per_second = (panel.get_control(&"rate") as HSlider).value


func _connect_parts() -> void:
	markers.start_moved.connect(func(place: Vector2) -> void: spawner.start = place)
	markers.goal_moved.connect(move_goal)
	painter.stroked.connect(_on_stroked)
	painter.clicked.connect(_on_clicked)
	painter.hovered.connect(_show_cell)
	painter.hovered.connect(stamps.point_at)
	swarm.agents_arrived.connect(_on_agents_arrived)
	panel.run_pressed.connect(func() -> void: set_running(not running))
	panel.clear_pressed.connect(clear_walls)
	panel.scatter_pressed.connect(scatter)
	panel.preset_chosen.connect(choose_preset)
	panel.solver_chosen.connect(
		func(index: FlowFieldManager.Solver) -> void: manager.solver = index
	)
	panel.rule_chosen.connect(
		func(index: FlowFieldManager.DirectionRule) -> void: manager.direction_rule = index
	)
	panel.avoidance_chosen.connect(choose_avoidance)
	panel.brush_chosen.connect(_on_brush_chosen)
	panel.switched.connect(_on_switched)
	panel.slid.connect(_on_slid)


func _on_stroked(cells: PackedVector2Array, erase: bool) -> void:
	# The goal's own cell stays open, so that a stroke across it does not block the goal.
	var kept := PackedVector2Array()
	var goal_cell := Vector2(manager.get_cell(_map_goal))
	for cell: Vector2 in cells:
		if erase or cell != goal_cell:
			kept.append(cell)
	if erase or _wall_brush == LabPresets.WALL:
		manager.set_walls(kept, not erase)
		return
	for cell: Vector2 in kept:
		manager.set_terrain(Vector2i(cell), _wall_brush)


func _on_clicked(cell: Vector2i, erase: bool) -> void:
	if erase:
		stamps.remove_at(cell)
	else:
		stamps.place(cell)


func _on_agents_arrived(ids: PackedInt64Array) -> void:
	_arrivals_per_second += ids.size() * ARRIVAL_WEIGHT


func _on_brush_chosen(index: int) -> void:
	stamps.active = index == STAMP_BRUSH
	painter.brush_size = BRUSH_SIZES[index]
	_wall_brush = LabPresets.ROUGH if index == 2 else LabPresets.WALL


func _on_switched(option: StringName, on: bool) -> void:
	match option:
		&"wall_correction":
			swarm.wall_correction = on
		&"wall_penalty":
			_movement.wall_penalty = WALL_PENALTY if on else 0
		&"smoothing":
			_agent_type.position_smoothing = 0.8 if on else 1.0
		&"heat":
			field.show_heat = on
		&"arrows":
			field.show_arrows = on
		&"numbers":
			field.show_numbers = on
		&"grid":
			field.show_grid = on
		&"islands":
			field.show_islands = on
		&"closed":
			field.show_closed = on
		&"sight":
			field.show_line_of_sight = on
		&"overlap":
			overlap.shown = on
			legend.shows_overlap = on


func _on_slid(option: StringName, value: float) -> void:
	match option:
		&"population":
			spawner.population = int(value)
		&"rate":
			spawner.agents_per_second = value
		&"radius":
			# With this clearance, fields lead agents only where they fit.
			_agent_type.radius = value
			_movement.clearance_radius = value
			spawner.agent_radius = value


func _show_figures() -> void:
	var stats := swarm.get_stats()
	var step_ms: float = stats["total_ms"]
	var stuck: int = stats["stuck"]
	var lost: int = stats["lost"]
	panel.set_figure(&"agents", str(stats["agents"]))
	panel.set_figure(&"step", "%.2f" % step_ms, LabTheme.GOOD)
	panel.set_figure(&"field", "%.2f" % manager.get_last_field_ms(), LabTheme.GOOD)
	panel.set_figure(&"fps", str(int(Engine.get_frames_per_second())))
	panel.set_figure(&"arrived", str(stats["arrived"]))
	panel.set_figure(&"stuck", str(stuck), LabTheme.WARM if stuck > 0 else LabTheme.TEXT)
	panel.set_figure(&"lost", str(lost), LabTheme.BAD if lost > 0 else LabTheme.TEXT)
	panel.set_figure(&"rate", str(int(_arrivals_per_second)))
	if running:
		panel.add_step_time(step_ms)


func _show_cell(cell: Vector2i) -> void:
	if not manager.is_in_grid(cell):
		panel.set_figure(&"cell", "Point at a cell to read it", LabTheme.MUTED)
		return
	var terrain := manager.get_terrain_at(cell)
	var text := "Cell %d, %d   terrain %d" % [cell.x, cell.y, terrain]
	if terrain == LabPresets.WALL:
		text += " (wall)"
	else:
		var cost := manager.get_cost_to_goal(goal_id, manager.get_cell_center(cell))
		text += "   no route" if is_inf(cost) else "   cost to goal %.1f" % cost
	panel.set_figure(&"cell", text, LabTheme.MUTED)
