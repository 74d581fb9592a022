@tool
extends RefCounted
## The matrices of all joints in all frames, as an image of half floats.
##
## The matrices are stored about a point in the middle of each joint's vertices, relative to the
## middle of where that point goes: numbers are small where vertices are, and so are their errors.
## First come two texels for each joint, the point at rest and the middle of its places. Then come,
## for each frame and joint, three rows of the matrix, each with a coordinate of the point's place.

const WIDTH := 4096
const BYTES := 8
## Rounds a 64-bit number to the 11 bits of a half float: 2^42 + 1.
const SPLIT := 4398046511105.0

var _origins := PackedVector3Array()
var _least := PackedVector3Array()
var _most := PackedVector3Array()
var _frames: Array[Array] = []


func _init(origins: PackedVector3Array) -> void:
	for origin: Vector3 in origins:
		# The shader has the same numbers.
		_origins.append(rounded(origin))
		_least.append(Vector3.INF)
		_most.append(-Vector3.INF)


func joint_count() -> int:
	return _origins.size()


func frame_count() -> int:
	return _frames.size()


func add_frame(matrices: Array[Transform3D]) -> void:
	for i in matrices.size():
		var place := matrices[i] * _origins[i]
		_least[i] = _least[i].min(place)
		_most[i] = _most[i].max(place)
	_frames.append(matrices)


func image() -> Image:
	var joints := joint_count()
	var texels := joints * (2 + 3 * frame_count())
	var width := mini(texels, WIDTH)
	var height := ceili(float(texels) / width)
	var bytes := PackedByteArray()
	bytes.resize(width * height * BYTES)
	var middles := PackedVector3Array()
	var at := 0
	for i in joints:
		middles.append(rounded(0.5 * (_least[i] + _most[i])))
		_write(bytes, at, _origins[i], 0.0)
		_write(bytes, at + BYTES, middles[i], 0.0)
		at += 2 * BYTES
	for frame: Array in _frames:
		for i in joints:
			var matrix: Transform3D = frame[i]
			var place := matrix * _origins[i] - middles[i]
			var rows := matrix.basis.transposed()
			_write(bytes, at, rows.x, place.x)
			_write(bytes, at + BYTES, rows.y, place.y)
			_write(bytes, at + 2 * BYTES, rows.z, place.z)
			at += 3 * BYTES
	return Image.create_from_data(width, height, false, Image.FORMAT_RGBAH, bytes)


static func rounded(vector: Vector3) -> Vector3:
	return Vector3(_half(vector.x), _half(vector.y), _half(vector.z))


## The nearest number that a half float has. The engine's own conversion cuts off instead.
static func _half(number: float) -> float:
	var large := number * SPLIT
	return large - (large - number)


static func _write(bytes: PackedByteArray, at: int, row: Vector3, last: float) -> void:
	bytes.encode_half(at, _half(row.x))
	bytes.encode_half(at + 2, _half(row.y))
	bytes.encode_half(at + 4, _half(row.z))
	bytes.encode_half(at + 6, _half(last))
