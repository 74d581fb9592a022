class_name SiegeSky
extends Node3D
## A late morning: sky, a sun from the side of the field before the gate, and haze in the distance.

const SKY: Shader = preload("sky.gdshader")


func _ready() -> void:
	var sun := DirectionalLight3D.new()
	sun.rotation_degrees = Vector3(-43.0, -58.0, 0.0)
	sun.light_color = Color(1.0, 0.945, 0.84)
	sun.light_energy = 1.35
	sun.shadow_enabled = true
	sun.shadow_blur = 1.2
	sun.directional_shadow_mode = DirectionalLight3D.SHADOW_PARALLEL_4_SPLITS
	sun.directional_shadow_max_distance = 140.0
	sun.directional_shadow_blend_splits = true
	add_child(sun)
	var world := WorldEnvironment.new()
	world.environment = _build_environment()
	add_child(world)


func _build_environment() -> Environment:
	var colors := ShaderMaterial.new()
	colors.shader = SKY
	var sky := Sky.new()
	sky.sky_material = colors
	var environment := Environment.new()
	environment.background_mode = Environment.BG_SKY
	environment.sky = sky
	environment.ambient_light_source = Environment.AMBIENT_SOURCE_SKY
	environment.ambient_light_color = Color(0.74, 0.70, 0.64)
	environment.ambient_light_sky_contribution = 0.45
	# The Compatibility renderer shows the same light darker.
	var compatible := RenderingServer.get_current_rendering_method() == "gl_compatibility"
	environment.ambient_light_energy = 0.8 if compatible else 0.48
	environment.tonemap_mode = Environment.TONE_MAPPER_FILMIC
	environment.tonemap_exposure = 1.05
	environment.tonemap_white = 6.0
	environment.fog_enabled = true
	environment.fog_light_color = Color(0.70, 0.77, 0.84)
	environment.fog_density = 0.0011
	environment.fog_aerial_perspective = 0.3
	environment.fog_sky_affect = 0.0
	# Only Forward+ has it; elsewhere the engine leaves it out.
	environment.ssao_enabled = true
	environment.ssao_radius = 1.6
	environment.ssao_intensity = 2.6
	return environment
