class_name HordeWaves
extends Node
## One wave after the other, each larger: it is over when all of it have appeared and fallen.

signal began(wave: int, size: int)
signal ended(wave: int)
signal all_ended

## Seconds within which a wave has appeared, and the fewest that appear a second.
const POUR_TIME := 9.0
const LEAST_RATE := 60.0
## What share of a wave they are; small waves have no brutes.
const RUNNERS := 0.15
const BRUTES := 0.03
const FIRST_WITH_BRUTES := 600
## How far off they appear at most, and how much farther for each that there are.
const FARTHEST := 1500.0
const FARTHER_EACH := 0.035

## How many enemies each wave has.
@export var sizes := PackedInt32Array([250, 700, 1800, 4500, 10000, 22000, 50000])
## The wave to begin with, from 0.
@export var first := 0
## How far off they appear at least: out of sight.
@export var nearest := 820.0
## Seconds before each wave.
@export var breather := 3.0

var enemies: HordeEnemies
var player: HordePlayer
## The wave that is fought or comes next, from 0.
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


## How many of the wave are still to be fought.
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


## A share of a number, rounded up or down by chance, so that small numbers come right in sum.
func _share_of(number: int, share: float) -> int:
	return mini(int(number * share + _random.randf()), number)
