extends Node2D
## Two armies march at each other's camp and fight where they meet.
##
## Each army is a swarm; swarms of one manager keep out of each other. query_nearest_many(), called
## on the other swarm, finds a foe for every soldier in one call. set_agent_targets() sends soldiers
## to the foes that they see, and add_user_ints() takes the health of those that they reach.

const HEALTH := 0  # the column of set_user_ints() that holds the soldiers' health
const SOLDIERS := 260
const SIGHT := 90.0
const REACH := 20.0
const CAMPS: Array[Vector2] = [Vector2(80, 324), Vector2(1072, 324)]
const ROCKS: Array[Rect2i] = [
	Rect2i(29, 0, 6, 7),
	Rect2i(28, 14, 8, 8),
	Rect2i(29, 29, 6, 7),
	Rect2i(14, 8, 3, 7),
	Rect2i(14, 21, 3, 7),
	Rect2i(47, 8, 3, 7),
	Rect2i(47, 21, 3, 7),
]

var sparks := PackedVector2Array()  # where soldiers were struck in the last round

@onready var manager: FlowFieldManager = $Manager
@onready var blue: EnemySwarm = $Blue
@onready var red: EnemySwarm = $Red
@onready var overlay: Node2D = $Overlay
@onready var camera: Camera2D = $Camera


func _ready() -> void:
	camera.zoom *= get_viewport_rect().size.y / manager.get_bounds().size.y
	for rock in ROCKS:
		manager.set_terrain_rect(rock, 255)
	blue.set_group_goal(0, manager.create_goal([CAMPS[1]]))
	red.set_group_goal(0, manager.create_goal([CAMPS[0]]))
	_recruit(blue, CAMPS[0])
	_recruit(red, CAMPS[1])
	($FightTimer as Timer).timeout.connect(_on_fight_timer_timeout)
	overlay.draw.connect(_draw_sparks)


func _recruit(army: EnemySwarm, camp: Vector2) -> void:
	var places := PackedVector2Array()
	for i in SOLDIERS:
		places.append(camp + Vector2(i % 10 - 4.5, i / 10 - 0.05 * SOLDIERS) * 17.0)
	var health := PackedInt32Array()
	health.resize(SOLDIERS)
	health.fill(3)
	army.set_user_ints(army.spawn_many(places), health, HEALTH)


func _on_fight_timer_timeout() -> void:
	sparks.clear()
	# Both armies strike before the dead are removed, so that neither has the first blow.
	var fallen_red := _fight(blue, red)
	var fallen_blue := _fight(red, blue)
	red.despawn(fallen_red)
	blue.despawn(fallen_blue)
	overlay.queue_redraw()
	if mini(blue.get_agent_count(), red.get_agent_count()) == 0:
		_recruit(blue, CAMPS[0])
		_recruit(red, CAMPS[1])


## Lets the soldiers of an army choose and strike their foes. Returns the foes that have fallen.
func _fight(army: EnemySwarm, foes: EnemySwarm) -> PackedInt64Array:
	var soldiers := army.get_ids()
	var places := army.get_positions()
	var found := foes.query_nearest_many(places, SIGHT)  # a foe for each soldier, 0 if it sees none
	var marching := PackedInt64Array()
	var attackers := PackedInt64Array()
	var attacked := PackedInt64Array()
	var attacked_from := PackedVector2Array()
	for i in soldiers.size():
		if found[i] == 0:
			marching.append(soldiers[i])
		else:
			attackers.append(soldiers[i])
			attacked.append(found[i])
			attacked_from.append(places[i])
	var targets := foes.get_positions_of(attacked)
	army.clear_agent_targets(marching)  # they follow the goal of their group
	army.set_agent_targets(attackers, targets)
	var struck := PackedInt64Array()
	for i in attacked.size():
		if attacked_from[i].distance_to(targets[i]) < REACH:
			struck.append(attacked[i])
			sparks.append(targets[i])
	return foes.add_user_ints(struck, -1, HEALTH)


func _draw() -> void:
	draw_rect(manager.get_bounds(), Color("182030"))
	for rock in ROCKS:
		var place := Rect2(rock.position * manager.cell_size, rock.size * manager.cell_size)
		draw_rect(place, Color("384868"))
	draw_circle(CAMPS[0], 34.0, Color(Color("5b8cff"), 0.3), true, -1.0, true)
	draw_circle(CAMPS[1], 34.0, Color(Color("ff6b7a"), 0.3), true, -1.0, true)


func _draw_sparks() -> void:
	for spark in sparks:
		overlay.draw_circle(spark, 6.0, Color("ffc95c"), true, -1.0, true)
