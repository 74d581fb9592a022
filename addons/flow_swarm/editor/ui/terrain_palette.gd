@tool
extends HBoxContainer
## The terrains that can be painted: the kinds of the manager's terrain set, or clear ground and
## wall without one, and any other id by its number.

const Colors := preload("../view/terrain_colors.gd")
const Painting := preload("../painting.gd")
const ICON_SIZE := 24

var _painting: Painting
var _colors := Colors.new()
var _list := ItemList.new()
var _number := SpinBox.new()
var _give := Button.new()


func _init(painting: Painting) -> void:
	_painting = painting
	_colors.changed.connect(_fill)
	_list.max_columns = 0
	_list.same_column_width = true
	_list.auto_height = false
	_list.icon_mode = ItemList.ICON_MODE_LEFT
	_list.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_list.custom_minimum_size = Vector2(200.0, 64.0)
	_list.item_selected.connect(_on_item_selected)
	add_child(_list)
	var side := VBoxContainer.new()
	_number.prefix = "Id"
	_number.max_value = 255.0
	_number.tooltip_text = "The terrain id that is painted"
	_number.value_changed.connect(func(value: float) -> void: _painting.set_id(int(value)))
	side.add_child(_number)
	_give.text = "Create terrain set"
	_give.tooltip_text = (
		"Gives the manager a FlowTerrainSet with ground, road, swamp, water and wall.\n"
		+ "It sets their costs for all movement types."
	)
	_give.pressed.connect(func() -> void: _painting.give_basic_set())
	side.add_child(_give)
	add_child(side)


## Shows the set of the manager and the chosen id.
func refresh() -> void:
	if not _painting.is_active():
		return
	_colors.terrain_set = _painting.manager.terrain_set
	_give.visible = _painting.manager.terrain_set == null
	_number.set_value_no_signal(_painting.painter.id)
	_list.deselect_all()
	for i in _list.item_count:
		if int(_list.get_item_metadata(i)) == _painting.painter.id:
			_list.select(i)
			break


func _on_item_selected(index: int) -> void:
	_painting.set_id(int(_list.get_item_metadata(index)))


func _fill() -> void:
	_list.clear()
	var known: Dictionary[int, bool] = {}
	for id: int in _ids():
		var title := "%s (%d)" % [Colors.name_of(_colors.terrain_set, id), id]
		var index := _list.add_item(title, _icon(Colors.color_of(_colors.terrain_set, id)))
		_list.set_item_metadata(index, id)
		if known.has(id):
			_list.set_item_disabled(index, true)
			_list.set_item_tooltip(index, "An earlier kind has the same id, and counts.")
		known[id] = true


func _ids() -> Array[int]:
	if _colors.terrain_set == null:
		return [Colors.CLEAR, Colors.WALL]
	var ids: Array[int] = []
	for kind: FlowTerrainKind in _colors.terrain_set.kinds:
		if kind != null:
			ids.append(kind.id)
	return ids


func _icon(color: Color) -> ImageTexture:
	var image := Image.create_empty(ICON_SIZE, ICON_SIZE, false, Image.FORMAT_RGBA8)
	image.fill(Color(0.5, 0.5, 0.5))
	image.fill_rect(Rect2i(1, 1, ICON_SIZE - 2, ICON_SIZE - 2), color)
	return ImageTexture.create_from_image(image)
