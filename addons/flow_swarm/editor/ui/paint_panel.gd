@tool
extends VBoxContainer
## The bottom panel of the painter, and its question about sizes.

const Keys := preload("../paint_keys.gd")
const LinkSettings := preload("link_settings.gd")
const Painter := preload("../paint/terrain_painter.gd")
const Painting := preload("../painting.gd")
const Palette := preload("terrain_palette.gd")
const StampPalette := preload("stamp_palette.gd")
const Toolbar := preload("paint_toolbar.gd")

var _painting: Painting
var _toolbar: Toolbar
var _palette: Palette
var _stamps: StampPalette
var _links: LinkSettings
var _message := Label.new()
var _question := ConfirmationDialog.new()


func _init(painting: Painting) -> void:
	_painting = painting
	_toolbar = Toolbar.new(painting)
	_palette = Palette.new(painting)
	_stamps = StampPalette.new(painting)
	_links = LinkSettings.new(painting)
	for part: Control in [_palette, _stamps, _links]:
		part.size_flags_vertical = Control.SIZE_EXPAND_FILL
	_message.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	for part: Control in [_toolbar, _palette, _stamps, _links, _message]:
		add_child(part)
	_question.title = "Terrain and grid differ"
	_question.ok_button_text = "Resize the terrain"
	_question.add_button("Resize the grid", false, "grid")
	_question.confirmed.connect(func() -> void: _painting.resize(true))
	_question.custom_action.connect(_on_grid_chosen)
	add_child(_question)
	painting.changed.connect(_refresh)
	painting.resize_needed.connect(_ask)
	_refresh()


func _refresh() -> void:
	_toolbar.refresh()
	_palette.visible = not Keys.draws_layout(_painting.tool)
	_stamps.visible = _painting.tool == Painter.Tool.STAMP
	_links.visible = _painting.tool == Painter.Tool.LINK
	_palette.refresh()
	_stamps.refresh()
	_message.text = _painting.message
	_message.visible = not _painting.message.is_empty()


func _ask() -> void:
	_question.dialog_text = _painting.resize_question()
	_question.popup_centered()


func _on_grid_chosen(_action: StringName) -> void:
	_question.hide()
	_painting.resize(false)
