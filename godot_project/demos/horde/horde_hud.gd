class_name HordeHud
extends Control
## The display for the player: health, level, wave, nova, the map, and the state of the game.

const TOAST_TIME := 2.2

var game: Horde
## Whether the frame rate is shown.
var shows_rate := true

var _health := HordeBar.new(HordePalette.HEALTH, Vector2(290.0, 18.0))
var _experience := HordeBar.new(HordePalette.EXPERIENCE, Vector2(290.0, 10.0))
var _left := HordeBar.new(HordePalette.HORDE, Vector2(360.0, 12.0))
var _nova := HordeBar.new(HordePalette.NOVA, Vector2(190.0, 12.0))
var _health_text := _label(15, HordePalette.TEXT)
var _level_text := _label(13, HordePalette.MUTED)
var _wave_text := _label(26, HordePalette.TEXT, true)
var _left_text := _label(14, HordePalette.MUTED)
var _kills_text := _label(26, HordePalette.TEXT, true)
var _time_text := _label(14, HordePalette.MUTED)
var _nova_text := _label(13, HordePalette.MUTED)
var _figures := _label(12, HordePalette.MUTED)
var _toast := _label(44, HordePalette.TEXT, true)
var _toast_line := _label(18, HordePalette.BOLT)
var _map := HordeMap.new()
var _veil := ColorRect.new()
var _end_title := _label(64, HordePalette.TEXT, true)
var _end_line := _label(20, HordePalette.MUTED)
var _end_keys := _label(18, HordePalette.BOLT)
var _toast_left := 0.0

@onready var _vignette: ColorRect = $Vignette


func _ready() -> void:
	theme = LabTheme.build()
	_lay_out()


func set_up(new_game: Horde) -> void:
	game = new_game
	_map.game = game
	_map.show_terrain(game.manager.get_terrain_bytes())
	game.state_changed.connect(_on_state_changed)
	game.waves.began.connect(_on_wave_began)
	game.waves.ended.connect(_on_wave_ended)
	game.growth.grown.connect(_on_grown)
	_on_state_changed()


func _process(delta: float) -> void:
	_show_hero()
	_show_wave()
	_show_figures()
	_toast_left = maxf(0.0, _toast_left - delta)
	var fade := smoothstep(0.0, 0.5, _toast_left)
	_toast.modulate.a = fade
	_toast_line.modulate.a = fade
	(_vignette.material as ShaderMaterial).set_shader_parameter(&"pain", game.player.pain)


## Shows large words in the upper middle of the screen for a moment.
func announce(words: String, line := "") -> void:
	_toast.text = words
	_toast_line.text = line
	_toast_left = TOAST_TIME


func _show_hero() -> void:
	var player := game.player
	_health.share = player.health / HordePlayer.FULL_HEALTH
	_health_text.text = "%d" % ceili(player.health)
	_experience.share = game.growth.experience / game.growth.get_step()
	_level_text.text = "Level %d" % game.growth.level
	_nova.share = 1.0 - game.nova.wait / game.nova.pause
	var ready := game.nova.wait <= 0.0
	_nova_text.text = "SPACE  Nova" if ready else "Nova in %.1f s" % game.nova.wait
	_nova_text.modulate = Color.WHITE if not ready else HordePalette.NOVA * 1.6


func _show_wave() -> void:
	var waves := game.waves
	var number := mini(waves.wave + 1, waves.sizes.size())
	_wave_text.text = "WAVE %d / %d" % [number, waves.sizes.size()]
	var left := waves.count_left()
	_left.share = float(left) / waves.sizes[number - 1] if waves.running else 0.0
	_left_text.text = "%s left" % grouped(left) if waves.running else "get ready"
	_kills_text.text = grouped(game.kills)
	_time_text.text = "slain in %d:%02d" % [int(game.time) / 60, int(game.time) % 60]


func _show_figures() -> void:
	var stats := game.swarm.get_stats()
	_figures.text = (
		"%s enemies   step %.1f ms   field %.1f ms"
		% [grouped(stats["agents"] as int), stats["total_ms"], game.manager.get_last_field_ms()]
	)
	if shows_rate:
		_figures.text += "   %d fps" % int(Engine.get_frames_per_second())


## A whole number with commas between thousands.
static func grouped(number: int) -> String:
	var text := str(number)
	for place in range(text.length() - 3, 0, -3):
		text = text.insert(place, ",")
	return text


func _on_wave_began(wave: int, size: int) -> void:
	announce("WAVE %d" % (wave + 1), "%s enemies" % grouped(size))


func _on_wave_ended(wave: int) -> void:
	announce("WAVE %d CLEARED" % (wave + 1), "catch your breath")


func _on_grown(level: int, gift: String) -> void:
	announce("LEVEL %d" % level, gift)


func _on_state_changed() -> void:
	_veil.visible = game.state != Horde.State.PLAYING
	var score := (
		"%s slain in %d:%02d, level %d"
		% [grouped(game.kills), int(game.time) / 60, int(game.time) % 60, game.growth.level]
	)
	match game.state:
		Horde.State.PAUSED:
			_end_title.text = "PAUSED"
			_end_line.text = score
			_end_keys.text = "Esc  go on        R  start anew"
		Horde.State.LOST:
			_end_title.text = "OVERRUN"
			_end_line.text = score
			_end_keys.text = "Enter  try again"
		Horde.State.WON:
			_end_title.text = "THE LAST ONE STANDING"
			_end_line.text = score
			_end_keys.text = "Enter  once more"
		_:
			_toast_left = 0.0


func _lay_out() -> void:
	_put(_health, Control.PRESET_TOP_LEFT, Rect2(24, 22, 290, 18))
	_put(_health_text, Control.PRESET_TOP_LEFT, Rect2(24, 20, 290, 20))
	_put(_experience, Control.PRESET_TOP_LEFT, Rect2(24, 46, 290, 10))
	_put(_level_text, Control.PRESET_TOP_LEFT, Rect2(26, 60, 288, 20))
	_level_text.horizontal_alignment = HORIZONTAL_ALIGNMENT_LEFT
	_put(_wave_text, Control.PRESET_CENTER_TOP, Rect2(-180, 12, 360, 34))
	_put(_left, Control.PRESET_CENTER_TOP, Rect2(-180, 50, 360, 12))
	_put(_left_text, Control.PRESET_CENTER_TOP, Rect2(-180, 64, 360, 20))
	_put(_kills_text, Control.PRESET_TOP_RIGHT, Rect2(-324, 12, 300, 34))
	_put(_time_text, Control.PRESET_TOP_RIGHT, Rect2(-324, 46, 300, 20))
	for text: Label in [_kills_text, _time_text]:
		text.horizontal_alignment = HORIZONTAL_ALIGNMENT_RIGHT
	_put(_nova_text, Control.PRESET_CENTER_BOTTOM, Rect2(-120, -62, 240, 20))
	_put(_nova, Control.PRESET_CENTER_BOTTOM, Rect2(-95, -38, 190, 12))
	_put(_figures, Control.PRESET_BOTTOM_LEFT, Rect2(24, -36, 460, 20))
	_figures.horizontal_alignment = HORIZONTAL_ALIGNMENT_LEFT
	var side := HordeMap.SIDE
	_put(_map, Control.PRESET_BOTTOM_RIGHT, Rect2(-side - 28, -side - 28, side, side))
	_put(_toast, Control.PRESET_CENTER_TOP, Rect2(-400, 150, 800, 60))
	_put(_toast_line, Control.PRESET_CENTER_TOP, Rect2(-400, 208, 800, 28))
	_veil.color = Color(0.02, 0.02, 0.05, 0.66)
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
