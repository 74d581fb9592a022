extends Node2D
## A horde breaks through a wooden fence to the gold. After some time the fence is repaired.
##
## Each piece of the fence is a stamp of terrain that costs much, but is no wall: paths lead through
## it where a detour is longer. A solid body keeps the agents out, and get_body_contacts() counts
## those that beat on it. A broken piece is removed with remove_stamp() and remove_body().

const WOOD := 2  # the terrain id of the fence
const PIECE_SIZE := Vector2i(2, 2)  # in cells
const HIT_POINTS := 100.0
const DAMAGE := 5.0  # a second by each agent that touches a piece
const GOLD := Vector2(936, 324)
const ROCKS: Array[Rect2i] = [
	Rect2i(40, 0, 2, 6),
	Rect2i(40, 14, 2, 8),
	Rect2i(40, 30, 2, 6),
	Rect2i(20, 12, 6, 3),
	Rect2i(20, 21, 6, 3),
]


class Piece:
	var cell := Vector2i.ZERO
	var hit_points := HIT_POINTS
	var stamp := 0
	var body := 0


var fence: Array[Piece] = []
var looted := 0

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var camera: Camera2D = $Camera


func _ready() -> void:
	camera.zoom *= get_viewport_rect().size.y / manager.get_bounds().size.y
	for rock in ROCKS:
		manager.set_terrain_rect(rock, 255)
	manager.movement_types[0].set_cost(WOOD, 40)  # as long as a detour of 80 cells for a piece
	for y: int in [6, 8, 10, 12, 22, 24, 26, 28]:
		var piece := Piece.new()
		piece.cell = Vector2i(40, y)
		fence.append(piece)
	_repair()
	swarm.set_group_goal(0, manager.create_goal([GOLD]))
	swarm.agents_arrived.connect(func(ids: PackedInt64Array) -> void: looted += ids.size())
	($SpawnTimer as Timer).timeout.connect(_spawn)
	($RepairTimer as Timer).timeout.connect(_repair)


func _spawn() -> void:
	for i in 4:
		swarm.spawn(Vector2(9.0, randf_range(60.0, 588.0)))


func _repair() -> void:
	var wood := FlowStamp.new()
	wood.size = PIECE_SIZE
	wood.fill(WOOD)
	for piece in fence:
		var place := _get_rect(piece)
		# Not where agents are: 7 is their radius.
		if piece.stamp == 0 and swarm.query_rect(place.grow(7.0)).is_empty():
			piece.hit_points = HIT_POINTS
			piece.stamp = manager.place_stamp(wood, piece.cell)
			piece.body = swarm.add_box_body(place.get_center(), place.size)


func _physics_process(delta: float) -> void:
	for piece in fence:
		if piece.stamp != 0:
			piece.hit_points -= swarm.get_body_contacts(piece.body).size() * DAMAGE * delta
			if piece.hit_points <= 0.0:
				manager.remove_stamp(piece.stamp)
				swarm.remove_body(piece.body)
				piece.stamp = 0
	queue_redraw()


func _get_rect(piece: Piece) -> Rect2:
	return Rect2(piece.cell * manager.cell_size, PIECE_SIZE * manager.cell_size)


func _draw() -> void:
	draw_rect(manager.get_bounds(), Color("182030"))
	for rock in ROCKS:
		var place := Rect2(rock.position * manager.cell_size, rock.size * manager.cell_size)
		draw_rect(place, Color("384868"))
	for piece in fence:
		if piece.stamp != 0:
			var share := piece.hit_points / HIT_POINTS
			var wood := Color("3a2a20").lerp(Color("b98a56"), share)
			draw_rect(_get_rect(piece).grow(-1.0), wood)
	draw_circle(GOLD, 24.0, Color(Color("ffc95c"), 0.25), true, -1.0, true)
	draw_circle(GOLD, 14.0, Color("ffc95c"), true, -1.0, true)
