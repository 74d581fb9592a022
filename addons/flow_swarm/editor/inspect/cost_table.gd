@tool
extends "table.gd"
## Costs and speeds of a FlowMovementType by terrain id, in place of cost_table and speed_factors:
## rows for the ids that the terrain set of the scene names, and for those that differ.
##
## Ids of the set cost what the set says, so their rows change the set's entry for this type.

const Colors := preload("../view/terrain_colors.gd")
const KindEntry := preload("kind_entry.gd")
const NumberEdit := preload("number_edit.gd")
const COSTS := &"cost_table"
const SPEEDS := &"speed_factors"
const IDS := 256

var _rows := VBoxContainer.new()
var _new_id := NumberEdit.new(0.0, 255.0, 1.0, "A terrain id to give a cost or speed")
var _add: Button
## Ids that were added to the table and have no cost or speed of their own yet.
var _added: Dictionary[int, bool] = {}
## What the rows were made of.
var _shown: Array = []
var _followed: FlowTerrainSet


func _init() -> void:
	super()
	_new_id.show_number(2.0)
	_add = make_button("Add terrain id", "Adds a row for this id", _on_add_pressed)
	_column.add_child(make_header(["Terrain", "Cost", "Speed"], NumberEdit.WIDTH, 0.0))
	_column.add_child(_rows)
	_column.add_child(make_row([_new_id, _add] as Array[Control]))


func _update_property() -> void:
	var is_editable := check_editable("movement type")
	_add.disabled = not is_editable
	var terrain_set := SceneSets.find_set(_type())
	_follow(terrain_set)
	var parts := [terrain_set, is_editable, _type().resource_name]
	for id in _ids(terrain_set):
		parts.append([id, _cost(terrain_set, id), _speed(terrain_set, id)])
	if parts != _shown:
		_shown = parts
		_fill(terrain_set, is_editable)


func _exit_tree() -> void:
	_follow(null)


func _type() -> FlowMovementType:
	return get_edited_object() as FlowMovementType


## Kinds of the set are edited here and elsewhere.
func _follow(terrain_set: FlowTerrainSet) -> void:
	if terrain_set == _followed:
		return
	for kind in _kinds(_followed):
		if kind.changed.is_connected(update_property):
			kind.changed.disconnect(update_property)
	_followed = terrain_set
	for kind in _kinds(terrain_set):
		if not kind.changed.is_connected(update_property):
			kind.changed.connect(update_property)


static func _kinds(terrain_set: FlowTerrainSet) -> Array[FlowTerrainKind]:
	var kinds: Array[FlowTerrainKind] = []
	if terrain_set != null:
		for kind in terrain_set.kinds:
			if kind != null:
				kinds.append(kind)
	return kinds


func _ids(terrain_set: FlowTerrainSet) -> PackedInt32Array:
	var found: Dictionary[int, bool] = {1: true, 255: true}
	found.merge(_added)
	for kind in _kinds(terrain_set):
		found[kind.id] = true
	for id: int in _type().speed_factors:
		found[id] = true
	var table := _type().cost_table
	for id in table.size():
		if table[id] != maxi(id, 1):
			found[id] = true
	var ids := PackedInt32Array(found.keys())
	ids.sort()
	return ids


func _cost(terrain_set: FlowTerrainSet, id: int) -> int:
	var kind := terrain_set.get_kind(id) if terrain_set != null else null
	return KindEntry.cost(kind, _type().resource_name) if kind != null else _type().get_cost(id)


## 0 if it follows from the cost.
func _speed(terrain_set: FlowTerrainSet, id: int) -> float:
	var kind := terrain_set.get_kind(id) if terrain_set != null else null
	var speed := KindEntry.speed(kind, _type().resource_name) if kind != null else 0.0
	return speed if speed > 0.0 else _type().speed_factors.get(id, 0.0)


func _fill(terrain_set: FlowTerrainSet, is_editable: bool) -> void:
	var focused := _focused_cell()
	for row in _rows.get_children():
		_rows.remove_child(row)
		row.queue_free()
	for id in _ids(terrain_set):
		_rows.add_child(_make_row(terrain_set, id, is_editable))
	if focused.x >= 0 and focused.x < _rows.get_child_count():
		(_rows.get_child(focused.x).get_child(focused.y) as Control).grab_focus()


## Row and column of the number that has the keyboard; (-1, -1) for none.
func _focused_cell() -> Vector2i:
	for row in _rows.get_children():
		for cell in row.get_children():
			if (cell as Control).has_focus():
				return Vector2i(row.get_index(), cell.get_index())
	return Vector2i(-1, -1)


func _make_row(terrain_set: FlowTerrainSet, id: int, is_editable: bool) -> HBoxContainer:
	var kind := terrain_set.get_kind(id) if terrain_set != null else null
	var label := make_label("%s (%d)" % [Colors.name_of(terrain_set, id), id])
	label.mouse_filter = MOUSE_FILTER_PASS
	var cost := NumberEdit.new(1.0, 255.0, 1.0, "The cost of a cell; 255 is a wall")
	cost.show_number(_cost(terrain_set, id))
	cost.number_changed.connect(func(value: float) -> void: _set_cost(kind, id, int(value)))
	var speed := NumberEdit.new(
		0.0,
		4.0,
		0.05,
		"The factor of agents' speed, from 0.1; empty: it follows from the cost",
		"–"
	)
	speed.show_number(_speed(terrain_set, id))
	speed.number_changed.connect(func(value: float) -> void: _set_speed(kind, id, value))
	var needs_name := kind != null and _type().resource_name.is_empty()
	for edit: NumberEdit in [cost, speed]:
		edit.editable = is_editable and not needs_name
	if needs_name:
		label.tooltip_text = (
			"The terrain set says what it costs. With a name (Resource > Name) this type can have "
			+ "a cost of its own."
		)
	elif kind != null:
		label.tooltip_text = "The terrain set keeps the cost of this movement type."
	var swatch := make_swatch(Colors.color_of(terrain_set, id))
	return make_row([swatch, label, cost, speed] as Array[Control])


func _set_cost(kind: FlowTerrainKind, id: int, value: int) -> void:
	if kind != null:
		KindEntry.set_cost(kind, _type().resource_name, value)
		return
	var table := _type().cost_table
	if table.is_empty():
		table.resize(IDS)
		for other in IDS:
			table[other] = maxi(other, 1)
	table[id] = value
	_added[id] = true
	emit_changed(COSTS, table)


func _set_speed(kind: FlowTerrainKind, id: int, value: float) -> void:
	if kind != null:
		KindEntry.set_speed(kind, _type().resource_name, value)
		return
	var factors := _type().speed_factors.duplicate()
	if value <= 0.0:
		factors.erase(id)
	else:
		factors[id] = maxf(value, 0.1)
	_added[id] = true
	emit_changed(SPEEDS, factors)


func _on_add_pressed() -> void:
	_added[int(_new_id.text)] = true
	update_property()
