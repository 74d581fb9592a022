class_name SiegeBeastClips
extends RefCounted
## The animations of the war beast.

## The ground covered in one cycle, in metres.
const WALK_CYCLE := 1.15
const RUN_CYCLE := 3.2

## The middle of the path of each foot.
const FOOT: Dictionary = {
	"fl": Vector3(0.17, 0.0, 0.30),
	"fr": Vector3(-0.17, 0.0, 0.30),
	"hl": Vector3(0.16, 0.0, -0.52),
	"hr": Vector3(-0.16, 0.0, -0.52),
}

const STAND: Dictionary = {
	&"hips_shift": Vector3(0.0, -0.05, 0.0),
	&"hips": Vector3(0.0, 0.0, 0.0),
	&"neck": Vector3(8.0, 0.0, 0.0),
	&"head": Vector3(4.0, 0.0, 0.0),
	&"tail_1": Vector3(-12.0, 0.0, 0.0),
	&"tail_2": Vector3(10.0, 0.0, 0.0),
	&"fl": Vector3(0.18, 0.0, 0.36),
	&"fr": Vector3(-0.18, 0.0, 0.26),
	&"hl": Vector3(0.17, 0.0, -0.56),
	&"hr": Vector3(-0.17, 0.0, -0.44),
}

## Crouches, lunges with open jaws, and bites.
const ATTACK: Dictionary = {
	0.0: {},
	0.30:
	{
		&"hips_shift": Vector3(0.0, -0.17, -0.20),
		&"hips": Vector3(6.0, 0.0, 0.0),
		&"spine": Vector3(5.0, 0.0, 0.0),
		&"chest": Vector3(4.0, 0.0, 0.0),
		&"neck": Vector3(-22.0, 0.0, 0.0),
		&"head": Vector3(20.0, 0.0, 0.0),
		&"jaw": Vector3(10.0, 0.0, 0.0),
		&"tail_1": Vector3(18.0, 0.0, 0.0),
	},
	0.50:
	{
		&"hips_shift": Vector3(0.0, -0.02, 0.24),
		&"hips": Vector3(-16.0, 0.0, 0.0),
		&"spine": Vector3(-4.0, 0.0, 0.0),
		&"chest": Vector3(2.0, 4.0, 0.0),
		&"neck": Vector3(24.0, 6.0, 0.0),
		&"head": Vector3(-16.0, 0.0, 14.0),
		&"jaw": Vector3(46.0, 0.0, 0.0),
		&"tail_1": Vector3(26.0, 0.0, 0.0),
		&"fl": Vector3(0.18, 0.26, 0.66),
		&"fl_turn": Vector3(50.0, 0.0, 0.0),
		&"fr": Vector3(-0.18, 0.0, 0.26),
	},
	0.60:
	{
		&"hips_shift": Vector3(0.0, -0.07, 0.28),
		&"hips": Vector3(-4.0, 0.0, 0.0),
		&"chest": Vector3(6.0, -4.0, 0.0),
		&"neck": Vector3(34.0, -8.0, 0.0),
		&"head": Vector3(-4.0, 0.0, -16.0),
		&"jaw": Vector3(0.0, 0.0, 0.0),
		&"tail_1": Vector3(20.0, 0.0, 0.0),
		&"fl": Vector3(0.18, 0.0, 0.60),
	},
	0.72:
	{
		&"hips_shift": Vector3(0.0, -0.10, 0.20),
		&"hips": Vector3(2.0, 0.0, 0.0),
		&"neck": Vector3(20.0, 14.0, 0.0),
		&"head": Vector3(2.0, 8.0, 18.0),
		&"fl": Vector3(0.18, 0.0, 0.58),
	},
	1.0: {},
}

const HIT: Dictionary = {
	0.0: {},
	0.28:
	{
		&"hips_shift": Vector3(-0.05, -0.14, -0.12),
		&"hips": Vector3(4.0, -8.0, 6.0),
		&"spine": Vector3(-4.0, -8.0, 4.0),
		&"chest": Vector3(-8.0, -10.0, 4.0),
		&"neck": Vector3(-22.0, -20.0, 0.0),
		&"head": Vector3(-6.0, -16.0, 14.0),
		&"jaw": Vector3(28.0, 0.0, 0.0),
		&"tail_1": Vector3(-40.0, 0.0, 0.0),
	},
	1.0: {},
}

## Falls on its right side, with the last frame held.
const DEATH: Dictionary = {
	0.0: {},
	0.22:
	{
		&"hips_shift": Vector3(0.0, -0.16, -0.06),
		&"hips": Vector3(8.0, 0.0, -6.0),
		&"chest": Vector3(-6.0, -6.0, -4.0),
		&"neck": Vector3(-34.0, -14.0, 0.0),
		&"head": Vector3(-14.0, 0.0, 12.0),
		&"jaw": Vector3(34.0, 0.0, 0.0),
		&"tail_1": Vector3(24.0, 0.0, 0.0),
	},
	0.46:
	{
		&"hips_shift": Vector3(-0.16, -0.40, 0.0),
		&"hips": Vector3(4.0, 0.0, 34.0),
		&"spine": Vector3(6.0, 0.0, 0.0),
		&"chest": Vector3(8.0, 0.0, 6.0),
		&"neck": Vector3(20.0, -10.0, 10.0),
		&"head": Vector3(10.0, 0.0, 16.0),
		&"jaw": Vector3(16.0, 0.0, 0.0),
		&"fl": Vector3(0.30, 0.0, 0.46),
		&"fr": Vector3(0.16, 0.0, 0.36),
		&"hl": Vector3(0.30, 0.0, -0.40),
		&"hr": Vector3(0.14, 0.0, -0.36),
	},
	0.68:
	{
		&"hips_shift": Vector3(-0.26, -0.68, 0.0),
		&"hips": Vector3(0.0, 0.0, 84.0),
		&"chest": Vector3(4.0, 0.0, 2.0),
		&"neck": Vector3(6.0, 0.0, 6.0),
		&"head": Vector3(6.0, 0.0, 4.0),
		&"jaw": Vector3(20.0, 0.0, 0.0),
		&"tail_1": Vector3(-10.0, 0.0, 0.0),
		&"fl": Vector3(0.44, 0.34, 0.56),
		&"fr": Vector3(0.50, 0.08, 0.36),
		&"hl": Vector3(0.42, 0.32, -0.34),
		&"hr": Vector3(0.48, 0.08, -0.46),
		&"fl_turn": Vector3(0.0, 0.0, 80.0),
		&"fr_turn": Vector3(20.0, 0.0, 84.0),
		&"hl_turn": Vector3(0.0, 0.0, 80.0),
		&"hr_turn": Vector3(20.0, 0.0, 84.0),
	},
	1.0:
	{
		&"hips_shift": Vector3(-0.26, -0.70, 0.0),
		&"hips": Vector3(0.0, 0.0, 90.0),
		&"chest": Vector3(2.0, 0.0, 0.0),
		&"neck": Vector3(16.0, 0.0, 8.0),
		&"head": Vector3(10.0, 0.0, 6.0),
		&"jaw": Vector3(12.0, 0.0, 0.0),
		&"tail_1": Vector3(-24.0, 0.0, 0.0),
		&"fl": Vector3(0.46, 0.22, 0.50),
		&"fr": Vector3(0.50, 0.05, 0.30),
		&"hl": Vector3(0.44, 0.20, -0.38),
		&"hr": Vector3(0.48, 0.05, -0.56),
		&"fl_turn": Vector3(10.0, 0.0, 88.0),
		&"fr_turn": Vector3(24.0, 0.0, 90.0),
		&"hl_turn": Vector3(10.0, 0.0, 88.0),
		&"hr_turn": Vector3(24.0, 0.0, 90.0),
	},
}


## All clips by name: length in seconds, whether it loops, and its controls by share of the clip.
static func all() -> Dictionary[String, Array]:
	return {
		"idle": [2.2, true, idle],
		"walk": [0.85, true, walk],
		"run": [0.5, true, run],
		"attack": [0.9, false, keyed.bind(ATTACK)],
		"hit": [0.5, false, keyed.bind(HIT)],
		"death": [1.3, false, keyed.bind(DEATH)],
	}


static func keyed(share: float, keys: Dictionary) -> Dictionary:
	return SiegeModelClip.between(keys, STAND, share)


static func idle(share: float) -> Dictionary:
	var breath := sin(TAU * share * 2.0)
	var look := sin(TAU * share)
	var controls := STAND.duplicate()
	controls[&"hips_shift"] = Vector3(0.012 * look, -0.055 + 0.008 * breath, 0.0)
	controls[&"spine"] = Vector3(0.8 * breath, 0.0, 0.0)
	controls[&"chest"] = Vector3(-0.8 * breath, 2.0 * look, 0.0)
	controls[&"neck"] = Vector3(8.0 + 2.0 * breath, 10.0 * look, 0.0)
	controls[&"head"] = Vector3(4.0 - 2.0 * breath, 8.0 * look, 4.0 * look)
	controls[&"jaw"] = Vector3(8.0 + 5.0 * breath, 0.0, 0.0)
	controls[&"tail_1"] = Vector3(-12.0, 14.0 * sin(TAU * share + 1.0), 0.0)
	controls[&"tail_2"] = Vector3(10.0, 18.0 * sin(TAU * share + 0.3), 0.0)
	return controls


## Each hind foot leads the front foot of its side by a quarter of a cycle.
static func walk(share: float) -> Dictionary:
	var phases := {"hl": share, "fl": share + 0.75, "hr": share + 0.5, "fr": share + 0.25}
	var controls := STAND.duplicate()
	_add_steps(controls, phases, WALK_CYCLE, 0.64, 0.11)
	var hind := cos(TAU * (share - 0.32))
	var front := cos(TAU * (share + 0.75 - 0.32))
	var ahead := cos(TAU * share)
	var nod := cos(2.0 * TAU * (share + 0.75 - 0.32))
	controls[&"hips_shift"] = Vector3(0.018 * hind, -0.075 + 0.014 * cos(2.0 * TAU * share), 0.0)
	controls[&"hips"] = Vector3(1.2 * nod, -5.0 * ahead, 4.0 * hind)
	controls[&"spine"] = Vector3(0.0, 4.0 * ahead, -2.0 * hind)
	controls[&"chest"] = Vector3(-1.2 * nod, 3.5 * sin(TAU * share), 4.0 * front - 2.0 * hind)
	controls[&"neck"] = Vector3(12.0 - 5.0 * nod, -2.0 * sin(TAU * share), -2.0 * front)
	controls[&"head"] = Vector3(2.0 + 4.0 * nod, -2.0 * sin(TAU * share), -1.0 * front)
	controls[&"jaw"] = Vector3(6.0 - 2.0 * nod, 0.0, 0.0)
	controls[&"tail_1"] = Vector3(-8.0, 10.0 * ahead, 0.0)
	controls[&"tail_2"] = Vector3(8.0, 14.0 * cos(TAU * (share - 0.15)), 0.0)
	return controls


## A gallop: the hind feet land one after the other, then the front feet, then all are in the air
## with the back bent.
static func run(share: float) -> Dictionary:
	var phases := {"hl": share, "hr": share - 0.1, "fl": share - 0.42, "fr": share - 0.52}
	var controls := STAND.duplicate()
	_add_steps(controls, phases, RUN_CYCLE, 0.27, 0.22)
	# 1 when the back is stretched, -1 when the hind feet reach below the body.
	var stretch := cos(TAU * (share - 0.36))
	var pitch := sin(TAU * (share - 0.36))
	controls[&"hips_shift"] = Vector3(
		0.0, -0.10 + 0.055 * cos(TAU * (share - 0.86)), 0.05 * stretch
	)
	controls[&"hips"] = Vector3(-11.0 * stretch - 5.0 * pitch, 0.0, 0.0)
	controls[&"spine"] = Vector3(12.0 * stretch * 0.6 + 4.0, 0.0, 0.0)
	controls[&"chest"] = Vector3(8.0 * stretch * 0.5 + 2.0, 0.0, 2.0 * pitch)
	controls[&"neck"] = Vector3(20.0 + 8.0 * pitch, 0.0, 0.0)
	controls[&"head"] = Vector3(-12.0 - 6.0 * pitch, 0.0, 0.0)
	controls[&"jaw"] = Vector3(20.0 + 4.0 * stretch, 0.0, 0.0)
	controls[&"tail_1"] = Vector3(24.0 + 12.0 * pitch, 0.0, 0.0)
	controls[&"tail_2"] = Vector3(6.0 + 12.0 * stretch, 0.0, 0.0)
	return controls


static func _add_steps(
	controls: Dictionary, phases: Dictionary, cycle: float, stance: float, lift: float
) -> void:
	for foot: String in phases:
		var step := SiegeModelClip.step(phases[foot] as float, cycle, stance, lift)
		var middle: Vector3 = FOOT[foot]
		controls[StringName(foot)] = middle + Vector3(0.0, step.y, step.z)
		# Paws fold back as they leave the ground, and are flat where they land.
		controls[StringName(foot + "_turn")] = Vector3(maxf(step.x, 0.0) * 1.3, 0.0, 0.0)
