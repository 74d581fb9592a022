extends Node2D
## Guards patrol, and chase an intruder whom they see until they have lost sight for some time. Walk
## with the arrow keys. The intruder can be seen from the bright ground.
##
## is_in_sight() tells whether a guard sees the intruder. The intruder is a goal, so that
## get_line_of_sight() tells it for all cells. A guard that chases gets another group, whose goal is
## the intruder.

const CHASE := 3  # the group of guards that chase; groups 0 to 2 are the patrols
const VIEW_DISTANCE := 270.0
const VIEW_ANGLE := deg_to_rad(40.0)  # to each side
const MEMORY := 2.0  # seconds
const WALLS: Array[Rect2i] = [
	Rect2i(10, 6, 12, 2),
	Rect2i(10, 8, 2, 10),
	Rect2i(22, 18, 2, 12),
	Rect2i(24, 18, 8, 2),
	Rect2i(34, 4, 2, 9),
	Rect2i(42, 10, 12, 2),
]
const STARTS: Array[Vector2] = [Vector2(300, 230), Vector2(680, 580), Vector2(1000, 280)]
const ENDS: Array[Vector2] = [Vector2(300, 580), Vector2(680, 80), Vector2(820, 580)]
## Where the intruder walks without keys.
const WALK: Array[Vector2] = [
	Vector2(90, 60),
	Vector2(90, 600),
	Vector2(500, 600),
	Vector2(500, 420),
	Vector2(1080, 420),
	Vector2(1080, 60),
]

var intruder := WALK[0]
var stage := 0  # of WALK
var goal := 0  # the intruder
var patrol_goals := PackedInt64Array()
var guards := PackedInt64Array()
var last_seen := PackedFloat32Array([-INF, -INF, -INF])  # when each guard saw the intruder
var time := 0.0

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Guards
@onready var overlay: Node2D = $Overlay


func _ready() -> void:
	($Camera as Camera2D).zoom *= get_viewport_rect().size.y / manager.get_bounds().size.y
	for wall in WALLS:
		manager.set_terrain_rect(wall, 255)
	goal = manager.create_goal([intruder])
	swarm.set_group_goal(CHASE, goal)
	for i in STARTS.size():
		patrol_goals.append(manager.create_goal([ENDS[i]]))
		swarm.set_group_goal(i, patrol_goals[i])
		guards.append(swarm.spawn(STARTS[i], 0, i))
	swarm.agents_arrived.connect(_on_agents_arrived)
	overlay.draw.connect(_draw_overlay)


func _physics_process(delta: float) -> void:
	time += delta
	var way := Input.get_vector(&"ui_left", &"ui_right", &"ui_up", &"ui_down")
	var next := intruder + way * 90.0 * delta
	if way == Vector2.ZERO:
		next = intruder.move_toward(WALK[stage], 90.0 * delta)
		stage = (stage + int(next == WALK[stage])) % WALK.size()
	if manager.get_bounds().has_point(next) and manager.get_closest_walls(next, 8.0).is_empty():
		intruder = next
	manager.move_goal(goal, [intruder])
	for i in guards.size():
		if _sees(guards[i]):
			last_seen[i] = time
		swarm.set_agent_group([guards[i]], CHASE if time < last_seen[i] + MEMORY else i)
	queue_redraw()
	overlay.queue_redraw()


func _sees(guard: int) -> bool:
	var place := swarm.get_agent_position(guard)
	var gap := intruder - place
	var angle := swarm.get_agent_velocity(guard).angle_to(gap)  # 0 for a guard that stands
	var is_in_view := gap.length() < VIEW_DISTANCE and absf(angle) < VIEW_ANGLE
	return is_in_view and manager.is_in_sight(place, intruder)


func _on_agents_arrived(ids: PackedInt64Array) -> void:
	for id in ids:
		var group := swarm.get_agent_group(id)
		if group == CHASE:  # the intruder is caught, and begins anew
			intruder = WALK[0]
			stage = 0
			last_seen.fill(-INF)
		else:
			var is_at_end := swarm.get_agent_position(id).distance_to(ENDS[group]) < 40.0
			manager.move_goal(patrol_goals[group], [STARTS[group] if is_at_end else ENDS[group]])


func _draw() -> void:
	draw_rect(manager.get_bounds(), Color("101828"))
	var seen := manager.get_line_of_sight(goal)
	for i in seen.size():
		if seen[i] == 1:
			var cell := Vector2(i % manager.grid_size.x, i / manager.grid_size.x)
			draw_rect(Rect2(cell * manager.cell_size, Vector2(18, 18)), Color("283050"))
	for wall in WALLS:
		draw_rect(Rect2(wall.position * 18, wall.size * 18), Color("506090"))


func _draw_overlay() -> void:
	overlay.draw_circle(intruder, 9.0, Color("8fe9ff"), true, -1.0, true)
	for guard in guards:
		var view := PackedVector2Array([swarm.get_agent_position(guard)])
		for i in 13:
			var angle := swarm.get_agent_velocity(guard).angle() + VIEW_ANGLE * (i / 6.0 - 1.0)
			view.append(view[0] + Vector2.from_angle(angle) * VIEW_DISTANCE)
		var is_alert := swarm.get_agent_group(guard) == CHASE
		overlay.draw_colored_polygon(view, Color(Color.RED if is_alert else Color.WHITE, 0.12))
