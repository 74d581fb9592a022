class_name SiegeBeastModel
extends RefCounted
## The war beast: a wolf-like animal with a harness, 1.05 m at the shoulder and 2.2 m long.

## Where the ball of a paw is, from the joint of the paw.
const FRONT_BALL := Vector3(0.0, -0.20, 0.05)
const HIND_BALL := Vector3(0.0, -0.30, 0.12)

var rig := SiegeModelRig.new()


func _init() -> void:
	rig.add(&"root", &"", Vector3.ZERO)
	rig.add(&"hips", &"root", Vector3(0.0, 0.92, -0.45))
	rig.add(&"spine", &"hips", Vector3(0.0, 0.97, -0.08))
	rig.add(&"chest", &"spine", Vector3(0.0, 1.00, 0.22))
	rig.add(&"neck", &"chest", Vector3(0.0, 1.12, 0.50))
	rig.add(&"head", &"neck", Vector3(0.0, 1.30, 0.76))
	rig.add(&"jaw", &"head", Vector3(0.0, 1.21, 0.84))
	rig.add(&"tail_1", &"hips", Vector3(0.0, 1.00, -0.70))
	rig.add(&"tail_2", &"tail_1", Vector3(0.0, 0.90, -0.98))
	rig.add_pair("thigh", "hips", Vector3(0.15, 0.88, -0.45))
	rig.add_pair("shin", "thigh", Vector3(0.17, 0.55, -0.32))
	rig.add_pair("hind_paw", "shin", Vector3(0.17, 0.30, -0.62))
	rig.add_pair("upper_arm", "chest", Vector3(0.16, 0.90, 0.30))
	rig.add_pair("forearm", "upper_arm", Vector3(0.18, 0.55, 0.15))
	rig.add_pair("fore_paw", "forearm", Vector3(0.18, 0.20, 0.27))


static func materials() -> Dictionary[StringName, Material]:
	return {
		&"fur": SiegeModelMaterials.plain("fur", Color(0.255, 0.225, 0.205), 0.95),
		&"mane": SiegeModelMaterials.plain("mane", Color(0.075, 0.065, 0.07), 0.95),
		&"harness": SiegeModelMaterials.plain("harness", Color(0.46, 0.085, 0.075), 0.9),
		&"bone": SiegeModelMaterials.plain("bone", Color(0.80, 0.74, 0.60), 0.6),
	}


func build_mesh() -> ArrayMesh:
	var mesh := SiegeModelMesh.new(rig)
	_add_trunk(mesh)
	_add_head(mesh)
	_add_mane(mesh)
	_add_harness(mesh)
	_add_hind_legs(mesh)
	_add_front_legs(mesh)
	return mesh.build(materials())


## The pose for controls: turns of bones by their names, `hips_shift`, and for each of the feet
## `fl`, `fr`, `hl` and `hr` the place of its ball in model space, with `fl_turn` and so on.
func solve(controls: Dictionary) -> SiegeModelPose:
	var pose := SiegeModelPose.new(rig)
	for control: StringName in controls:
		if rig.names.has(control):
			pose.turn(control, controls[control] as Vector3)
	pose.shift(&"hips", controls[&"hips_shift"] as Vector3)
	for foot: String in ["fl", "fr", "hl", "hr"]:
		var side := foot[1]
		var front := foot[0] == "f"
		var turn := SiegeModelPose.basis_of(controls.get(foot + "_turn", Vector3.ZERO))
		var bones := (
			["upper_arm_", "forearm_", "fore_paw_"] if front else ["thigh_", "shin_", "hind_paw_"]
		)
		var limb: Array[StringName] = []
		for bone: String in bones:
			limb.append(StringName(bone + side))
		var joint: Vector3 = controls[foot] - turn * (FRONT_BALL if front else HIND_BALL)
		pose.reach(limb, joint, -1.0 if front else 1.0, turn)
	return pose


## Rings given by place, half widths and what they follow.
static func _rings(list: Array) -> Array[SiegeModelMesh.Ring]:
	var rings: Array[SiegeModelMesh.Ring] = []
	for part: Array in list:
		var at := Vector3(part[0], part[1], part[2])
		rings.append(SiegeModelMesh.Ring.new(at, Vector2(part[3], part[4]), part[5]))
	return rings


func _add_trunk(mesh: SiegeModelMesh) -> void:
	(
		mesh
		. loft(
			&"fur",
			_rings(
				[
					[0.0, 0.93, -0.76, 0.10, 0.11, &"hips"],
					[0.0, 0.93, -0.60, 0.19, 0.20, &"hips"],
					[0.0, 0.92, -0.36, 0.205, 0.215, &"hips"],
					[0.0, 0.94, -0.12, 0.185, 0.20, {&"hips": 0.4, &"spine": 0.6}],
					[0.0, 0.95, 0.12, 0.235, 0.265, {&"spine": 0.5, &"chest": 0.5}],
					[0.0, 0.97, 0.34, 0.255, 0.305, &"chest"],
					[0.0, 1.05, 0.52, 0.200, 0.250, {&"chest": 0.6, &"neck": 0.4}],
					[0.0, 1.17, 0.66, 0.155, 0.190, &"neck"],
					[0.0, 1.26, 0.78, 0.120, 0.140, {&"neck": 0.4, &"head": 0.6}],
				]
			),
			8,
			SiegeModelMesh.LENGTHWISE
		)
	)
	(
		mesh
		. loft(
			&"mane",
			_rings(
				[
					[0.0, 1.01, -0.68, 0.055, 0.060, &"hips"],
					[0.0, 0.97, -0.86, 0.085, 0.085, &"tail_1"],
					[0.0, 0.89, -1.04, 0.080, 0.080, {&"tail_1": 0.5, &"tail_2": 0.5}],
					[0.0, 0.80, -1.22, 0.055, 0.055, &"tail_2"],
					[0.0, 0.72, -1.38, 0.0, 0.0, &"tail_2"],
				]
			),
			6,
			SiegeModelMesh.LENGTHWISE
		)
	)


func _add_head(mesh: SiegeModelMesh) -> void:
	(
		mesh
		. loft(
			&"fur",
			_rings(
				[
					[0.0, 1.30, 0.70, 0.115, 0.115, &"head"],
					[0.0, 1.33, 0.84, 0.150, 0.125, &"head"],
					[0.0, 1.31, 0.96, 0.120, 0.100, &"head"],
					[0.0, 1.275, 1.06, 0.080, 0.070, &"head"],
					[0.0, 1.26, 1.22, 0.062, 0.055, &"head"],
				]
			),
			6,
			SiegeModelMesh.LENGTHWISE
		)
	)
	(
		mesh
		. loft(
			&"mane",
			_rings(
				[
					[0.0, 1.27, 1.20, 0.052, 0.045, &"head"],
					[0.0, 1.275, 1.27, 0.040, 0.034, &"head"],
				]
			),
			6,
			SiegeModelMesh.LENGTHWISE
		)
	)
	(
		mesh
		. loft(
			&"mane",
			_rings(
				[
					[0.0, 1.20, 0.84, 0.085, 0.040, &"jaw"],
					[0.0, 1.19, 1.00, 0.060, 0.030, &"jaw"],
					[0.0, 1.195, 1.17, 0.040, 0.018, &"jaw"],
				]
			),
			4,
			SiegeModelMesh.LENGTHWISE
		)
	)
	for side: float in [-1.0, 1.0]:
		var ear := Vector3(0.085 * side, 1.40, 0.80)
		mesh.spike(
			&"mane", ear, ear + Vector3(0.05 * side, 0.19, -0.05), Vector2(0.045, 0.03), &"head"
		)
		var eye := Vector3(0.082 * side, 1.355, 0.955)
		mesh.box(&"bone", eye, Vector3(0.035, 0.028, 0.05), &"head")
		# Tusks from the jaw and fangs from above.
		var tusk := Vector3(0.055 * side, 1.20, 1.10)
		mesh.spike(
			&"bone", tusk, tusk + Vector3(0.035 * side, 0.15, 0.05), Vector2(0.02, 0.022), &"jaw"
		)
		var fang := Vector3(0.035 * side, 1.225, 1.19)
		mesh.spike(&"bone", fang, fang - Vector3(0.0, 0.07, 0.0), Vector2(0.013, 0.015), &"head")


## A crest of bristles from the head to the middle of the back.
func _add_mane(mesh: SiegeModelMesh) -> void:
	for part: Array in [
		[1.40, 0.74, 0.17, &"head"],
		[1.33, 0.62, 0.22, &"neck"],
		[1.26, 0.48, 0.26, &"neck"],
		[1.24, 0.34, 0.26, &"chest"],
		[1.20, 0.20, 0.22, &"chest"],
	]:
		var base := Vector3(0.0, part[0], part[1])
		var tip := base + Vector3(0.0, 0.62, -0.78) * (part[2] as float)
		var wide := Vector2(0.07, 0.11)
		mesh.spike(&"mane", base - Vector3(0.0, 0.05, 0.0), tip, wide, part[3] as StringName)


func _add_harness(mesh: SiegeModelMesh) -> void:
	(
		mesh
		. loft(
			&"harness",
			_rings(
				[
					[0.0, 0.955, -0.16, 0.205, 0.225, {&"hips": 0.4, &"spine": 0.6}],
					[0.0, 0.965, 0.10, 0.252, 0.282, {&"spine": 0.5, &"chest": 0.5}],
				]
			),
			8,
			SiegeModelMesh.LENGTHWISE
		)
	)
	(
		mesh
		. loft(
			&"harness",
			_rings(
				[
					[0.0, 1.135, 0.60, 0.188, 0.232, &"neck"],
					[0.0, 1.175, 0.67, 0.172, 0.208, &"neck"],
				]
			),
			8,
			SiegeModelMesh.LENGTHWISE
		)
	)
	for side: float in [-1.0, 1.0]:
		for height: float in [1.06, 1.19]:
			var base := Vector3(0.165 * side, height, 0.63)
			var tip := base + Vector3(0.12 * side, 0.02, 0.05)
			mesh.spike(&"bone", base, tip, Vector2(0.025, 0.025), &"neck", SiegeModelMesh.SIDEWAYS)


func _add_hind_legs(mesh: SiegeModelMesh) -> void:
	(
		mesh
		. loft_pair(
			&"fur",
			_rings(
				[
					[0.13, 1.00, -0.47, 0.07, 0.13, {&"hips": 0.7, &"thigh_l": 0.3}],
					[0.155, 0.84, -0.43, 0.105, 0.185, &"thigh_l"],
					[0.17, 0.66, -0.37, 0.085, 0.135, &"thigh_l"],
					[0.17, 0.54, -0.34, 0.066, 0.085, {&"thigh_l": 0.5, &"shin_l": 0.5}],
					[0.17, 0.44, -0.46, 0.052, 0.075, &"shin_l"],
					[0.17, 0.31, -0.61, 0.042, 0.055, {&"shin_l": 0.5, &"hind_paw_l": 0.5}],
					[0.17, 0.16, -0.565, 0.040, 0.048, &"hind_paw_l"],
					[0.17, 0.07, -0.53, 0.046, 0.055, &"hind_paw_l"],
				]
			),
			6
		)
	)
	_add_paw(mesh, Vector3(0.17, 0.0, -0.52), &"hind_paw_l")


func _add_front_legs(mesh: SiegeModelMesh) -> void:
	(
		mesh
		. loft_pair(
			&"fur",
			_rings(
				[
					[0.17, 1.04, 0.31, 0.08, 0.13, {&"chest": 0.6, &"upper_arm_l": 0.4}],
					[0.18, 0.88, 0.30, 0.105, 0.155, &"upper_arm_l"],
					[0.18, 0.70, 0.215, 0.085, 0.115, &"upper_arm_l"],
					[0.18, 0.55, 0.155, 0.066, 0.080, {&"upper_arm_l": 0.5, &"forearm_l": 0.5}],
					[0.18, 0.40, 0.205, 0.055, 0.064, &"forearm_l"],
					[0.18, 0.21, 0.265, 0.042, 0.048, {&"forearm_l": 0.5, &"fore_paw_l": 0.5}],
					[0.18, 0.07, 0.285, 0.046, 0.052, &"fore_paw_l"],
				]
			),
			6
		)
	)
	_add_paw(mesh, Vector3(0.18, 0.0, 0.30), &"fore_paw_l")


func _add_paw(mesh: SiegeModelMesh, at: Vector3, bone: StringName) -> void:
	(
		mesh
		. loft_pair(
			&"mane",
			_rings(
				[
					[at.x, 0.055, at.z - 0.07, 0.045, 0.055, bone],
					[at.x, 0.055, at.z + 0.02, 0.066, 0.055, bone],
					[at.x, 0.030, at.z + 0.10, 0.050, 0.030, bone],
				]
			),
			4,
			SiegeModelMesh.LENGTHWISE
		)
	)
	for toe: float in [-0.03, 0.03]:
		var claw: Array[SiegeModelMesh.Ring] = _rings(
			[
				[at.x + toe, 0.022, at.z + 0.09, 0.013, 0.018, bone],
				[at.x + toe, 0.004, at.z + 0.16, 0.0, 0.0, bone],
			]
		)
		mesh.loft_pair(&"bone", claw, 4, SiegeModelMesh.LENGTHWISE)
