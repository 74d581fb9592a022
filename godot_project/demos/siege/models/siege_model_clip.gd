class_name SiegeModelClip
extends RefCounted
## Makes animations of controls: named vectors such as the turn of a bone in degrees or the place of
## a foot in metres. A model's own solver makes a pose of them.

## Keys a second. The engine interpolates between them.
const RATE := 24.0


## Samples a clip. `controls_at` returns the controls at a share of the clip from 0 to 1, `solve`
## the pose for them.
static func sample(
	length: float, looped: bool, controls_at: Callable, solve: Callable
) -> Animation:
	var clip := Animation.new()
	clip.length = length
	clip.loop_mode = Animation.LOOP_LINEAR if looped else Animation.LOOP_NONE
	var steps := maxi(2, roundi(length * RATE))
	var poses: Array[SiegeModelPose] = []
	for i in steps + 1:
		poses.append(solve.call(controls_at.call(float(i) / steps)) as SiegeModelPose)
	for bone in poses[0].rig.names.size():
		_add_turns(clip, poses, bone)
		_add_shifts(clip, poses, bone)
	return clip


## Controls between keyed ones: `keys` maps shares of a clip to the controls that differ from `base`
## there. Movements start and end gently.
static func between(keys: Dictionary, base: Dictionary, share: float) -> Dictionary:
	var before := 0.0
	var after := 1.0
	for key: float in keys:
		if key <= share:
			before = key
		else:
			after = key
			break
	var from: Dictionary = base.merged(keys[before] as Dictionary, true)
	var to: Dictionary = base.merged(keys.get(after, {}) as Dictionary, true)
	var blend := smoothstep(before, after, share) if after > before else 0.0
	var controls := {}
	for control: StringName in from.merged(to):
		var start: Vector3 = from.get(control, Vector3.ZERO)
		controls[control] = start.lerp(to.get(control, Vector3.ZERO) as Vector3, blend)
	return controls


## Where a foot is in a walk, relative to the middle of its path, in metres: during its share
## `stance` of a cycle it stands on ground that moves back evenly by `cycle` metres a cycle, then it
## swings forward. X of the result is the turn of the foot in degrees, toes down.
static func step(phase: float, cycle: float, stance: float, lift: float) -> Vector3:
	var at := fposmod(phase, 1.0)
	var half := cycle * stance * 0.5
	if at < stance:
		var heel_off := smoothstep(0.55, 1.0, at / stance) * 38.0
		var landing := (1.0 - smoothstep(0.0, 0.16, at / stance)) * -16.0
		return Vector3(heel_off + landing, 0.0, half - cycle * at)
	var swing := (at - stance) / (1.0 - stance)
	# Hermite, so that the foot has the speed of the ground when it leaves it and when it lands.
	var slope := -cycle * (1.0 - stance)
	var ease := swing * swing * (3.0 - 2.0 * swing)
	var ends := swing * (1.0 - swing) * (1.0 - 2.0 * swing) * slope
	var rise := sin(PI * pow(swing, 0.8)) * lift
	var pitch := lerpf(38.0, -16.0, smoothstep(0.1, 0.95, swing))
	return Vector3(pitch, rise, lerpf(-half, half, ease) + ends)


static func _add_turns(clip: Animation, poses: Array[SiegeModelPose], bone: int) -> void:
	var track := clip.add_track(Animation.TYPE_ROTATION_3D)
	clip.track_set_path(track, NodePath("Skeleton3D:%s" % poses[0].rig.names[bone]))
	var first := poses[0].turns[bone].get_rotation_quaternion()
	var still := poses.all(
		func(pose: SiegeModelPose) -> bool:
			return first.angle_to(pose.turns[bone].get_rotation_quaternion()) < 0.0005
	)
	for i in 1 if still else poses.size():
		var share := float(i) / (poses.size() - 1)
		var turn := poses[i].turns[bone].get_rotation_quaternion()
		clip.rotation_track_insert_key(track, share * clip.length, turn)


static func _add_shifts(clip: Animation, poses: Array[SiegeModelPose], bone: int) -> void:
	var moved := poses.any(
		func(pose: SiegeModelPose) -> bool: return not pose.shifts[bone].is_zero_approx()
	)
	if not moved:
		return
	var rig := poses[0].rig
	var track := clip.add_track(Animation.TYPE_POSITION_3D)
	clip.track_set_path(track, NodePath("Skeleton3D:%s" % rig.names[bone]))
	for i in poses.size():
		var share := float(i) / (poses.size() - 1)
		var place := rig.offset_of(bone) + poses[i].shifts[bone]
		clip.position_track_insert_key(track, share * clip.length, place)
