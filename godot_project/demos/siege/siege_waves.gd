class_name SiegeWaves
extends Node
## Waves of attackers that leave the camps. The next one follows when few of the last are left.

signal began(wave: int, size: int)
signal all_ended

## The time in which a wave leaves its camps, in seconds.
const POUR_TIME := 12.0
## The share of beasts in a wave.
const BEASTS := 0.2

@export var sizes := PackedInt32Array([150, 400, 900, 2000])
## The pause before each wave, in seconds.
@export var breather := 6.0

var crowd: SiegeCrowd
var level: SiegeLevel
## The present or next wave, from 0.
var wave := 0
var running := false

var _wait := 0.0
var _to_come := 0
var _owed := 0.0
var _camp := 0


func _physics_process(delta: float) -> void:
	if wave >= sizes.size():
		return
	if not running:
		_wait -= delta
		if _wait <= 0.0:
			_begin()
	elif _to_come > 0:
		_pour(delta)
	elif crowd.count_alive() == 0:
		_end()


func reset() -> void:
	wave = 0
	running = false
	_to_come = 0
	_owed = 0.0
	_wait = breather


## The attackers of the wave that have not fallen.
func count_left() -> int:
	return _to_come + crowd.count_alive()


func _begin() -> void:
	running = true
	_to_come = sizes[wave]
	began.emit(wave, sizes[wave])


func _end() -> void:
	running = false
	_wait = breather
	wave += 1
	if wave >= sizes.size():
		all_ended.emit()


func _pour(delta: float) -> void:
	_owed += sizes[wave] / POUR_TIME * delta
	var now := mini(int(_owed), _to_come)
	if now == 0:
		return
	_owed -= now
	_to_come -= now
	var camps := level.get_camps()
	_camp = (_camp + 1) % camps.size()
	var beasts := int(now * BEASTS + randf())
	crowd.spawn(SiegeCrowd.Kind.BEAST, mini(beasts, now), camps[_camp])
	crowd.spawn(SiegeCrowd.Kind.SOLDIER, maxi(now - beasts, 0), camps[_camp])
