extends Node2D
## Saves a crowd to a file and loads it again: F5 saves, F9 loads, and both happen by themselves in
## turns. Rings show where the agents were when they were saved.
##
## save_state() of the manager returns the world as bytes: terrain, goals and how far its work has
## come; that of the swarm returns the agents. load_state() brings them back, the world first, and
## the game goes on as it did. The game's own values are not part of them.

const PATH := "user://save_and_load.save"
const SAVE_AT := 3.0
const LOAD_AT := 8.0

var goal := 0
var time := 0.0
var blocks := 0
var saved_places := PackedVector2Array()

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var label: Label = $Label
@onready var camera: Camera2D = $Camera


func _ready() -> void:
	camera.zoom *= get_viewport_rect().size.y / manager.get_bounds().size.y
	goal = manager.create_goal([_get_target()])
	swarm.set_group_goal(0, goal)
	for i in 220:
		swarm.spawn(Vector2(60.0 + i / 20 * 20.0, 90.0 + i % 20 * 24.0))


func save_game() -> void:
	var data := {
		"time": time,
		"blocks": blocks,
		"world": manager.save_state(),
		"swarm": swarm.save_state(),
	}
	FileAccess.open(PATH, FileAccess.WRITE).store_var(data)
	saved_places = swarm.get_positions()
	label.text = "saved"


func load_game() -> void:
	if not FileAccess.file_exists(PATH):
		return
	var data: Dictionary = FileAccess.open(PATH, FileAccess.READ).get_var()
	time = data["time"]
	blocks = data["blocks"]
	var error := manager.load_state(data["world"] as PackedByteArray)
	if error == OK:
		error = swarm.load_state(data["swarm"] as PackedByteArray)
	label.text = "loaded" if error == OK else error_string(error)


func _physics_process(delta: float) -> void:
	var before := time
	time += delta
	manager.move_goal(goal, [_get_target()])
	if time > blocks + 1.0:
		# The terrain changes too: every second there is another block.
		var cell := Vector2i(14 + blocks * 11 % 34, 6 + blocks * 7 % 20)
		manager.set_terrain_rect(Rect2i(cell, Vector2i(4, 4)), 255)
		blocks += 1
	queue_redraw()
	if before < SAVE_AT and time >= SAVE_AT:
		save_game()
	elif time > LOAD_AT:
		load_game()


func _unhandled_key_input(event: InputEvent) -> void:
	if event.is_pressed() and (event as InputEventKey).keycode == KEY_F5:
		save_game()
	elif event.is_pressed() and (event as InputEventKey).keycode == KEY_F9:
		load_game()


func _get_target() -> Vector2:
	return Vector2(576.0, 324.0) + Vector2(440.0, 250.0) * Vector2.from_angle(time * 0.5)


func _draw() -> void:
	draw_rect(manager.get_bounds(), Color("182030"))
	var terrain := manager.get_terrain_bytes()
	for i in terrain.size():
		if terrain[i] == 255:
			var cell := Vector2i(i % manager.grid_size.x, i / manager.grid_size.x)
			draw_rect(Rect2(cell * manager.cell_size, Vector2(18, 18)), Color("384868"))
	for place in saved_places:
		draw_circle(place, 6.0, Color(Color("5b8cff"), 0.6), false, 1.5, true)
	draw_circle(_get_target(), 9.0, Color("ffae4d"), true, -1.0, true)
