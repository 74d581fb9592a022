class_name SiegeModelMaterials
extends RefCounted
## Materials of the models. They have plain colours, so that the team's colour can be replaced.


static func plain(
	material_name: String, color: Color, roughness: float, metallic := 0.0
) -> StandardMaterial3D:
	var material := StandardMaterial3D.new()
	material.resource_name = material_name
	material.albedo_color = color
	material.roughness = roughness
	material.metallic = metallic
	return material
