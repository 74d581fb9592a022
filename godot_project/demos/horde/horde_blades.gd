class_name HordeBlades
extends Node2D
## Blades that circle the hero and hit the enemies that they touch.

const ORBIT := 66.0
const TURN := 3.6
const REACH := 17.0
const SHOVE := 26.0
const MOST := 10
## Length of the trail, in radians.
const TRAIL := 0.75

var enemies: HordeEnemies
var player: HordePlayer
var count := 2

var _angle := 0.0


func _physics_process(delta: float) -> void:
	position = player.position
	_angle = fposmod(_angle + TURN * delta, TAU)
	queue_redraw()
	if not player.alive:
		return
	for i in count:
		var place := position + _direction(i) * ORBIT
		if enemies.strike(place, REACH, 1) > 0:
			enemies.swarm.apply_radial_impulse(position, ORBIT * 1.3, SHOVE)


func reset() -> void:
	count = 2


func _direction(index: int) -> Vector2:
	return Vector2.from_angle(_angle + TAU * index / count)


func _draw() -> void:
	if not player.alive:
		return
	for i in count:
		var ahead := _angle + TAU * i / count
		for part in 8:
			var share := part / 8.0
			var from := ahead - TRAIL * (1.0 - share)
			var color := Color(HordePalette.PLAYER, 0.34 * share * share)
			draw_arc(Vector2.ZERO, ORBIT, from, from + TRAIL / 8.0, 4, color, 15.0 * share)
		_draw_blade(ahead)


func _draw_blade(angle: float) -> void:
	draw_set_transform(Vector2.from_angle(angle) * ORBIT, angle)
	var edge := PackedVector2Array(
		[
			Vector2(-3.0, 17.0),
			Vector2(9.0, 5.0),
			Vector2(9.0, -7.0),
			Vector2(-3.0, -17.0),
			Vector2(1.0, -4.0),
			Vector2(1.0, 6.0)
		]
	)
	draw_colored_polygon(edge, HordePalette.BLADE)
	draw_polyline(edge, HordePalette.PLAYER, 1.5, true)
	draw_set_transform(Vector2.ZERO)
