extends Node2D
## Archers keep between two distances of an ogre, and shoot when it is in range and in sight. Those
## beyond the river come to the bank, and shoot across.
##
## The ogre is the target of a goal of the kind RANGE, and move_goal() moves it in every frame.
## is_in_sight() tests the line of a shot, for a movement type to which water is no wall.

const WATER := 2  # a terrain id
const WALK_TYPE := 0  # movement types
const SHOT_TYPE := 1
const LEAST := 110.0  # distances
const MOST := 200.0
const FLIGHT := 0.45  # seconds
const FULL_HEALTH := 1200
const RIVER: Array[Rect2i] = [Rect2i(40, 0, 3, 20), Rect2i(43, 17, 3, 19)]
const WALLS: Array[Rect2i] = [
	Rect2i(10, 8, 8, 2),
	Rect2i(24, 5, 2, 9),
	Rect2i(12, 22, 2, 8),
	Rect2i(24, 22, 8, 3),
	Rect2i(50, 9, 3, 5),
]
const WALK: Array[Vector2] = [
	Vector2(110, 330),
	Vector2(670, 330),
	Vector2(670, 560),
	Vector2(330, 590),
	Vector2(110, 590),
]

var ogre := WALK[0]
var stage := 1  # of WALK
var health := FULL_HEALTH
var goal := 0
var shots := PackedVector2Array()  # where the arrows that fly were shot
var age := 0.0  # of these shots, in seconds

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var overlay: Node2D = $Overlay


func _ready() -> void:
	($Camera as Camera2D).zoom *= get_viewport_rect().size.y / manager.get_bounds().size.y
	var walking := FlowMovementType.new()
	walking.set_cost(WATER, 255)
	manager.movement_types = [walking, FlowMovementType.new()]
	for part in RIVER:
		manager.set_terrain_rect(part, WATER)
	for wall in WALLS:
		manager.set_terrain_rect(wall, 255)
	goal = manager.create_range_goal([ogre], LEAST, MOST)
	swarm.set_group_goal(0, goal)
	var places := PackedVector2Array()
	for i in 60:
		places.append(Vector2(500 + i % 10 * 18, 60 + i / 10 * 18))
		places.append(Vector2(900 + i % 10 * 18, 300 + i / 10 * 18))
	swarm.spawn_many(places)
	($ShotTimer as Timer).timeout.connect(_shoot)
	overlay.draw.connect(_draw_overlay)


func _physics_process(delta: float) -> void:
	ogre = ogre.move_toward(WALK[stage], 45.0 * delta)
	stage = (stage + int(ogre == WALK[stage])) % WALK.size()
	manager.move_goal(goal, [ogre])
	age += delta
	if age > FLIGHT:
		health -= shots.size()
		shots.clear()
	if health <= 0:  # another one comes
		health = FULL_HEALTH
		ogre = WALK[0]
		stage = 1
	overlay.queue_redraw()


func _shoot() -> void:
	age = 0.0
	for id in swarm.query_circle(ogre, MOST):
		var place := swarm.get_agent_position(id)
		if manager.is_in_sight(place, ogre, SHOT_TYPE):
			shots.append(place)


func _draw() -> void:
	draw_rect(manager.get_bounds(), Color("22301f"))
	for part in RIVER:
		draw_rect(Rect2(part.position * 18, part.size * 18), Color("2c5c8f"))
	for wall in WALLS:
		draw_rect(Rect2(wall.position * 18, wall.size * 18), Color("5d6b52"))


func _draw_overlay() -> void:
	overlay.draw_arc(ogre, MOST, 0.0, TAU, 64, Color(1, 1, 1, 0.15), 1.5, true)
	overlay.draw_arc(ogre, LEAST, 0.0, TAU, 64, Color(1, 1, 1, 0.15), 1.5, true)
	overlay.draw_circle(ogre, 22.0, Color("a4c95e"), true, -1.0, true)
	overlay.draw_circle(ogre, 14.0, Color("5f7a2e"), true, -1.0, true)
	var bar := Rect2(ogre + Vector2(-26, -38), Vector2(52, 6))
	overlay.draw_rect(bar, Color("07080d"))
	bar.size.x *= float(health) / FULL_HEALTH
	overlay.draw_rect(bar, Color("6fe3a5"))
	for place in shots:
		var tip := place.lerp(ogre, age / FLIGHT)
		overlay.draw_line(tip - place.direction_to(ogre) * 14.0, tip, Color("ffe9b0"), 2.5, true)
