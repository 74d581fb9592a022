class_name Rts
extends Node2D
## The controls of a real-time strategy game: 2,000 units of three kinds on a large map, with orders
## by tiled goals, while walls are built and removed. This script only connects the parts.

const CELL_SIZE := 16.0
## The distance to their target, in world units, within which units without progress stop, because
## others occupy the target.
const NEAR := 700.0
const FIRST_ZOOM := 0.75
const FORMATIONS: Dictionary[int, String] = {
	RtsOrders.NO_FORMATION: "none",
	EnemySwarm.FORMATION_BLOCK: "block",
	EnemySwarm.FORMATION_WEDGE: "wedge",
	EnemySwarm.FORMATION_DISC: "disc",
}
const TOOL_HINTS: Dictionary[StringName, String] = {
	&"build_0": "Press and drag to draw a wall · right click to stop",
	&"build_1": "Click to put up a tower · right click to stop",
	&"build_2": "Click to put up a bunker · right click to stop",
	&"remove": "Click or drag over buildings to take them down · right click to stop",
	&"targets":
	"Click or drag to mark targets · right click sends the selected, each to its cheapest",
}

var orders := RtsOrders.new()
var builder := RtsBuilder.new()

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var clock: RtsTickClock = $Clock
@onready var ground: RtsGroundView = $Ground
@onready var building_view: RtsBuildingView = $Buildings
@onready var selection: RtsSelection = $Selection
@onready var crowd: MultiMeshInstance2D = $Units
@onready var route_view: RtsRouteView = $Route
@onready var markers: RtsMarkers = $Markers
@onready var hand: RtsHand = $Hand
@onready var select_tool: RtsSelectTool = $Hand/Select
@onready var build_tool: RtsBuildTool = $Hand/Build
@onready var remove_tool: RtsRemoveTool = $Hand/Remove
@onready var target_tool: RtsTargetTool = $Hand/Targets
@onready var cursor: RtsCursor = $Cursor
@onready var camera: RtsCamera = $Camera
@onready var hud: RtsHud = $Interface/Hud
@onready var minimap: RtsMinimap = $Interface/Minimap


func _ready() -> void:
	RenderingServer.set_default_clear_color(Color("0d1420"))
	var map := RtsMap.make()
	_set_up_simulation(map)
	_hand_out_parts()
	_connect_parts()
	var bounds := manager.get_bounds()
	ground.show_map(map, bounds)
	minimap.show_map(map, crowd.multimesh, bounds)
	camera.bounds = bounds
	camera.zoom = Vector2.ONE * FIRST_ZOOM
	camera.look_at_place(manager.get_cell_center(RtsMap.BASES[0]))
	hand.resting_tool = select_tool
	hand.lay_down()
	hud.show_formation(FORMATIONS[orders.formation])
	_show_selection()


func _process(_delta: float) -> void:
	_show_figures()


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if not key.pressed or key.echo:
		return
	match key.keycode:
		KEY_ESCAPE:
			hand.lay_down()
		KEY_1, KEY_2, KEY_3:
			take_build_tool(key.keycode - KEY_1)
		KEY_R:
			hand.take(remove_tool)
		KEY_T:
			hand.take(target_tool)
		KEY_E:
			selection.select(swarm.get_ids())
		KEY_X:
			orders.halt(selection.get_ids())
		KEY_F:
			take_next_formation()
		_:
			return
	get_viewport().set_input_as_handled()


## Sends the selected units to the targets, each to the one that is cheapest to reach.
func send(targets: PackedVector2Array) -> void:
	var ids := selection.get_ids()
	if ids.is_empty():
		return
	for place: Vector2 in orders.send(ids, targets):
		markers.add(place, RtsMarkers.GOOD if targets.has(place) else RtsMarkers.WARNED)
	manager.debug_goal = orders.get_goal_of(ids[0])


func take_next_formation() -> void:
	var all: Array[int] = FORMATIONS.keys()
	orders.formation = all[(all.find(orders.formation) + 1) % all.size()]
	hud.show_formation(FORMATIONS[orders.formation])


func take_build_tool(kind: int) -> void:
	build_tool.kind = kind as RtsBuilding.Kind
	hand.take(build_tool)


func _set_up_simulation(map: RtsMap) -> void:
	manager.grid_size = RtsMap.SIZE
	manager.cell_size = CELL_SIZE
	manager.movement_types = RtsUnits.movement_types()
	manager.set_terrain_bytes(map.cells)
	swarm.manager = manager
	swarm.output = crowd
	swarm.agent_types = RtsUnits.agent_types()
	RtsUnits.muster(swarm, manager)
	_prepare_routes()


## Builds the portals of every movement type now instead of with the first order.
func _prepare_routes() -> void:
	for kind in RtsUnits.NAMES.size():
		manager.get_portals(kind)


func _hand_out_parts() -> void:
	for part: Object in [
		orders,
		builder,
		building_view,
		selection,
		route_view,
		cursor,
		select_tool,
		build_tool,
		remove_tool,
	]:
		_hand_to(part, &"manager", manager)
		_hand_to(part, &"swarm", swarm)
		_hand_to(part, &"selection", selection)
		_hand_to(part, &"builder", builder)
		_hand_to(part, &"camera", camera)
	minimap.camera = camera


## Sets the variables that a part declares.
func _hand_to(part: Object, variable: StringName, value: Object) -> void:
	if part != value and variable in part:
		part.set(variable, value)


func _connect_parts() -> void:
	hand.ordered.connect(func(place: Vector2) -> void: send(PackedVector2Array([place])))
	hand.pointed.connect(cursor.point_at)
	hand.pointed.connect(route_view.point_at)
	hand.tool_changed.connect(_on_tool_changed)
	target_tool.sent.connect(_on_targets_sent)
	selection.changed.connect(_show_selection)
	builder.changed.connect(func(cells: Rect2i) -> void: minimap.show_edit(cells, manager))
	minimap.looked_at.connect(camera.look_at_place)
	minimap.ordered.connect(func(place: Vector2) -> void: send(PackedVector2Array([place])))
	swarm.agents_stuck.connect(_on_agents_stuck)
	hud.kind_chosen.connect(selection.keep_kind)
	hud.build_chosen.connect(take_build_tool)
	hud.remove_chosen.connect(func() -> void: hand.take(remove_tool))
	hud.targets_chosen.connect(func() -> void: hand.take(target_tool))
	hud.halt_pressed.connect(func() -> void: orders.halt(selection.get_ids()))
	hud.all_pressed.connect(func() -> void: selection.select(swarm.get_ids()))
	hud.formation_pressed.connect(take_next_formation)
	hud.shown.connect(_on_shown)


func _on_tool_changed(tool: RtsTool) -> void:
	var option := &""
	match tool:
		build_tool:
			option = StringName("build_%d" % build_tool.kind)
		remove_tool:
			option = &"remove"
		target_tool:
			option = &"targets"
	cursor.is_active = tool == select_tool or tool == target_tool
	hud.show_tool(option)
	hud.show_hint(TOOL_HINTS.get(option, RtsHud.HELP) as String)


func _on_targets_sent(targets: PackedVector2Array) -> void:
	send(targets)
	hand.lay_down()


## Units without progress near their target stand in a crowd there, so they stop.
func _on_agents_stuck(ids: PackedInt64Array) -> void:
	var there := PackedInt64Array()
	for id: int in ids:
		var goal := orders.get_goal_of(id)
		if goal == 0:
			continue
		var place := swarm.get_agent_position(id)
		for target: Vector2 in manager.get_goal_targets(goal):
			if target.distance_to(place) < NEAR:
				there.append(id)
				break
	if not there.is_empty():
		orders.halt(there)


func _on_shown(layer: StringName, on: bool) -> void:
	match layer:
		&"route":
			route_view.active = on
		&"sectors":
			manager.debug_view = (
				FlowFieldManager.DEBUG_SECTORS if on else FlowFieldManager.DEBUG_OFF
			)
		&"tiles":
			manager.debug_view = FlowFieldManager.DEBUG_TILES if on else FlowFieldManager.DEBUG_OFF


func _show_selection() -> void:
	hud.show_selection(selection.count_kinds())
	cursor.refresh()


func _show_figures() -> void:
	var stats := swarm.get_stats()
	var tiles := manager.get_tile_stats()
	var worst := clock.get_worst()
	hud.set_figure(&"units", str(stats["agents"]))
	hud.set_figure(&"tick", "%.1f" % clock.get_median(), LabTheme.GOOD)
	hud.set_figure(&"worst", "%.1f" % worst, LabTheme.GOOD if worst < 16.7 else LabTheme.WARM)
	hud.set_figure(&"fps", str(int(Engine.get_frames_per_second())))
	hud.set_figure(&"goals", str(manager.get_goals().size()))
	hud.set_figure(&"tiles", str(tiles["tiles_built"]))
	hud.set_figure(&"waiting", str(tiles["tiles_waiting"]))
	hud.set_figure(&"arrived", str(stats["arrived_now"]))
