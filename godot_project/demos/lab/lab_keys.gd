class_name LabKeys
extends Control
## Mouse and keyboard hints: keys with a word each, in two columns.

## Keys and their meanings, alternating.
const HINTS: PackedStringArray = [
	"Drag",
	"paint",
	"Shift drag",
	"erase",
	"Space",
	"run / pause",
	"Wheel",
	"zoom",
	"Middle drag",
	"pan",
	"F",
	"fit the map",
	"S",
	"scatter",
	"R",
	"turn the stamp",
	"A",
	"next avoidance",
	"O",
	"overlap",
]
const ROW := 22.0
const FONT_SIZE := 12


func _init() -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE
	custom_minimum_size = Vector2(0.0, ROW * HINTS.size() / 4)


func _draw() -> void:
	for i in range(0, HINTS.size(), 2):
		var entry := i / 2
		_draw_hint(Vector2(size.x * 0.5 * (entry % 2), ROW * (entry / 2)), HINTS[i], HINTS[i + 1])


func _draw_hint(at: Vector2, key: String, meaning: String) -> void:
	var font := get_theme_default_font()
	var width := font.get_string_size(key, HORIZONTAL_ALIGNMENT_LEFT, -1.0, FONT_SIZE).x
	var cap := Rect2(at, Vector2(width + 14.0, 20.0))
	draw_style_box(LabTheme.box(LabTheme.CARD_HOVER, 5, LabTheme.OUTLINE.lightened(0.1)), cap)
	_text(at + Vector2(7.0, 14.5), key, LabTheme.TEXT)
	_text(at + Vector2(width + 22.0, 14.5), meaning, LabTheme.MUTED)


func _text(at: Vector2, text: String, color: Color) -> void:
	var font := get_theme_default_font()
	draw_string(font, at, text, HORIZONTAL_ALIGNMENT_LEFT, -1.0, FONT_SIZE, color)
