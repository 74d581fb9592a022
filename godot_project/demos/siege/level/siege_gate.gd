class_name SiegeGate
extends StaticBody3D
## The two leaves of the gate. They take damage, sag when half of it is done, and fall when they
## break, which opens the way.

signal damaged(health: float)
signal state_changed(state: State)
signal broken

enum State { WHOLE, CRACKED, BROKEN }

const FULL_HEALTH := 1000.0
const THICK := 0.32

@export var material: Material

var health := FULL_HEALTH
var state := State.WHOLE

var _leaves: Array[Node3D] = []
var _shape := CollisionShape3D.new()
var _shake := 0.0


func _ready() -> void:
	position = Vector3(0.0, SiegeGround.TOWN_HEIGHT, SiegeGround.OUTLINE[0].y + 0.6)
	var box := BoxShape3D.new()
	box.size = Vector3(SiegeWall.GATE.x, SiegeWall.GATE.y, THICK)
	_shape.shape = box
	_shape.position.y = SiegeWall.GATE.y * 0.5
	add_child(_shape)
	for side: float in [-1.0, 1.0]:
		_leaves.append(_add_leaf(side))
	reset()


func _process(delta: float) -> void:
	_shake = maxf(0.0, _shake - delta * 3.0)
	for i in _leaves.size():
		var side := -1.0 if i == 0 else 1.0
		var goal := _hang_of(side)
		goal.origin.z += sin(_shake * 40.0) * 0.04 * _shake
		var fall := 1.0 - exp(-delta * 9.0)
		_leaves[i].transform = _leaves[i].transform.interpolate_with(goal, fall)


func reset() -> void:
	health = FULL_HEALTH
	_enter(State.WHOLE)
	for i in _leaves.size():
		_leaves[i].transform = _hang_of(-1.0 if i == 0 else 1.0)


func is_open() -> bool:
	return state == State.BROKEN


func take_damage(amount: float) -> void:
	if state == State.BROKEN or amount <= 0.0:
		return
	health = maxf(0.0, health - amount)
	_shake = minf(1.0, _shake + amount / FULL_HEALTH * 12.0)
	damaged.emit(health)
	if health <= 0.0:
		_enter(State.BROKEN)
		broken.emit()
	elif health <= FULL_HEALTH * 0.5 and state == State.WHOLE:
		_enter(State.CRACKED)


func _enter(next: State) -> void:
	state = next
	_shape.set_deferred(&"disabled", state == State.BROKEN)
	state_changed.emit(state)


## Where a leaf hangs, by its hinge.
func _hang_of(side: float) -> Transform3D:
	var hinge := Vector3(side * SiegeWall.GATE.x * 0.5, 0.0, 0.0)
	match state:
		State.WHOLE:
			return Transform3D(Basis.IDENTITY, hinge)
		State.CRACKED:
			var sag := Basis(Vector3.BACK, side * -0.05) * Basis(Vector3.UP, side * 0.34)
			return Transform3D(sag, hinge)
	# On the ground of the passage, thrown inwards.
	var lying := Basis(Vector3.UP, side * 0.24) * Basis(Vector3.RIGHT, -PI * 0.5 + 0.03)
	return Transform3D(lying, hinge + Vector3(side * 0.3, THICK * 0.6, -0.8))


func _add_leaf(side: float) -> Node3D:
	var leaf := Node3D.new()
	add_child(leaf)
	var width := SiegeWall.GATE.x * 0.5 - 0.03
	var masonry := SiegeMasonry.new()
	var foot := Vector3(-side * width * 0.5, 0.04, 0.0)
	var size := Vector3(width, SiegeWall.GATE.y - 0.08, THICK)
	masonry.block(foot, size, SiegeMasonry.PLANKS, false)
	for height: float in [0.5, 1.9, 3.3]:
		var band := foot + Vector3(0.0, height, 0.0)
		masonry.block(band, Vector3(width, 0.2, THICK + 0.08), SiegeMasonry.IRON, false)
	masonry.commit(leaf, "Leaf", material)
	return leaf
