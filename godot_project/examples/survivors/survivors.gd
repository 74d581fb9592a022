extends Node2D
## A horde chases a hero that shoots at the nearest enemy. Walk with the arrow keys.
##
## move_goal() leads the horde to the hero in every frame. A body keeps it out of the hero, and
## get_body_contacts() counts the enemies that bite. Shots find the enemy that they hit by
## query_segment(), take its health with add_user_ints() and push it with apply_impulse().

const HEALTH := 0  # the column of set_user_ints() that holds the enemies' health
const HERO_RADIUS := 13.0
const HERO_SPEED := 130.0
const SHOT_SPEED := 600.0
const SHOT_RANGE := 330.0
const KNOCK_BACK := 220.0
const HERO := Color("8fe9ff")
const SHOT := Color("ffc95c")

var goal := 0
var body := 0
var health := 100.0
var kills := 0
var time := 0.0
var shots := PackedVector2Array()
var directions := PackedVector2Array()  # of the shots
var first_hit := SwarmQuery.new()

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var hero: Node2D = $Hero
@onready var overlay: Node2D = $Overlay


func _ready() -> void:
	($Hero/Camera as Camera2D).zoom *= get_viewport_rect().size.y / 648.0
	for i in 48:
		manager.set_terrain_rect(Rect2i(6 + i % 8 * 15, 6 + i / 8 * 15, 4, 4), 255)
	goal = manager.create_goal([hero.position])
	swarm.set_group_goal(0, goal)
	body = swarm.add_body(hero.position, HERO_RADIUS)
	swarm.attach_body(body, hero)
	first_hit.limit = 1  # a shot stops at the first enemy
	hero.draw.connect(_draw_hero)
	overlay.draw.connect(_draw_shots)
	($SpawnTimer as Timer).timeout.connect(_spawn)
	($ShotTimer as Timer).timeout.connect(_shoot)


func _physics_process(delta: float) -> void:
	time += delta
	var way := Input.get_vector(&"ui_left", &"ui_right", &"ui_up", &"ui_down")
	if way == Vector2.ZERO:
		way = Vector2.from_angle(time * 1.18)  # without keys the hero walks in a circle
	var next := hero.position + way * HERO_SPEED * delta
	if manager.get_bounds().grow(-HERO_RADIUS).has_point(next):
		if manager.get_closest_walls(next, HERO_RADIUS).is_empty():
			hero.position = next
	manager.move_goal(goal, [hero.position])
	health -= swarm.get_body_contacts(body).size() * delta
	if health <= 0.0:  # the game begins anew
		swarm.clear()
		health = 100.0
	_move_shots(delta)
	hero.queue_redraw()
	overlay.queue_redraw()


func _spawn() -> void:
	for i in 4:
		var place := hero.position + Vector2.from_angle(randf() * TAU) * 620.0
		place = place.clamp(Vector2.ONE, manager.get_bounds().end - Vector2.ONE)
		var kind := 1 if randf() < 0.1 else 0
		swarm.set_user_ints([swarm.spawn(place, kind)], [6 if kind == 1 else 1], HEALTH)


func _shoot() -> void:
	var target := swarm.query_nearest(hero.position, SHOT_RANGE)
	if target != 0:
		shots.append(hero.position)
		directions.append(hero.position.direction_to(swarm.get_agent_position(target)))


func _move_shots(delta: float) -> void:
	for i in range(shots.size() - 1, -1, -1):
		var next := shots[i] + directions[i] * SHOT_SPEED * delta
		var hit := swarm.query_segment(shots[i], next, 6.0, first_hit)
		swarm.apply_impulse(hit, directions[i] * KNOCK_BACK)
		kills += swarm.despawn(swarm.add_user_ints(hit, -1, HEALTH))
		shots[i] = next
		if not hit.is_empty() or next.distance_to(hero.position) > SHOT_RANGE:
			shots.remove_at(i)
			directions.remove_at(i)


func _draw() -> void:
	draw_rect(manager.get_bounds().grow(1000.0), Color("0a0d16"))
	draw_rect(manager.get_bounds(), Color("182030"))
	for i in 48:
		draw_rect(Rect2(108 + i % 8 * 270, 108 + i / 8 * 270, 72, 72), Color("384868"))


func _draw_hero() -> void:
	hero.draw_circle(Vector2.ZERO, SHOT_RANGE, Color(HERO, 0.04), true, -1.0, true)
	hero.draw_circle(Vector2.ZERO, HERO_RADIUS, HERO, true, -1.0, true)
	hero.draw_circle(Vector2.ZERO, HERO_RADIUS * 0.5, Color.WHITE, true, -1.0, true)
	hero.draw_rect(Rect2(-20.0, -28.0, 40.0, 5.0), Color("07080d"))
	hero.draw_rect(Rect2(-20.0, -28.0, 0.4 * health, 5.0), Color("ff5d6c"))


func _draw_shots() -> void:
	for i in shots.size():
		overlay.draw_line(shots[i] - directions[i] * 40.0, shots[i], SHOT, 4.0, true)
