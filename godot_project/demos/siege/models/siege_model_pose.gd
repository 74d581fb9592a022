class_name SiegeModelPose
extends RefCounted
## One pose of a rig: a rotation for each bone, and shifts of some. Legs are posed by where their
## feet stand, so that feet keep their place on the ground while the body moves above them.

var rig: SiegeModelRig
var turns: Array[Basis] = []
var shifts := PackedVector3Array()


func _init(of: SiegeModelRig) -> void:
	rig = of
	for i in rig.names.size():
		turns.append(Basis.IDENTITY)
		shifts.append(Vector3.ZERO)


## Turns a bone by angles in degrees about the axes of its parent. Positive X leans forward what
## stands up, and swings back what hangs down.
func turn(bone: StringName, degrees: Vector3) -> void:
	turns[rig.index_of(bone)] = basis_of(degrees)


func shift(bone: StringName, by: Vector3) -> void:
	shifts[rig.index_of(bone)] = by


static func basis_of(degrees: Vector3) -> Basis:
	return Basis.from_euler(degrees * (PI / 180.0))


## Where a bone is in model space.
func global_of(index: int) -> Transform3D:
	if index < 0:
		return Transform3D.IDENTITY
	var local := Transform3D(turns[index], rig.offset_of(index) + shifts[index])
	return global_of(rig.parents[index]) * local


## Bends a limb of two bones so that the joint of its end is at `target`, or as near as the limb
## reaches, and turns the end as given in model space. The middle joint bends forward where `bend`
## is 1, and back where it is -1.
func reach(limb: Array[StringName], target: Vector3, bend: float, end_turn: Basis) -> void:
	var upper := rig.index_of(limb[0])
	var lower := rig.index_of(limb[1])
	var end := rig.index_of(limb[2])
	var above := global_of(rig.parents[upper])
	var to := above.affine_inverse() * target - rig.offset_of(upper)
	var roll := atan2(to.x, -to.y)
	# The plane of the limb from here on: how far down, how far forward.
	var down := Vector2(to.x, to.y).length()
	var first := rig.offset_of(lower)
	var second := rig.offset_of(end)
	var a := Vector2(first.y, first.z).length()
	var b := Vector2(second.y, second.z).length()
	var way := Vector2(down, to.z)
	var distance := clampf(way.length(), absf(a - b) + 0.01, a + b - 0.001)
	way = way.normalized() * distance
	var cosine := (a * a + distance * distance - b * b) / (2.0 * a * distance)
	var upper_angle := way.angle() + bend * acos(clampf(cosine, -1.0, 1.0))
	var middle := Vector2.from_angle(upper_angle) * a
	var upper_turn := upper_angle - Vector2(-first.y, first.z).angle()
	var lower_turn := (way - middle).angle() - Vector2(-second.y, second.z).angle()
	turns[upper] = Basis(Vector3.BACK, roll) * Basis(Vector3.RIGHT, -upper_turn)
	turns[lower] = Basis(Vector3.RIGHT, upper_turn - lower_turn)
	turns[end] = global_of(lower).basis.inverse() * end_turn
