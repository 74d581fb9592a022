extends Node2D
## Towers that make a maze of the ground, but never close it. The left mouse button builds, the
## right one removes; until you use them, a maze is built by itself.
##
## A tower is a stamp. Before it is built, can_place_stamp() tells whether the way from the spawn to
## the base, and from every enemy to the base, would stay open.

const SPAWN := Vector2(30, 324)
const BASE := Vector2(1110, 324)

var goal := 0
var tower := FlowStamp.new()
var towers: Dictionary[Vector2i, int] = {}  # the stamp of the tower at each cell
var plan_step := 0

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var build_timer: Timer = $BuildTimer
@onready var camera: Camera2D = $Camera


func _ready() -> void:
	camera.zoom *= get_viewport_rect().size.y / manager.get_bounds().size.y
	tower.size = Vector2i(3, 3)
	tower.fill(255)
	goal = manager.create_goal([BASE])
	swarm.set_group_goal(0, goal)
	build_timer.timeout.connect(_build_next)
	($SpawnTimer as Timer).timeout.connect(_spawn)


## Builds a tower if there is room and no enemy is cut off by it. Returns whether it was built.
func build(cell: Vector2i) -> bool:
	if not _is_free(Rect2i(cell, tower.size)):
		return false
	var pairs := PackedVector2Array([SPAWN, BASE])
	for place in swarm.get_positions():
		pairs.append_array([place, BASE])
	if not manager.can_place_stamp(tower, cell, 0, pairs):
		return false
	towers[cell] = manager.place_stamp(tower, cell)
	queue_redraw()
	return true


## Whether cells are in the grid, and have neither towers nor enemies on them.
func _is_free(cells: Rect2i) -> bool:
	if not Rect2i(Vector2i.ZERO, manager.grid_size).encloses(cells):
		return false
	for y in cells.size.y:
		for x in cells.size.x:
			if manager.get_terrain_at(cells.position + Vector2i(x, y)) == 255:
				return false
	var area := Rect2(cells.position * manager.cell_size, cells.size * manager.cell_size)
	return swarm.query_rect(area.grow(swarm.agent_types[0].radius)).is_empty()


## Builds columns of towers from edge to edge, in turns from above and from below. The last tower of
## each is refused, as it would close the maze.
func _build_next() -> void:
	var column := plan_step / 12 % 6
	var row := plan_step % 12
	build(Vector2i(7 + 9 * column, 3 * (row if column % 2 == 0 else 11 - row)))
	plan_step += 1


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button == null or not button.pressed:
		return
	build_timer.stop()
	var cell := manager.get_cell(get_global_mouse_position())
	if button.button_index == MOUSE_BUTTON_LEFT:
		build(cell - Vector2i.ONE)
	elif button.button_index == MOUSE_BUTTON_RIGHT:
		for corner: Vector2i in towers.keys():
			if Rect2i(corner, tower.size).has_point(cell):
				manager.remove_stamp(towers[corner])
				towers.erase(corner)
				queue_redraw()


func _spawn() -> void:
	swarm.spawn(SPAWN + Vector2(0.0, randf_range(-60.0, 60.0)))


func _draw() -> void:
	draw_rect(manager.get_bounds(), Color("182030"))
	var path := manager.get_path_from(goal, SPAWN, 0, true)  # smooth
	draw_polyline(path, Color(Color("ffc95c"), 0.4), 5.0, true)
	for cell in towers:
		var place := Rect2(cell * manager.cell_size, tower.size * manager.cell_size)
		draw_rect(place.grow(-1.0), Color("384868"))
		draw_circle(place.get_center(), 14.0, Color("5b8cff"), true, -1.0, true)
	draw_circle(BASE, 26.0, Color("6fe3a5"), true, -1.0, true)
	draw_circle(BASE, 18.0, Color("182030"), true, -1.0, true)
