class_name LabPanel
extends PanelContainer
## The panel at the right: figures, then all settings. It does not depend on the simulation: it
## emits signals for settings and shows the values that it is given.

signal run_pressed
signal clear_pressed
signal scatter_pressed
signal preset_chosen(index: int)
signal solver_chosen(index: int)
signal rule_chosen(index: int)
signal avoidance_chosen(index: int)
signal brush_chosen(index: int)
signal switched(option: StringName, on: bool)
signal slid(option: StringName, value: float)

const BRUSHES: PackedStringArray = ["Wall", "Wide", "Rough", "Stamp"]
## Names of enumeration values that are too long for a row of buttons.
const SHORT_NAMES: Dictionary[String, String] = {
	"Best Neighbour": "Neighbour",
	"Negative Gradient": "Gradient",
	"Predecessor": "Wave",
	"Characteristic": "Any angle",
	"Orca": "ORCA",
}

var _rows := VBoxContainer.new()
var _controls: Dictionary[StringName, Control] = {}
var _values: Dictionary[StringName, Label] = {}
var _spark := LabSpark.new()


func _ready() -> void:
	_rows.add_theme_constant_override(&"separation", 5)
	add_child(_rows)
	_add_title()
	_add_figures()
	_add_actions()
	_add_short_choice(&"preset", "Map", LabPresets.NAMES, preset_chosen)
	_add_short_choice(&"brush", "Brush", BRUSHES, brush_chosen)
	_add_short_choice(&"solver", "Solver", value_names(&"solver"), solver_chosen)
	_add_choice(&"rule", "Direction rule", value_names(&"direction_rule"), rule_chosen)
	_add_short_choice(
		&"avoidance", "Avoid", value_names(&"avoidance", &"SwarmAgentType"), avoidance_chosen
	)
	_add_slider(&"population", "Agents", 0.0, 10000.0, 100.0, 4000.0)
	_add_slider(&"rate", "Spawned / s", 0.0, 1000.0, 10.0, 150.0)
	_add_slider(&"radius", "Radius", 3.0, 48.0, 1.0, Lab.AGENT_RADIUS)
	_add_switches(
		[
			[&"wall_correction", "Wall correction", true],
			[&"wall_penalty", "Wall penalty", true],
			[&"smoothing", "Smoothing 0.8", false],
		]
	)
	_add_heading("Shown")
	_add_switches(
		[
			[&"heat", "Cost to goal", true],
			[&"arrows", "Directions", true],
			[&"numbers", "Cost numbers", true],
			[&"grid", "Grid", true],
			[&"islands", "Islands", false],
			[&"closed", "Too narrow", true],
			[&"sight", "Line of sight", false],
			[&"overlap", "Overlap", false],
		]
	)
	_add_cell_line()
	_add_keys()


## The names of the values of a class's property, as in the inspector.
static func value_names(property: StringName, of_class := &"FlowFieldManager") -> PackedStringArray:
	var names := PackedStringArray()
	for entry: Dictionary in ClassDB.class_get_property_list(of_class, true):
		if entry["name"] == property:
			for value: String in (entry["hint_string"] as String).split(","):
				var name := value.get_slice(":", 0).capitalize()
				names.append(SHORT_NAMES.get(name, name) as String)
	return names


## A control by the name of its option, for tests and tutorials.
func get_control(option: StringName) -> Control:
	return _controls.get(option) as Control


func set_figure(figure: StringName, text: String, color := LabTheme.TEXT) -> void:
	_values[figure].text = text
	_values[figure].add_theme_color_override(&"font_color", color)


func get_figure(figure: StringName) -> String:
	return _values[figure].text


func add_step_time(milliseconds: float) -> void:
	_spark.add(milliseconds)


## Shows the selected button of an option, without a signal.
func show_choice(option: StringName, index: int) -> void:
	var button := get_control(StringName("%s_%d" % [option, index])) as Button
	if button == null:
		return
	# Without a signal the other buttons of the group stay pressed.
	for other: BaseButton in button.button_group.get_buttons():
		other.set_pressed_no_signal(other == button)


func set_running(running: bool) -> void:
	(get_control(&"run") as Button).text = "Pause" if running else "Run"


func _add_title() -> void:
	var title := Label.new()
	title.text = "Flow Swarm"
	title.add_theme_font_override(&"font", LabTheme.bold_font())
	title.add_theme_font_size_override(&"font_size", 23)
	var line := HBoxContainer.new()
	line.add_child(title)
	line.add_child(_spacer())
	var where := _muted("flow field lab")
	where.size_flags_vertical = Control.SIZE_SHRINK_END
	line.add_child(where)
	_rows.add_child(line)


func _add_figures() -> void:
	var card := PanelContainer.new()
	card.add_theme_stylebox_override(&"panel", LabTheme.padded_box(LabTheme.CARD, 10, 14.0, 10.0))
	var column := VBoxContainer.new()
	column.add_theme_constant_override(&"separation", 6)
	card.add_child(column)
	var grid := GridContainer.new()
	grid.columns = 4
	grid.add_theme_constant_override(&"v_separation", 6)
	column.add_child(grid)
	for entry: Array in [
		[&"agents", "agents"],
		[&"step", "step ms"],
		[&"field", "field ms"],
		[&"fps", "fps"],
		[&"arrived", "arrived"],
		[&"stuck", "stuck"],
		[&"lost", "no route"],
		[&"rate", "arrive / s"],
	]:
		grid.add_child(_figure(entry[0] as StringName, entry[1] as String))
	column.add_child(_spark)
	_rows.add_child(card)


func _figure(figure: StringName, text: String) -> Control:
	var column := VBoxContainer.new()
	column.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	column.custom_minimum_size = Vector2(66.0, 0.0)
	column.add_theme_constant_override(&"separation", -3)
	var value := Label.new()
	value.text = "0"
	value.add_theme_font_override(&"font", LabTheme.digit_font())
	value.add_theme_font_size_override(&"font_size", 17)
	column.add_child(value)
	var caption := _muted(text)
	caption.add_theme_font_size_override(&"font_size", 11)
	column.add_child(caption)
	_values[figure] = value
	return column


func _add_actions() -> void:
	var line := HBoxContainer.new()
	var run := _button("Pause", run_pressed.emit)
	run.theme_type_variation = &"PrimaryButton"
	run.size_flags_stretch_ratio = 1.5
	line.add_child(run)
	line.add_child(_button("Scatter", scatter_pressed.emit))
	line.add_child(_button("Clear", clear_pressed.emit))
	var names: Array[StringName] = [&"run", &"scatter", &"clear"]
	for i in names.size():
		_controls[names[i]] = line.get_child(i) as Control
	_rows.add_child(line)


func _button(text: String, action: Callable) -> Button:
	var button := Button.new()
	button.text = text
	button.focus_mode = Control.FOCUS_NONE
	button.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	button.mouse_default_cursor_shape = Control.CURSOR_POINTING_HAND
	button.pressed.connect(action)
	return button


## A caption above a row of buttons, of which one is pressed.
func _add_choice(
	option: StringName, text: String, names: PackedStringArray, report: Signal
) -> void:
	_add_heading(text)
	_rows.add_child(_choice(option, names, report))


## The same with the caption beside the buttons.
func _add_short_choice(
	option: StringName, text: String, names: PackedStringArray, report: Signal
) -> void:
	var line := _choice(option, names, report)
	var caption := _muted(text)
	caption.custom_minimum_size = Vector2(42.0, 0.0)
	line.add_child(caption)
	line.move_child(caption, 0)
	_rows.add_child(line)


## A row of buttons; they are named "option_0", "option_1" and so on.
func _choice(option: StringName, names: PackedStringArray, report: Signal) -> HBoxContainer:
	var line := HBoxContainer.new()
	line.add_theme_constant_override(&"separation", 4)
	var group := ButtonGroup.new()
	for i in names.size():
		var button := _button(names[i], report.emit.bind(i))
		button.toggle_mode = true
		button.button_group = group
		button.set_pressed_no_signal(i == 0)
		line.add_child(button)
		_controls[StringName("%s_%d" % [option, i])] = button
	return line


func _add_slider(
	option: StringName, text: String, low: float, high: float, step: float, value: float
) -> void:
	var caption := _muted(text)
	caption.custom_minimum_size = Vector2(82.0, 0.0)
	var shown := Label.new()
	shown.add_theme_font_override(&"font", LabTheme.digit_font())
	shown.horizontal_alignment = HORIZONTAL_ALIGNMENT_RIGHT
	shown.custom_minimum_size = Vector2(44.0, 0.0)
	shown.text = str(int(value))
	var slider := HSlider.new()
	slider.min_value = low
	slider.max_value = high
	slider.step = step
	slider.value = value
	slider.focus_mode = Control.FOCUS_NONE
	slider.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	slider.size_flags_vertical = Control.SIZE_SHRINK_CENTER
	slider.value_changed.connect(
		func(changed: float) -> void:
			shown.text = str(int(changed))
			slid.emit(option, changed)
	)
	_controls[option] = slider
	var line := HBoxContainer.new()
	for part: Control in [caption, slider, shown]:
		line.add_child(part)
	_rows.add_child(line)


func _add_switches(entries: Array[Array]) -> void:
	var grid := GridContainer.new()
	grid.columns = 2
	grid.add_theme_constant_override(&"v_separation", 0)
	for entry: Array in entries:
		var option: StringName = entry[0]
		var toggle := LabSwitch.new(entry[1] as String, entry[2] as bool)
		toggle.toggled.connect(func(on: bool) -> void: switched.emit(option, on))
		_controls[option] = toggle
		grid.add_child(toggle)
	_rows.add_child(grid)


func _add_cell_line() -> void:
	_rows.add_child(HSeparator.new())
	var label := _muted("Point at a cell to read it")
	label.add_theme_font_size_override(&"font_size", 12)
	_values[&"cell"] = label
	_rows.add_child(label)


func _add_keys() -> void:
	var space := Control.new()
	space.size_flags_vertical = Control.SIZE_EXPAND_FILL
	_rows.add_child(space)
	_rows.add_child(LabKeys.new())


func _add_heading(text: String) -> void:
	_rows.add_child(_muted(text))


func _muted(text: String) -> Label:
	var label := Label.new()
	label.text = text
	label.add_theme_color_override(&"font_color", LabTheme.MUTED)
	return label


func _spacer() -> Control:
	var space := Control.new()
	space.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	return space
