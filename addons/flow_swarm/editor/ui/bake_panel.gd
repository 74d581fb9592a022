@tool
extends VBoxContainer
## The upper part of the dock: a row for each kind of bake, progress, what went wrong, settings.

const Baking := preload("../bake/baking.gd")
const CharacterButton := preload("character_button.gd")
const Row := preload("bake_row.gd")
const Settings := preload("bake_settings_rows.gd")
## The least number of seconds between two looks at the sources, which are all read for that.
const PAUSE := 1.0
## The share of time that this may take.
const SHARE := 0.02

var _baking: Baking
var _rows: Array[Row] = []
var _settings: Settings
var _bar := ProgressBar.new()
var _cancel := Button.new()
var _message := Label.new()
var _pause := 0.0


func _init(baking: Baking, menu: CharacterButton.MakeCrowdMenu) -> void:
	_baking = baking
	_settings = Settings.new(baking)
	var fold := FoldableContainer.new()
	fold.title = "Settings"
	fold.folded = true
	fold.add_child(_settings)
	for kind in baking.kinds:
		var row := Row.new(kind)
		row.pressed.connect(_on_pressed.bind(kind))
		_rows.append(row)
		add_child(row)
	var characters := CharacterButton.new(menu)
	characters.told.connect(baking.tell)
	add_child(characters)
	_add_progress()
	_message.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_message.custom_minimum_size.x = 100.0
	add_child(_message)
	add_child(fold)
	baking.changed.connect(refresh)


func _process(delta: float) -> void:
	_baking.advance()
	_pause -= delta
	if _pause <= 0.0 and is_visible_in_tree():
		refresh()


## Shows the states of all kinds.
func refresh() -> void:
	_pause = PAUSE
	_bar.get_parent().set(&"visible", _baking.is_running())
	_bar.value = 100.0 * _baking.progress()
	_message.text = _baking.message
	_message.visible = not _baking.message.is_empty()
	var root := EditorInterface.get_edited_scene_root()
	if _baking.is_running() or not is_instance_valid(_baking.manager) or root == null:
		for row in _rows:
			row.disable()
		return
	_settings.refresh()
	var begin := Time.get_ticks_usec()
	var states := _baking.states(root)
	_pause = maxf(PAUSE, 1e-6 * (Time.get_ticks_usec() - begin) / SHARE)
	for i in _rows.size():
		_rows[i].show_state(states[i])


func _add_progress() -> void:
	var line := HBoxContainer.new()
	_bar.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_cancel.text = "Cancel"
	_cancel.pressed.connect(func() -> void: _baking.cancel())
	line.add_child(_bar)
	line.add_child(_cancel)
	line.hide()
	add_child(line)


func _on_pressed(kind: Baking.Kind) -> void:
	_baking.start(kind, EditorInterface.get_edited_scene_root())
