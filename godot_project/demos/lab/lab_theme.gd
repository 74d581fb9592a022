class_name LabTheme
extends RefCounted
## The style of the lab: palette, fonts and style boxes in one place.

const BACKGROUND := Color("0a0d16")
const PANEL := Color("121726")
const CARD := Color("1a2134")
const CARD_HOVER := Color("222b44")
const OUTLINE := Color("2a3450")
const TEXT := Color("e8ecf6")
const MUTED := Color("8c97b2")
const ACCENT := Color("5b8cff")
const GOOD := Color("6fe3a5")
const WARM := Color("ffae4d")
const BAD := Color("ff6b7a")

static var _bold: FontVariation
static var _digits: FontVariation


## The interface font with heavier strokes.
static func bold_font() -> FontVariation:
	if _bold == null:
		_bold = FontVariation.new()
		_bold.base_font = ThemeDB.fallback_font
		_bold.variation_embolden = 0.7
	return _bold


## Bold, with digits of equal width so that live values do not jitter.
static func digit_font() -> FontVariation:
	if _digits == null:
		_digits = FontVariation.new()
		_digits.base_font = ThemeDB.fallback_font
		_digits.variation_embolden = 0.55
		_digits.opentype_features = {
			TextServerManager.get_primary_interface().name_to_tag("tnum"): 1
		}
	return _digits


static func box(fill: Color, radius: int, border := Color.TRANSPARENT) -> StyleBoxFlat:
	var style := StyleBoxFlat.new()
	style.bg_color = fill
	style.set_corner_radius_all(radius)
	style.corner_detail = 8
	style.anti_aliasing = true
	if border.a > 0.0:
		style.set_border_width_all(1)
		style.border_color = border
	return style


static func padded_box(fill: Color, radius: int, side: float, top: float) -> StyleBoxFlat:
	var style := box(fill, radius)
	style.content_margin_left = side
	style.content_margin_right = side
	style.content_margin_top = top
	style.content_margin_bottom = top
	return style


## The floating panel: rounded, outlined, with a soft shadow.
static func panel_box() -> StyleBoxFlat:
	var style := box(Color(PANEL, 0.97), 14, OUTLINE)
	style.set_content_margin_all(18.0)
	style.shadow_color = Color(0.0, 0.0, 0.0, 0.45)
	style.shadow_size = 14
	return style


## The frame behind the map.
static func map_frame() -> StyleBoxFlat:
	var style := box(Color("101420"), 6, Color("33405f"))
	style.set_border_width_all(3)
	style.set_expand_margin_all(3.0)
	style.shadow_color = Color(0.0, 0.0, 0.0, 0.55)
	style.shadow_size = 26
	return style


static func build() -> Theme:
	var theme := Theme.new()
	theme.default_font_size = 13
	theme.set_color(&"font_color", &"Label", TEXT)
	theme.set_stylebox(&"panel", &"PanelContainer", panel_box())
	_style_buttons(theme)
	_style_sliders(theme)
	var line := StyleBoxLine.new()
	line.color = Color(OUTLINE, 0.8)
	theme.set_stylebox(&"separator", &"HSeparator", line)
	theme.set_constant(&"separation", &"HSeparator", 5)
	return theme


static func _style_buttons(theme: Theme) -> void:
	theme.set_stylebox(&"normal", &"Button", padded_box(CARD, 8, 8.0, 6.0))
	theme.set_stylebox(&"hover", &"Button", padded_box(CARD_HOVER, 8, 8.0, 6.0))
	theme.set_stylebox(&"pressed", &"Button", padded_box(ACCENT, 8, 8.0, 6.0))
	theme.set_stylebox(&"hover_pressed", &"Button", padded_box(ACCENT.lightened(0.12), 8, 8.0, 6.0))
	theme.set_stylebox(&"focus", &"Button", StyleBoxEmpty.new())
	theme.set_color(&"font_color", &"Button", Color("c4cce0"))
	for state: StringName in [
		&"font_hover_color", &"font_pressed_color", &"font_hover_pressed_color"
	]:
		theme.set_color(state, &"Button", Color.WHITE)
	theme.set_type_variation(&"PrimaryButton", &"Button")
	theme.set_stylebox(&"normal", &"PrimaryButton", padded_box(ACCENT, 8, 12.0, 9.0))
	theme.set_stylebox(&"hover", &"PrimaryButton", padded_box(ACCENT.lightened(0.12), 8, 12.0, 9.0))
	theme.set_stylebox(
		&"pressed", &"PrimaryButton", padded_box(ACCENT.darkened(0.15), 8, 12.0, 9.0)
	)
	theme.set_color(&"font_color", &"PrimaryButton", Color.WHITE)
	theme.set_font(&"font", &"PrimaryButton", bold_font())
	theme.set_font_size(&"font_size", &"PrimaryButton", 14)


static func _style_sliders(theme: Theme) -> void:
	var track := box(Color("29334d"), 3)
	track.content_margin_top = 3.0
	track.content_margin_bottom = 3.0
	theme.set_stylebox(&"slider", &"HSlider", track)
	theme.set_stylebox(&"grabber_area", &"HSlider", box(ACCENT, 3))
	theme.set_stylebox(&"grabber_area_highlight", &"HSlider", box(ACCENT.lightened(0.12), 3))
	var knob := _knob(TEXT)
	theme.set_icon(&"grabber", &"HSlider", knob)
	theme.set_icon(&"grabber_highlight", &"HSlider", _knob(Color.WHITE))
	theme.set_icon(&"grabber_disabled", &"HSlider", knob)


static func _knob(color: Color) -> Texture2D:
	return radial_texture([0.0, 0.82, 0.98], [color, color, Color(color, 0.0)], 15)


## A square texture whose colours run from its centre to its edge.
static func radial_texture(
	offsets: PackedFloat32Array, colors: PackedColorArray, width: int
) -> GradientTexture2D:
	var gradient := Gradient.new()
	gradient.offsets = offsets
	gradient.colors = colors
	var texture := GradientTexture2D.new()
	texture.gradient = gradient
	texture.fill = GradientTexture2D.FILL_RADIAL
	texture.fill_from = Vector2(0.5, 0.5)
	texture.fill_to = Vector2(1.0, 0.5)
	texture.width = width
	texture.height = width
	return texture
