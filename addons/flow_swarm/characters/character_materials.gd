@tool
extends RefCounted
## Materials for the shader of characters, with what the materials of the scene have.

const Report := preload("character_report.gd")

const SHADER: Shader = preload("../shaders/character.gdshader")
const BODY: ShaderInclude = preload("../shaders/character.gdshaderinc")
const CHANNELS: Array[Vector4] = [
	Vector4(1.0, 0.0, 0.0, 0.0),
	Vector4(0.0, 1.0, 0.0, 0.0),
	Vector4(0.0, 0.0, 1.0, 0.0),
	Vector4(0.0, 0.0, 0.0, 1.0),
	Vector4(1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0),
]

## The parameters that all materials have.
var shared := {}
var _report: Report
var _shaders := {}


func _init(report: Report) -> void:
	_report = report


## The material of a surface that had this one, which may be null.
func of(source: Material) -> ShaderMaterial:
	var material := ShaderMaterial.new()
	var base := source as BaseMaterial3D
	if base == null:
		var kind := "no material" if source == null else source.get_class()
		_report.warn("a surface with %s becomes white" % kind)
	else:
		material.resource_name = base.resource_name
	material.shader = _shader_of(base)
	for name: StringName in shared:
		material.set_shader_parameter(name, shared[name])
	if base != null:
		_take_surface(material, base)
		_take_light(material, base)
	return material


static func needs_tangents(material: Material) -> bool:
	var base := material as BaseMaterial3D
	return base != null and base.normal_enabled and base.normal_texture != null


static func needs_colors(material: Material) -> bool:
	var base := material as BaseMaterial3D
	return base != null and base.vertex_color_use_as_albedo


func _take_surface(material: ShaderMaterial, base: BaseMaterial3D) -> void:
	material.set_shader_parameter(&"albedo", base.albedo_color)
	_take_texture(material, &"albedo_texture", base.albedo_texture)
	material.set_shader_parameter(&"uv_scale", Vector2(base.uv1_scale.x, base.uv1_scale.y))
	material.set_shader_parameter(&"uv_offset", Vector2(base.uv1_offset.x, base.uv1_offset.y))
	material.set_shader_parameter(&"metallic", base.metallic)
	material.set_shader_parameter(&"roughness", base.roughness)
	material.set_shader_parameter(&"specular", base.metallic_specular)
	if base is ORMMaterial3D:
		# Green is the roughness and blue the metal, as the shader has it by default.
		_take_texture(material, &"metallic_texture", base.orm_texture)
		_take_texture(material, &"roughness_texture", base.orm_texture)
		if base.orm_texture != null:
			material.set_shader_parameter(&"metallic", 1.0)
			material.set_shader_parameter(&"roughness", 1.0)
	else:
		_take_texture(material, &"metallic_texture", base.metallic_texture)
		_take_texture(material, &"roughness_texture", base.roughness_texture)
		var metal := CHANNELS[base.metallic_texture_channel]
		material.set_shader_parameter(&"metallic_channel", metal)
		material.set_shader_parameter(
			&"roughness_channel", CHANNELS[base.roughness_texture_channel]
		)
	if base.transparency == BaseMaterial3D.TRANSPARENCY_ALPHA_SCISSOR:
		material.set_shader_parameter(&"alpha_scissor", base.alpha_scissor_threshold)


func _take_light(material: ShaderMaterial, base: BaseMaterial3D) -> void:
	if base.normal_enabled:
		if base.normal_texture == null:
			_report.warn('material "%s" lacks the texture of its normals' % base.resource_name)
		_take_texture(material, &"normal_texture", base.normal_texture)
		material.set_shader_parameter(&"normal_scale", base.normal_scale)
	if base.emission_enabled:
		material.set_shader_parameter(&"emission", base.emission)
		material.set_shader_parameter(&"emission_energy", base.emission_energy_multiplier)
		_take_texture(material, &"emission_texture", base.emission_texture)
		var multiplies := base.emission_operator == BaseMaterial3D.EMISSION_OP_MULTIPLY
		material.set_shader_parameter(
			&"emission_multiplies", multiplies and base.emission_texture != null
		)


func _take_texture(material: ShaderMaterial, name: StringName, texture: Texture2D) -> void:
	if texture is PlaceholderTexture2D:
		var text := 'the file of a texture of material "%s" is missing'
		_report.warn(text % material.resource_name)
	elif texture != null:
		material.set_shader_parameter(name, texture)


## The addon's shader, or one with the same body for what render modes decide.
func _shader_of(base: BaseMaterial3D) -> Shader:
	var modes := PackedStringArray()
	var defines := ""
	if base != null:
		match base.cull_mode:
			BaseMaterial3D.CULL_DISABLED:
				modes.append("cull_disabled")
			BaseMaterial3D.CULL_FRONT:
				modes.append("cull_front")
		if base.shading_mode == BaseMaterial3D.SHADING_MODE_UNSHADED:
			modes.append("unshaded")
		if needs_tangents(base):
			defines += "#define NORMAL_MAP_USED\n"
		match base.transparency:
			BaseMaterial3D.TRANSPARENCY_DISABLED:
				pass
			BaseMaterial3D.TRANSPARENCY_ALPHA_SCISSOR, BaseMaterial3D.TRANSPARENCY_ALPHA_HASH:
				defines += "#define CUTOUT\n"
			_:
				defines += "#define BLENDED\n"
	var head := "shader_type spatial;\n"
	if not modes.is_empty():
		head += "render_mode %s;\n" % ", ".join(modes)
	head += defines
	if not _shaders.has(head):
		var shader := SHADER
		if not modes.is_empty() or defines != "":
			shader = Shader.new()
			shader.code = '%s\n#include "%s"\n' % [head, BODY.resource_path]
		_shaders[head] = shader
	return _shaders[head]
