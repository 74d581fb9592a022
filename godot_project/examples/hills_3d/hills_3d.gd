extends Node3D
## 5,000 soldiers chase a body over hills, over a bridge and through the passage below it. The body
## walks by itself; the arrow keys lead it.
##
## bake_terrain_3d() finds the floors of the level: the hills are layer 0, the bridge is layer 1.
## The crowd's look is baked from the animated glTF scene that is also the model of the body.

var route: Array[Vector2] = [Vector2(32, 0), Vector2(0, 14), Vector2(0, -14), Vector2(-32, 0)]
var goal := 0
var stop := 0

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var hero: CharacterBody3D = $Hero


func _ready() -> void:
	manager.bake_terrain_3d($Level, FlowSourceGeometry.new())
	swarm.agent_types[0].look = SwarmCharacterBaker.bake($Hero/Soldier)
	goal = manager.create_goal([manager.get_place(hero.position)])
	swarm.set_group_goal(0, goal)
	swarm.attach_body(swarm.add_body(Vector2.ZERO, 0.5), hero)
	var places := PackedVector2Array()
	for i in 5000:
		places.append(Vector2(-45.5 + i % 100 * 0.92, -45.0 + i / 100 * 1.84))
	swarm.spawn_many(places)
	($Hero/Soldier/AnimationPlayer as AnimationPlayer).play("run")


func _physics_process(delta: float) -> void:
	var way := Input.get_vector("ui_left", "ui_right", "ui_up", "ui_down")
	var at := Vector2(hero.position.x, hero.position.z)
	if way == Vector2.ZERO:
		if at.distance_to(route[stop]) < 1.0:
			stop = (stop + 1) % route.size()
		way = at.direction_to(route[stop])
	hero.rotation.y = atan2(way.x, way.y)
	hero.velocity = Vector3(5.0 * way.x, hero.velocity.y - 20.0 * delta, 5.0 * way.y)
	hero.move_and_slide()
	manager.move_goal(goal, [manager.get_place(hero.position)])
