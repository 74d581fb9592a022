class_name SiegeGrenades
extends Node3D
## Grenades in flight: thrown in an arc, they explode where they hit, or when their time is over.

signal exploded(position: Vector3, radius: float, damage: float)

const SPEED := 24.0
const LIFT := 6.5
const GRAVITY := 12.0
const FUSE := 5.0
const RADIUS := 6.0
const DAMAGE := 10.0
const RELOAD := 0.55


class Grenade:
	var velocity := Vector3.ZERO
	var time := 0.0
	var ball: MeshInstance3D


var player: SiegePlayer
## The time until the next can be thrown, in seconds.
var wait := 0.0
var thrown := 0

var _flying: Array[Grenade] = []
var _mesh := _build_mesh()


func _physics_process(delta: float) -> void:
	wait = maxf(0.0, wait - delta)
	for grenade: Grenade in _flying.duplicate():
		_fly(grenade, delta)


func reset() -> void:
	for grenade in _flying:
		grenade.ball.queue_free()
	_flying.clear()
	wait = 0.0
	thrown = 0


## Throws a grenade where the player looks, if one is at hand.
func throw() -> void:
	if wait > 0.0:
		return
	wait = RELOAD
	thrown += 1
	var aim := player.get_aim()
	var grenade := Grenade.new()
	grenade.velocity = -aim.basis.z * SPEED + Vector3.UP * LIFT + player.velocity
	grenade.ball = MeshInstance3D.new()
	grenade.ball.mesh = _mesh
	add_child(grenade.ball)
	grenade.ball.global_position = aim * Vector3(0.25, -0.2, -0.5)
	_flying.append(grenade)


func _fly(grenade: Grenade, delta: float) -> void:
	grenade.time += delta
	grenade.velocity.y -= GRAVITY * delta
	var from := grenade.ball.global_position
	var to := from + grenade.velocity * delta
	var ray := PhysicsRayQueryParameters3D.create(from, to, 0xFFFFFFFF, [player.get_rid()])
	var hit := get_world_3d().direct_space_state.intersect_ray(ray)
	if hit.is_empty() and grenade.time < FUSE:
		grenade.ball.global_position = to
		grenade.ball.rotate_x(delta * 9.0)
		return
	_flying.erase(grenade)
	grenade.ball.queue_free()
	exploded.emit(hit.get("position", to) as Vector3, RADIUS, DAMAGE)


static func _build_mesh() -> Mesh:
	var iron := StandardMaterial3D.new()
	iron.albedo_color = Color(0.10, 0.10, 0.11)
	iron.emission_enabled = true
	iron.emission = Color(1.0, 0.35, 0.08)
	iron.emission_energy_multiplier = 0.5
	var ball := SphereMesh.new()
	ball.radius = 0.13
	ball.height = 0.26
	ball.radial_segments = 8
	ball.rings = 5
	ball.material = iron
	return ball
