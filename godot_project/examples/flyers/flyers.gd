extends Node2D
## Walkers go around walls, flyers go over them and over the walkers. Draw walls with the left mouse
## button.
##
## To the flyers' FlowMovementType all terrain costs 1, walls included. Their SwarmAgentType has a
## collision layer of its own, and only that layer in its mask. All agents have the same goal.

const WALKER := 0  # agent types
const FLYER := 1
const MOST_AGENTS := 300
const HOME := Vector2(1080, 324)
const WALLS: Array[Rect2i] = [
	Rect2i(14, 0, 3, 26),
	Rect2i(28, 10, 3, 26),
	Rect2i(42, 0, 3, 26),
]

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var camera: Camera2D = $Camera


func _ready() -> void:
	camera.zoom *= get_viewport_rect().size.y / manager.get_bounds().size.y
	for wall in WALLS:
		manager.set_terrain_rect(wall, 255)
	var costs := PackedByteArray()
	costs.resize(256)
	costs.fill(1)  # of every terrain id, also of 255, which is a wall to others
	var flying := FlowMovementType.new()
	flying.cost_table = costs
	manager.movement_types = [FlowMovementType.new(), flying]
	swarm.set_group_goal(0, manager.create_goal([HOME]))
	swarm.agents_arrived.connect(_on_agents_arrived)
	($SpawnTimer as Timer).timeout.connect(_spawn)


func _spawn() -> void:
	if swarm.get_agent_count() < MOST_AGENTS:
		for i in 3:
			swarm.spawn(_get_start(), WALKER)
		swarm.spawn(_get_start(), FLYER)


## Sends the agents that have arrived back to the start.
func _on_agents_arrived(ids: PackedInt64Array) -> void:
	var starts := PackedVector2Array()
	for i in ids.size():
		starts.append(_get_start())
	swarm.set_agent_positions(ids, starts)


func _get_start() -> Vector2:
	return Vector2(randf_range(10.0, 60.0), randf_range(100.0, 548.0))


func _unhandled_input(_event: InputEvent) -> void:
	if Input.is_mouse_button_pressed(MOUSE_BUTTON_LEFT):
		var cell := manager.get_cell(get_global_mouse_position())
		if manager.is_in_grid(cell):
			manager.set_terrain(cell, 255)
			queue_redraw()


func _draw() -> void:
	draw_rect(manager.get_bounds(), Color("182030"))
	var terrain := manager.get_terrain_bytes()
	for i in terrain.size():
		if terrain[i] == 255:
			var cell := Vector2i(i % manager.grid_size.x, i / manager.grid_size.x)
			draw_rect(Rect2(cell * manager.cell_size, Vector2(18, 18)), Color("384868"))
	draw_circle(HOME, 40.0, Color("5b8cff"), true, -1.0, true)
	draw_circle(HOME, 28.0, Color("182030"), true, -1.0, true)
