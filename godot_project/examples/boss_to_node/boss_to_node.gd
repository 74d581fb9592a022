extends Node2D
## A boss walks in the crowd as an agent. Near the hero it becomes a node with a behaviour of its
## own, and after some seconds an agent again. Walk with the arrow keys.
##
## attach_node() has the agent follow the node. It keeps its id, group and numbers, and the crowd
## gives way to it. get_flow_vector() leads the node along the field that the agent followed. After
## detach_node() the agent goes on by itself from where the node is.

const HEALTH := 0  # the column of set_user_ints() that holds the health
const BOSS := 1  # the agent type
const ALARM := 190.0
const RAGE_TIME := 6.0
const CALM_TIME := 4.0


## The boss as a node. It stamps on the ground, which throws the crowd back.
class Boss:
	extends Node2D

	var health := 0
	var age := 0.0

	func _draw() -> void:
		var wave := fmod(age, 1.0)
		draw_circle(Vector2.ZERO, 24.0 + 110.0 * wave, Color(1, 0.42, 0.48, 0.5 - 0.5 * wave))
		draw_circle(Vector2.ZERO, 26.0, Color("ff6b7a"), true, -1.0, true)
		draw_circle(Vector2.ZERO, 18.0, Color("7a2f6b"), true, -1.0, true)
		draw_rect(Rect2(-30.0, -42.0, 60.0 * health / 100.0, 6.0), Color("6fe3a5"))


var goal := 0
var boss := 0  # the agent
var boss_node: Boss = null  # that the agent follows
var calm_until := 0.0
var time := 0.0

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var hero: Node2D = $Hero
@onready var camera: Camera2D = $Camera


func _ready() -> void:
	camera.zoom *= get_viewport_rect().size.y / manager.get_bounds().size.y
	goal = manager.create_goal([hero.position])
	swarm.set_group_goal(0, goal)
	swarm.attach_body(swarm.add_body(hero.position, 13.0), hero)
	boss = swarm.spawn(Vector2(100.0, 324.0), BOSS)
	swarm.set_user_ints([boss], [100], HEALTH)
	hero.draw.connect(_draw_hero)
	($SpawnTimer as Timer).timeout.connect(_spawn)


func _physics_process(delta: float) -> void:
	time += delta
	var way := Input.get_vector(&"ui_left", &"ui_right", &"ui_up", &"ui_down")
	way = way if way != Vector2.ZERO else Vector2.from_angle(time * 0.7)
	hero.position = (hero.position + way * 120.0 * delta).clamp(Vector2(20, 20), Vector2(1130, 628))
	manager.move_goal(goal, [hero.position])
	if boss_node != null:
		_move_boss(delta)
	elif time > calm_until:
		if swarm.get_agent_position(boss).distance_to(hero.position) < ALARM:
			_become_node()


func _become_node() -> void:
	boss_node = Boss.new()
	boss_node.z_index = 1  # over its agent
	boss_node.position = swarm.get_agent_position(boss)
	boss_node.health = swarm.get_agent_user_int(boss, HEALTH)
	add_child(boss_node)
	swarm.attach_node(boss, boss_node, EnemySwarm.ATTACH_AGENT_FOLLOWS_NODE)


func _become_agent() -> void:
	swarm.set_user_ints([boss], [boss_node.health], HEALTH)
	swarm.detach_node(boss)
	boss_node.queue_free()
	boss_node = null
	calm_until = time + CALM_TIME


func _move_boss(delta: float) -> void:
	boss_node.age += delta
	if fmod(boss_node.age, 1.0) < delta:
		swarm.apply_radial_impulse(boss_node.position, 140.0, 500.0)
		boss_node.health = maxi(boss_node.health - 2, 1)  # it costs strength
	var movement_type := swarm.agent_types[BOSS].movement_type
	var way := manager.get_flow_vector(goal, boss_node.position, movement_type)
	boss_node.position += way * 40.0 * delta
	boss_node.queue_redraw()
	if boss_node.age > RAGE_TIME:
		_become_agent()


func _spawn() -> void:
	if swarm.get_agent_count() < 200:
		for i in 4:
			swarm.spawn(Vector2(10.0, randf_range(20.0, 628.0)))


func _draw() -> void:
	draw_rect(manager.get_bounds(), Color("182030"))


func _draw_hero() -> void:
	hero.draw_circle(Vector2.ZERO, 13.0, Color("8fe9ff"), true, -1.0, true)
	hero.draw_circle(Vector2.ZERO, 6.0, Color.WHITE, true, -1.0, true)
