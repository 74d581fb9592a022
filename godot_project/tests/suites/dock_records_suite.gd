extends "res://tests/test_suite.gd"
## Whether a bake is out of date: fingerprints of nodes and resources.

const Fingerprint := preload("res://addons/flow_swarm/editor/bake/fingerprint.gd")
const SceneNodes := preload("res://addons/flow_swarm/editor/bake/scene_nodes.gd")


func _body() -> StaticBody2D:
	var shape := CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	var body := StaticBody2D.new()
	body.add_child(shape)
	scene.add_child(body)
	return body


func _print() -> String:
	return Fingerprint.of(
		SceneNodes.of_classes(scene, [&"StaticBody2D", &"CollisionShape2D", &"TileMapLayer"])
	)


## Whether a change of something changes the fingerprint, and undoing the change restores it.
func _changes(what: String, property: NodePath, object: Object, value: Variant) -> void:
	var before := _print()
	var old: Variant = object.get_indexed(property)
	object.set_indexed(property, value)
	check(_print() != before, "%s counts" % what)
	object.set_indexed(property, old)
	check_eq(_print(), before, "%s as before" % what)


func test_what_a_bake_reads_counts() -> void:
	var body := _body()
	var shape := body.get_child(0) as CollisionShape2D
	_changes("place", ^"position", body, Vector2(3.0, 0.0))
	_changes("turn", ^"rotation", shape, 0.5)
	_changes("layer", ^"collision_layer", body, 4)
	_changes("size", ^"size", shape.shape, Vector2(5.0, 6.0))
	_changes("shape", ^"shape", shape, CircleShape2D.new())
	_changes("disabled", ^"disabled", shape, true)
	var before := _print()
	body.add_to_group(&"walls")
	check(_print() != before, "groups count")


func test_tiles_count_with_their_set() -> void:
	var tiles := TileMapLayer.new()
	tiles.tile_set = TileSet.new()
	scene.add_child(tiles)
	var source := TileSetAtlasSource.new()
	source.texture = PlaceholderTexture2D.new()
	(source.texture as PlaceholderTexture2D).size = Vector2(16, 16)
	source.create_tile(Vector2i.ZERO)
	tiles.tile_set.add_source(source)
	tiles.tile_set.add_custom_data_layer()
	tiles.tile_set.set_custom_data_layer_type(0, TYPE_INT)
	var before := _print()
	tiles.set_cell(Vector2i(3, 4), 0, Vector2i.ZERO)
	var with_tile := _print()
	check(with_tile != before, "a tile counts")
	source.get_tile_data(Vector2i.ZERO, 0).set_custom_data_by_layer_id(0, 9)
	check(_print() != with_tile, "the data of a tile count")


func test_the_rest_does_not_count() -> void:
	var body := _body()
	var before := _print()
	body.name = "Renamed"
	body.modulate = Color.RED
	body.set_meta(&"note", 3)
	(body.get_child(0) as CollisionShape2D).debug_color = Color.BLUE
	var other := Sprite2D.new()
	scene.add_child(other)
	var inner := StaticBody2D.new()
	scene.add_child(inner, false, Node.INTERNAL_MODE_BACK)
	check_eq(_print(), before, "names, looks, other nodes and internal ones")


func test_values_count() -> void:
	var kinds := FlowTerrainSet.new()
	kinds.kinds = [FlowTerrainKind.new()]
	check(Fingerprint.of([kinds]) == Fingerprint.of([kinds.duplicate(true)]), "the same twice")
	check(Fingerprint.of([[1, 2]]) != Fingerprint.of([[2, 1]]), "order counts")
	check(Fingerprint.of([0.1]) != Fingerprint.of([0.1000001]), "small differences count")
