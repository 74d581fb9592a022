class_name VersusGround
extends Node2D
## Draws what lies below the soldiers: the ground, the rocks, keeps and flags.

const GROUND := Color("161e2e")
const GRASS := Color("1a2436")
const ROCK := Color("33415f")
const ROCK_TOP := Color("40507a")
const NEUTRAL := Color("8c97b2")

var battle: VersusBattle


func _process(_delta: float) -> void:
	queue_redraw()


func _draw() -> void:
	var bounds := Rect2(Vector2.ZERO, Vector2(VersusMap.SIZE) * VersusMap.CELL)
	draw_rect(bounds, GROUND)
	for x in range(0, VersusMap.SIZE.x, 5):
		for y in range(x / 5 % 2 * 5, VersusMap.SIZE.y, 10):
			var place := Rect2(Vector2(x, y) * VersusMap.CELL, Vector2(5, 5) * VersusMap.CELL)
			draw_rect(place.intersection(bounds), GRASS)
	for rock: Rect2i in VersusMap.rocks():
		var place := Rect2(
			Vector2(rock.position) * VersusMap.CELL, Vector2(rock.size) * VersusMap.CELL
		)
		draw_rect(place, ROCK)
		draw_rect(Rect2(place.position, place.size - Vector2(0.0, 8.0)), ROCK_TOP)
	if battle != null and battle.rules != null:
		_draw_keeps()
		_draw_flags()


func _draw_keeps() -> void:
	for side in VersusRules.SIDES:
		var place := VersusMap.keep(side)
		var color := VersusMap.COLORS[side]
		var share := float(battle.rules.keeps[side]) / VersusRules.FULL_KEEP
		draw_circle(place, VersusRules.KEEP_REACH, Color(color, 0.07), true, -1.0, true)
		draw_circle(place, 44.0, Color(color.darkened(0.55)), true, -1.0, true)
		draw_arc(place, 44.0, -PI / 2.0, TAU * share - PI / 2.0, 64, color, 6.0, true)
		draw_rect(Rect2(place - Vector2(16.0, 16.0), Vector2(32.0, 32.0)), color)
		for corner: Vector2 in [Vector2(-1, -1), Vector2(1, -1), Vector2(-1, 1), Vector2(1, 1)]:
			draw_circle(place + corner * 16.0, 8.0, color.lightened(0.25), true, -1.0, true)


func _draw_flags() -> void:
	for number in battle.rules.flags.size():
		var place := VersusMap.flag(number)
		var side := battle.rules.flags[number]
		var color := NEUTRAL if side == VersusRules.NOBODY else VersusMap.COLORS[side]
		draw_circle(place, VersusRules.FLAG_REACH, Color(color, 0.08), true, -1.0, true)
		draw_arc(place, VersusRules.FLAG_REACH, 0.0, TAU, 64, Color(color, 0.5), 2.0, true)
		draw_line(
			place + Vector2(0.0, 14.0), place - Vector2(0.0, 26.0), Color("e8ecf6"), 3.0, true
		)
		var cloth := PackedVector2Array([Vector2(1, -26), Vector2(26, -18), Vector2(1, -9)])
		draw_colored_polygon(Transform2D(0.0, place) * cloth, color)
