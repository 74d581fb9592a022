class_name SiegeKeep
extends Node
## The hit points of the keep. The game is lost when they are gone.

signal fallen

const FULL_HEALTH := 1000.0

var health := FULL_HEALTH


func reset() -> void:
	health = FULL_HEALTH


func take_damage(amount: float) -> void:
	if health <= 0.0 or amount <= 0.0:
		return
	health = maxf(0.0, health - amount)
	if health <= 0.0:
		fallen.emit()
