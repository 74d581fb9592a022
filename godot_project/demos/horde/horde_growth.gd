class_name HordeGrowth
extends Node
## Experience: the points for killed enemies, and the hero's rewards for them.

signal grown(level: int, gift: String)

const WORTH: Array[int] = [1, 2, 12]
const FIRST_STEP := 40.0
const STEP_GROWTH := 1.42

var blades: HordeBlades
var bolts: HordeBolts
var nova: HordeNova
var player: HordePlayer
var level := 1
var experience := 0.0


func reset() -> void:
	level = 1
	experience = 0.0


## The experience that is needed for the next level.
func get_step() -> float:
	return FIRST_STEP * pow(STEP_GROWTH, level - 1)


func learn(kinds: PackedInt32Array) -> void:
	for kind in kinds:
		experience += WORTH[kind]
	while experience >= get_step():
		experience -= get_step()
		grow()


## Raises the level by one, with a reward.
func grow() -> void:
	level += 1
	player.health = minf(player.health + 25.0, HordePlayer.FULL_HEALTH)
	grown.emit(level, _give())


func _give() -> String:
	match level % 5:
		2:
			blades.count = mini(blades.count + 1, HordeBlades.MOST)
			return "One more blade"
		3:
			bolts.count = mini(bolts.count + 2, HordeBolts.MOST)
			bolts.pause = maxf(bolts.pause * 0.86, 0.12)
			return "A wider volley"
		4:
			nova.radius += 34.0
			nova.pause = maxf(nova.pause - 0.5, 2.0)
			return "A stronger nova"
		0:
			blades.count = mini(blades.count + 1, HordeBlades.MOST)
			bolts.piercing += 3
			return "Sharper bolts, one more blade"
		_:
			player.healing += 2.0
			return "Faster healing"
