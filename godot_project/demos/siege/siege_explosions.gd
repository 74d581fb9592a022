class_name SiegeExplosions
extends Node3D
## What is seen of explosions: a flash of light, a ball of fire that becomes smoke, and earth thrown
## up. Nodes are kept and used again.

const KEPT := 6
const FLASH_TIME := 0.35


class Explosion:
	var node := Node3D.new()
	var light := OmniLight3D.new()
	var clouds: Array[CPUParticles3D] = []
	var age := INF


var _explosions: Array[Explosion] = []
var _next := 0


func _ready() -> void:
	for i in KEPT:
		_explosions.append(_build())


func _process(delta: float) -> void:
	for explosion in _explosions:
		explosion.age += delta
		var flash := maxf(0.0, 1.0 - explosion.age / FLASH_TIME)
		explosion.light.light_energy = 14.0 * flash * flash
		explosion.light.visible = flash > 0.0


func show_at(place: Vector3, radius: float) -> void:
	var explosion := _explosions[_next]
	_next = (_next + 1) % KEPT
	explosion.age = 0.0
	explosion.node.global_position = place
	explosion.light.omni_range = radius * 2.4
	for cloud in explosion.clouds:
		cloud.restart()
		cloud.emitting = true


func _build() -> Explosion:
	var explosion := Explosion.new()
	explosion.light.light_color = Color(1.0, 0.62, 0.28)
	explosion.light.position.y = 1.0
	explosion.node.add_child(explosion.light)
	var fire := _new_cloud(26, 0.55, Vector2(3.0, 8.0), 1.5, true)
	fire.color_ramp = _ramp(
		[Color(1.0, 0.9, 0.55), Color(1.0, 0.45, 0.1), Color(0.3, 0.08, 0.02, 0.0)]
	)
	var smoke := _new_cloud(18, 2.2, Vector2(1.5, 4.5), 2.4, false)
	smoke.color_ramp = _ramp(
		[Color(0.16, 0.14, 0.13, 0.85), Color(0.30, 0.28, 0.26, 0.5), Color(0.5, 0.5, 0.5, 0.0)]
	)
	smoke.gravity = Vector3(0.6, 1.2, 0.0)
	smoke.damping_min = 2.0
	smoke.damping_max = 3.0
	var earth := _new_cloud(40, 1.1, Vector2(6.0, 13.0), 0.22, false)
	earth.color = Color(0.20, 0.15, 0.10)
	earth.spread = 50.0
	earth.gravity = Vector3(0.0, -16.0, 0.0)
	for cloud: CPUParticles3D in [smoke, fire, earth]:
		explosion.clouds.append(cloud)
		explosion.node.add_child(cloud)
	add_child(explosion.node)
	return explosion


static func _new_cloud(
	amount: int, life: float, speeds: Vector2, size: float, glows: bool
) -> CPUParticles3D:
	var puff := SphereMesh.new()
	puff.radius = size * 0.5
	puff.height = size
	puff.radial_segments = 7
	puff.rings = 4
	var material := StandardMaterial3D.new()
	material.vertex_color_use_as_albedo = true
	material.vertex_color_is_srgb = true
	material.transparency = BaseMaterial3D.TRANSPARENCY_ALPHA
	if glows:
		material.shading_mode = BaseMaterial3D.SHADING_MODE_UNSHADED
		material.blend_mode = BaseMaterial3D.BLEND_MODE_ADD
	puff.material = material
	var cloud := CPUParticles3D.new()
	cloud.emitting = false
	cloud.one_shot = true
	cloud.explosiveness = 0.94
	cloud.amount = amount
	cloud.lifetime = life
	cloud.mesh = puff
	cloud.direction = Vector3.UP
	cloud.spread = 80.0
	cloud.gravity = Vector3(0.0, 1.0, 0.0)
	cloud.initial_velocity_min = speeds.x
	cloud.initial_velocity_max = speeds.y
	cloud.damping_min = 4.0 if glows else 0.0
	cloud.damping_max = 9.0 if glows else 0.0
	cloud.scale_amount_min = 0.5
	cloud.scale_amount_max = 1.3
	cloud.angle_max = 180.0
	cloud.cast_shadow = GeometryInstance3D.SHADOW_CASTING_SETTING_OFF
	return cloud


static func _ramp(colors: Array[Color]) -> Gradient:
	var ramp := Gradient.new()
	ramp.colors = PackedColorArray(colors)
	ramp.offsets = PackedFloat32Array([0.0, 0.4, 1.0])
	return ramp
