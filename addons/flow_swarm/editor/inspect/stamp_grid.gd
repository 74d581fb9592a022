@tool
extends "table.gd"
## FlowStamp.cells as a grid that is painted with the mouse, and the terrains to choose from.

const CellCanvas := preload("cell_canvas.gd")
const Colors := preload("../view/terrain_colors.gd")
const NumberEdit := preload("number_edit.gd")
const CELLS := &"cells"
const ICON := 14

var _canvas := CellCanvas.new()
var _kinds := OptionButton.new()
var _id := NumberEdit.new(0.0, 255.0, 1.0, "The terrain id that is painted")
var _shown: Array = []


func _init() -> void:
	super()
	_canvas.painted.connect(func(cells: PackedByteArray) -> void: emit_changed(CELLS, cells))
	_canvas.tooltip_text = "Paint with the left button; the right button leaves the terrain."
	_kinds.size_flags_horizontal = SIZE_EXPAND_FILL
	_kinds.item_selected.connect(
		func(index: int) -> void: _choose(int(_kinds.get_item_metadata(index)))
	)
	_id.number_changed.connect(func(value: float) -> void: _choose(int(value)))
	_column.add_child(make_row([_kinds, _id] as Array[Control]))
	_column.add_child(_canvas)
	_choose(Colors.WALL)


func _update_property() -> void:
	var stamp := get_edited_object() as FlowStamp
	var terrain_set := SceneSets.find_set()
	_fill(stamp, terrain_set)
	_canvas.editable = check_editable("stamp")
	_canvas.show_stamp(stamp, terrain_set)


func _fill(stamp: FlowStamp, terrain_set: FlowTerrainSet) -> void:
	var parts := []
	var ids: Array[int] = [Colors.CLEAR, Colors.WALL]
	if terrain_set != null:
		ids.clear()
		for kind in terrain_set.kinds:
			if kind != null:
				ids.append(kind.id)
	for id in ids:
		parts.append([id, Colors.name_of(terrain_set, id), Colors.color_of(terrain_set, id)])
	if stamp.leave_id >= 0:
		parts.append([stamp.leave_id, "Leave the terrain", Color.TRANSPARENT])
	if parts == _shown:
		return
	_shown = parts
	_kinds.clear()
	for part: Array in parts:
		_kinds.add_icon_item(_icon(part[2] as Color), "%s (%d)" % [part[1], part[0]])
		_kinds.set_item_metadata(_kinds.item_count - 1, part[0])
	_choose(_canvas.id)


func _choose(id: int) -> void:
	_canvas.id = id
	_id.show_number(id)
	_kinds.select(-1)
	for i in _kinds.item_count:
		if int(_kinds.get_item_metadata(i)) == id:
			_kinds.select(i)


static func _icon(color: Color) -> ImageTexture:
	var image := Image.create_empty(ICON, ICON, false, Image.FORMAT_RGBA8)
	image.fill(Color(0.5, 0.5, 0.5))
	image.fill_rect(Rect2i(1, 1, ICON - 2, ICON - 2), color)
	return ImageTexture.create_from_image(image)
