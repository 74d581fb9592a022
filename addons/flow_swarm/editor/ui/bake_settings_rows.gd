@tool
extends GridContainer
## The settings of bakes in the dock.

const Baking := preload("../bake/baking.gd")

var _baking: Baking
var _layer := SpinBox.new()
var _keeps := CheckBox.new()
var _slope := SpinBox.new()
var _data_layer := LineEdit.new()
var _source := EditorResourcePicker.new()


func _init(baking: Baking) -> void:
	_baking = baking
	columns = 2
	_add("Layer", _layer, "The layer of the grid that tile layers, shapes and heights fill")
	_layer.value_changed.connect(func(value: float) -> void: baking.settings.layer = int(value))
	_add("Keep terrain", _keeps, "Shapes, heights and storeys leave the terrain of other cells")
	_keeps.toggled.connect(func(on: bool) -> void: baking.settings.keeps_terrain = on)
	_slope.min_value = 1.0
	_slope.max_value = 89.0
	_slope.suffix = "°"
	_add(
		"Max slope", _slope, "Steeper ground is a wall: for heights; storeys have it in the source"
	)
	_slope.value_changed.connect(func(value: float) -> void: baking.settings.max_slope = value)
	_add("Data layer", _data_layer, "The custom data layer of tile sets that has terrain ids")
	_data_layer.text_changed.connect(func(text: String) -> void: baking.settings.data_layer = text)
	_source.base_type = "FlowSourceGeometry"
	_add("Source", _source, "Which nodes shapes and storeys read, and as what; empty for all")
	_source.resource_changed.connect(
		func(resource: Resource) -> void: baking.settings.source = resource as FlowSourceGeometry
	)
	_source.resource_selected.connect(
		func(resource: Resource, _inspects: bool) -> void: EditorInterface.edit_resource(resource)
	)


## Shows what is chosen.
func refresh() -> void:
	var settings := _baking.settings
	_layer.max_value = maxi(_baking.manager.layer_count - 1, 0)
	_layer.editable = _baking.manager.layer_count > 1
	_layer.set_value_no_signal(settings.layer)
	_keeps.set_pressed_no_signal(settings.keeps_terrain)
	_slope.set_value_no_signal(settings.max_slope)
	if _data_layer.text != settings.data_layer:
		_data_layer.text = settings.data_layer
	if _source.edited_resource != settings.source:
		_source.edited_resource = settings.source


func _add(title: String, control: Control, tip: String) -> void:
	var label := Label.new()
	label.text = title
	label.tooltip_text = tip
	label.mouse_filter = Control.MOUSE_FILTER_STOP
	control.tooltip_text = tip
	control.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	add_child(label)
	add_child(control)
