@tool
extends VBoxContainer
## The lower part of the dock: what is shown of the manager, and the crowd that runs.

const Preview := preload("../preview/preview.gd")
const MODES: Dictionary[String, FlowDebugView.Mode] = {
	"Nothing": FlowDebugView.Mode.CUSTOM,
	"Costs": FlowDebugView.Mode.COST,
	"Directions to the mouse": FlowDebugView.Mode.FLOW,
	"Costs to the mouse": FlowDebugView.Mode.INTEGRATION,
	"Islands": FlowDebugView.Mode.ISLANDS,
	"Clearance": FlowDebugView.Mode.CLEARANCE,
	"Sectors": FlowDebugView.Mode.SECTORS,
	"Heights": FlowDebugView.Mode.HEIGHTS,
}

var _preview: Preview
var _mode := OptionButton.new()
var _type := OptionButton.new()
var _play := Button.new()
var _step := Button.new()
var _reset := Button.new()
var _message := Label.new()


func _init(preview: Preview) -> void:
	_preview = preview
	for title in MODES:
		_mode.add_item(title, MODES[title])
	_mode.tooltip_text = "What is shown over the ground. It is not saved with the scene."
	_mode.item_selected.connect(_on_mode_selected)
	_type.tooltip_text = "The movement type whose costs are shown"
	_type.item_selected.connect(func(index: int) -> void: _preview.movement_type = index)
	add_child(_mode)
	add_child(_type)
	var line := HBoxContainer.new()
	_add_button(line, _play, "Play", "Runs the crowd of the scene here, without changing the scene")
	_play.toggle_mode = true
	_play.toggled.connect(func(on: bool) -> void: _preview.play(on))
	_add_button(line, _step, "Step", "Moves the crowd by one tick of the game")
	_step.pressed.connect(func() -> void: _preview.step())
	_add_button(line, _reset, "Reset", "Takes the crowd away")
	_reset.pressed.connect(func() -> void: _preview.reset())
	add_child(line)
	_message.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_message.custom_minimum_size.x = 100.0
	add_child(_message)
	preview.changed.connect(refresh)


func _ready() -> void:
	_play.icon = get_theme_icon(&"Play", &"EditorIcons")
	_step.icon = get_theme_icon(&"NextFrame", &"EditorIcons")
	_reset.icon = get_theme_icon(&"Reload", &"EditorIcons")


func _process(_delta: float) -> void:
	if _preview.get_run() != null:
		_show_run()


## Shows what is chosen.
func refresh() -> void:
	_mode.select(_mode.get_item_index(_preview.mode))
	_fill_types()
	var run := _preview.get_run()
	_play.set_pressed_no_signal(run != null and run.is_playing)
	_reset.disabled = run == null
	_show_run()


func _show_run() -> void:
	var run := _preview.get_run()
	var parts: PackedStringArray = []
	if run != null:
		parts.append("%d agents after %d steps" % [run.count(), run.steps])
	if not _preview.message.is_empty():
		parts.append(_preview.message)
	_message.text = "\n".join(parts)
	_message.visible = not parts.is_empty()


func _fill_types() -> void:
	if not is_instance_valid(_preview.manager):
		return
	var types := _preview.manager.movement_types
	_type.clear()
	for i in maxi(types.size(), 1):
		var title := "Movement type %d" % i
		if i < types.size() and types[i] != null and not types[i].resource_name.is_empty():
			title = types[i].resource_name
		_type.add_item(title)
	_type.select(mini(_preview.movement_type, _type.item_count - 1))
	_type.visible = _type.item_count > 1


func _on_mode_selected(index: int) -> void:
	_preview.mode = _mode.get_item_id(index) as FlowDebugView.Mode


func _add_button(line: Container, button: Button, title: String, tip: String) -> void:
	button.text = title
	button.tooltip_text = tip
	line.add_child(button)
