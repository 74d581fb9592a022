@tool
extends HFlowContainer
## The settings of the links that are drawn.

const Painting := preload("../painting.gd")
const TRAVELS: Dictionary[String, FlowFieldManager.LinkTravel] = {
	"At once": FlowFieldManager.LINK_AT_ONCE,
	"Walk": FlowFieldManager.LINK_WALK,
	"Timed": FlowFieldManager.LINK_TIMED,
}

var _painting: Painting
var _travel := OptionButton.new()
var _seconds: SpinBox
var _arc: SpinBox


func _init(painting: Painting) -> void:
	_painting = painting
	var settings := painting.links.settings
	for title in TRAVELS:
		_travel.add_item(title)
	_travel.tooltip_text = "How agents get over the link: teleporters, stairs, ladders and jumps"
	_travel.item_selected.connect(_on_travel_selected)
	add_child(_travel)
	var both := CheckBox.new()
	both.text = "Both ways"
	both.button_pressed = settings.both_ways
	both.toggled.connect(func(on: bool) -> void: settings.both_ways = on)
	add_child(both)
	var cost := _add_number("Cost", 1.0, 1000.0, 0.1, "The cost in cells of clear ground")
	cost.value = settings.cost
	cost.value_changed.connect(func(value: float) -> void: settings.cost = value)
	_seconds = _add_number("Seconds", 0.001, 3600.0, 0.001, "How long agents are on a timed link")
	_seconds.value = settings.seconds
	_seconds.value_changed.connect(func(value: float) -> void: settings.seconds = value)
	_arc = _add_number("Arc", 0.0, 1000.0, 0.1, "The height of a timed link in world units")
	_arc.value_changed.connect(func(value: float) -> void: settings.arc = value)
	_enable_timed(false)
	var hint := Label.new()
	hint.text = "Drag from cell to cell; Page Up and Page Down change the layer."
	add_child(hint)


func _on_travel_selected(index: int) -> void:
	var travel: FlowFieldManager.LinkTravel = TRAVELS[_travel.get_item_text(index)]
	_painting.links.settings.travel = travel
	_enable_timed(travel == FlowFieldManager.LINK_TIMED)


func _enable_timed(on: bool) -> void:
	_seconds.editable = on
	_arc.editable = on


func _add_number(title: String, least: float, most: float, step: float, tip: String) -> SpinBox:
	var label := Label.new()
	label.text = title
	add_child(label)
	var number := SpinBox.new()
	number.step = step
	number.min_value = least
	number.max_value = most
	number.tooltip_text = tip
	add_child(number)
	return number
