class_name HordeWaves
extends Node
## Waves of enemies, each larger than the one before. A wave is over when all its enemies have
## appeared and have been killed.

signal began(wave: int, size: int)
signal ended(wave: int)
signal all_ended

## The time in seconds in which a wave appears, and the least number of enemies that appear a
## second.
const POUR_TIME := 9.0
const LEAST_RATE := 60.0
## The shares of runners and brutes in a wave. Waves below a certain size have no brutes.
const RUNNERS := 0.15
const BRUTES := 0.03
const FIRST_WITH_BRUTES := 600
## The greatest distance from the hero at which enemies appear, and its increase for each enemy.
const FARTHEST := 1500.0
const FARTHER_EACH := 0.035

## The number of enemies of each wave.
@export var sizes := PackedInt32Array([250, 700, 1800, 4500, 10000, 22000, 50000])
## The first wave, from 0.
@export var first := 0
## The least distance from the hero at which enemies appear: out of sight.
@export var nearest := 820.0
## The pause before each wave, in seconds.
@export var breather := 3.0

var enemies: HordeEnemies
var player: HordePlayer
## The present or next wave, from 0.
var wave := 0
var running := false

var _wait := 0.0
var _to_come := 0
var _owed := 0.0
var _random := RandomNumberGenerator.new()


func _physics_process(delta: float) -> void:
	if wave >= sizes.size():
		return
	if not running:
		_wait -= delta
		if _wait <= 0.0:
			_begin()
		return
	if _to_come > 0:
		_pour(delta)
	elif enemies.count() == 0:
		_end()


func reset() -> void:
	wave = first
	running = false
	_to_come = 0
	_owed = 0.0
	_wait = breather
	_random.seed = 3


## The number of enemies of the wave that have not been killed.
func count_left() -> int:
	return _to_come + enemies.count() if running else 0


func _begin() -> void:
	running = true
	_to_come = sizes[wave]
	_owed = 0.0
	began.emit(wave, sizes[wave])


func _end() -> void:
	running = false
	_wait = breather
	wave += 1
	ended.emit(wave - 1)
	if wave >= sizes.size():
		all_ended.emit()


func _pour(delta: float) -> void:
	_owed += maxf(sizes[wave] / POUR_TIME, LEAST_RATE) * delta
	var now := mini(int(_owed), _to_come)
	_owed -= now
	_to_come -= now
	var brutes := _share_of(now, BRUTES) if sizes[wave] >= FIRST_WITH_BRUTES else 0
	var runners := mini(_share_of(now, RUNNERS), now - brutes)
	var farthest := FARTHEST + sizes[wave] * FARTHER_EACH
	var kinds: Array[int] = [now - brutes - runners, runners, brutes]
	for kind: int in HordeEnemies.Kind.values():
		if kinds[kind] > 0:
			enemies.spawn(kind, kinds[kind], player.position, nearest, farthest)


## A share of a number, rounded up or down at random, so that the sum of small numbers is right.
func _share_of(number: int, share: float) -> int:
	return mini(int(number * share + _random.randf()), number)
