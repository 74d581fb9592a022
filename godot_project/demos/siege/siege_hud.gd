class_name SiegeHud
extends Control
## The display for the player: the gate, the keep, the wave, the weapons, and the state of the game.

const TOAST_TIME := 2.6
const GATE_COLOR := Color(0.86, 0.64, 0.32)
const KEEP_COLOR := Color(0.42, 0.62, 0.95)
const SELF_COLOR := Color(0.45, 0.74, 0.42)
const FOE_COLOR := Color(0.85, 0.27, 0.22)
const BEAM_COLOR := Color(0.45, 0.80, 1.0)
const TEXT := Color(0.97, 0.97, 0.95)
const MUTED := Color(0.86, 0.87, 0.86)
const HINT := (
	"WASD walk   Shift run   Space jump   "
	+ "Left mouse beam   Right mouse or G grenade   Esc pause"
)

var game: Siege
## Whether the frame rate is shown.
var shows_rate := true

var _gate := HordeBar.new(GATE_COLOR, Vector2(270.0, 16.0))
var _keep := HordeBar.new(KEEP_COLOR, Vector2(270.0, 16.0))
var _left := HordeBar.new(FOE_COLOR, Vector2(360.0, 12.0))
var _beam := HordeBar.new(BEAM_COLOR, Vector2(190.0, 10.0))
var _self := HordeBar.new(SELF_COLOR, Vector2(270.0, 16.0))
var _gate_text := _label(14, TEXT)
var _keep_text := _label(14, TEXT)
var _self_text := _label(14, TEXT)
var _wave_text := _label(26, TEXT, true)
var _left_text := _label(15, MUTED)
var _kills_text := _label(26, TEXT, true)
var _beam_text := _label(13, MUTED)
var _figures := _label(13, MUTED)
var _hint := _label(14, MUTED)
var _toast := _label(44, TEXT, true)
var _toast_line := _label(18, GATE_COLOR)
var _cross := _label(22, TEXT, true)
var _veil := ColorRect.new()
var _end_title := _label(64, TEXT, true)
var _end_line := _label(20, MUTED)
var _end_keys := _label(18, GATE_COLOR)
var _toast_left := 0.0


func _ready() -> void:
	theme = LabTheme.build()
	_lay_out()


func set_up(new_game: Siege) -> void:
	game = new_game
	game.state_changed.connect(_on_state_changed)
	game.waves.began.connect(_on_wave_began)
	game.level.gate.state_changed.connect(_on_gate_changed)


func _process(delta: float) -> void:
	var gate := game.level.gate
	_gate.share = gate.health / SiegeGate.FULL_HEALTH
	_gate_text.text = "Gate broken" if gate.is_open() else "Gate %d" % ceili(gate.health)
	_keep.share = game.keep.health / SiegeKeep.FULL_HEALTH
	_keep_text.text = "Keep %d" % ceili(game.keep.health)
	_self.share = game.player.health / SiegePlayer.FULL_HEALTH
	_self_text.text = "You %d" % ceili(game.player.health)
	var waves := game.waves
	var number := mini(waves.wave + 1, waves.sizes.size())
	_wave_text.text = "WAVE %d / %d" % [number, waves.sizes.size()]
	_left.share = float(waves.count_left()) / waves.sizes[number - 1] if waves.running else 0.0
	_left_text.text = "%s attackers" % HordeHud.grouped(waves.count_left())
	_kills_text.text = "%s fallen" % HordeHud.grouped(game.kills)
	_beam.share = game.beam.charge
	_beam_text.text = "Grenade ready" if game.grenades.wait <= 0.0 else "Grenade ..."
	_figures.text = "%s alive" % HordeHud.grouped(game.crowd.count_alive())
	if shows_rate:
		_figures.text += "   %d fps" % int(Engine.get_frames_per_second())
	_toast_left = maxf(0.0, _toast_left - delta)
	_toast.modulate.a = smoothstep(0.0, 0.5, _toast_left)
	_toast_line.modulate.a = _toast.modulate.a


## Shows large words in the upper middle of the screen for a moment.
func announce(words: String, line := "") -> void:
	_toast.text = words
	_toast_line.text = line
	_toast_left = TOAST_TIME


func _on_wave_began(wave: int, size: int) -> void:
	announce("WAVE %d" % (wave + 1), "%s attackers leave their camps" % HordeHud.grouped(size))


func _on_gate_changed(state: SiegeGate.State) -> void:
	if state == SiegeGate.State.CRACKED:
		announce("THE GATE GIVES WAY", "half of it is gone")
	elif state == SiegeGate.State.BROKEN:
		announce("THE GATE IS BROKEN", "defend the keep")


func _on_state_changed() -> void:
	_veil.visible = game.state != Siege.State.PLAYING
	_cross.visible = not _veil.visible
	_end_line.text = (
		"%s attackers fallen in %d:%02d"
		% [HordeHud.grouped(game.kills), int(game.time) / 60, int(game.time) % 60]
	)
	match game.state:
		Siege.State.PAUSED:
			_end_title.text = "PAUSED"
			_end_keys.text = "Esc  go on        R  start anew"
		Siege.State.LOST:
			var has_died := game.player.health <= 0.0
			_end_title.text = "YOU HAVE FALLEN" if has_died else "THE KEEP HAS FALLEN"
			_end_keys.text = "Enter  try again"
		Siege.State.WON:
			_end_title.text = "THE TOWN STANDS"
			_end_keys.text = "Enter  once more"
		_:
			_toast_left = 0.0


func _lay_out() -> void:
	_put(_gate, Control.PRESET_TOP_LEFT, Rect2(24, 24, 270, 16))
	_put(_gate_text, Control.PRESET_TOP_LEFT, Rect2(24, 21, 270, 20))
	_put(_keep, Control.PRESET_TOP_LEFT, Rect2(24, 50, 270, 16))
	_put(_keep_text, Control.PRESET_TOP_LEFT, Rect2(24, 47, 270, 20))
	_put(_self, Control.PRESET_TOP_LEFT, Rect2(24, 76, 270, 16))
	_put(_self_text, Control.PRESET_TOP_LEFT, Rect2(24, 73, 270, 20))
	_put(_wave_text, Control.PRESET_CENTER_TOP, Rect2(-180, 12, 360, 34))
	_put(_left, Control.PRESET_CENTER_TOP, Rect2(-180, 50, 360, 12))
	_put(_left_text, Control.PRESET_CENTER_TOP, Rect2(-180, 64, 360, 20))
	_put(_kills_text, Control.PRESET_TOP_RIGHT, Rect2(-324, 12, 300, 34))
	_kills_text.horizontal_alignment = HORIZONTAL_ALIGNMENT_RIGHT
	_put(_beam_text, Control.PRESET_CENTER_BOTTOM, Rect2(-120, -84, 240, 20))
	_put(_beam, Control.PRESET_CENTER_BOTTOM, Rect2(-95, -60, 190, 10))
	_put(_hint, Control.PRESET_CENTER_BOTTOM, Rect2(-500, -38, 1000, 22))
	_put(_figures, Control.PRESET_BOTTOM_LEFT, Rect2(24, -36, 300, 20))
	_figures.horizontal_alignment = HORIZONTAL_ALIGNMENT_LEFT
	_put(_cross, Control.PRESET_CENTER, Rect2(-20, -17, 40, 34))
	_put(_toast, Control.PRESET_CENTER_TOP, Rect2(-400, 150, 800, 60))
	_put(_toast_line, Control.PRESET_CENTER_TOP, Rect2(-400, 208, 800, 28))
	_hint.text = HINT
	_cross.text = "+"
	_veil.color = Color(0.03, 0.04, 0.06, 0.62)
	_veil.mouse_filter = Control.MOUSE_FILTER_IGNORE
	add_child(_veil)
	_veil.set_anchors_and_offsets_preset(Control.PRESET_FULL_RECT)
	_put(_end_title, Control.PRESET_CENTER, Rect2(-600, -110, 1200, 80), _veil)
	_put(_end_line, Control.PRESET_CENTER, Rect2(-600, -16, 1200, 30), _veil)
	_put(_end_keys, Control.PRESET_CENTER, Rect2(-600, 40, 1200, 30), _veil)


## Adds a control at an offset from one of the presets' points.
func _put(
	control: Control, preset: Control.LayoutPreset, place: Rect2, parent: Control = self
) -> void:
	parent.add_child(control)
	control.set_anchors_preset(preset)
	control.offset_left = place.position.x
	control.offset_top = place.position.y
	control.offset_right = place.end.x
	control.offset_bottom = place.end.y


static func _label(font_size: int, color: Color, bold := false) -> Label:
	var label := Label.new()
	label.add_theme_font_size_override(&"font_size", font_size)
	label.add_theme_color_override(&"font_color", color)
	label.add_theme_color_override(&"font_outline_color", Color(0.02, 0.03, 0.06, 0.75))
	label.add_theme_constant_override(&"outline_size", maxi(4, font_size / 5))
	label.add_theme_font_override(&"font", LabTheme.bold_font() if bold else LabTheme.digit_font())
	label.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	label.mouse_filter = Control.MOUSE_FILTER_IGNORE
	return label
