class_name SiegeBeam
extends Node3D
## The beam of the player's staff: burns along a ray while it is held, until its charge is used up.

## Emitted in every physics tick in which the beam burns.
signal beam_hit(from: Vector3, to: Vector3)

const REACH := 120.0
const WIDTH := 0.06
## Seconds of fire in a full charge, and seconds to charge it.
const FIRE_TIME := 3.0
const CHARGE_TIME := 2.5
## The least charge with which the beam begins.
const LEAST_CHARGE := 0.15
## Where the head of the staff is, from the eye.
const MUZZLE := Vector3(0.34, -0.16, -0.85)

var player: SiegePlayer
## Whether the player wants it to burn.
var held := false
var burning := false
var charge := 1.0

var _ray := MeshInstance3D.new()
var _spot := OmniLight3D.new()
var _orb := MeshInstance3D.new()
var _staff := Node3D.new()


func _ready() -> void:
	var glow := _new_glow(Color(0.35, 0.75, 1.0))
	var tube := CylinderMesh.new()
	tube.top_radius = WIDTH
	tube.bottom_radius = WIDTH * 0.3
	tube.height = 1.0
	tube.radial_segments = 8
	tube.rings = 0
	tube.material = glow
	_ray.mesh = tube
	_ray.cast_shadow = GeometryInstance3D.SHADOW_CASTING_SETTING_OFF
	add_child(_ray)
	_spot.light_color = Color(0.45, 0.8, 1.0)
	_spot.omni_range = 7.0
	_spot.light_energy = 5.0
	add_child(_spot)
	add_child(_staff)
	_add_staff()
	reset()


func _process(_delta: float) -> void:
	_staff.global_transform = player.get_aim()
	_orb.scale = Vector3.ONE * (0.6 + 0.5 * charge + (0.35 if burning else 0.0))


## Runs after the player, so that the beam starts where the player is now.
func _physics_process(delta: float) -> void:
	var wanted := held and player.active
	burning = wanted and charge > (0.0 if burning else LEAST_CHARGE)
	charge = clampf(charge + (-delta / FIRE_TIME if burning else delta / CHARGE_TIME), 0.0, 1.0)
	_ray.visible = burning
	_spot.visible = burning
	if burning:
		_burn()


func reset() -> void:
	held = false
	burning = false
	charge = 1.0
	_ray.visible = false
	_spot.visible = false


func _burn() -> void:
	var aim := player.get_aim()
	var from := aim.origin
	var to := from - aim.basis.z * REACH
	var query := PhysicsRayQueryParameters3D.create(from, to, 0xFFFFFFFF, [player.get_rid()])
	var hit := get_world_3d().direct_space_state.intersect_ray(query)
	to = hit.get("position", to)
	_show_between(aim * MUZZLE, to)
	beam_hit.emit(from, to)


func _show_between(from: Vector3, to: Vector3) -> void:
	var length := from.distance_to(to)
	var along := (to - from) / maxf(length, 0.001)
	var side := along.cross(Vector3.UP if absf(along.y) < 0.99 else Vector3.RIGHT).normalized()
	_ray.global_transform = Transform3D(
		Basis(side, along * length, side.cross(along)), (from + to) * 0.5
	)
	_spot.global_position = to - along * 0.4


func _add_staff() -> void:
	var wood := StandardMaterial3D.new()
	wood.albedo_color = Color(0.30, 0.19, 0.11)
	var rod := CylinderMesh.new()
	rod.top_radius = 0.022
	rod.bottom_radius = 0.028
	rod.height = 1.2
	rod.radial_segments = 6
	rod.material = wood
	var shaft := MeshInstance3D.new()
	shaft.mesh = rod
	shaft.transform = Transform3D(Basis(Vector3.RIGHT, -1.15), MUZZLE + Vector3(0.0, -0.25, 0.5))
	_staff.add_child(shaft)
	var ball := SphereMesh.new()
	ball.radius = 0.034
	ball.height = 0.068
	ball.radial_segments = 8
	ball.rings = 4
	ball.material = _new_glow(Color(0.25, 0.6, 1.0))
	_orb.mesh = ball
	_orb.position = MUZZLE
	_orb.cast_shadow = GeometryInstance3D.SHADOW_CASTING_SETTING_OFF
	_staff.add_child(_orb)


static func _new_glow(color: Color) -> StandardMaterial3D:
	var glow := StandardMaterial3D.new()
	glow.shading_mode = BaseMaterial3D.SHADING_MODE_UNSHADED
	glow.blend_mode = BaseMaterial3D.BLEND_MODE_ADD
	glow.albedo_color = color
	glow.disable_fog = true
	return glow
