extends Node2D
## A boss walks in the crowd as an agent. Near the hero it becomes a node with a behaviour of its
## own, and after some seconds an agent again. Walk with the arrow keys.
##
## The node takes over position, group and numbers of the agent, which is then despawned. A body
## attached to the node keeps the crowd out of it, and get_flow_vector() leads the node along the
## same field. To return, spawn(), set_user_ints() and set_user_floats() make the agent anew.

const HEALTH := 0  # the column of set_user_ints() that holds the health
const BOSS := 1  # the agent type
const ALARM := 190.0
const RAGE_TIME := 6.0
const CALM_TIME := 4.0


## The boss as a node. It stamps on the ground, which throws the crowd back.
class Boss:
	extends Node2D

	var group := 0
	var ints := PackedInt32Array()  # the numbers of the agent, a column each
	var floats := PackedFloat32Array()
	var age := 0.0

	func _draw() -> void:
		var wave := fmod(age, 1.0)
		draw_circle(Vector2.ZERO, 24.0 + 110.0 * wave, Color(1, 0.42, 0.48, 0.5 - 0.5 * wave))
		draw_circle(Vector2.ZERO, 26.0, Color("ff6b7a"), true, -1.0, true)
		draw_circle(Vector2.ZERO, 18.0, Color("7a2f6b"), true, -1.0, true)
		draw_rect(Rect2(-30.0, -42.0, 60.0 * ints[HEALTH] / 100.0, 6.0), Color("6fe3a5"))


var goal := 0
var boss_agent := 0  # 0 while the boss is a node
var boss_node: Boss = null
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
	boss_agent = swarm.spawn(Vector2(100.0, 324.0), BOSS)
	swarm.set_user_ints([boss_agent], [100], HEALTH)
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
		if swarm.get_agent_position(boss_agent).distance_to(hero.position) < ALARM:
			_become_node()


func _become_node() -> void:
	boss_node = Boss.new()
	boss_node.position = swarm.get_agent_position(boss_agent)
	boss_node.group = swarm.get_agent_group(boss_agent)
	for column in 4:
		boss_node.ints.append(swarm.get_agent_user_int(boss_agent, column))
		boss_node.floats.append(swarm.get_agent_user_float(boss_agent, column))
	swarm.despawn([boss_agent])
	boss_agent = 0
	add_child(boss_node)
	# The body is removed with the node.
	swarm.attach_body(swarm.add_body(boss_node.position, 26.0), boss_node)


func _become_agent() -> void:
	boss_agent = swarm.spawn(boss_node.position, BOSS, boss_node.group)
	for column in 4:
		swarm.set_user_ints([boss_agent], [boss_node.ints[column]], column)
		swarm.set_user_floats([boss_agent], [boss_node.floats[column]], column)
	boss_node.queue_free()
	boss_node = null
	calm_until = time + CALM_TIME


func _move_boss(delta: float) -> void:
	boss_node.age += delta
	if fmod(boss_node.age, 1.0) < delta:
		swarm.apply_radial_impulse(boss_node.position, 140.0, 500.0)
		boss_node.ints[HEALTH] = maxi(boss_node.ints[HEALTH] - 2, 1)  # it costs strength
	var way := manager.get_flow_vector(
		goal, boss_node.position, swarm.agent_types[BOSS].movement_type
	)
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
