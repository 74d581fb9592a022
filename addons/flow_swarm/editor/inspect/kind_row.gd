@tool
extends HBoxContainer
## A kind of terrain in the table of a FlowTerrainSet.

signal removed

const KindEntry := preload("kind_entry.gd")
const NumberEdit := preload("number_edit.gd")

var _kind: FlowTerrainKind
## The movement type whose cost and speed are shown; empty for all.
var _type := ""
var _color := ColorPickerButton.new()
var _id := NumberEdit.new(0.0, 255.0, 1.0, "The terrain id that is painted")
var _name := LineEdit.new()
var _cost := NumberEdit.new(1.0, 255.0, 1.0, "The cost of a cell; 255 is a wall")
var _speed := NumberEdit.new(
	0.0, 4.0, 0.05, "The factor of agents' speed, from 0.1; empty: it follows from the cost", "–"
)
var _remove := Button.new()


func _init(kind: FlowTerrainKind) -> void:
	_kind = kind
	_color.custom_minimum_size.x = 26.0
	_color.tooltip_text = "The colour in the palette and over painted cells"
	_color.popup_closed.connect(func() -> void: _change(&"color", _color.color))
	_id.number_changed.connect(func(value: float) -> void: _change(&"id", int(value)))
	_name.size_flags_horizontal = SIZE_EXPAND_FILL
	_name.placeholder_text = "Name"
	_name.text_submitted.connect(func(_text: String) -> void: _rename())
	_name.focus_exited.connect(_rename)
	_cost.number_changed.connect(
		func(value: float) -> void: KindEntry.set_cost(_kind, _type, int(value))
	)
	_speed.number_changed.connect(
		func(value: float) -> void: KindEntry.set_speed(_kind, _type, value)
	)
	_remove.text = "×"
	_remove.flat = true
	_remove.tooltip_text = "Remove the kind. What is painted with its id stays."
	_remove.pressed.connect(removed.emit)
	for part: Control in [_color, _id, _name, _cost, _speed, _remove]:
		add_child(part)


func _enter_tree() -> void:
	_kind.changed.connect(refresh)


func _exit_tree() -> void:
	_kind.changed.disconnect(refresh)


func show_type(type: String) -> void:
	_type = type
	refresh()


func set_editable(on: bool) -> void:
	for edit: LineEdit in [_id, _name, _cost, _speed]:
		edit.editable = on
	_color.disabled = not on
	_remove.disabled = not on


func refresh() -> void:
	_color.color = _kind.color
	_id.show_number(_kind.id)
	if not _name.is_editing():
		_name.text = _kind.resource_name
	_cost.show_number(KindEntry.cost(_kind, _type))
	_speed.show_number(KindEntry.speed(_kind, _type))


func _rename() -> void:
	_change(&"resource_name", _name.text)


func _change(property: StringName, value: Variant) -> void:
	if _kind.get(property) != value:
		KindEntry.set_property(_kind, property, value)
