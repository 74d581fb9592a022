extends RefCounted
## Values for arguments and properties of any type: mostly what makes sense, sometimes not at all.

const ODD_NUMBERS: Array[float] = [NAN, INF, -INF, 1e30, -1e30, 1e-45, -1.0, 0.0, -0.0, 1.7e308]
const ODD_INTEGERS: Array[int] = [
	-1, 256, 65, 255, 1 << 32, 9223372036854775807, -9223372036854775807
]
## How many ids are remembered.
const MOST_IDS := 40

## Nodes and resources to choose from, null among them.
var objects: Array[Object] = []
var _random: RandomNumberGenerator
## What calls have returned: ids of agents, goals, stamps, bodies.
var _ids: PackedInt64Array = [0, -1, 77]


func _init(random: RandomNumberGenerator) -> void:
	_random = random


## Whether a number is none, or infinite, somewhere in a value.
static func is_no_number(value: Variant) -> bool:
	match typeof(value):
		TYPE_FLOAT:
			return not is_finite(value as float)
		TYPE_VECTOR2:
			return not (value as Vector2).is_finite()
		TYPE_RECT2:
			return not (value as Rect2).is_finite()
	return false


## Remembers ids that a call has returned.
func learn(result: Variant) -> void:
	if result is int:
		_ids.append(result as int)
	if result is PackedInt64Array:
		_ids.append_array((result as PackedInt64Array).slice(0, 4))
	if _ids.size() > MOST_IDS:
		_ids = _ids.slice(_ids.size() - MOST_IDS)


## A value of the type of an argument or a property, as ClassDB describes it.
func of(described: Dictionary) -> Variant:
	var type: int = described["type"]
	var value: Variant = null
	match type:
		TYPE_BOOL:
			value = _random.randf() < 0.5
		TYPE_INT:
			value = integer()
		TYPE_FLOAT:
			value = number()
		TYPE_VECTOR2:
			value = vector()
		TYPE_VECTOR2I:
			value = _cell()
		TYPE_VECTOR3:
			value = Vector3(number(), number(), number())
		TYPE_RECT2:
			value = Rect2(vector(), vector())
		TYPE_RECT2I:
			value = Rect2i(_cell(), _cell())
		TYPE_COLOR:
			value = Color(number(), number(), 0.5, 1.0)
		TYPE_OBJECT:
			value = _object_of(described)
		TYPE_STRING, TYPE_STRING_NAME:
			value = ["", "enemies", "res://no/such/file", "\n"].pick_random()
		TYPE_ARRAY:
			value = _array_of(described)
		TYPE_DICTIONARY:
			value = {}
		TYPE_NIL:
			value = [null, 1, "text", Vector2.ONE].pick_random()
		_:
			value = _packed(type)
	return value


func number() -> float:
	if _random.randf() < 0.15:
		return ODD_NUMBERS.pick_random()
	return _random.randf_range(-20.0, 330.0) if _random.randf() < 0.6 else _random.randf()


func integer() -> int:
	if _random.randf() < 0.15:
		return ODD_INTEGERS.pick_random()
	return (
		_ids[_random.randi() % _ids.size()] if _random.randf() < 0.4 else _random.randi_range(0, 4)
	)


func vector() -> Vector2:
	return Vector2(number(), number())


func _cell() -> Vector2i:
	if _random.randf() < 0.1:
		return Vector2i(_random.randi_range(-5, 2147483647), -2147483647)
	return Vector2i(_random.randi_range(-1, 20), _random.randi_range(-1, 14))


## An object of the class that is wanted, or none.
func _object_of(described: Dictionary) -> Object:
	var wanted: StringName = described["class_name"]
	if wanted == &"":
		wanted = StringName(described["hint_string"] as String)
	var fit: Array = objects.filter(
		func(object: Object) -> bool: return object == null or object.is_class(wanted)
	)
	return fit.pick_random()


## An array of resources where such are wanted, else an empty one.
func _array_of(described: Dictionary) -> Array:
	var hint: String = described["hint_string"]
	var wanted := hint.get_slice(":", hint.get_slice_count(":") - 1)
	if not ClassDB.class_exists(wanted):
		return []
	var array := Array([], TYPE_OBJECT, StringName(wanted), null)
	for i in _random.randi_range(0, 3):
		var fit: Array = objects.filter(
			func(object: Object) -> bool: return object == null or object.is_class(wanted)
		)
		array.append(fit.pick_random())
	return array


func _packed(type: int) -> Variant:
	var values: Array = []
	for i in _random.randi_range(0, 5):
		match type:
			TYPE_PACKED_BYTE_ARRAY:
				values.append([0, 1, 3, 255].pick_random())
			TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_INT64_ARRAY:
				values.append(integer())
			TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_FLOAT64_ARRAY:
				values.append(number())
			TYPE_PACKED_VECTOR2_ARRAY:
				values.append(vector())
			TYPE_PACKED_VECTOR3_ARRAY:
				values.append(Vector3(number(), number(), number()))
			TYPE_PACKED_COLOR_ARRAY:
				values.append(Color(number(), 1.0, 0.5))
			TYPE_PACKED_STRING_ARRAY:
				values.append("text")
	return type_convert(values, type)
