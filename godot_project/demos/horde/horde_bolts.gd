class_name HordeBolts
extends Node2D
## Bolts that fly at the nearest enemies automatically, and through some of them.

const RANGE := 430.0
const SPEED := 760.0
const REACH := 7.0
const LIFE := 0.8
const SPREAD := 0.16
const MOST := 9

var enemies: HordeEnemies
var player: HordePlayer
var manager: FlowFieldManager
## The bolts of a volley, the time in seconds between two volleys, and the number of enemies that a
## bolt passes through.
var count := 1
var pause := 0.34
var piercing := 3

var _wait := 0.0
var _places := PackedVector2Array()
var _ways := PackedVector2Array()
var _lives := PackedFloat32Array()
var _left := PackedInt32Array()


func _ready() -> void:
	var light := CanvasItemMaterial.new()
	light.blend_mode = CanvasItemMaterial.BLEND_MODE_ADD
	material = light


func _physics_process(delta: float) -> void:
	_fly(delta)
	queue_redraw()
	_wait -= delta
	if player.alive and _wait <= 0.0:
		_shoot()


func reset() -> void:
	count = 1
	pause = 0.34
	piercing = 3
	_places.clear()
	_ways.clear()
	_lives.clear()
	_left.clear()


func _shoot() -> void:
	var target := enemies.swarm.query_nearest(player.position, RANGE)
	if target == 0:
		return
	_wait = pause
	var aim := player.position.direction_to(enemies.swarm.get_agent_position(target))
	for i in count:
		var way := aim.rotated((i - (count - 1) * 0.5) * SPREAD)
		_places.append(player.position + way * HordePlayer.RADIUS)
		_ways.append(way)
		_lives.append(LIFE)
		_left.append(piercing)


func _fly(delta: float) -> void:
	for i in range(_places.size() - 1, -1, -1):
		_places[i] += _ways[i] * SPEED * delta
		_lives[i] -= delta
		_left[i] -= enemies.strike(_places[i], REACH, 3, _left[i])
		if _lives[i] <= 0.0 or _left[i] <= 0 or _hits_wall(_places[i]):
			_drop(i)


func _hits_wall(place: Vector2) -> bool:
	var cell := manager.get_cell(place)
	return not manager.is_in_grid(cell) or manager.get_terrain_at(cell) == HordeArena.WALL


func _drop(index: int) -> void:
	var last := _places.size() - 1
	_places[index] = _places[last]
	_ways[index] = _ways[last]
	_lives[index] = _lives[last]
	_left[index] = _left[last]
	_places.resize(last)
	_ways.resize(last)
	_lives.resize(last)
	_left.resize(last)


func _draw() -> void:
	for i in _places.size():
		var tail := _places[i] - _ways[i] * 42.0
		var trail := PackedVector2Array([tail, _places[i]])
		draw_polyline_colors(trail, [Color(HordePalette.BOLT, 0.0), HordePalette.BOLT], 4.0, true)
		draw_circle(_places[i], 9.0, Color(HordePalette.BOLT, 0.22), true, -1.0, true)
		draw_circle(_places[i], 3.0, Color(HordePalette.BOLT, 0.9), true, -1.0, true)
