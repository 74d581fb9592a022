class_name HordeMap
extends Control
## A small map of the arena: walls, hero, view, and some hundreds of enemies as points.

const SIDE := 176.0
const SHOWN := 700
## The time in seconds between two updates of the enemies.
const PAUSE := 0.2

var game: Horde

var _walls: ImageTexture
var _points := PackedVector2Array()
var _wait := 0.0


func _init() -> void:
	custom_minimum_size = Vector2(SIDE, SIDE)
	mouse_filter = Control.MOUSE_FILTER_IGNORE


func show_terrain(cells: PackedByteArray) -> void:
	var image := Image.create_empty(HordeArena.SIZE.x, HordeArena.SIZE.y, false, Image.FORMAT_RGBA8)
	for i in cells.size():
		if cells[i] == HordeArena.WALL:
			var cell := Vector2i(i % HordeArena.SIZE.x, i / HordeArena.SIZE.x)
			image.set_pixelv(cell, Color(0.55, 0.61, 0.80, 0.55))
	_walls = ImageTexture.create_from_image(image)


func _process(delta: float) -> void:
	_wait -= delta
	if _wait <= 0.0:
		_wait = PAUSE
		_look()
	queue_redraw()


func _look() -> void:
	var positions := game.swarm.get_positions()
	_points.clear()
	var stride := maxi(1, ceili(float(positions.size()) / SHOWN))
	for i in range(0, positions.size(), stride):
		_points.append(_on_map(positions[i]))


func _on_map(place: Vector2) -> Vector2:
	return place / (Vector2(HordeArena.SIZE) * HordeArena.CELL) * SIDE


func _draw() -> void:
	var whole := Rect2(Vector2.ZERO, Vector2(SIDE, SIDE))
	draw_style_box(LabTheme.box(HordePalette.TRACK, 8, Color(1, 1, 1, 0.12)), whole.grow(6.0))
	if _walls != null:
		draw_texture_rect(_walls, whole, false)
	for point in _points:
		draw_rect(
			Rect2(point - Vector2(0.8, 0.8), Vector2(1.6, 1.6)), Color(HordePalette.HORDE, 0.8)
		)
	var view := game.camera.get_view()
	var frame := Rect2(_on_map(view.position), _on_map(view.size))
	draw_rect(frame.intersection(whole), Color(1.0, 1.0, 1.0, 0.35), false, 1.0)
	draw_circle(_on_map(game.player.position), 3.2, HordePalette.PLAYER, true, -1.0, true)
