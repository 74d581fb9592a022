extends Node2D
## Towers shoot at the enemy that is first on the path. Click on rock to build another tower.
##
## query_nearest_many() with a SwarmQuery in the order ORDER_COST_TO_GOAL finds the targets of all
## towers in one call, and damage_circle() takes health from the enemies around a hit. The swarm's
## arrival_action is ARRIVAL_DESPAWN: enemies at the base are removed, and agents_arrived counts
## the lives that they cost.

const HEALTH := 0  # the column of set_user_ints() that holds the enemies' health
const FULL_HEALTH := 10
const RANGE := 120.0
const BLAST_RADIUS := 24.0
const DAMAGE := 4
const BASE := Vector2(1098, 513)
const ROCK := Color("182030")
const SAND := Color("384060")
const TOWER := Color("5b8cff")
const SHOT := Color("ffc95c")
## In cells of the grid.
const PATH: Array[Rect2i] = [
	Rect2i(0, 5, 54, 5),
	Rect2i(49, 5, 5, 15),
	Rect2i(10, 15, 44, 5),
	Rect2i(10, 15, 5, 16),
	Rect2i(10, 26, 54, 5),
]

var lives := 100
var kills := 0
var towers := PackedVector2Array(
	[Vector2(315, 225), Vector2(531, 225), Vector2(747, 225), Vector2(405, 415), Vector2(700, 415)]
)
var shots := PackedVector2Array()  # pairs of a tower and the point that it has hit
var first_on_path := SwarmQuery.new()

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var overlay: Node2D = $Overlay
@onready var camera: Camera2D = $Camera


func _ready() -> void:
	camera.zoom *= get_viewport_rect().size.y / manager.get_bounds().size.y
	manager.set_terrain_rect(Rect2i(Vector2i.ZERO, manager.grid_size), 255)  # rock
	for part in PATH:
		manager.set_terrain_rect(part, 1)
	swarm.set_group_goal(0, manager.create_goal([BASE]))
	swarm.agents_arrived.connect(_on_agents_arrived)
	first_on_path.order = SwarmQuery.ORDER_COST_TO_GOAL
	overlay.draw.connect(_draw_overlay)
	($SpawnTimer as Timer).timeout.connect(_spawn)
	($ShotTimer as Timer).timeout.connect(_shoot)


func _spawn() -> void:
	for i in 3:
		var id := swarm.spawn(Vector2(9.0, 110.0 + 25.0 * i))
		swarm.set_user_ints([id], [FULL_HEALTH], HEALTH)


func _shoot() -> void:
	shots.clear()
	var targets := swarm.query_nearest_many(towers, RANGE, first_on_path)
	for i in towers.size():
		# 0 is no target in range. Another tower may just have shot this one dead.
		if not swarm.has_agent(targets[i]):
			continue
		var place := swarm.get_agent_position(targets[i])
		var remove := EnemySwarm.FALLEN_DESPAWN
		kills += swarm.damage_circle(place, BLAST_RADIUS, DAMAGE, HEALTH, remove).size()
		shots.append(towers[i])
		shots.append(place)
	overlay.queue_redraw()


func _on_agents_arrived(ids: PackedInt64Array) -> void:
	lives = maxi(lives - ids.size(), 0)


func _process(_delta: float) -> void:
	($Label as Label).text = "lives %d   kills %d" % [lives, kills]


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.is_pressed():
		var cell := manager.get_cell(get_global_mouse_position())
		if manager.is_in_grid(cell) and manager.get_terrain_at(cell) == 255:
			towers.append(manager.get_cell_center(cell))
			overlay.queue_redraw()


func _draw() -> void:
	draw_rect(manager.get_bounds(), ROCK)
	for part in PATH:
		draw_rect(Rect2(part.position * manager.cell_size, part.size * manager.cell_size), SAND)
	draw_circle(BASE, 40.0, Color("6fe3a5"), true, -1.0, true)
	draw_circle(BASE, 28.0, SAND, true, -1.0, true)


func _draw_overlay() -> void:
	for tower in towers:
		overlay.draw_circle(tower, RANGE, Color(TOWER, 0.05), true, -1.0, true)
		overlay.draw_circle(tower, 16.0, TOWER, true, -1.0, true)
		overlay.draw_circle(tower, 8.0, TOWER.lightened(0.5), true, -1.0, true)
	for i in range(0, shots.size(), 2):
		overlay.draw_line(shots[i], shots[i + 1], SHOT, 3.0, true)
		overlay.draw_circle(shots[i + 1], BLAST_RADIUS, Color(SHOT, 0.35), true, -1.0, true)
