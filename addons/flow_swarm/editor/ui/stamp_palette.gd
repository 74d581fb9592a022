@tool
extends HBoxContainer
## The stamps that can be placed: those of the manager's FlowLayout, those of the project's files,
## and new ones.

const Colors := preload("../view/terrain_colors.gd")
const LayoutEdits := preload("../paint/layout_edits.gd")
const Painting := preload("../painting.gd")
const StampRuns := preload("../paint/stamp_runs.gd")
const TYPE := &"FlowStamp"
const ICON_SIZE := 32

var _painting: Painting
var _list := ItemList.new()
var _turn := Label.new()
## Made here and not placed yet.
var _made: Array[FlowStamp] = []
var _stamps: Array[FlowStamp] = []
## What is in the list.
var _looks: Array = []


func _init(painting: Painting) -> void:
	_painting = painting
	_list.max_columns = 0
	_list.same_column_width = true
	_list.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_list.custom_minimum_size = Vector2(200.0, 64.0)
	_list.tooltip_text = "A double click opens a stamp in the inspector, to paint its cells."
	_list.item_selected.connect(func(index: int) -> void: _painting.choose_stamp(_stamps[index]))
	_list.item_activated.connect(
		func(index: int) -> void: EditorInterface.edit_resource(_stamps[index])
	)
	add_child(_list)
	var side := VBoxContainer.new()
	var make := Button.new()
	make.text = "New stamp"
	make.tooltip_text = "Makes a stamp of four walls and opens it in the inspector."
	make.pressed.connect(_on_make_pressed)
	side.add_child(make)
	side.add_child(_turn)
	add_child(side)
	visibility_changed.connect(refresh)


## Shows the stamps and what is chosen.
func refresh() -> void:
	if not is_visible_in_tree() or not _painting.is_active():
		return
	_turn.text = "Turned by %d° (Z, X)" % (90 * _painting.stamps.quarter_turns)
	_fill(_find_stamps())
	_list.deselect_all()
	var chosen := _stamps.find(_painting.stamps.stamp)
	if chosen >= 0:
		_list.select(chosen)


## Shows stamps, anew only if there are others or they look different: a list that is filled while
## it is clicked notices no double clicks.
func _fill(stamps: Array[FlowStamp]) -> void:
	var looks := []
	for stamp in stamps:
		looks.append([stamp, stamp.size, stamp.cells, _title(stamp)])
	if looks == _looks:
		return
	_looks = looks
	_stamps = stamps
	_list.clear()
	for stamp in stamps:
		_list.add_item(_title(stamp), _icon(stamp))


func _find_stamps() -> Array[FlowStamp]:
	var stamps: Array[FlowStamp] = []
	for placed in LayoutEdits.stamps_of(_painting.manager):
		if placed != null and placed.stamp != null and not placed.stamp in stamps:
			stamps.append(placed.stamp)
	for path in _find_files(EditorInterface.get_resource_filesystem().get_filesystem()):
		var stamp := load(path) as FlowStamp
		if stamp != null and not stamp in stamps:
			stamps.append(stamp)
	var others: Array[FlowStamp] = [_painting.stamps.stamp]
	for stamp: FlowStamp in _made + others:
		if stamp != null and not stamp in stamps:
			stamps.append(stamp)
	return stamps


static func _find_files(folder: EditorFileSystemDirectory) -> PackedStringArray:
	var paths: PackedStringArray = []
	for i in folder.get_file_count():
		if folder.get_file_type(i) == TYPE:
			paths.append(folder.get_file_path(i))
	for i in folder.get_subdir_count():
		paths.append_array(_find_files(folder.get_subdir(i)))
	return paths


func _on_make_pressed() -> void:
	var stamp := FlowStamp.new()
	_made.append(stamp)
	_painting.choose_stamp(stamp)
	EditorInterface.edit_resource(stamp)
	refresh()


static func _title(stamp: FlowStamp) -> String:
	var name := stamp.resource_name
	if name.is_empty() and not "::" in stamp.resource_path:
		name = stamp.resource_path.get_file().get_basename().capitalize()
	if name.is_empty():
		name = "Stamp"
	return "%s (%d×%d)" % [name, stamp.size.x, stamp.size.y]


func _icon(stamp: FlowStamp) -> ImageTexture:
	var image := Image.create_empty(stamp.size.x, stamp.size.y, false, Image.FORMAT_RGBA8)
	for y in stamp.size.y:
		for x in stamp.size.x:
			var id := StampRuns.id_at(stamp, 0, Vector2i(x, y))
			var color := Colors.color_of(_painting.manager.terrain_set, id)
			if id != stamp.leave_id:
				image.set_pixel(x, y, color if color.a > 0.0 else Color(0.6, 0.6, 0.6, 0.5))
	var scale := float(ICON_SIZE) / maxi(stamp.size.x, stamp.size.y)
	var size := Vector2i((Vector2(stamp.size) * scale).max(Vector2.ONE))
	image.resize(size.x, size.y, Image.INTERPOLATE_NEAREST)
	return ImageTexture.create_from_image(image)
