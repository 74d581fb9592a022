@tool
extends "table.gd"
## FlowTerrainSet.kinds as a table: a row for each kind, with costs and speeds by movement type.

const KindRow := preload("kind_row.gd")
const ALL := "All movement types"
const MOST_IDS := 256
const NUMBER := KindRow.NumberEdit.WIDTH
## The width of the button that removes a kind.
const CROSS := 20.0

var _types := OptionButton.new()
var _rows := VBoxContainer.new()
var _add: Button
## The kinds that have rows.
var _shown: Array = []


func _init() -> void:
	super()
	_types.tooltip_text = "Whose costs and speeds the table shows"
	_types.item_selected.connect(func(_index: int) -> void: _show_type())
	_add = make_button("Add kind", "Adds a kind with the next free id", _on_add_pressed)
	var header := make_header(["Color, id, name", "Cost", "Speed"], NUMBER, CROSS)
	for part: Control in [_types, header, _rows, _add]:
		_column.add_child(part)


func _update_property() -> void:
	_fill_types()
	var kinds := _terrain_set().kinds
	if kinds != _shown:
		_fill(kinds)
	var is_editable := check_editable("terrain set")
	_add.disabled = not is_editable
	for row: KindRow in _rows.get_children():
		row.set_editable(is_editable)
	_show_type()


func _terrain_set() -> FlowTerrainSet:
	return get_edited_object() as FlowTerrainSet


func _fill_types() -> void:
	var chosen := _type()
	_types.clear()
	_types.add_item(ALL)
	for name in SceneSets.find_type_names(_terrain_set()):
		_types.add_item(name)
		if name == chosen:
			_types.select(_types.item_count - 1)
	_types.visible = _types.item_count > 1


func _type() -> String:
	return "" if _types.selected <= 0 else _types.get_item_text(_types.selected)


func _show_type() -> void:
	for row: KindRow in _rows.get_children():
		row.show_type(_type())


func _fill(kinds: Array) -> void:
	_shown = kinds.duplicate()
	for row in _rows.get_children():
		_rows.remove_child(row)
		row.queue_free()
	for kind: FlowTerrainKind in kinds:
		if kind != null:
			var row := KindRow.new(kind)
			row.removed.connect(_on_removed.bind(kind))
			_rows.add_child(row)


func _on_removed(kind: FlowTerrainKind) -> void:
	var kinds := _terrain_set().kinds.duplicate()
	kinds.erase(kind)
	emit_changed(&"kinds", kinds)


func _on_add_pressed() -> void:
	var kind := FlowTerrainKind.new()
	kind.id = _free_id()
	kind.resource_name = "Terrain %d" % kind.id
	var kinds := _terrain_set().kinds.duplicate()
	kinds.append(kind)
	emit_changed(&"kinds", kinds)


func _free_id() -> int:
	for id in range(1, MOST_IDS):
		if _terrain_set().get_kind(id) == null:
			return id
	return 0
