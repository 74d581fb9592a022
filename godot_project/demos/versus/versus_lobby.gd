class_name VersusLobby
extends PanelContainer
## The window before the game: host, join, or play against a bot on this machine.

signal host_chosen
signal join_chosen(address: String)
signal bot_chosen

var _address := LineEdit.new()
var _status: Label


func _ready() -> void:
	theme = LabTheme.build()
	var rows := VBoxContainer.new()
	rows.add_theme_constant_override(&"separation", 12)
	rows.custom_minimum_size = Vector2(380.0, 0.0)
	add_child(rows)
	rows.add_child(_label("Versus", 34, LabTheme.TEXT))
	rows.add_child(_label("Two armies, two machines, one battle.", 14, LabTheme.MUTED))
	rows.add_child(_button("Host a game", host_chosen.emit))
	var line := HBoxContainer.new()
	line.add_theme_constant_override(&"separation", 8)
	_address.text = "127.0.0.1"
	_address.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_address.tooltip_text = "The address of the host; 127.0.0.1 is this machine"
	line.add_child(_address)
	line.add_child(_button("Join", func() -> void: join_chosen.emit(_address.text)))
	rows.add_child(line)
	rows.add_child(_button("Play against a bot", bot_chosen.emit))
	_status = _label("UDP port %d" % VersusBattle.PORT, 13, LabTheme.MUTED)
	_status.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	rows.add_child(_status)


func show_status(text: String, color := LabTheme.MUTED) -> void:
	_status.text = text
	_status.add_theme_color_override(&"font_color", color)


func _label(text: String, size: int, color: Color) -> Label:
	var label := Label.new()
	label.text = text
	label.add_theme_font_size_override(&"font_size", size)
	label.add_theme_color_override(&"font_color", color)
	return label


func _button(text: String, action: Callable) -> Button:
	var button := Button.new()
	button.text = text
	button.theme_type_variation = &"PrimaryButton"
	button.pressed.connect(action)
	return button
