class_name RtsMinimap
extends PanelContainer
## A small view of the whole map: ground, buildings, units and the camera's view. Press or drag to
## move the camera, press the right button to send the selected units.

signal looked_at(place: Vector2)
signal ordered(place: Vector2)

const WIDTH := 236.0
const VIEW_COLOR := Color(1.0, 1.0, 1.0, 0.9)

var camera: RtsCamera

var _bounds := Rect2(0.0, 0.0, 1.0, 1.0)
var _image: Image
var _texture: ImageTexture
var _colors := RtsGround.color_table()
var _map := RtsMap.new()

@onready var _face: Control = $Face
@onready var _dots: MultiMeshInstance2D = $Face/Dots


func _ready() -> void:
	add_theme_stylebox_override(&"panel", _frame())
	_face.custom_minimum_size = Vector2(WIDTH, WIDTH)
	_face.draw.connect(_draw_face)
	_face.gui_input.connect(_on_input)


func _process(_delta: float) -> void:
	_face.queue_redraw()


## Shows a map, and the units that a MultiMesh draws, within the given bounds.
func show_map(map: RtsMap, crowd: MultiMesh, bounds: Rect2) -> void:
	_map = map
	_bounds = bounds
	var texels := PackedInt32Array()
	texels.resize(map.cells.size())
	var packed := PackedInt32Array()
	for color: Color in _colors:
		packed.append(color.to_abgr32())
	for i in texels.size():
		texels[i] = packed[map.cells[i]]
	_image = Image.create_from_data(
		RtsMap.SIZE.x, RtsMap.SIZE.y, false, Image.FORMAT_RGBA8, texels.to_byte_array()
	)
	_texture = ImageTexture.create_from_image(_image)
	_dots.multimesh = crowd
	_dots.scale = Vector2.ONE * WIDTH / bounds.size.x
	_dots.position = -bounds.position * _dots.scale
	RenderingServer.canvas_item_set_custom_rect(_dots.get_canvas_item(), true, bounds)


## Updates the cells of buildings that were placed or removed.
func show_edit(cells: Rect2i, manager: FlowFieldManager) -> void:
	for y in range(cells.position.y, cells.end.y):
		for x in range(cells.position.x, cells.end.x):
			var cell := Vector2i(x, y)
			_image.set_pixelv(cell, _colors[manager.get_terrain_at(cell)])
	_texture.update(_image)


## A world position in pixels of the minimap.
func to_face(place: Vector2) -> Vector2:
	return (place - _bounds.position) / _bounds.size * WIDTH


func get_face() -> Control:
	return _face


func _frame() -> StyleBoxFlat:
	var style := LabTheme.box(Color("1a2134"), 8, Color("46557c"))
	style.set_border_width_all(2)
	style.set_content_margin_all(6.0)
	style.shadow_color = Color(0.0, 0.0, 0.0, 0.5)
	style.shadow_size = 12
	return style


func _draw_face() -> void:
	if _texture == null:
		return
	_face.draw_texture_rect(_texture, Rect2(Vector2.ZERO, Vector2.ONE * WIDTH), false)
	var view := camera.get_view()
	var shown := Rect2(to_face(view.position), view.size / _bounds.size * WIDTH)
	_face.draw_rect(shown.grow(1.0), Color(0.0, 0.0, 0.0, 0.45), false, 3.0)
	_face.draw_rect(shown, VIEW_COLOR, false, 1.5)


func _on_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and button.pressed:
		if button.button_index == MOUSE_BUTTON_LEFT:
			looked_at.emit(_to_world(button.position))
		elif button.button_index == MOUSE_BUTTON_RIGHT:
			ordered.emit(_to_world(button.position))
	var motion := event as InputEventMouseMotion
	if motion != null and motion.button_mask & MOUSE_BUTTON_MASK_LEFT:
		looked_at.emit(_to_world(motion.position))


func _to_world(at: Vector2) -> Vector2:
	var inside := at.clamp(Vector2.ZERO, Vector2.ONE * (WIDTH - 0.01))
	return _bounds.position + inside / WIDTH * _bounds.size
