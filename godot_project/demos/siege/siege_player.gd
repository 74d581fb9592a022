class_name SiegePlayer
extends CharacterBody3D
## The defender, in first person: WASD walks, the mouse looks, Space jumps, Shift runs. Walks up
## steps by itself.

## Emitted once when no hit points are left.
signal died

const FULL_HEALTH := 100.0
## Hit points that come back in a second, once nothing has struck for a while.
const RECOVERY := 4.0
const RECOVERY_WAIT := 4.0
const WALK_SPEED := 4.6
const RUN_SPEED := 7.5
const ACCELERATION := 60.0
const JUMP_SPEED := 5.4
const GRAVITY := 14.0
## The highest step that is walked up.
const STEP_HEIGHT := 0.36
const EYE_HEIGHT := 1.66
const RADIUS := 0.34
const HEIGHT := 1.8
## Radians for each pixel that the mouse moves.
const LOOK_SPEED := 0.0024
const STEEPEST_LOOK := 1.45

## Whether keys and mouse are heeded.
var active := true
var health := FULL_HEALTH
var camera := Camera3D.new()

var _bob := 0.0
var _since_struck := 0.0
## How far the eye is still below its place after a step, so that stairs do not jolt.
var _lag := 0.0


func _ready() -> void:
	var capsule := CapsuleShape3D.new()
	capsule.radius = RADIUS
	capsule.height = HEIGHT
	var shape := CollisionShape3D.new()
	shape.shape = capsule
	shape.position.y = HEIGHT * 0.5
	add_child(shape)
	camera.fov = 72.0
	camera.near = 0.08
	camera.far = 900.0
	camera.position.y = EYE_HEIGHT
	add_child(camera)
	camera.make_current()
	floor_snap_length = 0.3


func _unhandled_input(event: InputEvent) -> void:
	var motion := event as InputEventMouseMotion
	if motion != null and active:
		look(motion.screen_relative * LOOK_SPEED)


func _physics_process(delta: float) -> void:
	_since_struck += delta
	if _since_struck > RECOVERY_WAIT and health > 0.0:
		health = minf(FULL_HEALTH, health + RECOVERY * delta)
	var wish := _get_wish() if active else Vector3.ZERO
	var speed := RUN_SPEED if Input.is_physical_key_pressed(KEY_SHIFT) else WALK_SPEED
	var flat := Vector3(velocity.x, 0.0, velocity.z)
	flat = flat.move_toward(wish * speed, ACCELERATION * delta * (1.0 if is_on_floor() else 0.3))
	velocity = Vector3(flat.x, velocity.y - GRAVITY * delta, flat.z)
	if active and is_on_floor() and Input.is_physical_key_pressed(KEY_SPACE):
		velocity.y = JUMP_SPEED
	else:
		_climb_step(flat * delta)
	move_and_slide()
	if is_on_floor():
		_bob += flat.length() * delta
	_lag = move_toward(_lag, 0.0, delta * maxf(2.0, _lag * 12.0))
	camera.position.y = EYE_HEIGHT - _lag + sin(_bob * 2.1) * 0.025


func reset(place: Vector3, yaw: float) -> void:
	health = FULL_HEALTH
	position = place
	velocity = Vector3.ZERO
	rotation.y = yaw
	camera.rotation.x = -0.12
	_lag = 0.0


## Turns by angles in radians: X to the right, Y down.
func look(by: Vector2) -> void:
	rotation.y -= by.x
	camera.rotation.x = clampf(camera.rotation.x - by.y, -STEEPEST_LOOK, STEEPEST_LOOK)


func take_damage(amount: float) -> void:
	if health <= 0.0 or amount <= 0.0:
		return
	_since_struck = 0.0
	health = maxf(0.0, health - amount)
	if health <= 0.0:
		died.emit()


## Where weapons fire from, and where they point.
func get_aim() -> Transform3D:
	return camera.global_transform


func _get_wish() -> Vector3:
	var keys := Vector2(
		_pressed(KEY_D, KEY_RIGHT) - _pressed(KEY_A, KEY_LEFT),
		_pressed(KEY_S, KEY_DOWN) - _pressed(KEY_W, KEY_UP)
	)
	return basis * Vector3(keys.x, 0.0, keys.y).limit_length()


static func _pressed(key: Key, other: Key) -> float:
	return float(Input.is_physical_key_pressed(key) or Input.is_physical_key_pressed(other))


## Lifts the body onto a step in its way, if there is room above it.
func _climb_step(motion: Vector3) -> void:
	if not is_on_floor() or motion.length_squared() < 1e-8:
		return
	var ahead := motion + motion.normalized() * 0.12
	if not test_move(global_transform, ahead):
		return
	var raised := global_transform.translated(Vector3.UP * STEP_HEIGHT)
	if test_move(global_transform, Vector3.UP * STEP_HEIGHT) or test_move(raised, ahead):
		return
	var landing := KinematicCollision3D.new()
	if not test_move(raised.translated(ahead), Vector3.DOWN * STEP_HEIGHT, landing):
		return
	if landing.get_normal().y < cos(floor_max_angle):
		return
	var rise := STEP_HEIGHT + landing.get_travel().y
	if rise > 0.02:
		global_position.y += rise
		_lag = minf(_lag + rise, 0.5)
