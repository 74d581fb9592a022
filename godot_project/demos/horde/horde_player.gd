class_name HordePlayer
extends Node2D
## The hero: moved with WASD, the arrow keys or a stick, kept out of walls, and hurt by enemies that
## touch.

signal died

const RADIUS := 12.0
const SPEED := 215.0
const ACCELERATION := 1900.0
const FULL_HEALTH := 100.0
## The health lost a second for each enemy that touches the hero, and the greatest number of enemies
## that count.
const BITE := 5.0
const MOST_BITERS := 6
## The number of passes in a frame that move the hero out of walls; a corner takes two.
const WALL_PASSES := 3

var manager: FlowFieldManager
var swarm: EnemySwarm
var velocity := Vector2.ZERO
var facing := Vector2.RIGHT
var health := FULL_HEALTH
var alive := true
## Health regained a second.
var healing := 1.0
## The direction of movement when no key is pressed: see [HordeRun].
var autopilot := Vector2.ZERO
## Recent damage, from 0 to 1.
var pain := 0.0

## The hero's body in the swarm, which enemies cannot walk through.
var _body := 0

@onready var _glow: Sprite2D = $Glow


func _ready() -> void:
	var light := CanvasItemMaterial.new()
	light.blend_mode = CanvasItemMaterial.BLEND_MODE_ADD
	_glow.material = light
	_glow.texture = LabTheme.radial_texture(
		[0.0, 0.25, 1.0],
		[
			Color(HordePalette.PLAYER, 0.50),
			Color(HordePalette.PLAYER, 0.16),
			Color(HordePalette.PLAYER, 0.0)
		],
		256
	)


func _physics_process(delta: float) -> void:
	pain = move_toward(pain, 0.0, delta * 1.6)
	if not alive:
		return
	_walk(delta)
	_suffer(delta)
	queue_redraw()


func reset(place: Vector2) -> void:
	position = place
	velocity = Vector2.ZERO
	facing = Vector2.RIGHT
	health = FULL_HEALTH
	healing = 1.0
	alive = true
	pain = 0.0
	visible = true
	if _body == 0:
		_body = swarm.add_body(place, RADIUS)
		swarm.attach_body(_body, self)
	queue_redraw()


func hurt(amount: float) -> void:
	if not alive:
		return
	health -= amount
	pain = minf(pain + amount * 0.09, 1.0)
	if health <= 0.0:
		health = 0.0
		alive = false
		visible = false
		swarm.remove_body(_body)
		_body = 0
		died.emit()


func _walk(delta: float) -> void:
	var wish := _wish()
	velocity = velocity.move_toward(wish * SPEED, ACCELERATION * delta)
	var before := position
	position += velocity * delta
	if _leave_walls() and position != before:
		# To slide along the wall, the part of the velocity into the wall is removed.
		velocity = (position - before) / delta
	if wish != Vector2.ZERO:
		facing = facing.slerp(wish.normalized(), minf(1.0, delta * 16.0)).normalized()


## The direction of the keys or the stick; at most of length 1.
func _wish() -> Vector2:
	var keys := Vector2(
		_held(KEY_D, KEY_RIGHT) - _held(KEY_A, KEY_LEFT),
		_held(KEY_S, KEY_DOWN) - _held(KEY_W, KEY_UP)
	)
	var stick := Vector2(
		Input.get_joy_axis(0, JOY_AXIS_LEFT_X), Input.get_joy_axis(0, JOY_AXIS_LEFT_Y)
	)
	if stick.length() > 0.25:
		keys += stick
	return autopilot if keys == Vector2.ZERO else keys.limit_length(1.0)


func _held(letter: Key, arrow: Key) -> float:
	var down := Input.is_physical_key_pressed(letter) or Input.is_physical_key_pressed(arrow)
	return 1.0 if down else 0.0


## Moves out of the walls that the hero's disc overlaps. Returns whether there were any.
func _leave_walls() -> bool:
	var touched := false
	for i in WALL_PASSES:
		var nearest := Vector2.INF
		for point in manager.get_closest_walls(position, RADIUS):
			if point.distance_squared_to(position) < nearest.distance_squared_to(position):
				nearest = point
		var gap := position - nearest
		if nearest == Vector2.INF or gap.length() >= RADIUS - 0.001 or gap == Vector2.ZERO:
			break
		position = nearest + gap.normalized() * RADIUS
		touched = true
	return touched


func _suffer(delta: float) -> void:
	var biters := mini(swarm.get_body_contacts(_body).size(), MOST_BITERS)
	if biters > 0:
		hurt(biters * BITE * delta)
	else:
		health = minf(health + healing * delta, FULL_HEALTH)


func _draw() -> void:
	var skin := HordePalette.PLAYER.lerp(HordePalette.HEALTH, pain)
	draw_circle(Vector2(3.0, 6.0), RADIUS * 1.15, Color(0.0, 0.0, 0.0, 0.45), true, -1.0, true)
	draw_set_transform(Vector2.ZERO, facing.angle())
	var cloak := PackedVector2Array(
		[
			Vector2(4.0, -13.0),
			Vector2(-10.0, -11.0),
			Vector2(-20.0, -5.0),
			Vector2(-16.0, 0.0),
			Vector2(-20.0, 5.0),
			Vector2(-10.0, 11.0),
			Vector2(4.0, 13.0)
		]
	)
	draw_colored_polygon(cloak, skin.darkened(0.62))
	draw_circle(Vector2.ZERO, RADIUS + 1.5, Color("0b1220"), true, -1.0, true)
	draw_circle(Vector2.ZERO, RADIUS, skin.darkened(0.30), true, -1.0, true)
	draw_circle(Vector2(1.5, -1.0), RADIUS * 0.74, skin, true, -1.0, true)
	draw_circle(Vector2(3.0, -2.0), RADIUS * 0.40, skin.lightened(0.65), true, -1.0, true)
	var nose := PackedVector2Array([Vector2(19.0, 0.0), Vector2(11.0, -5.5), Vector2(11.0, 5.5)])
	draw_colored_polygon(nose, skin.lightened(0.4))
	draw_set_transform(Vector2.ZERO)
