extends RefCounted
## An animated character of 1.8 m with 60 bones, built by script: two skinned meshes, a sword on a
## hand, and the clips Idle, Walk, Run, Attack, Death and Dance.

const HEIGHT := 1.8
const BONES := 60
const STRIDE := 1.4
const WALK_SECONDS := 1.0

var root: Node3D
var skeleton: Skeleton3D
var player: AnimationPlayer
var body: MeshInstance3D
var clothes: MeshInstance3D
var sword: MeshInstance3D
var skin_color := StandardMaterial3D.new()
var cloth_color := StandardMaterial3D.new()
var _random := RandomNumberGenerator.new()


func _init(sides := 6) -> void:
	_random.seed = 7
	root = Node3D.new()
	root.name = "Character"
	skeleton = Skeleton3D.new()
	skeleton.name = "Skeleton3D"
	_add(root, skeleton)
	_make_bones()
	skin_color.resource_name = "Skin"
	skin_color.albedo_color = Color(0.9, 0.6, 0.4)
	cloth_color.resource_name = "Cloth"
	cloth_color.albedo_color = Color(0.2, 0.3, 0.9)
	cloth_color.roughness = 0.6
	body = _limbs("Body", ["Head", "Neck", "Hand", "Arm"], sides, [skin_color, cloth_color])
	clothes = _limbs("Clothes", ["Hips", "Spine", "Leg"], sides, [cloth_color, skin_color])
	_make_sword()
	player = AnimationPlayer.new()
	player.name = "AnimationPlayer"
	_add(root, player)
	_make_clips()


## A copy of the scene as a game instantiates it, with its skeleton and player.
func copy() -> Node3D:
	return root.duplicate() as Node3D


## The bone of a name with a number, such as "Spine3".
func bone(name: String) -> int:
	return skeleton.find_bone(name)


func free_scene() -> void:
	root.free()


static func _add(parent: Node, child: Node) -> void:
	parent.add_child(child)


func _make_bones() -> void:
	var hips := _bone("Hips", -1, Vector3(0.0, 0.95, 0.0))
	var last := hips
	for i in 6:
		last = _bone("Spine%d" % i, last, Vector3(0.0, 0.08, 0.0))
	var chest := last
	last = _bone("Neck", last, Vector3(0.0, 0.08, 0.0))
	last = _bone("Head", last, Vector3(0.0, 0.1, 0.02))
	for side: float in [-1.0, 1.0]:
		var mark := "L" if side > 0.0 else "R"
		last = _bone("Arm0" + mark, chest, Vector3(0.18 * side, 0.02, 0.0))
		for i in range(1, 4):
			last = _bone("Arm%d%s" % [i, mark], last, Vector3(0.16 * side, 0.0, 0.0))
		var hand := _bone("Hand" + mark, last, Vector3(0.12 * side, 0.0, 0.0))
		for finger in 5:
			last = hand
			for i in 2:
				var offset := Vector3(0.04 * side, 0.0, 0.02 * (finger - 2) if i == 0 else 0.0)
				last = _bone("Hand%d%d%s" % [finger, i, mark], last, offset)
		last = _bone("Leg0" + mark, hips, Vector3(0.1 * side, -0.05, 0.0))
		for i in range(1, 7):
			var offset := Vector3(0.0, -0.14, 0.0) if i < 7 else Vector3(0.0, 0.0, 0.1)
			last = _bone("Leg%d%s" % [i, mark], last, offset)
		last = _bone("Leg7" + mark, last, Vector3(0.0, -0.05, 0.12))
	while skeleton.get_bone_count() < BONES:
		last = _bone("Leg9_%d" % skeleton.get_bone_count(), hips, Vector3(0.0, -0.1, -0.1))


func _bone(name: String, parent: int, offset: Vector3) -> int:
	var index := skeleton.add_bone(name)
	skeleton.set_bone_parent(index, parent)
	var turn := Basis(Vector3.UP, 0.3 * index)
	var above := Basis.IDENTITY
	if parent >= 0:
		above = skeleton.get_bone_global_rest(parent).basis
	# Bones of imported scenes are turned in all ways.
	var rest := Transform3D(above.inverse() * turn, above.inverse() * offset)
	skeleton.set_bone_rest(index, rest)
	skeleton.reset_bone_pose(index)
	return index


## Tubes around the bones whose names begin with one of the words; even bones have the first
## material.
func _limbs(
	name: String, words: Array, sides: int, materials: Array[StandardMaterial3D]
) -> MeshInstance3D:
	var tools: Array[SurfaceTool] = []
	for material: StandardMaterial3D in materials:
		var tool := SurfaceTool.new()
		tool.begin(Mesh.PRIMITIVE_TRIANGLES)
		tools.append(tool)
	var counts := [0, 0]
	for index in skeleton.get_bone_count():
		var is_wanted := func(word: String) -> bool:
			return skeleton.get_bone_name(index).begins_with(word)
		if words.any(is_wanted):
			var which := index % 2
			counts[which] = _tube(tools[which], counts[which], index, sides)
	var mesh := ArrayMesh.new()
	for i in tools.size():
		tools[i].generate_normals()
		tools[i].commit(mesh)
		mesh.surface_set_material(i, materials[i])
	var part := MeshInstance3D.new()
	part.name = name
	part.mesh = mesh
	_add(skeleton, part)
	part.skeleton = NodePath("..")
	part.skin = skeleton.create_skin_from_rest_transforms()
	return part


## A tube from a bone to its parent, with weights that go from one to the other.
func _tube(tool: SurfaceTool, first: int, index: int, sides: int) -> int:
	var end := skeleton.get_bone_global_rest(index).origin
	var parent := maxi(skeleton.get_bone_parent(index), 0)
	var start := skeleton.get_bone_global_rest(parent).origin
	var name := skeleton.get_bone_name(index)
	var width := 0.06
	if name == "Head":
		width = 0.12
		end += Vector3(0.0, 0.2, 0.0)
	elif name.begins_with("Spine") or name == "Hips":
		# Tubes that overlap must not have faces in the same place.
		width = 0.16 - 0.006 * index
		start -= Vector3(0.0, 0.06, 0.0)
	elif name.begins_with("Hand"):
		width = 0.02
	var axis := (end - start).normalized() if end.distance_to(start) > 0.01 else Vector3.UP
	var side := axis.cross(Vector3(0.3, 0.5, 0.8)).normalized()
	var rings := 3
	for ring in rings:
		var share := float(ring) / (rings - 1)
		for i in sides:
			var out := side.rotated(axis, TAU * i / sides)
			var other := maxi(skeleton.get_bone_parent(parent), 0)
			var third := 0.2 * (1.0 - share)
			tool.set_bones(PackedInt32Array([index, parent, other, 0]))
			tool.set_weights(
				PackedFloat32Array([0.8 * share + 0.1, 0.9 - 0.8 * share - third, third, 0.0])
			)
			tool.set_uv(Vector2(float(i) / sides, share))
			tool.add_vertex(start.lerp(end, share) + out * width)
	for ring in rings - 1:
		for i in sides:
			var a := first + ring * sides + i
			var b := first + ring * sides + (i + 1) % sides
			for corner: int in [a, a + sides, b, b, a + sides, b + sides]:
				tool.add_index(corner)
	return first + rings * sides


func _make_sword() -> void:
	var attachment := BoneAttachment3D.new()
	attachment.name = "Grip"
	_add(skeleton, attachment)
	attachment.bone_name = "HandR"
	attachment.bone_idx = bone("HandR")
	sword = MeshInstance3D.new()
	sword.name = "Sword"
	var box := BoxMesh.new()
	box.size = Vector3(0.03, 0.03, 0.8)
	var steel := StandardMaterial3D.new()
	steel.resource_name = "Steel"
	steel.metallic = 0.8
	steel.roughness = 0.3
	box.material = steel
	sword.mesh = box
	sword.position = Vector3(0.0, 0.0, 0.35)
	_add(attachment, sword)


func _make_clips() -> void:
	var library := AnimationLibrary.new()
	var walk := _walk(WALK_SECONDS, STRIDE, 0.95)
	library.add_animation("Idle", _idle())
	library.add_animation("Walk", walk)
	library.add_animation("Run", _walk(0.6, 2.4, 0.9))
	library.add_animation("Attack", _attack())
	library.add_animation("Death", _death())
	library.add_animation("Dance", _dance())
	player.add_animation_library("", library)


## Turns a bone about an axis of the model, on top of its rest.
func _turn(animation: Animation, name: String, seconds: float, axis: Vector3, angle: float) -> void:
	var index := bone(name)
	var path := NodePath("Skeleton3D:" + name)
	var track := animation.find_track(path, Animation.TYPE_ROTATION_3D)
	if track < 0:
		track = animation.add_track(Animation.TYPE_ROTATION_3D)
		animation.track_set_path(track, path)
	var rest := skeleton.get_bone_global_rest(index).basis
	var local := (rest.inverse() * axis).normalized()
	var turned := skeleton.get_bone_rest(index).basis * Basis(local, angle)
	animation.rotation_track_insert_key(track, seconds, turned.get_rotation_quaternion())


func _place_hips(animation: Animation, seconds: float, at: Vector3) -> void:
	var path := NodePath("Skeleton3D:Hips")
	var track := animation.find_track(path, Animation.TYPE_POSITION_3D)
	if track < 0:
		track = animation.add_track(Animation.TYPE_POSITION_3D)
		animation.track_set_path(track, path)
	animation.position_track_insert_key(track, seconds, at)


func _clip(seconds: float, loop: bool) -> Animation:
	var animation := Animation.new()
	animation.length = seconds
	animation.loop_mode = Animation.LOOP_LINEAR if loop else Animation.LOOP_NONE
	return animation


func _idle() -> Animation:
	var idle := _clip(2.0, true)
	for key in 5:
		var share := sin(TAU * key / 4.0)
		_turn(idle, "Spine2", 0.5 * key, Vector3.RIGHT, 0.05 * share)
		for mark: String in ["L", "R"]:
			var side := -1.0 if mark == "L" else 1.0
			_turn(idle, "Arm0" + mark, 0.5 * key, Vector3.BACK, side * (1.3 + 0.05 * share))
	return idle


## Legs that swing so that the foot on the ground goes back by half a stride in half a cycle.
func _walk(seconds: float, stride: float, hips: float) -> Animation:
	var walk := _clip(seconds, true)
	var keys := 24
	var reach := 0.9
	_place_hips(walk, 0.0, Vector3(0.0, hips, 0.0))
	for key in keys + 1:
		var at := seconds * key / keys
		for mark: String in ["L", "R"]:
			var cycle := fposmod(float(key) / keys + (0.0 if mark == "L" else 0.5), 1.0)
			# On the ground in the first half of the cycle.
			var share := 1.0 - 4.0 * cycle if cycle < 0.5 else 4.0 * cycle - 3.0
			var lift := 0.0 if cycle < 0.5 else 0.9 * sin(TAU * (cycle - 0.5))
			var angle := -asin(clampf(0.25 * stride * share / reach, -1.0, 1.0))
			_turn(walk, "Leg0" + mark, at, Vector3.RIGHT, angle - 0.5 * lift)
			_turn(walk, "Leg3" + mark, at, Vector3.RIGHT, lift)
			var side := -1.0 if mark == "L" else 1.0
			_turn(walk, "Arm0" + mark, at, Vector3.BACK, 1.3 * side)
			_turn(walk, "Arm1" + mark, at, Vector3.RIGHT, -angle)
	return walk


func _attack() -> Animation:
	var attack := _clip(1.0, false)
	for key: Array in [[0.0, 0.0], [0.4, 1.2], [0.7, -1.0], [1.0, 0.0]]:
		_turn(attack, "Arm0R", key[0], Vector3.UP, key[1])
		_turn(attack, "Arm2R", key[0], Vector3(0.2, 1.0, 0.4), 0.8 * key[1])
		_turn(attack, "Spine3", key[0], Vector3.UP, 0.4 * key[1])
	return attack


func _death() -> Animation:
	var death := _clip(1.5, false)
	for key in 7:
		var share := key / 6.0
		_turn(death, "Hips", 0.2 * key, Vector3.RIGHT, -0.5 * PI * share)
		_place_hips(death, 0.2 * key, Vector3(0.0, lerpf(0.95, 0.15, share * share), -0.4 * share))
		_turn(death, "Arm0L", 0.2 * key, Vector3.BACK, -1.2 * share)
	return death


## Ten seconds in which all bones turn about.
func _dance() -> Animation:
	var dance := _clip(10.0, true)
	for index in skeleton.get_bone_count():
		var name := skeleton.get_bone_name(index)
		var axis := Vector3(_random.randfn(), _random.randfn(), _random.randfn()).normalized()
		var most := 0.8 if index == 0 or name.begins_with("Arm") else 0.25
		for key in 21:
			var angle := most * sin(TAU * key / 20.0 * (1 + index % 3) + index)
			_turn(dance, name, 0.5 * key, axis, angle)
	for key in 21:
		var around := TAU * key / 20.0
		_place_hips(
			dance, 0.5 * key, Vector3(sin(around), 0.95, cos(around)) * Vector3(0.3, 1, 0.3)
		)
	return dance
