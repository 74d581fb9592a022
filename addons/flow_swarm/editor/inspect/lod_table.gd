@tool
extends "table.gd"
## SwarmLook.lod_meshes and lod_distances as one table: a row for each level of detail, from near to
## far.

const NumberEdit := preload("number_edit.gd")
const ResourceStep := preload("resource_step.gd")
const MESHES := &"lod_meshes"
const DISTANCES := &"lod_distances"
const MOST_LEVELS := 5
const FARTHER := 2.0
const FIRST := 20.0

var _rows := VBoxContainer.new()
var _add: Button
var _shown: Array = []


func _init() -> void:
	super()
	_add = make_button("Add level", "Adds a mesh for agents that are farther away", _on_add_pressed)
	_column.add_child(_rows)
	_column.add_child(_add)


func _update_property() -> void:
	var is_editable := check_editable("look")
	var parts := [is_editable, _look().lod_meshes, _look().lod_distances]
	_add.disabled = not is_editable or _count() >= MOST_LEVELS
	if parts == _shown:
		return
	_shown = parts.duplicate(true)
	for row in _rows.get_children():
		_rows.remove_child(row)
		row.queue_free()
	for level in _count():
		_rows.add_child(_make_row(level, is_editable))


func _look() -> SwarmLook:
	return get_edited_object() as SwarmLook


func _count() -> int:
	return maxi(_look().lod_meshes.size(), _look().lod_distances.size())


func _make_row(level: int, is_editable: bool) -> HBoxContainer:
	var from := NumberEdit.new(0.0, 1e9, 0.1, "The distance from which the mesh is drawn")
	from.show_number(_distance(level))
	from.editable = is_editable
	from.number_changed.connect(func(value: float) -> void: _set_distance(level, value))
	var mesh := EditorResourcePicker.new()
	mesh.base_type = "Mesh"
	mesh.edited_resource = _mesh(level)
	mesh.editable = is_editable
	mesh.size_flags_horizontal = SIZE_EXPAND_FILL
	mesh.resource_changed.connect(func(value: Resource) -> void: _set_mesh(level, value as Mesh))
	mesh.resource_selected.connect(
		func(value: Resource, _inspects: bool) -> void: EditorInterface.edit_resource(value)
	)
	var remove := make_button("×", "Remove the level", _remove.bind(level))
	remove.flat = true
	remove.disabled = not is_editable
	return make_row([from, mesh, remove] as Array[Control])


func _distance(level: int) -> float:
	var distances := _look().lod_distances
	return distances[level] if level < distances.size() else INF


func _mesh(level: int) -> Mesh:
	var meshes := _look().lod_meshes
	return meshes[level] if level < meshes.size() else null


## A distance between those of the neighbours, as they must ascend.
func _set_distance(level: int, value: float) -> void:
	var distances := _look().lod_distances
	if level > 0:
		value = maxf(value, distances[level - 1])
	if level + 1 < distances.size():
		value = minf(value, distances[level + 1])
	distances[level] = value
	emit_changed(DISTANCES, distances)


func _set_mesh(level: int, mesh: Mesh) -> void:
	var meshes := _look().lod_meshes.duplicate()
	meshes.resize(maxi(meshes.size(), level + 1))
	meshes[level] = mesh
	emit_changed(MESHES, meshes)


func _on_add_pressed() -> void:
	var count := _count()
	var last := _look().lod_distances[-1] if not _look().lod_distances.is_empty() else 0.0
	var meshes := _look().lod_meshes.duplicate()
	meshes.resize(count + 1)
	var distances := _look().lod_distances
	while distances.size() <= count:
		last = maxf(FARTHER * last, FIRST)
		distances.append(last)
	_give(meshes, distances)


func _remove(level: int) -> void:
	var meshes := _look().lod_meshes.duplicate()
	var distances := _look().lod_distances
	if level < meshes.size():
		meshes.remove_at(level)
	if level < distances.size():
		distances.remove_at(level)
	_give(meshes, distances)


## Both as one undoable step.
func _give(meshes: Array[Mesh], distances: PackedFloat32Array) -> void:
	ResourceStep.change(_look(), "Set levels of detail", {MESHES: meshes, DISTANCES: distances})
