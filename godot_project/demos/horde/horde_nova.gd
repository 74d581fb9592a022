class_name HordeNova
extends Node2D
## The hero's blow, on Space: it kills enemies near the hero and throws back those farther away.

signal fired

const BLAST := 0.55
const KNOCK := 900.0
## The reach of the throw, as a multiple of the reach of the kill.
const THROW := 1.9
const FIRST_RADIUS := 150.0
const FIRST_PAUSE := 5.0

var enemies: HordeEnemies
var player: HordePlayer
var radius := FIRST_RADIUS
var pause := FIRST_PAUSE
## The time in seconds until it is ready again.
var wait := 0.0

var _since := BLAST


func _ready() -> void:
	var light := CanvasItemMaterial.new()
	light.blend_mode = CanvasItemMaterial.BLEND_MODE_ADD
	material = light


func _physics_process(delta: float) -> void:
	wait = maxf(0.0, wait - delta)
	_since = minf(_since + delta, BLAST)
	queue_redraw()


func reset() -> void:
	radius = FIRST_RADIUS
	pause = FIRST_PAUSE
	wait = 0.0
	_since = BLAST


## Fires if it is ready and the hero is alive. Returns whether it did.
func fire() -> bool:
	if wait > 0.0 or not player.alive:
		return false
	wait = pause
	_since = 0.0
	position = player.position
	enemies.strike(position, radius, 8)
	enemies.swarm.apply_radial_impulse(position, radius * THROW, KNOCK)
	fired.emit()
	return true


func _draw() -> void:
	if _since >= BLAST:
		return
	var share := _since / BLAST
	var reach := radius * THROW * (1.0 - pow(1.0 - share, 3.0))
	var fade := 1.0 - share
	for ring in 5:
		var width := 26.0 * fade * (1.0 - ring * 0.16)
		var color := Color(HordePalette.NOVA, 0.34 * fade)
		draw_arc(Vector2.ZERO, maxf(reach - ring * 9.0, 1.0), 0.0, TAU, 72, color, width, true)
	draw_circle(Vector2.ZERO, radius, Color(HordePalette.NOVA, 0.16 * fade * fade))
