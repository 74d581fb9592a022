class_name VersusRules
extends RefCounted
## The rules of the battle, which run alike on both machines: soldiers come, fight, hold flags and
## storm the other keep. What the rules remember is in a few integers, which late guests get.

const SIDES := 2
const NOBODY := -1
## The column of the soldiers' health.
const HEALTH := 0
const FULL_HEALTH := 6
const FULL_KEEP := 600
const FIRST_SOLDIERS := 128
const MOST_SOLDIERS := 300
## Ticks between blows, and between squads of a side without a flag.
const BLOW := 15
const SQUAD_PAUSE := 150
const SQUAD := 8
const SIGHT := 110.0
const REACH := 22.0
const FLAG_REACH := 70.0
const KEEP_REACH := 90.0

## How much is left of each keep.
var keeps := PackedInt32Array([FULL_KEEP, FULL_KEEP])
## The side that holds each flag, or NOBODY.
var flags := PackedInt32Array([NOBODY, NOBODY, NOBODY])
## The side that has won, or NOBODY.
var winner := NOBODY
## Where soldiers were struck in the last blow.
var sparks := PackedVector2Array()

var _armies: Array[EnemySwarm]


func _init(armies: Array[EnemySwarm]) -> void:
	_armies = armies


## Begins a battle anew.
func begin() -> void:
	keeps.fill(FULL_KEEP)
	flags.fill(NOBODY)
	winner = NOBODY
	for side in SIDES:
		_armies[side].despawn(_armies[side].get_ids())
		_recruit(side, FIRST_SOLDIERS)


func run_tick(tick: int) -> void:
	if winner != NOBODY:
		return
	if tick % BLOW == 0:
		_fight()
		_hold_flags()
		_storm_keeps()
	for side in SIDES:
		if tick % (SQUAD_PAUSE - 30 * flags.count(side)) == 0:
			_recruit(side, SQUAD)


func save() -> PackedByteArray:
	return (keeps + flags + PackedInt32Array([winner])).to_byte_array()


func load_from(bytes: PackedByteArray) -> void:
	var numbers := bytes.to_int32_array()
	keeps = numbers.slice(0, 2)
	flags = numbers.slice(2, 5)
	winner = numbers[5]


func _recruit(side: int, count: int) -> void:
	var army := _armies[side]
	count = mini(count, MOST_SOLDIERS - army.get_agent_count())
	if count <= 0:
		return
	var places := PackedVector2Array()
	var ahead := 1.0 if side == 0 else -1.0
	for i in count:
		var offset := Vector2(64.0 + 17.0 * (i / 16), 17.0 * (i % 16 - 7.5))
		places.append(VersusMap.keep(side) + offset * Vector2(ahead, 1.0))
	var health := PackedInt32Array()
	health.resize(count)
	health.fill(FULL_HEALTH)
	army.set_user_ints(army.spawn_many(places), health, HEALTH)


## Both sides strike before the dead are removed, so that neither has the first blow.
func _fight() -> void:
	sparks.clear()
	var fallen_red := _strike(_armies[0], _armies[1])
	var fallen_blue := _strike(_armies[1], _armies[0])
	_armies[1].despawn(fallen_red)
	_armies[0].despawn(fallen_blue)


## Sends soldiers to the foes that they see, and strikes those in reach. Returns the fallen.
func _strike(army: EnemySwarm, foes: EnemySwarm) -> PackedInt64Array:
	var soldiers := army.get_ids()
	var places := army.get_positions()
	var found := foes.query_nearest_many(places, SIGHT)
	var marching := PackedInt64Array()
	var attackers := PackedInt64Array()
	var attacked := PackedInt64Array()
	var from := PackedVector2Array()
	for i in soldiers.size():
		if found[i] == 0:
			marching.append(soldiers[i])
		else:
			attackers.append(soldiers[i])
			attacked.append(found[i])
			from.append(places[i])
	var targets := foes.get_positions_of(attacked)
	army.clear_agent_targets(marching)
	army.set_agent_targets(attackers, targets)
	var struck := PackedInt64Array()
	for i in attacked.size():
		if from[i].distance_to(targets[i]) < REACH:
			struck.append(attacked[i])
			sparks.append(targets[i])
	return foes.add_user_ints(struck, -1, HEALTH)


## A flag belongs to the side that stands at it alone.
func _hold_flags() -> void:
	for number in flags.size():
		var place := VersusMap.flag(number)
		var blue := _armies[0].query_circle(place, FLAG_REACH).size()
		var red := _armies[1].query_circle(place, FLAG_REACH).size()
		if (blue > 0) != (red > 0):
			flags[number] = 0 if blue > 0 else 1


func _storm_keeps() -> void:
	for side in SIDES:
		var attackers := _armies[1 - side].query_circle(VersusMap.keep(side), KEEP_REACH).size()
		var defenders := _armies[side].query_circle(VersusMap.keep(side), KEEP_REACH).size()
		keeps[side] = maxi(0, keeps[side] - maxi(0, attackers - defenders))
		if keeps[side] == 0 and winner == NOBODY:
			winner = 1 - side
