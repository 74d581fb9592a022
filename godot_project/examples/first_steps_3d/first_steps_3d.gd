extends Node3D
## A crowd on a plane in 3D follows a target around the level's walls. Hold the left mouse button to
## lead it yourself.
##
## bake_terrain() makes terrain from the collision shapes of the level. Positions of managers and
## swarms are Vector2(x, z). The swarm draws its agents with the MultiMeshInstance3D in `output`.

var goal := 0
var time := 0.0

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var target: Node3D = $Target
@onready var camera: Camera3D = $Camera


func _ready() -> void:
	var source := FlowSourceGeometry.new()
	source.min_height = 0.1  # shapes below and above the agents' bodies are no walls
	source.max_height = 1.8
	manager.bake_terrain($Level, source)
	goal = manager.create_goal([Vector2.ZERO])
	swarm.set_group_goal(0, goal)
	var places := PackedVector2Array()
	for i in 240:
		places.append(Vector2(-22.0 + i % 20, -22.0 + i / 20 * 0.5))
	swarm.spawn_many(places)


func _physics_process(delta: float) -> void:
	time += delta
	var turn := TAU * time / 20.0
	var wanted := Vector2(18.5 * cos(turn), 18.5 * sin(turn))
	if Input.is_mouse_button_pressed(MOUSE_BUTTON_LEFT):
		wanted = _get_mouse_on_ground()
	if manager.get_bounds().has_point(wanted):
		target.position = Vector3(wanted.x, 2.5, wanted.y)
		manager.move_goal(goal, [wanted])


## The point of the plane y = 0 that is under the mouse, as a position for the manager.
func _get_mouse_on_ground() -> Vector2:
	var mouse := get_viewport().get_mouse_position()
	var from := camera.project_ray_origin(mouse)
	var point: Variant = Plane.PLANE_XZ.intersects_ray(from, camera.project_ray_normal(mouse))
	if point == null:
		return Vector2.INF  # the mouse is above the horizon
	var hit: Vector3 = point
	return Vector2(hit.x, hit.z)
