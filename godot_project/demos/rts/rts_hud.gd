class_name RtsHud
extends Control
## The bars at the edges of the window: figures above, the selection and the buttons below. They do
## not depend on the simulation: they emit signals for buttons and show the values that they are
## given.

signal kind_chosen(kind: int)
signal build_chosen(kind: int)
signal remove_chosen
signal targets_chosen
signal halt_pressed
signal all_pressed
signal formation_pressed
signal shown(layer: StringName, on: bool)

const HELP := (
	"drag to select · right click to go · WASD, arrows, edges or middle drag to look around"
	+ " · wheel to zoom"
)
const FIGURES: Array[Array] = [
	[&"units", "units"],
	[&"tick", "tick ms"],
	[&"worst", "worst ms"],
	[&"fps", "fps"],
	[&"goals", "goals"],
	[&"tiles", "tiles built"],
	[&"waiting", "waiting"],
	[&"arrived", "arrived"],
]

var _controls: Dictionary[StringName, Control] = {}
var _values: Dictionary[StringName, Label] = {}
var _tools := ButtonGroup.new()
var _hint := Label.new()

@onready var _figures: HBoxContainer = $Top/Figures
@onready var _selection: HBoxContainer = $Bottom/Rows/Selection
@onready var _actions: HBoxContainer = $Bottom/Rows/Actions


func _ready() -> void:
	theme = LabTheme.build()
	_tools.allow_unpress = true
	for entry: Array in FIGURES:
		_figures.add_child(_figure(entry[0] as StringName, entry[1] as String))
	_add_selection()
	_add_actions()
	_hint.text = HELP
	_hint.add_theme_color_override(&"font_color", LabTheme.MUTED)
	_hint.add_theme_font_size_override(&"font_size", 12)
	$Bottom/Rows.add_child(_hint)


## A control by the name of its action, for tests.
func get_control(option: StringName) -> Control:
	return _controls.get(option) as Control


func set_figure(figure: StringName, text: String, color := LabTheme.TEXT) -> void:
	_values[figure].text = text
	_values[figure].add_theme_color_override(&"font_color", color)


func get_figure(figure: StringName) -> String:
	return _values[figure].text


func show_selection(counts: PackedInt32Array) -> void:
	var total := 0
	for kind in counts.size():
		total += counts[kind]
		var button := get_control(StringName("kind_%d" % kind)) as Button
		button.text = "%s  %d" % [RtsUnits.PLURALS[kind], counts[kind]]
		button.disabled = counts[kind] == 0
	_values[&"selected"].text = str(total)


func show_formation(title: String) -> void:
	(get_control(&"formation") as Button).text = "Formation: %s  (F)" % title


## Shows the active tool, by the name of its button; nothing if it is empty.
func show_tool(option: StringName) -> void:
	for name: StringName in _controls:
		var button := _controls[name] as Button
		if button != null and button.button_group == _tools:
			button.set_pressed_no_signal(name == option)


## Shows a hint in one line.
func show_hint(text: String, color := LabTheme.MUTED) -> void:
	_hint.text = text
	_hint.add_theme_color_override(&"font_color", color)


func _add_selection() -> void:
	var value := _number(&"selected", 22)
	value.custom_minimum_size = Vector2(64.0, 0.0)
	_selection.add_child(value)
	_selection.add_child(_muted("selected"))
	for kind in RtsUnits.NAMES.size():
		var button := _button(RtsUnits.PLURALS[kind], kind_chosen.emit.bind(kind))
		button.custom_minimum_size = Vector2(132.0, 0.0)
		button.tooltip_text = "Keep these only"
		_keep(StringName("kind_%d" % kind), button, _selection)
	_keep(&"all", _button("Select all  (E)", all_pressed.emit), _selection)
	_keep(&"halt", _button("Halt  (X)", halt_pressed.emit), _selection)
	var formation := _button("", formation_pressed.emit)
	formation.tooltip_text = "How units stand where they are sent"
	formation.custom_minimum_size = Vector2(190.0, 0.0)
	_keep(&"formation", formation, _selection)


func _add_actions() -> void:
	for kind in RtsBuilding.NAMES.size():
		var text := "%s  (%d)" % [RtsBuilding.NAMES[kind], kind + 1]
		_add_tool(StringName("build_%d" % kind), text, build_chosen.emit.bind(kind))
	_add_tool(&"remove", "Remove  (R)", remove_chosen.emit)
	_add_tool(&"targets", "Many targets  (T)", targets_chosen.emit)
	var gap := VSeparator.new()
	_actions.add_child(gap)
	for layer: Array in [[&"route", "Route"], [&"sectors", "Sectors"], [&"tiles", "Tiles"]]:
		var button := _button(layer[1] as String, Callable())
		button.toggle_mode = true
		button.toggled.connect(func(on: bool) -> void: shown.emit(layer[0] as StringName, on))
		_keep(StringName("show_%s" % layer[0]), button, _actions)


func _add_tool(option: StringName, text: String, action: Callable) -> void:
	var button := _button(text, action)
	button.toggle_mode = true
	button.button_group = _tools
	_keep(option, button, _actions)


func _keep(option: StringName, button: Button, row: HBoxContainer) -> void:
	_controls[option] = button
	row.add_child(button)


func _button(text: String, action: Callable) -> Button:
	var button := Button.new()
	button.text = text
	button.focus_mode = Control.FOCUS_NONE
	button.mouse_default_cursor_shape = Control.CURSOR_POINTING_HAND
	if action.is_valid():
		button.pressed.connect(action)
	return button


func _figure(figure: StringName, text: String) -> Control:
	var column := VBoxContainer.new()
	column.custom_minimum_size = Vector2(84.0, 0.0)
	column.add_theme_constant_override(&"separation", -3)
	column.add_child(_number(figure, 17))
	var caption := _muted(text)
	caption.add_theme_font_size_override(&"font_size", 11)
	column.add_child(caption)
	return column


func _number(figure: StringName, font_size: int) -> Label:
	var value := Label.new()
	value.text = "0"
	value.add_theme_font_override(&"font", LabTheme.digit_font())
	value.add_theme_font_size_override(&"font_size", font_size)
	_values[figure] = value
	return value


func _muted(text: String) -> Label:
	var label := Label.new()
	label.text = text
	label.add_theme_color_override(&"font_color", LabTheme.MUTED)
	return label
