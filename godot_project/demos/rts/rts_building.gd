class_name RtsBuilding
extends RefCounted
## A building on the map, or one that is about to be placed: its kind, position and stamp.

enum Kind { WALL, TOWER, BUNKER }

const NAMES: PackedStringArray = ["Wall", "Tower", "Bunker"]
## The ground plans, row by row: '#' is a wall, all else leaves the terrain unchanged.
const PLANS: PackedStringArray = [
	"## ##",
	".##. #### #### .##.",
	"######## ######## ##....## ##....## ##....## ##....##",
]

static var _stamps: Array[FlowStamp] = []

var kind := Kind.WALL
## The cell with the least x and y.
var corner := Vector2i.ZERO
## The id that FlowFieldManager.place_stamp() returned.
var stamp_id := 0


func _init(of_kind: Kind, at: Vector2i) -> void:
	kind = of_kind
	corner = at


static func size_of(of_kind: Kind) -> Vector2i:
	var rows := PLANS[of_kind].split(" ")
	return Vector2i(rows[0].length(), rows.size())


static func stamp_of(of_kind: Kind) -> FlowStamp:
	if _stamps.is_empty():
		for plan_kind: Kind in Kind.values():
			_stamps.append(_make_stamp(plan_kind))
	return _stamps[of_kind]


static func _make_stamp(of_kind: Kind) -> FlowStamp:
	var stamp := FlowStamp.new()
	stamp.size = size_of(of_kind)
	stamp.fill(stamp.leave_id)
	for cell: Vector2i in RtsBuilding.new(of_kind, Vector2i.ZERO).cells():
		stamp.set_terrain(cell, RtsGround.BUILDING)
	return stamp


## The cells that are built up.
func cells() -> Array[Vector2i]:
	var built: Array[Vector2i] = []
	var rows := PLANS[kind].split(" ")
	for y in rows.size():
		for x in rows[y].length():
			if rows[y][x] == "#":
				built.append(corner + Vector2i(x, y))
	return built


func rect() -> Rect2i:
	return Rect2i(corner, size_of(kind))
