class_name SiegeSoldierModel
extends RefCounted
## The foot soldier: 1.85 m to the top of the helmet, with an axe and a shield.

const HEEL := Vector3(0.0, -0.09, -0.06)
const BALL := Vector3(0.005, -0.09, 0.13)

var rig := SiegeModelRig.new()


func _init() -> void:
	rig.add(&"root", &"", Vector3.ZERO)
	rig.add(&"hips", &"root", Vector3(0.0, 0.95, 0.0))
	rig.add(&"spine", &"hips", Vector3(0.0, 1.06, -0.01))
	rig.add(&"chest", &"spine", Vector3(0.0, 1.24, -0.01))
	rig.add(&"head", &"chest", Vector3(0.0, 1.52, 0.0))
	rig.add_pair("shoulder", "chest", Vector3(0.07, 1.44, 0.0))
	rig.add_pair("upper_arm", "shoulder", Vector3(0.235, 1.43, 0.0))
	rig.add_pair("forearm", "upper_arm", Vector3(0.245, 1.15, 0.0))
	rig.add_pair("hand", "forearm", Vector3(0.245, 0.91, 0.0))
	rig.add(&"shield", &"forearm_l", Vector3(0.29, 1.02, 0.0))
	rig.add(&"weapon", &"hand_r", Vector3(-0.245, 0.85, 0.02))
	rig.add_pair("thigh", "hips", Vector3(0.105, 0.90, 0.0))
	rig.add_pair("shin", "thigh", Vector3(0.105, 0.49, 0.01))
	rig.add_pair("foot", "shin", Vector3(0.105, 0.09, 0.0))
	rig.add(&"tabard_front", &"hips", Vector3(0.0, 0.96, 0.125))
	rig.add(&"tabard_back", &"hips", Vector3(0.0, 0.96, -0.125))


static func materials() -> Dictionary[StringName, Material]:
	return {
		&"cloth": SiegeModelMaterials.plain("cloth", Color(0.46, 0.085, 0.075), 0.9),
		&"steel": SiegeModelMaterials.plain("steel", Color(0.52, 0.55, 0.60), 0.42, 0.55),
		&"leather": SiegeModelMaterials.plain("leather", Color(0.20, 0.13, 0.085), 0.85),
		&"linen": SiegeModelMaterials.plain("linen", Color(0.52, 0.46, 0.36), 0.95),
		&"skin": SiegeModelMaterials.plain("skin", Color(0.78, 0.56, 0.43), 0.8),
	}


func build_mesh() -> ArrayMesh:
	var mesh := SiegeModelMesh.new(rig)
	_add_trunk(mesh)
	_add_arms(mesh)
	_add_legs(mesh)
	_add_head(mesh)
	SiegeSoldierGear.add_axe(mesh, rig.joints[rig.index_of(&"weapon")])
	SiegeSoldierGear.add_shield(mesh)
	return mesh.build(materials())


## The pose for controls: turns of bones by their names, `hips_shift`, the ball of each foot as
## `foot_l` and `foot_r` in model space with `foot_l_turn` and `foot_r_turn`, and `shield_face`, the
## turn of the shield in model space.
func solve(controls: Dictionary) -> SiegeModelPose:
	var pose := SiegeModelPose.new(rig)
	for control: StringName in controls:
		if rig.names.has(control) and not control.begins_with("foot"):
			pose.turn(control, controls[control] as Vector3)
	pose.shift(&"hips", controls[&"hips_shift"] as Vector3)
	for side: String in ["l", "r"]:
		var turn := SiegeModelPose.basis_of(controls.get("foot_%s_turn" % side, Vector3.ZERO))
		var mirror := Vector3(1.0 if side == "l" else -1.0, 1.0, 1.0)
		var ankle: Vector3 = controls["foot_" + side] - turn * (BALL * mirror)
		ankle.y -= minf(0.0, (ankle + turn * HEEL).y)
		var limb: Array[StringName] = [
			StringName("thigh_" + side), StringName("shin_" + side), StringName("foot_" + side)
		]
		pose.reach(limb, ankle, 1.0, turn)
	var holding := pose.global_of(rig.index_of(&"forearm_l")).basis
	var face := SiegeModelPose.basis_of(controls[&"shield_face"] as Vector3)
	pose.turns[rig.index_of(&"shield")] = holding.inverse() * face
	return pose


## A ring of an upright loft, with `at` as its place on X and Z.
static func ring(y: float, x: float, z: float, follows: Variant, at := Vector2.ZERO) -> Object:
	return SiegeModelMesh.Ring.new(Vector3(at.x, y, at.y), Vector2(x, z), follows)


## An untyped list as the typed one that lofts take.
static func rings(list: Array) -> Array[SiegeModelMesh.Ring]:
	var rings: Array[SiegeModelMesh.Ring] = []
	rings.assign(list)
	return rings


func _add_trunk(mesh: SiegeModelMesh) -> void:
	var waist := {&"hips": 0.5, &"spine": 0.5}
	(
		mesh
		. loft(
			&"cloth",
			rings(
				[
					ring(0.80, 0.205, 0.165, &"hips"),
					ring(0.98, 0.155, 0.118, &"hips"),
					ring(1.10, 0.150, 0.110, waist),
					ring(1.28, 0.190, 0.128, &"chest"),
					ring(1.42, 0.200, 0.120, &"chest"),
					ring(1.50, 0.090, 0.075, &"chest"),
				]
			),
			8
		)
	)
	mesh.loft(
		&"leather",
		rings([ring(0.965, 0.168, 0.130, &"hips"), ring(1.03, 0.166, 0.128, &"hips")]),
		8
	)
	var front := Vector2(0.0, 0.055)
	(
		mesh
		. loft(
			&"steel",
			rings(
				[
					ring(1.11, 0.125, 0.070, &"spine", front),
					ring(1.30, 0.168, 0.098, &"chest", front),
					ring(1.43, 0.120, 0.070, &"chest", front),
				]
			),
			6
		)
	)
	mesh.box(&"steel", Vector3(0.0, 0.997, 0.135), Vector3(0.07, 0.07, 0.03), &"hips")
	mesh.box(&"cloth", Vector3(0.0, 0.77, 0.150), Vector3(0.17, 0.42, 0.025), &"tabard_front")
	mesh.box(&"cloth", Vector3(0.0, 0.77, -0.150), Vector3(0.19, 0.40, 0.025), &"tabard_back")


func _add_arms(mesh: SiegeModelMesh) -> void:
	var arm := Vector2(0.242, 0.0)
	var elbow := {&"upper_arm_l": 0.5, &"forearm_l": 0.5}
	(
		mesh
		. loft_pair(
			&"linen",
			rings(
				[
					ring(1.46, 0.055, 0.060, &"upper_arm_l", arm),
					ring(1.30, 0.066, 0.068, &"upper_arm_l", arm),
					ring(1.15, 0.054, 0.056, elbow, arm),
					ring(1.05, 0.054, 0.056, &"forearm_l", arm),
				]
			),
			6
		)
	)
	(
		mesh
		. loft_pair(
			&"leather",
			rings(
				[
					ring(1.11, 0.062, 0.064, &"forearm_l", arm),
					ring(0.93, 0.045, 0.048, &"forearm_l", arm),
				]
			),
			6
		)
	)
	(
		mesh
		. loft_pair(
			&"skin",
			rings(
				[
					ring(0.94, 0.034, 0.040, &"hand_l", arm),
					ring(0.87, 0.042, 0.055, &"hand_l", arm),
					ring(0.80, 0.034, 0.042, &"hand_l", arm),
				]
			),
			4
		)
	)
	var cap := {&"shoulder_l": 0.5, &"upper_arm_l": 0.5}
	(
		mesh
		. loft_pair(
			&"steel",
			rings(
				[
					ring(1.335, 0.098, 0.098, &"upper_arm_l", Vector2(0.262, 0.0)),
					ring(1.43, 0.105, 0.108, cap, Vector2(0.245, 0.0)),
					ring(1.505, 0.060, 0.065, cap, Vector2(0.205, 0.0)),
				]
			),
			6
		)
	)


func _add_legs(mesh: SiegeModelMesh) -> void:
	var leg := Vector2(0.105, 0.0)
	(
		mesh
		. loft_pair(
			&"linen",
			rings(
				[
					ring(0.93, 0.090, 0.105, {&"hips": 0.6, &"thigh_l": 0.4}, leg),
					ring(0.74, 0.092, 0.098, &"thigh_l", leg),
					ring(0.56, 0.072, 0.076, &"thigh_l", leg),
					ring(0.47, 0.064, 0.070, {&"thigh_l": 0.5, &"shin_l": 0.5}, leg),
					ring(0.40, 0.060, 0.066, &"shin_l", leg),
				]
			),
			6
		)
	)
	(
		mesh
		. loft_pair(
			&"leather",
			rings(
				[
					ring(0.44, 0.076, 0.082, &"shin_l", leg),
					ring(0.33, 0.078, 0.084, &"shin_l", leg),
					ring(0.16, 0.054, 0.058, &"shin_l", leg),
					ring(0.07, 0.058, 0.064, {&"shin_l": 0.3, &"foot_l": 0.7}, leg),
				]
			),
			6
		)
	)
	var foot: Array[SiegeModelMesh.Ring] = []
	for part: Array in [
		[-0.075, 0.048, 0.055], [0.04, 0.054, 0.06], [0.13, 0.060, 0.035], [0.215, 0.038, 0.02]
	]:
		var place := Vector3(0.108, part[2], part[0])
		foot.append(SiegeModelMesh.Ring.new(place, Vector2(part[1], part[2]), &"foot_l"))
	mesh.loft_pair(&"leather", foot, 4, SiegeModelMesh.LENGTHWISE)
	var knee := Vector2(0.105, 0.055)
	(
		mesh
		. loft_pair(
			&"steel",
			rings(
				[
					ring(0.42, 0.045, 0.030, &"shin_l", knee),
					ring(0.49, 0.062, 0.048, &"shin_l", knee),
					ring(0.555, 0.030, 0.030, &"shin_l", knee),
				]
			),
			6
		)
	)


func _add_head(mesh: SiegeModelMesh) -> void:
	(
		mesh
		. loft(
			&"skin",
			rings(
				[
					ring(1.46, 0.060, 0.062, &"chest"),
					ring(1.55, 0.060, 0.066, &"head"),
					ring(1.58, 0.080, 0.094, &"head", Vector2(0.0, 0.012)),
					ring(1.68, 0.090, 0.102, &"head", Vector2(0.0, 0.005)),
				]
			),
			6
		)
	)
	(
		mesh
		. loft(
			&"steel",
			rings(
				[
					ring(1.635, 0.160, 0.172, &"head"),
					ring(1.668, 0.120, 0.130, &"head"),
					ring(1.75, 0.108, 0.118, &"head"),
					ring(1.815, 0.062, 0.072, &"head"),
					ring(1.84, 0.0, 0.0, &"head"),
				]
			),
			8
		)
	)
	mesh.box(&"steel", Vector3(0.0, 1.605, 0.118), Vector3(0.026, 0.11, 0.022), &"head")
	var crest: Array[SiegeModelMesh.Ring] = []
	for part: Array in [
		[-0.20, 0.035, 1.67], [-0.10, 0.07, 1.79], [0.02, 0.07, 1.86], [0.10, 0.03, 1.85]
	]:
		var place := Vector3(0.0, part[2], part[0])
		crest.append(SiegeModelMesh.Ring.new(place, Vector2(0.016, part[1]), &"head"))
	mesh.loft(&"cloth", crest, 4, SiegeModelMesh.LENGTHWISE)
