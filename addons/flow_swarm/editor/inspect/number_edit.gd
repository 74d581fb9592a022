@tool
extends LineEdit
## A number in a table: narrower than a SpinBox. Up and Down change it by a step.

signal number_changed(value: float)

const WIDTH := 44.0

var _least := 0.0
var _most := 1.0
var _step := 1.0
## What stands for the least number; empty if it is a number like others.
var _none := ""
var _value := 0.0


func _init(least: float, most: float, step: float, tip: String, none := "") -> void:
	_least = least
	_most = most
	_step = step
	_none = none
	tooltip_text = tip
	custom_minimum_size.x = WIDTH
	select_all_on_focus = true
	add_theme_constant_override(&"minimum_character_width", 3)
	text_submitted.connect(func(_text: String) -> void: _submit())
	focus_exited.connect(_submit)


func show_number(value: float) -> void:
	_value = value
	if has_focus() and is_editing():
		return
	text = _text_of(value)


func _gui_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key == null or not key.pressed or not editable or not key.keycode in [KEY_UP, KEY_DOWN]:
		return
	accept_event()
	_give(_value + (_step if key.keycode == KEY_UP else -_step))


func _submit() -> void:
	var entered := text.strip_edges()
	if entered == _text_of(_value):
		return
	if not _none.is_empty() and (entered.is_empty() or entered == _none):
		_give(_least)
	elif entered.is_valid_float():
		_give(entered.to_float())
	else:
		text = _text_of(_value)


func _give(value: float) -> void:
	var rounded := clampf(snappedf(value, _step), _least, _most)
	text = _text_of(rounded)
	if rounded != _value:
		_value = rounded
		number_changed.emit(rounded)


func _text_of(value: float) -> String:
	if value == _least and not _none.is_empty():
		return _none
	return String.num(value, 3).trim_suffix(".0")
