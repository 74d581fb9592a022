extends Node2D
## A crowd follows a target around walls. Hold the left mouse button to lead it yourself.
##
## create_goal() makes a goal, set_group_goal() gives it to a group of the swarm, spawn_many() adds
## agents to that group, and move_goal() moves the goal in every frame.

const GROUND := Color("101828")
const STONE := Color("384868")
const TARGET := Color("ffae4d")
## In cells of the grid.
const WALLS: Array[Rect2i] = [
	Rect2i(18, 10, 2, 16),
	Rect2i(20, 10, 8, 2),
	Rect2i(20, 24, 8, 2),
	Rect2i(44, 10, 2, 16),
	Rect2i(36, 10, 8, 2),
	Rect2i(36, 24, 8, 2),
]

var target := Vector2.ZERO
var goal := 0
var time := 0.0

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var camera: Camera2D = $Camera


func _ready() -> void:
	camera.zoom *= get_viewport_rect().size.y / manager.get_bounds().size.y
	for wall in WALLS:
		manager.set_terrain_rect(wall, 255)  # 255 is a wall, 1 is clear ground
	target = _place_at(time)
	goal = manager.create_goal([target])
	swarm.set_group_goal(0, goal)
	var places := PackedVector2Array()
	for i in 500:
		places.append(Vector2(40 + i / 25 * 13, 84 + i % 25 * 20))
	swarm.spawn_many(places)  # of the first agent type, in group 0


func _physics_process(delta: float) -> void:
	time += delta
	var wanted := _place_at(time)
	if Input.is_mouse_button_pressed(MOUSE_BUTTON_LEFT):
		wanted = get_global_mouse_position()
	if manager.get_bounds().has_point(wanted):
		target = wanted
		manager.move_goal(goal, [target])
	queue_redraw()


## Where the target is without a mouse: it runs around the walls in 14 seconds.
func _place_at(seconds: float) -> Vector2:
	var turn := TAU * seconds / 14.0
	return Vector2(576.0 + 420.0 * cos(turn), 324.0 + 240.0 * sin(turn))


func _draw() -> void:
	draw_rect(manager.get_bounds(), GROUND)
	for wall in WALLS:
		draw_rect(Rect2(wall.position * manager.cell_size, wall.size * manager.cell_size), STONE)
	draw_circle(target, 12.0, Color(TARGET, 0.25), true, -1.0, true)
	draw_circle(target, 6.0, TARGET, true, -1.0, true)
