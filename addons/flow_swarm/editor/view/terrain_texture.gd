@tool
extends RefCounted
## The ids of a terrain as the layers of a texture. An edit uploads only the chunks in which cells
## have changed.

## The least number of layers that every graphics driver has.
const MOST_CHUNKS_A_SIDE := 16
const LEAST_EDGE := 64

var texture: Texture2DArray
## The edge length of a chunk in cells.
var edge := LEAST_EDGE
## The number of chunks in a row.
var columns := 1
## May be null.
var terrain: FlowTerrain:
	set(value):
		if value == terrain:
			return
		if terrain != null:
			terrain.region_changed.disconnect(_on_region_changed)
		terrain = value
		if terrain != null:
			terrain.region_changed.connect(_on_region_changed)
		texture = null

var _size := Vector2i.ZERO
var _stale: Dictionary[Vector2i, bool] = {}


## Reads what has changed since the last call. Returns the number of chunks that were read.
func update() -> int:
	if terrain == null:
		return 0
	if texture == null or terrain.size != _size:
		return _make()
	for chunk: Vector2i in _stale:
		texture.update_layer(_image(chunk), chunk.y * columns + chunk.x)
	var count := _stale.size()
	_stale.clear()
	return count


func _make() -> int:
	_stale.clear()
	_size = terrain.size
	edge = LEAST_EDGE
	while edge * MOST_CHUNKS_A_SIDE < maxi(_size.x, _size.y):
		edge *= 2
	columns = ceili(float(_size.x) / edge)
	var images: Array[Image] = []
	for y in ceili(float(_size.y) / edge):
		for x in columns:
			images.append(_image(Vector2i(x, y)))
	texture = Texture2DArray.new()
	texture.create_from_images(images)
	return images.size()


func _image(chunk: Vector2i) -> Image:
	var all := Rect2i(chunk * edge, Vector2i(edge, edge))
	var part := all.intersection(Rect2i(Vector2i.ZERO, _size))
	var bytes := terrain.get_region(part)
	var cells := Image.create_from_data(part.size.x, part.size.y, false, Image.FORMAT_R8, bytes)
	if part == all:
		return cells
	var image := Image.create_empty(edge, edge, false, Image.FORMAT_R8)
	image.blit_rect(cells, Rect2i(Vector2i.ZERO, part.size), Vector2i.ZERO)
	return image


func _on_region_changed(rect: Rect2i) -> void:
	if texture == null or terrain.size != _size or not rect.has_area():
		return
	var last := (rect.end - Vector2i.ONE) / edge
	for y in range(rect.position.y / edge, last.y + 1):
		for x in range(rect.position.x / edge, last.x + 1):
			_stale[Vector2i(x, y)] = true
