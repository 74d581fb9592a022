class_name RtsSelection
extends MultiMeshInstance2D
## The selected units, with a ring around each. One MultiMesh draws all rings.

signal changed

const FLOATS := 8
const RING_WIDTH := 1.5

var swarm: EnemySwarm

## The selected ids; all values are true.
var _ids: Dictionary[int, bool] = {}
var _buffer := PackedFloat32Array()
var _capacity := 0


func _process(_delta: float) -> void:
	_draw_rings()


## Selects units instead of the others, or in addition to them.
func select(ids: PackedInt64Array, and_others := false) -> void:
	if not and_others:
		_ids.clear()
	for id: int in ids:
		_ids[id] = true
	changed.emit()


## Keeps only the units of one kind selected.
func keep_kind(kind: int) -> void:
	for id: int in _ids.keys():
		if RtsUnits.kind_of(swarm.get_agent_type(id)) != kind:
			_ids.erase(id)
	changed.emit()


func get_ids() -> PackedInt64Array:
	return PackedInt64Array(_ids.keys())


func get_count() -> int:
	return _ids.size()


## The number of selected units of each kind.
func count_kinds() -> PackedInt32Array:
	var counts := PackedInt32Array()
	counts.resize(RtsUnits.NAMES.size())
	for id: int in _ids:
		counts[RtsUnits.kind_of(swarm.get_agent_type(id))] += 1
	return counts


func _draw_rings() -> void:
	var count := _ids.size()
	_make_room(count)
	multimesh.visible_instance_count = count
	if count == 0:
		return
	var ids := swarm.get_ids()
	var places := swarm.get_positions()
	var types := swarm.get_types()
	var at := 0
	for i in ids.size():
		var id := ids[i]
		if not _ids.has(id):
			continue
		var width := RtsUnits.RADII[RtsUnits.kind_of(types[i])] * 2.0 * RING_WIDTH
		var place := places[i]
		_buffer[at] = width
		_buffer[at + 3] = place.x
		_buffer[at + 5] = width
		_buffer[at + 7] = place.y
		at += FLOATS
	RenderingServer.multimesh_set_buffer(multimesh.get_rid(), _buffer)


## The capacity grows in steps, because every change clears the MultiMesh.
func _make_room(count: int) -> void:
	if count <= _capacity:
		return
	_capacity = nearest_po2(maxi(count, 64))
	multimesh.instance_count = _capacity
	_buffer.resize(_capacity * FLOATS)
	_buffer.fill(0.0)
	var everywhere := Rect2(-1e5, -1e5, 2e5, 2e5)
	multimesh.custom_aabb = AABB(Vector3(-1e5, -1e5, -1.0), Vector3(2e5, 2e5, 2.0))
	RenderingServer.canvas_item_set_custom_rect(get_canvas_item(), true, everywhere)
