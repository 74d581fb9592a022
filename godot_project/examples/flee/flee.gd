extends Node2D
## A crowd flees from a hunter, around walls and out of dead ends. Walk with the arrow keys.
##
## The hunter is the target of a goal of the kind FLEE, and move_goal() moves it in every frame. The
## red ground is within the goal's reach: agents there flee, and all others have arrived.

const REACH := 190.0
const SPEED := 110.0
const WALLS: Array[Rect2i] = [
	Rect2i(12, 7, 12, 2),
	Rect2i(12, 9, 2, 8),
	Rect2i(22, 9, 2, 5),
	Rect2i(40, 7, 2, 10),
	Rect2i(42, 15, 10, 2),
	Rect2i(10, 26, 10, 2),
	Rect2i(28, 22, 2, 9),
	Rect2i(38, 24, 12, 2),
	Rect2i(48, 26, 2, 5),
]
## Where the hunter walks without keys.
const WALK: Array[Vector2] = [
	Vector2(320, 360),
	Vector2(320, 220),
	Vector2(320, 360),
	Vector2(640, 340),
	Vector2(600, 600),
	Vector2(980, 600),
	Vector2(1000, 380),
	Vector2(640, 340),
	Vector2(560, 100),
	Vector2(120, 80),
	Vector2(120, 360),
]

var goal := 0
var stage := 0  # of WALK

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var hunter: Node2D = $Hunter
@onready var camera: Camera2D = $Camera


func _ready() -> void:
	camera.zoom *= get_viewport_rect().size.y / manager.get_bounds().size.y
	for wall in WALLS:
		manager.set_terrain_rect(wall, 255)
	hunter.position = WALK[-1]
	hunter.draw.connect(_draw_hunter)
	goal = manager.create_flee_goal([hunter.position], REACH)
	swarm.set_group_goal(0, goal)
	var places := PackedVector2Array()
	for i in 400:
		var place := Vector2(randf_range(20.0, 1132.0), randf_range(20.0, 628.0))
		if manager.get_closest_walls(place, 6.0).is_empty():
			places.append(place)
	swarm.spawn_many(places)


func _physics_process(delta: float) -> void:
	var way := Input.get_vector(&"ui_left", &"ui_right", &"ui_up", &"ui_down")
	var next := hunter.position + way * SPEED * delta
	if way == Vector2.ZERO:
		next = hunter.position.move_toward(WALK[stage], SPEED * delta)
		stage = (stage + int(next == WALK[stage])) % WALK.size()
	if manager.get_bounds().has_point(next) and manager.get_closest_walls(next, 12.0).is_empty():
		hunter.position = next
	manager.move_goal(goal, [hunter.position])
	queue_redraw()


func _draw() -> void:
	draw_rect(manager.get_bounds(), Color("1b2a22"))
	# The cost to a goal of this kind is the cost of the path to safety, 0 where agents are safe.
	var costs := manager.get_integration(goal)
	for i in costs.size():
		if costs[i] > 0.0 and is_finite(costs[i]):
			var cell := Vector2(i % manager.grid_size.x, i / manager.grid_size.x)
			draw_rect(Rect2(cell * manager.cell_size, Vector2(18, 18)), Color("4a2630"))
	for wall in WALLS:
		draw_rect(Rect2(wall.position * 18, wall.size * 18), Color("56705c"))


func _draw_hunter() -> void:
	hunter.draw_circle(Vector2.ZERO, 13.0, Color("ff6b7a"), true, -1.0, true)
	hunter.draw_circle(Vector2.ZERO, 7.0, Color("7a1f36"), true, -1.0, true)
