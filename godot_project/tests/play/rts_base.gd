extends "res://tests/play/play_base.gd"
## Base of the play tests of the RTS demo.

const RTS_SCENE := "res://demos/rts/rts.tscn"

var rts: Rts


## Opens the demo. Its ground is drawn only where a test looks at it: without a graphics card that
## takes long.
func open_rts(with_ground := false) -> void:
	Input.use_accumulated_input = false
	rts = (load(RTS_SCENE) as PackedScene).instantiate() as Rts
	scene.add_child(rts)
	rts.ground.visible = with_ground
	await frames(2)


func on_screen(place: Vector2) -> Vector2:
	var root := scene.get_tree().root
	return root.get_final_transform() * (rts.get_viewport().canvas_transform * place)


func cell_on_screen(cell: Vector2i) -> Vector2:
	return on_screen(rts.manager.get_cell_center(cell))


func control_on_screen(option: StringName, share := Vector2(0.5, 0.5)) -> Vector2:
	return _point_of(rts.hud.get_control(option), share)


## Where a world position is on the minimap, in the window.
func on_minimap(place: Vector2) -> Vector2:
	var face := rts.minimap.get_face()
	return _point_of(face, rts.minimap.to_face(place) / face.size)


func _point_of(control: Control, share: Vector2) -> Vector2:
	var root := scene.get_tree().root
	return root.get_final_transform() * (control.get_global_rect().position + control.size * share)


func right_click(at: Vector2) -> void:
	await move(at)
	await press(at, MOUSE_BUTTON_RIGHT)
	await release(at, MOUSE_BUTTON_RIGHT)


func double_click(at: Vector2) -> void:
	var event := InputEventMouseButton.new()
	event.position = at
	event.global_position = at
	event.button_index = MOUSE_BUTTON_LEFT
	event.pressed = true
	event.double_click = true
	Input.parse_input_event(event)
	await frames(1)
	await release(at)


## Drags a box between two places of the world.
func box(from: Vector2, to: Vector2, shift := false) -> void:
	await drag(PackedVector2Array([on_screen(from), on_screen(to)]), shift)


func look_at_cell(cell: Vector2i, zoom := 0.75) -> void:
	rts.camera.zoom = Vector2.ONE * zoom
	rts.camera.look_at_place(rts.manager.get_cell_center(cell))
	await frames(1)


## Lets the simulation go on by itself without a view: far faster than drawing.
func run_ticks(count: int) -> void:
	for i in count:
		rts.manager.update()
		rts.swarm.step(1.0 / 60.0)


func base_place(index: int) -> Vector2:
	return rts.manager.get_cell_center(RtsMap.BASES[index])


## A crowd of one kind on open ground, in place of all others.
func only_units(kind: RtsUnits.Kind, middle: Vector2, count: int) -> PackedInt64Array:
	rts.swarm.clear()
	rts.selection.select(PackedInt64Array())
	var places := PackedVector2Array()
	for n in count:
		places.append(middle + Vector2(n % 5 - 2.0, n / 5 - 2.0) * 2.6 * RtsUnits.RADII[kind])
	var ids := rts.swarm.spawn_many(places, kind)
	run_ticks(1)
	return ids


func middle_of(ids: PackedInt64Array) -> Vector2:
	var sum := Vector2.ZERO
	for id: int in ids:
		sum += rts.swarm.get_agent_position(id)
	return sum / ids.size()
