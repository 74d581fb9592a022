class_name LabSwitch
extends BaseButton
## A labelled on/off switch that slides when it changes.

const TRACK := Vector2(30.0, 16.0)

var text := ""

var _slide := 0.0


func _init(label := "", on := false) -> void:
	text = label
	toggle_mode = true
	focus_mode = Control.FOCUS_NONE
	mouse_default_cursor_shape = Control.CURSOR_POINTING_HAND
	custom_minimum_size = Vector2(120.0, 25.0)
	size_flags_horizontal = Control.SIZE_EXPAND_FILL
	set_pressed_no_signal(on)
	_slide = 1.0 if on else 0.0


func _process(delta: float) -> void:
	var target := 1.0 if button_pressed else 0.0
	if not is_equal_approx(_slide, target):
		_slide = move_toward(_slide, target, delta * 9.0)
		queue_redraw()


func _draw() -> void:
	var middle := size.y * 0.5
	var track := Rect2(Vector2(0.0, middle - TRACK.y * 0.5), TRACK)
	var fill := Color("323c58").lerp(LabTheme.ACCENT, _slide)
	if is_hovered():
		fill = fill.lightened(0.1)
	draw_style_box(LabTheme.box(fill, 8), track)
	var knob := Vector2(lerpf(8.0, TRACK.x - 8.0, _slide), middle)
	draw_circle(knob, 5.5, LabTheme.TEXT, true, -1.0, true)
	var font := get_theme_default_font()
	var color := LabTheme.MUTED.lerp(LabTheme.TEXT, 0.35 + 0.65 * _slide)
	var place := Vector2(TRACK.x + 9.0, middle + 4.5)
	draw_string(font, place, text, HORIZONTAL_ALIGNMENT_LEFT, -1.0, 13, color)
