extends "res://tests/test_suite.gd"
## Where the editor's painter paints: rays to the ground, the terrain of a layer, keys; and what its
## views read.

const CellOutline := preload("res://addons/flow_swarm/editor/view/cell_outline.gd")
const Colors := preload("res://addons/flow_swarm/editor/view/terrain_colors.gd")
const GroundRay := preload("res://addons/flow_swarm/editor/paint/ground_ray.gd")
const Keys := preload("res://addons/flow_swarm/editor/paint_keys.gd")
const LayerHeight := preload("res://addons/flow_swarm/debug/layer_height.gd")
const LayerTerrain := preload("res://addons/flow_swarm/editor/paint/layer_terrain.gd")
const Painter := preload("res://addons/flow_swarm/editor/paint/terrain_painter.gd")
const TerrainTexture := preload("res://addons/flow_swarm/editor/view/terrain_texture.gd")


func _hilly() -> FlowFieldManager:
	var manager := new_manager(Vector2i(30, 20), 0.5)
	manager.origin = Vector2(-4.0, 2.0)
	var heights: PackedFloat32Array = []
	for y in 21:
		for x in 31:
			heights.append(2.0 * sin(0.3 * x) * cos(0.4 * y))
	# A hole, of the four cells around this corner.
	heights[15 * 31 + 25] = NAN
	manager.set_heights(heights)
	return manager


## Whatever the ray, it ends on the ground, and is above it until then.
func test_rays_end_on_the_ground() -> void:
	var manager := _hilly()
	var random := RandomNumberGenerator.new()
	random.seed = 8
	var hits := 0
	for i in 60:
		var target := Vector2(random.randf_range(-3.0, 10.0), random.randf_range(3.0, 11.0))
		var from := Vector3(random.randf_range(-3.5, 10.5), 9.0, random.randf_range(2.5, 11.5))
		var to := Vector3(target.x, random.randf_range(-1.0, 1.0), target.y)
		var direction := (to - from).normalized()
		var hit := GroundRay.hit_heights(manager, 0, from, direction)
		if hit == GroundRay.MISS:
			continue
		hits += 1
		check_near(hit.y, manager.get_height(Vector2(hit.x, hit.z)), 0.01, "ray %d" % i)
		check((hit - from).normalized().dot(direction) > 0.9999, "%d is on the ray" % i)
		var distance := from.distance_to(hit)
		for step in 40:
			var place := from + direction * distance * step / 40.0
			var height := manager.get_height(Vector2(place.x, place.z))
			check(is_nan(height) or place.y > height - 0.05, "nothing is before hit %d" % i)
	check(hits > 45, "%d rays meet the ground" % hits)


func test_rays_miss_and_fall_through_holes() -> void:
	var manager := _hilly()
	var down := Vector3.DOWN
	var place := Vector3(1.0, 9.0, 5.0)
	var hit := GroundRay.hit_heights(manager, 0, place, down)
	check_near(hit.y, manager.get_height(Vector2(1.0, 5.0)), 1e-4, "straight down")
	var hole := Vector3(-4.0 + 25 * 0.5, 9.0, 2.0 + 15 * 0.5)
	check_eq(GroundRay.hit_heights(manager, 0, hole, down), GroundRay.MISS, "through the hole")
	check_eq(GroundRay.hit_heights(manager, 0, place, Vector3.UP), GroundRay.MISS, "the sky")
	var beside := Vector3(-40.0, 9.0, 5.0)
	check_eq(GroundRay.hit_heights(manager, 0, beside, down), GroundRay.MISS, "beside the grid")
	var along := Vector3(0.0, -0.1, 1.0).normalized()
	check_eq(GroundRay.hit_heights(manager, 0, beside, along), GroundRay.MISS, "past the grid")
	var edge := manager.get_height(Vector2(-3.99, 7.0))
	var under := Vector3(-8.0, edge - 0.2, 7.0)
	var inside := GroundRay.hit_heights(manager, 0, under, Vector3.RIGHT)
	check(inside == GroundRay.MISS or inside.x > -3.5, "the side of the ground is no hit")
	var level := GroundRay.hit_plane(Vector3(1.0, 4.0, 1.0), Vector3(0.6, -0.8, 0.0), 2.0)
	check(level.is_equal_approx(Vector3(2.5, 2.0, 1.0)), "a plane: %s" % level)
	var above := GroundRay.hit_plane(Vector3.ZERO, Vector3.UP, -1.0)
	check_eq(above, GroundRay.MISS, "behind")
	check_eq(GroundRay.hit_plane(place, Vector3.RIGHT, 0.0), GroundRay.MISS, "never")


func test_layers_without_heights_are_where_agents_are_drawn() -> void:
	var manager := new_manager()
	check_eq(LayerHeight.of(manager, 2), 6.0, "without a swarm")
	var swarm := new_swarm(manager)
	swarm.height = 0.5
	swarm.layer_height = 4.0
	check_eq(LayerHeight.of(manager, 2), 8.5, "of the swarm")
	check_eq(LayerHeight.of(manager, 2, 1.0), 2.5, "given")


func test_layers_get_terrains_and_give_them_back() -> void:
	var manager := new_manager(Vector2i(9, 7))
	manager.layer_count = 3
	var undo := UndoRedo.new()
	check_eq(LayerTerrain.of(manager, 2), null, "none")
	LayerTerrain.give(manager, 2, undo)
	check_eq(LayerTerrain.of(manager, 2).size, Vector2i(9, 7), "of the size of the grid")
	check_eq(LayerTerrain.of(manager, 1), null, "the other layers have none")
	LayerTerrain.give(manager, 0, undo)
	check_eq(LayerTerrain.of(manager, 0), manager.terrain, "the ground")
	check(manager.terrain != null, "has one")
	undo.undo()
	check_eq(manager.terrain, null, "undone")
	undo.undo()
	check_eq(manager.layer_terrains.size(), 0, "undone too")
	undo.free()


func test_terrain_that_would_not_be_saved_is_refused() -> void:
	var terrain := FlowTerrain.new()
	check_eq(LayerTerrain.refusal(terrain, "res://level.tscn"), "", "a new one")
	terrain.take_over_path("res://level.tscn::FlowTerrain_1")
	check_eq(LayerTerrain.refusal(terrain, "res://level.tscn"), "", "of the scene")
	var text := LayerTerrain.refusal(terrain, "res://other.tscn")
	check(text.contains("res://level.tscn"), "of another scene: %s" % text)
	var imported := "res://addons/flow_swarm/icons/FlowTerrain.svg"
	terrain.take_over_path(imported + "::1")
	text = LayerTerrain.refusal(terrain, "res://level.tscn")
	check(text.contains(imported), "of an imported file: %s" % text)
	# An exported game has no such file, and no editor.
	if FileAccess.file_exists(imported + ".import"):
		check(text.contains("cannot be saved"), "which no scene saves: %s" % text)
	var path := "user://paint_places.tres"
	terrain.take_over_path(path)
	ResourceSaver.save(terrain, path)
	check_eq(LayerTerrain.refusal(terrain, "res://level.tscn"), "", "a file of its own")
	if OS.get_name() == "Linux":
		FileAccess.set_unix_permissions(path, FileAccess.UNIX_READ_OWNER)
		text = LayerTerrain.refusal(terrain, "res://level.tscn")
		check(text.contains("read-only") and text.contains(path), "read-only: %s" % text)
		FileAccess.set_unix_permissions(
			path, FileAccess.UNIX_READ_OWNER | FileAccess.UNIX_WRITE_OWNER
		)
	DirAccess.remove_absolute(path)


func _mouse(shift: bool, control: bool) -> InputEventMouseButton:
	var mouse := InputEventMouseButton.new()
	mouse.shift_pressed = shift
	mouse.ctrl_pressed = control
	return mouse


func test_keys_choose_tools_as_in_the_editor_of_tile_maps() -> void:
	var paint := Painter.Tool.PAINT
	var rect := Painter.Tool.RECT
	check_eq(Keys.tool_of(paint, _mouse(false, false)), paint, "none")
	check_eq(Keys.tool_of(paint, _mouse(true, false)), Painter.Tool.LINE, "Shift")
	check_eq(Keys.tool_of(paint, _mouse(true, true)), rect, "Ctrl+Shift")
	check_eq(Keys.tool_of(paint, _mouse(false, true)), Painter.Tool.PICK, "Ctrl")
	check_eq(Keys.tool_of(rect, _mouse(true, false)), rect, "Shift with another tool")
	check_eq(Keys.tool_of(rect, _mouse(false, true)), Painter.Tool.PICK, "Ctrl with another tool")
	var key := InputEventKey.new()
	key.keycode = KEY_D
	key.pressed = true
	check(Keys.is_plain(key), "a key")
	key.ctrl_pressed = true
	check(not Keys.is_plain(key), "Ctrl+D is not the painter's")


func test_outlines_are_the_edges_of_cells() -> void:
	# Three cells in an L have eight edges.
	var lines := CellOutline.of_mask(PackedByteArray([1, 0, 255, 30]), 2)
	check_eq(lines.size(), 16, "eight edges")
	check_eq(CellOutline.of_rect(Rect2(1, 2, 3, 4)).size(), 8, "four sides")


func test_an_edit_uploads_its_chunks_only() -> void:
	var texture := TerrainTexture.new()
	var terrain := FlowTerrain.new()
	terrain.size = Vector2i(4096, 4096)
	texture.terrain = terrain
	check_eq(texture.update(), 256, "all at first")
	check_eq(texture.update(), 0, "nothing new")
	terrain.fill_region(Rect2i(250, 250, 10, 3), 9)
	check_eq(texture.update(), 2, "two chunks beside each other")
	terrain.set_terrain(Vector2i(4095, 4095), 9)
	terrain.set_terrain(Vector2i(4095, 4094), 9)
	check_eq(texture.update(), 1, "one chunk once")
	terrain.size = Vector2i(100, 70)
	check_eq(texture.update(), 4, "another size")
	check_eq(texture.texture.get_layers(), 4, "layers")
	texture.terrain = null
	terrain.fill(3)
	check_eq(texture.update(), 0, "without a terrain")


func test_colors_are_those_of_the_set() -> void:
	var colors := Colors.new()
	var told := [0]
	colors.changed.connect(func() -> void: told[0] += 1)
	colors.terrain_set = FlowTerrainSet.create_basic()
	check(told[0] >= 1, "told")
	var water := colors.terrain_set.get_kind(4)
	check_eq(Colors.color_of(colors.terrain_set, 4), water.color, "of the kind")
	check_eq(Colors.name_of(colors.terrain_set, 4), "Water", "its name")
	told[0] = 0
	water.color = Color.GREEN
	check_eq(told[0], 1, "a change of a kind")
	check_eq(Colors.color_of(colors.terrain_set, 4), Color.GREEN, "is seen")
	check_eq(colors.texture.get_size(), Vector2(256, 1), "a texel for each id")
	check_eq(Colors.name_of(null, 255), "Wall", "without a set")
	check_eq(Colors.color_of(null, 1).a, 0.0, "clear ground is not coloured")
	check(Colors.color_of(null, 9) != Colors.color_of(null, 90), "costs differ")
