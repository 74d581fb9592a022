extends Node2D
## Bars over the agents that are hurt, and over no others. Fires burn those that walk through them.
##
## A column of the agents' own numbers holds their health; damage_circle() takes from it. For each
## type a SwarmQuery with an int_range just below full health finds the hurt agents in view, and
## get_positions_of() returns where their bars are drawn.

const HEALTH := 0  # the column of set_user_ints() that holds the health
const FULL_HEALTH: Array[int] = [30, 120]  # of each type
const BAR := Vector2(40.0, 8.0)
const HOME := Vector2(1090, 324)
const FIRE_RADIUS := 90.0
const FIRES: Array[Vector2] = [Vector2(330, 220), Vector2(560, 430), Vector2(790, 250)]

var hurt: Array[SwarmQuery] = []  # finds the hurt agents of each type

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var bars: Node2D = $Bars
@onready var camera: Camera2D = $Camera


func _ready() -> void:
	camera.zoom *= get_viewport_rect().size.y / manager.get_bounds().size.y
	swarm.set_group_goal(0, manager.create_goal([HOME]))
	for type in FULL_HEALTH.size():
		var query := SwarmQuery.new()
		query.types = [type]
		query.int_column = HEALTH
		query.int_range = Vector2i(1, FULL_HEALTH[type] - 1)
		hurt.append(query)
	bars.draw.connect(_draw_bars)
	($SpawnTimer as Timer).timeout.connect(_spawn)
	($FireTimer as Timer).timeout.connect(_burn)


func _process(_delta: float) -> void:
	bars.queue_redraw()


func _spawn() -> void:
	for i in 2:
		var type := 1 if randf() < 0.2 else 0
		var id := swarm.spawn(Vector2(20.0, randf_range(100.0, 548.0)), type)
		swarm.set_user_ints([id], [FULL_HEALTH[type]], HEALTH)


func _burn() -> void:
	for fire in FIRES:
		swarm.damage_circle(fire, FIRE_RADIUS, 1, HEALTH, EnemySwarm.FALLEN_DESPAWN)


func _draw_bars() -> void:
	var view := get_canvas_transform().affine_inverse() * get_viewport_rect()
	for type in hurt.size():
		var lift := Vector2(0.0, -swarm.agent_types[type].radius - 12.0)
		var ids := swarm.query_rect(view, hurt[type])
		var places := swarm.get_positions_of(ids)
		for i in ids.size():
			var health := swarm.get_agent_user_int(ids[i], HEALTH)
			var share := float(health) / FULL_HEALTH[type]
			var bar := Rect2(places[i] + lift - BAR * 0.5, BAR)
			bars.draw_rect(bar.grow(2.0), Color("07080d"))
			bar.size.x *= share
			bars.draw_rect(bar, Color("ff6b7a").lerp(Color("6fe3a5"), share))


func _draw() -> void:
	draw_rect(manager.get_bounds(), Color("182030"))
	for fire in FIRES:
		for ring in 4:
			var radius := FIRE_RADIUS * (1.0 - 0.22 * ring)
			draw_circle(fire, radius, Color(1.0, 0.45, 0.15, 0.13), true, -1.0, true)
	draw_circle(HOME, 40.0, Color("6fe3a5"), true, -1.0, true)
	draw_circle(HOME, 28.0, Color("182030"), true, -1.0, true)
