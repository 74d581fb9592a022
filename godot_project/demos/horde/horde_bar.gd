class_name HordeBar
extends Control
## A bar that fills from the left and follows changes smoothly.

var color := Color.WHITE
var share := 1.0

var _shown := 1.0


func _init(fill := Color.WHITE, least_size := Vector2(200.0, 12.0)) -> void:
	color = fill
	custom_minimum_size = least_size
	mouse_filter = Control.MOUSE_FILTER_IGNORE


func _process(delta: float) -> void:
	var before := _shown
	_shown = lerpf(_shown, clampf(share, 0.0, 1.0), 1.0 - exp(-14.0 * delta))
	if not is_equal_approx(before, _shown):
		queue_redraw()


func _draw() -> void:
	var radius := int(size.y * 0.5)
	draw_style_box(
		LabTheme.box(HordePalette.TRACK, radius, Color(1, 1, 1, 0.10)), Rect2(Vector2.ZERO, size)
	)
	var inside := Rect2(Vector2(2.0, 2.0), size - Vector2(4.0, 4.0))
	inside.size.x *= _shown
	if inside.size.x < inside.size.y:
		return
	draw_style_box(LabTheme.box(color, radius - 2), inside)
	var gleam := Rect2(
		inside.position + Vector2(radius, 1.0), Vector2(inside.size.x - 2.0 * radius, 2.0)
	)
	if gleam.size.x > 0.0:
		draw_rect(gleam, Color(1.0, 1.0, 1.0, 0.28))
