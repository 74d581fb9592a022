extends Node2D
## Orders to some agents of a crowd: drag a box with the left mouse button to select soldiers, and
## click with the right one to send them. Until you do, they get orders by themselves.
##
## query_rect() selects. send_in_formation() sends the selected to a place: they march in formation,
## squeeze together where it is narrow, and form up there.

const ROCKS: Array[Rect2i] = [
	Rect2i(16, 8, 4, 9),
	Rect2i(16, 22, 4, 8),
	Rect2i(30, 14, 8, 8),
	Rect2i(48, 6, 4, 9),
	Rect2i(44, 24, 9, 4),
]

var selected := PackedInt64Array()
var drag_from := Vector2.INF  # where a box begins; INF without a box

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var overlay: Node2D = $Overlay
@onready var order_timer: Timer = $OrderTimer
@onready var camera: Camera2D = $Camera


func _ready() -> void:
	camera.zoom *= get_viewport_rect().size.y / manager.get_bounds().size.y
	for rock in ROCKS:
		manager.set_terrain_rect(rock, 255)
	for i in 90:
		swarm.spawn(Vector2(60.0 + i % 6 * 30.0, 100.0 + i / 6 * 30.0))
	order_timer.timeout.connect(_give_any_order)
	overlay.draw.connect(_draw_overlay)


func _process(_delta: float) -> void:
	overlay.queue_redraw()


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button == null:
		return
	order_timer.stop()
	if button.button_index == MOUSE_BUTTON_RIGHT and button.pressed:
		send(selected, get_global_mouse_position())
	elif button.button_index == MOUSE_BUTTON_LEFT and button.pressed:
		drag_from = get_global_mouse_position()
	elif button.button_index == MOUSE_BUTTON_LEFT:
		selected = swarm.query_rect(_get_box())
		drag_from = Vector2.INF


## Sends soldiers to a place, or as near to it as they can come.
func send(ids: PackedInt64Array, place: Vector2) -> void:
	if ids.is_empty() or not manager.get_bounds().has_point(place):
		return
	place = manager.get_nearest_reachable(swarm.get_agent_position(ids[0]), place)
	swarm.send_in_formation(ids, place, EnemySwarm.FORMATION_BLOCK)


func _give_any_order() -> void:
	var place := Vector2(randf_range(60.0, 1090.0), randf_range(60.0, 590.0))
	var ids := swarm.get_ids()
	var first := randi_range(0, 2) * 30
	selected = ids.slice(first, first + 30)
	send(selected, place)


func _get_box() -> Rect2:
	return Rect2(drag_from, get_global_mouse_position() - drag_from).abs()


func _draw() -> void:
	draw_rect(manager.get_bounds(), Color("182030"))
	for rock in ROCKS:
		var place := Rect2(rock.position * manager.cell_size, rock.size * manager.cell_size)
		draw_rect(place, Color("384868"))


func _draw_overlay() -> void:
	for place in swarm.get_positions_of(selected):
		overlay.draw_circle(place, 12.0, Color("ffffff"), false, 1.5, true)
	for goal in manager.get_goals():
		var place := manager.get_goal_targets(goal)[0]
		overlay.draw_circle(place, 6.0, Color("ffae4d"), true, -1.0, true)
	if drag_from.is_finite():
		overlay.draw_rect(_get_box(), Color(1.0, 1.0, 1.0, 0.15))
