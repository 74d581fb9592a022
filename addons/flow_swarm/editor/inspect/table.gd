@tool
extends EditorProperty
## A table in the inspector in place of arrays. The base of the tables: a column below the
## property's name, and a note where nothing can be changed.

const SavedResource := preload("../saved_resource.gd")
const SceneSets := preload("scene_sets.gd")

var _column := VBoxContainer.new()
var _note := Label.new()


func _init() -> void:
	_note.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_note.custom_minimum_size.x = 100.0
	_note.hide()
	_column.add_child(_note)
	add_child(_column)
	set_bottom_editor(_column)


func _ready() -> void:
	# Undo changes resources without telling the inspector.
	(get_edited_object() as Resource).changed.connect(update_property)


## Whether the resource may be changed. If not, the note says why.
func check_editable(title: String) -> bool:
	var resource := get_edited_object() as Resource
	var refusal := SavedResource.refusal(resource, title, SceneSets.scene_path())
	_note.text = refusal
	_note.visible = not refusal.is_empty()
	return refusal.is_empty() and not read_only


func make_row(parts: Array[Control]) -> HBoxContainer:
	var row := HBoxContainer.new()
	for part in parts:
		row.add_child(part)
	return row


func make_button(title: String, tip: String, action: Callable) -> Button:
	var button := Button.new()
	button.text = title
	button.tooltip_text = tip
	button.pressed.connect(action)
	return button


## A cell of text that fills the row.
func make_label(title: String) -> Label:
	var label := Label.new()
	label.text = title
	label.size_flags_horizontal = SIZE_EXPAND_FILL
	label.text_overrun_behavior = TextServer.OVERRUN_TRIM_ELLIPSIS
	return label


## The titles above columns of numbers, which are as wide as those; the first one fills the row.
func make_header(titles: PackedStringArray, width: float, after: float) -> HBoxContainer:
	var row := HBoxContainer.new()
	for i in titles.size():
		var label := make_label(titles[i])
		label.modulate.a = 0.6
		if i > 0:
			label.size_flags_horizontal = SIZE_FILL
			label.custom_minimum_size.x = width
			# A title is never cut: the first column gives way.
			label.text_overrun_behavior = TextServer.OVERRUN_NO_TRIMMING
		row.add_child(label)
	var space := Control.new()
	space.custom_minimum_size.x = after
	row.add_child(space)
	return row


func make_swatch(color: Color) -> ColorRect:
	var swatch := ColorRect.new()
	swatch.color = color
	swatch.custom_minimum_size = Vector2(16.0, 16.0)
	swatch.size_flags_vertical = SIZE_SHRINK_CENTER
	return swatch
