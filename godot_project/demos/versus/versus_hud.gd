class_name VersusHud
extends Control
## The bar at the top, with both armies, and words in the middle: the winner, what is waited for.

const HELP := "drag: select · E: all · right click: send · flags bring soldiers · storm the keep"
## A wait shorter than this is not shown, in seconds.
const PATIENCE := 0.4

var battle: VersusBattle

var _scores: Array[Label] = []
var _middle := _label(16, LabTheme.MUTED)
var _words := _label(44, LabTheme.TEXT)
var _line := _label(18, LabTheme.MUTED)


func _ready() -> void:
	theme = LabTheme.build()
	for side in VersusRules.SIDES:
		var score := _label(22, VersusMap.COLORS[side].lightened(0.2))
		score.add_theme_font_override(&"font", LabTheme.digit_font())
		_scores.append(score)
		_place(score, 12.0, -700.0 if side == 0 else 300.0, 400.0)
	_place(_middle, 16.0, -300.0, 600.0)
	_place(_words, 150.0, -600.0, 1200.0)
	_place(_line, 215.0, -600.0, 1200.0)


func _process(_delta: float) -> void:
	if battle == null:
		return
	for side in VersusRules.SIDES:
		var you := "  (you)" if side == battle.get_side() else ""
		_scores[side].text = (
			"%s%s   %d   ♜ %d%%"
			% [
				VersusMap.NAMES[side],
				you,
				battle.armies[side].get_agent_count(),
				ceili(battle.rules.keeps[side] * 100.0 / VersusRules.FULL_KEEP)
			]
		)
	_middle.text = HELP
	_say("", "")
	if not battle.lockstep.is_running():
		return
	if battle.rules.winner != VersusRules.NOBODY:
		_say("%s has won" % VersusMap.NAMES[battle.rules.winner], "")
	elif not battle.is_on():
		_say("Waiting for the other player", "UDP port %d on this machine" % VersusBattle.PORT)
	elif battle.lockstep.get_waiting_seconds() > PATIENCE:
		_say("", "The other machine is late: %.1f s" % battle.lockstep.get_waiting_seconds())


func _say(words: String, line: String) -> void:
	_words.text = words
	_line.text = line


## Places a label around the middle of the upper edge.
func _place(label: Label, top: float, left: float, width: float) -> void:
	label.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	label.anchor_left = 0.5
	label.anchor_right = 0.5
	label.offset_left = left
	label.offset_right = left + width
	label.offset_top = top
	add_child(label)


func _label(size: int, color: Color) -> Label:
	var label := Label.new()
	label.mouse_filter = Control.MOUSE_FILTER_IGNORE
	label.add_theme_font_size_override(&"font_size", size)
	label.add_theme_color_override(&"font_color", color)
	label.add_theme_color_override(&"font_outline_color", LabTheme.BACKGROUND)
	label.add_theme_constant_override(&"outline_size", 6)
	return label
