@tool
extends HFlowContainer
## The tools, the brush and the layer of the painter.

const Painter := preload("../paint/terrain_painter.gd")
const Painting := preload("../painting.gd")
const TOOLS: Array[Dictionary] = [
	{"name": "Paint", "icon": &"Edit", "tip": "Paint (D)\nShift: line. Ctrl+Shift: rectangle."},
	{"name": "Line", "icon": &"Line", "tip": "Line (L)"},
	{"name": "Rectangle", "icon": &"Rectangle", "tip": "Rectangle (R)"},
	{"name": "Fill", "icon": &"Bucket", "tip": "Fill cells of the same terrain (B)"},
	{
		"name": "Pick",
		"icon": &"ColorPick",
		"tip": "Pick a terrain (P)\nOr hold Ctrl with another tool."
	},
	{
		"name": "Stamp",
		"icon": &"Duplicate",
		"tip": "Place stamps (S)\nZ and X turn them. The right button removes them."
	},
	{
		"name": "Link",
		"icon": &"MoveUp",
		"tip": "Draw links from cell to cell (K)\nThe right button removes them."
	},
]

var _painting: Painting
var _tools: Array[Button] = []
var _eraser: Button
var _size: SpinBox
var _shape: OptionButton
var _falloff: SpinBox
var _layer: SpinBox


func _init(painting: Painting) -> void:
	_painting = painting
	for i in TOOLS.size():
		var button := _add_button(TOOLS[i]["name"] as String, TOOLS[i]["tip"] as String)
		button.pressed.connect(func() -> void: _painting.tool = i as Painter.Tool)
		_tools.append(button)
	_eraser = _add_button(
		"Erase", "Erase to clear ground, or remove stamps or links (E)\nOr use the right button."
	)
	_eraser.toggled.connect(func(on: bool) -> void: _painting.is_erasing = on)
	add_child(VSeparator.new())
	_size = _add_number("Size", 1.0, 64.0, 1.0, "The size of the brush in cells ([ and ])")
	_size.value_changed.connect(func(value: float) -> void: _painting.set_brush_size(int(value)))
	_shape = OptionButton.new()
	_shape.add_item("Square")
	_shape.add_item("Round")
	_shape.tooltip_text = "The shape of the brush"
	_shape.item_selected.connect(_on_shape_selected)
	add_child(_shape)
	_falloff = _add_number(
		"Falloff", 0.0, 1.0, 0.05, "How far from the edge cells begin to thin out"
	)
	_falloff.value_changed.connect(
		func(value: float) -> void: _painting.painter.brush.falloff = value
	)
	_layer = _add_number("Layer", 0.0, 63.0, 1.0, "The layer of the grid that is painted")
	_layer.value_changed.connect(func(value: float) -> void: _painting.layer = int(value))


func _ready() -> void:
	for i in _tools.size():
		_tools[i].icon = get_theme_icon(TOOLS[i]["icon"] as StringName, &"EditorIcons")
	_eraser.icon = get_theme_icon(&"Eraser", &"EditorIcons")


## Shows what is chosen.
func refresh() -> void:
	for i in _tools.size():
		_tools[i].set_pressed_no_signal(_painting.tool == i)
	_eraser.set_pressed_no_signal(_painting.is_erasing)
	_size.set_value_no_signal(_painting.painter.brush.size)
	if _painting.is_active():
		_layer.max_value = _painting.manager.layer_count - 1
		_layer.editable = _painting.manager.layer_count > 1
		_layer.set_value_no_signal(_painting.layer)


func _on_shape_selected(index: int) -> void:
	_painting.painter.brush.shape = index as Painter.Brush.Shape


func _add_button(title: String, tip: String) -> Button:
	var button := Button.new()
	button.text = title
	button.tooltip_text = tip
	button.toggle_mode = true
	button.theme_type_variation = &"FlatButton"
	add_child(button)
	return button


func _add_number(title: String, least: float, most: float, step: float, tip: String) -> SpinBox:
	var label := Label.new()
	label.text = title
	add_child(label)
	var number := SpinBox.new()
	number.min_value = least
	number.max_value = most
	number.step = step
	number.tooltip_text = tip
	add_child(number)
	return number
