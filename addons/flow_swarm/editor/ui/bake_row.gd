@tool
extends HBoxContainer
## A kind of bake in the dock: its button, and whether what it has baked is up to date.

signal pressed

const Kind := preload("../bake/kinds/bake_kind.gd")
const Records := preload("../bake/bake_records.gd")
const TEXTS: Dictionary[Records.State, String] = {
	Records.State.NOTHING: "nothing to bake",
	Records.State.NOT_BAKED: "not baked",
	Records.State.CURRENT: "up to date",
	Records.State.STALE: "out of date",
}
const COLORS: Dictionary[Records.State, Color] = {
	Records.State.NOTHING: Color(1.0, 1.0, 1.0, 0.5),
	Records.State.NOT_BAKED: Color(1.0, 1.0, 1.0, 0.8),
	Records.State.CURRENT: Color(0.5, 0.9, 0.5),
	Records.State.STALE: Color(1.0, 0.75, 0.3),
}

var _kind: Kind
var _button := Button.new()
var _label := Label.new()


func _init(kind: Kind) -> void:
	_kind = kind
	_button.text = kind.title
	_button.tooltip_text = kind.tip
	_button.size_flags_horizontal = Control.SIZE_EXPAND_FILL
	_button.pressed.connect(pressed.emit)
	_label.custom_minimum_size.x = 120.0
	add_child(_button)
	add_child(_label)


## Cannot be pressed while something runs.
func disable() -> void:
	_button.disabled = true


func show_state(state: Records.State) -> void:
	_button.disabled = state == Records.State.NOTHING
	_label.text = TEXTS[state]
	_label.modulate = COLORS[state]
	_label.tooltip_text = _kind.nothing if state == Records.State.NOTHING else ""
	if state == Records.State.STALE:
		_label.tooltip_text = "The nodes or settings have changed since: bake again."
