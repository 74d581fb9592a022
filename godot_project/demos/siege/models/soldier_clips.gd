class_name SiegeSoldierClips
extends RefCounted
## The animations of the foot soldier.

## The ground covered in one cycle, in metres: rungs of a ladder for the climb.
const WALK_CYCLE := 1.3
const RUN_CYCLE := 2.4
const CLIMB_CYCLE := 0.7

## How a soldier stands ready: shield before the chest, axe upright.
const READY: Dictionary = {
	&"hips_shift": Vector3(0.0, -0.05, 0.0),
	&"hips": Vector3(4.0, -8.0, 0.0),
	&"spine": Vector3(5.0, 0.0, 0.0),
	&"chest": Vector3(3.0, 4.0, 0.0),
	&"head": Vector3(-8.0, 4.0, 0.0),
	&"upper_arm_l": Vector3(-30.0, -38.0, 6.0),
	&"forearm_l": Vector3(-72.0, 0.0, 0.0),
	&"upper_arm_r": Vector3(10.0, -26.0, -14.0),
	&"forearm_r": Vector3(-74.0, 0.0, 0.0),
	&"hand_r": Vector3(-8.0, 0.0, 0.0),
	&"shield_face": Vector3(4.0, -58.0, 0.0),
	&"foot_l": Vector3(0.14, 0.0, 0.26),
	&"foot_r": Vector3(-0.14, 0.0, 0.0),
	&"foot_l_turn": Vector3(0.0, 8.0, 0.0),
	&"foot_r_turn": Vector3(0.0, -22.0, 0.0),
}

const ATTACK: Dictionary = {
	0.0: {},
	0.34:
	{
		&"hips_shift": Vector3(0.02, -0.03, -0.06),
		&"hips": Vector3(-4.0, -26.0, 0.0),
		&"spine": Vector3(-6.0, -10.0, 0.0),
		&"chest": Vector3(-8.0, -14.0, 4.0),
		&"head": Vector3(4.0, 42.0, 0.0),
		&"upper_arm_r": Vector3(-168.0, 0.0, -24.0),
		&"forearm_r": Vector3(-72.0, 0.0, 0.0),
		&"hand_r": Vector3(-24.0, 0.0, 0.0),
		&"upper_arm_l": Vector3(-48.0, -20.0, 6.0),
		&"shield_face": Vector3(0.0, -80.0, 0.0),
	},
	0.50:
	{
		&"hips_shift": Vector3(0.0, -0.15, 0.16),
		&"hips": Vector3(16.0, 18.0, 0.0),
		&"spine": Vector3(18.0, 8.0, 0.0),
		&"chest": Vector3(16.0, 16.0, 0.0),
		&"head": Vector3(-28.0, -30.0, 0.0),
		&"upper_arm_r": Vector3(-62.0, 16.0, 0.0),
		&"forearm_r": Vector3(-14.0, 0.0, 0.0),
		&"hand_r": Vector3(28.0, 0.0, 0.0),
		&"upper_arm_l": Vector3(6.0, -20.0, 16.0),
		&"shield_face": Vector3(8.0, -20.0, 0.0),
	},
	0.64:
	{
		&"hips_shift": Vector3(0.0, -0.16, 0.15),
		&"hips": Vector3(18.0, 20.0, 0.0),
		&"spine": Vector3(20.0, 10.0, 0.0),
		&"chest": Vector3(16.0, 18.0, 0.0),
		&"head": Vector3(-30.0, -32.0, 0.0),
		&"upper_arm_r": Vector3(-46.0, 18.0, 6.0),
		&"forearm_r": Vector3(-16.0, 0.0, 0.0),
		&"hand_r": Vector3(26.0, 0.0, 0.0),
		&"upper_arm_l": Vector3(8.0, -20.0, 16.0),
		&"shield_face": Vector3(8.0, -20.0, 0.0),
	},
	1.0: {},
}

const HIT: Dictionary = {
	0.0: {},
	0.28:
	{
		&"hips_shift": Vector3(-0.03, -0.12, -0.14),
		&"hips": Vector3(-8.0, -22.0, 4.0),
		&"spine": Vector3(-10.0, -8.0, 4.0),
		&"chest": Vector3(-16.0, -14.0, 6.0),
		&"head": Vector3(16.0, 12.0, -8.0),
		&"upper_arm_l": Vector3(-64.0, -20.0, 24.0),
		&"upper_arm_r": Vector3(26.0, 0.0, -46.0),
		&"forearm_r": Vector3(-84.0, 0.0, 0.0),
		&"shield_face": Vector3(-20.0, -72.0, 0.0),
	},
	1.0: {},
}

## On the back, with the last frame held.
const DEATH: Dictionary = {
	0.0: {},
	0.16:
	{
		&"hips_shift": Vector3(0.0, -0.10, -0.10),
		&"hips": Vector3(-10.0, -20.0, 0.0),
		&"chest": Vector3(-22.0, -10.0, 0.0),
		&"head": Vector3(24.0, 0.0, 0.0),
		&"upper_arm_l": Vector3(-70.0, -10.0, 40.0),
		&"upper_arm_r": Vector3(-60.0, 0.0, -60.0),
		&"shield_face": Vector3(-20.0, -60.0, 0.0),
	},
	0.42:
	{
		&"hips_shift": Vector3(0.0, -0.46, -0.30),
		&"hips": Vector3(-36.0, -16.0, 6.0),
		&"spine": Vector3(4.0, 0.0, 0.0),
		&"chest": Vector3(10.0, 0.0, 0.0),
		&"head": Vector3(20.0, 0.0, 0.0),
		&"upper_arm_l": Vector3(-40.0, 0.0, 60.0),
		&"forearm_l": Vector3(-40.0, 0.0, 0.0),
		&"upper_arm_r": Vector3(-30.0, 0.0, -70.0),
		&"forearm_r": Vector3(-30.0, 0.0, 0.0),
		&"shield_face": Vector3(-50.0, -20.0, 40.0),
		&"foot_l": Vector3(0.16, 0.0, 0.30),
		&"foot_r": Vector3(-0.16, 0.0, 0.10),
		&"foot_r_turn": Vector3(20.0, -22.0, 0.0),
	},
	0.66:
	{
		&"hips_shift": Vector3(0.0, -0.81, -0.42),
		&"hips": Vector3(-84.0, -10.0, 0.0),
		&"spine": Vector3(-2.0, 0.0, 0.0),
		&"chest": Vector3(-2.0, 0.0, 0.0),
		&"head": Vector3(-6.0, 10.0, 0.0),
		&"upper_arm_l": Vector3(-10.0, 0.0, 82.0),
		&"forearm_l": Vector3(-16.0, 0.0, 0.0),
		&"upper_arm_r": Vector3(8.0, 0.0, -96.0),
		&"forearm_r": Vector3(-20.0, 0.0, 0.0),
		&"hand_r": Vector3(0.0, 0.0, 0.0),
		&"weapon": Vector3(86.0, 30.0, 0.0),
		&"shield_face": Vector3(-4.0, 0.0, 84.0),
		&"foot_l": Vector3(0.20, 0.10, 0.42),
		&"foot_r": Vector3(-0.18, 0.06, 0.22),
		&"foot_l_turn": Vector3(-50.0, 20.0, 0.0),
		&"foot_r_turn": Vector3(-10.0, -30.0, 0.0),
	},
	0.80:
	{
		&"hips_shift": Vector3(0.0, -0.80, -0.42),
		&"hips": Vector3(-82.0, -10.0, 0.0),
		&"chest": Vector3(4.0, 0.0, 0.0),
		&"head": Vector3(6.0, 16.0, 0.0),
		&"spine": Vector3(0.0, 0.0, 0.0),
		&"upper_arm_l": Vector3(-6.0, 0.0, 80.0),
		&"forearm_l": Vector3(-14.0, 0.0, 0.0),
		&"upper_arm_r": Vector3(12.0, 0.0, -92.0),
		&"forearm_r": Vector3(-24.0, 0.0, 0.0),
		&"hand_r": Vector3(0.0, 0.0, 0.0),
		&"weapon": Vector3(86.0, 30.0, 0.0),
		&"shield_face": Vector3(-4.0, 0.0, 86.0),
		&"foot_l": Vector3(0.21, 0.14, 0.44),
		&"foot_r": Vector3(-0.18, 0.0, 0.14),
		&"foot_l_turn": Vector3(-66.0, 24.0, 0.0),
		&"foot_r_turn": Vector3(0.0, -30.0, 0.0),
	},
	1.0:
	{
		&"hips_shift": Vector3(0.0, -0.82, -0.42),
		&"hips": Vector3(-86.0, -10.0, 0.0),
		&"spine": Vector3(-2.0, 0.0, 0.0),
		&"chest": Vector3(-2.0, 0.0, 0.0),
		&"head": Vector3(0.0, 34.0, 0.0),
		&"upper_arm_l": Vector3(-4.0, 0.0, 84.0),
		&"forearm_l": Vector3(-14.0, 0.0, 0.0),
		&"upper_arm_r": Vector3(16.0, 0.0, -100.0),
		&"forearm_r": Vector3(-12.0, 0.0, 0.0),
		&"hand_r": Vector3(0.0, 0.0, 0.0),
		&"weapon": Vector3(86.0, 30.0, 0.0),
		&"shield_face": Vector3(-2.0, 0.0, 88.0),
		&"foot_l": Vector3(0.22, 0.16, 0.46),
		&"foot_r": Vector3(-0.19, 0.0, 0.12),
		&"foot_l_turn": Vector3(-78.0, 26.0, 0.0),
		&"foot_r_turn": Vector3(0.0, -34.0, 0.0),
	},
}


## All clips by name: length in seconds, whether it loops, and its controls by share of the clip.
static func all() -> Dictionary[String, Array]:
	return {
		"idle": [2.4, true, idle],
		"walk": [0.9, true, walk],
		"run": [0.64, true, run],
		"climb": [1.0, true, climb],
		"attack": [1.0, false, keyed.bind(ATTACK)],
		"hit": [0.5, false, keyed.bind(HIT)],
		"death": [1.5, false, keyed.bind(DEATH)],
	}


static func keyed(share: float, keys: Dictionary) -> Dictionary:
	return SiegeModelClip.between(keys, READY, share)


static func idle(share: float) -> Dictionary:
	var breath := sin(TAU * share)
	var sway := sin(TAU * share + 0.9)
	var controls := READY.duplicate()
	controls[&"hips_shift"] = Vector3(0.018 * sway, -0.055 + 0.006 * breath, 0.0)
	controls[&"hips"] = Vector3(4.0, -8.0, 1.2 * sway)
	controls[&"spine"] = Vector3(5.0 - 0.8 * breath, 0.0, -1.2 * sway)
	controls[&"chest"] = Vector3(3.0 - 2.2 * breath, 4.0, 0.0)
	controls[&"head"] = Vector3(-8.0 + 1.6 * breath, 4.0 + 9.0 * sin(TAU * share + 2.0), 0.0)
	controls[&"upper_arm_r"] = Vector3(10.0 + 2.0 * breath, -26.0, -14.0 - 1.5 * breath)
	controls[&"forearm_r"] = Vector3(-74.0 - 3.0 * breath, 0.0, 0.0)
	return controls


static func walk(share: float) -> Dictionary:
	return _stride(share, WALK_CYCLE, 0.6, 0.09, {lean = 5.0, twist = 7.0, bob = 0.022, arm = 20.0})


static func run(share: float) -> Dictionary:
	return _stride(
		share, RUN_CYCLE, 0.38, 0.24, {lean = 15.0, twist = 11.0, bob = 0.04, arm = 38.0}
	)


## Both feet in turn, half a cycle apart. The pelvis turns and drops with the swinging leg, the
## shoulders turn against it, and the body is over the leg that carries it.
static func _stride(
	share: float, cycle: float, stance: float, lift: float, style: Dictionary
) -> Dictionary:
	var left := SiegeModelClip.step(share, cycle, stance, lift)
	var right := SiegeModelClip.step(share + 0.5, cycle, stance, lift)
	# 1 while the left leg carries, -1 while the right one does.
	var carry := cos(TAU * (share - stance * 0.5))
	# 1 when the left foot is farthest in front.
	var ahead := cos(TAU * share)
	var running := stance < 0.5
	var bounce := cos(2.0 * TAU * (share - stance * 0.5)) * (-1.0 if running else 1.0)
	var low := -0.075 if running else -0.065
	var controls := READY.duplicate()
	controls[&"hips_shift"] = Vector3(0.022 * carry, low + style.bob * bounce, 0.0)
	controls[&"hips"] = Vector3(style.lean * 0.5, -style.twist * ahead, 3.5 * carry)
	controls[&"spine"] = Vector3(style.lean * 0.5, style.twist * 0.8 * ahead, -3.0 * carry)
	controls[&"chest"] = Vector3(
		style.lean * 0.4 - 1.5 * bounce, style.twist * 1.1 * ahead, -1.5 * carry
	)
	controls[&"head"] = Vector3(-style.lean * 0.9, -style.twist * 0.9 * ahead, 0.8 * carry)
	controls[&"upper_arm_r"] = Vector3(6.0 - style.arm * ahead, -24.0, -14.0)
	controls[&"forearm_r"] = Vector3(-74.0 - style.arm * 0.5 * ahead, 0.0, 0.0)
	controls[&"upper_arm_l"] = Vector3(-28.0 + style.arm * 0.35 * ahead, -36.0, 8.0)
	controls[&"shield_face"] = Vector3(4.0 + 2.0 * bounce, -56.0 + style.twist * 0.5 * ahead, 0.0)
	controls[&"foot_l"] = Vector3(0.105, left.y, left.z + 0.10)
	controls[&"foot_r"] = Vector3(-0.105, right.y, right.z + 0.10)
	controls[&"foot_l_turn"] = Vector3(left.x, 4.0, 0.0)
	controls[&"foot_r_turn"] = Vector3(right.x, -4.0, 0.0)
	var flap: float = style.arm * 0.9
	controls[&"tabard_front"] = Vector3(-10.0 - flap * absf(ahead), 0.0, -3.0 * carry)
	controls[&"tabard_back"] = Vector3(8.0 + flap * absf(ahead), 0.0, -3.0 * carry)
	return controls


## Hands and feet hold a rung while the body rises past it, then take the next but one.
static func climb(share: float) -> Dictionary:
	var left := _grip(share)
	var right := _grip(share + 0.5)
	var sway := cos(TAU * share)
	return {
		&"hips_shift": Vector3(0.03 * sway, -0.06, -0.12),
		&"hips": Vector3(6.0, 5.0 * sway, 4.0 * sway),
		&"spine": Vector3(4.0, -3.0 * sway, -3.0 * sway),
		&"chest": Vector3(2.0, -4.0 * sway, -3.0 * sway),
		&"head": Vector3(-26.0, 3.0 * sway, 0.0),
		&"upper_arm_l": Vector3(-92.0 - 46.0 * right.x, 0.0, 8.0),
		&"forearm_l": Vector3(-66.0 + 40.0 * right.x, 0.0, 0.0),
		&"upper_arm_r": Vector3(-92.0 - 46.0 * left.x, 0.0, -8.0),
		&"forearm_r": Vector3(-66.0 + 40.0 * left.x, 0.0, 0.0),
		&"shield_face": Vector3(0.0, 20.0, 0.0),
		&"weapon": Vector3(24.0, -28.0, 0.0),
		&"foot_l": Vector3(0.14, 0.08 + left.y, 0.30),
		&"foot_r": Vector3(-0.14, 0.08 + right.y, 0.30),
		&"foot_l_turn": Vector3(-6.0, 4.0, 0.0),
		&"foot_r_turn": Vector3(-6.0, -4.0, 0.0),
		&"tabard_front": Vector3(-14.0, 0.0, 0.0),
		&"tabard_back": Vector3(4.0, 0.0, 0.0),
	}


## How far up a limb is, from 0 to 1 in X and in metres in Y: down evenly with its rung in the
## first two thirds of a cycle, up to the next in the last.
static func _grip(phase: float) -> Vector2:
	var at := fposmod(phase, 1.0)
	var up := 1.0 - at / 0.66 if at < 0.66 else smoothstep(0.66, 1.0, at)
	return Vector2(up, up * CLIMB_CYCLE * 0.66)
