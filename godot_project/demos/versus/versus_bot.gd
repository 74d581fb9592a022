class_name VersusBot
extends Node
## A player without a hand: sends squads to flags and keeps. It gives orders as a player does, so
## only they must be the same on both machines, not how it finds them.

const PAUSE := 1.5

@export var battle: VersusBattle

var _random := RandomNumberGenerator.new()
var _wait := 0.0


func _process(delta: float) -> void:
	_wait -= delta
	if _wait > 0.0 or not battle.lockstep.is_running() or not battle.is_on():
		return
	_wait = PAUSE
	var army := battle.armies[battle.get_side()]
	var squad := PackedInt64Array()
	var first := _random.randi_range(0, 3)
	for id: int in army.get_ids():
		if (id >> 32) % 4 == first:
			squad.append(id)
	if not squad.is_empty():
		battle.send(squad, _choose_place())


func _choose_place() -> Vector2:
	var choice := _random.randi_range(0, VersusMap.FLAGS.size())
	if choice == VersusMap.FLAGS.size():
		return VersusMap.keep(1 - battle.get_side())
	return VersusMap.flag(choice)
