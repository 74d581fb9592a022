extends RefCounted
## Base of all suites: every method whose name begins with "test_" is one test and starts with an
## empty [member scene]. A test fails by a failed check, by an unexpected error, and when it checks
## nothing at all.

const ErrorLog := preload("res://tests/error_log.gd")
const WALL := 255
## The classes of the extension.
const CLASSES: Array[StringName] = [
	&"FlowTerrain",
	&"FlowTerrainKind",
	&"FlowTerrainSet",
	&"FlowStamp",
	&"FlowMovementType",
	&"FlowSourceGeometry",
	&"SwarmAgentType",
	&"SwarmClips",
	&"SwarmLook",
	&"SwarmQuery",
	&"FlowFieldManager",
	&"EnemySwarm",
]

## Nodes of the current test; freed after it.
var scene: Node
var errors: ErrorLog
var failures := PackedStringArray()
var checks := 0


func check(condition: bool, what: String) -> bool:
	checks += 1
	if not condition:
		failures.append(what)
	return condition


func check_eq(actual: Variant, expected: Variant, what: String) -> bool:
	var same: bool = typeof(actual) == typeof(expected) and actual == expected
	return check(same, "%s: expected %s, got %s" % [what, expected, actual])


func check_near(actual: float, expected: float, tolerance: float, what: String) -> bool:
	var near := absf(actual - expected) <= tolerance
	return check(near, "%s: expected %f (+- %f), got %f" % [what, expected, tolerance, actual])


func check_near_vector(actual: Vector2, expected: Vector2, tolerance: float, what: String) -> bool:
	var near := actual.distance_to(expected) <= tolerance
	return check(near, "%s: expected %s (+- %f), got %s" % [what, expected, tolerance, actual])


## Calls something that must report exactly one error whose text contains all the given words, and
## returns what it returned.
func expect_error(words: Array[String], action: Callable) -> Variant:
	_report_stray_errors()
	print("EXPECT_ERROR_BEGIN")
	var result: Variant = action.call()
	print("EXPECT_ERROR_END")
	var found := errors.take()
	var wanted := " and ".join(words)
	check(found.size() == 1, "one error with %s: got %d: %s" % [wanted, found.size(), found])
	for text: String in found:
		for word: String in words:
			check(text.contains(word), "error must contain '%s': %s" % [word, text])
	return result


## Calls something, waits for it, and checks how many warnings it gives that contain all the given
## words.
func expect_warnings(count: int, words: Array[String], action: Callable) -> void:
	errors.take_warnings()
	await action.call()
	var found := PackedStringArray()
	for text: String in errors.take_warnings():
		if words.all(func(word: String) -> bool: return text.contains(word)):
			found.append(text)
	check_eq(found.size(), count, "warnings with %s: %s" % [" and ".join(words), found])


## Calls something that may report errors, at once or in later frames, and waits for it. Each of
## them must contain one of the given words; returns their texts.
func allow_errors(words: Array[String], action: Callable) -> PackedStringArray:
	_report_stray_errors()
	print("ALLOW_ERROR_BEGIN")
	await action.call()
	print("ALLOW_ERROR_END")
	var found := errors.take()
	for text: String in found:
		var is_known := func(word: String) -> bool: return text.contains(word)
		check(words.any(is_known), "unexpected error: %s" % text)
	return found


## Waits for physics frames.
func physics_frames(count: int) -> void:
	for i in count:
		await scene.get_tree().physics_frame


## Runs one test and leaves its outcome in [member failures].
func run(method: StringName, tree: SceneTree) -> void:
	failures.clear()
	checks = 0
	scene = Node.new()
	scene.name = "TestScene"
	tree.root.add_child(scene)
	errors.take()
	await call(method)
	_report_stray_errors()
	if checks == 0:
		failures.append("the test checks nothing")
	if is_instance_valid(scene):
		scene.free()
	_report_stray_errors()


func new_manager(size := Vector2i(16, 12), cell_size := 16.0) -> FlowFieldManager:
	var manager := FlowFieldManager.new()
	manager.grid_size = size
	manager.cell_size = cell_size
	manager.worker_threads = 1
	scene.add_child(manager)
	return manager


## A goal at the centre of a cell, with its field built.
func new_goal(manager: FlowFieldManager, cell: Vector2i) -> int:
	var goal := manager.create_goal(PackedVector2Array([manager.get_cell_center(cell)]))
	manager.update()
	return goal


## A swarm that moves only by [method EnemySwarm.step]; its group 0 walks to the goal.
func new_swarm(manager: FlowFieldManager, goal := 0) -> EnemySwarm:
	var swarm := EnemySwarm.new()
	swarm.manager = manager
	swarm.auto_step = false
	scene.add_child(swarm)
	if goal != 0:
		swarm.set_group_goal(0, goal)
	return swarm


func steps(swarm: EnemySwarm, count: int, delta := 1.0 / 60.0) -> void:
	for i in count:
		swarm.step(delta)


## Walls from rows of text: '#' is a wall, anything else clear.
func draw_map(manager: FlowFieldManager, rows: PackedStringArray) -> void:
	var walls := PackedVector2Array()
	for y in rows.size():
		for x in rows[y].length():
			if rows[y][x] == "#":
				walls.append(Vector2(x, y))
	manager.set_walls(walls)


func walls_at_random(manager: FlowFieldManager, share: float, random_seed: int) -> void:
	var random := RandomNumberGenerator.new()
	random.seed = random_seed
	var cells := PackedByteArray()
	cells.resize(manager.grid_size.x * manager.grid_size.y)
	for i in cells.size():
		cells[i] = WALL if random.randf() < share else 1
	manager.set_terrain_bytes(cells)


## How deep the worst of the given discs lies inside a wall or outside the map; 0 when all are free.
func deepest_overlap(
	manager: FlowFieldManager, positions: PackedVector2Array, radius: float
) -> float:
	var size := manager.grid_size
	var side := manager.cell_size
	var terrain := manager.get_terrain_bytes()
	var deepest := 0.0
	for position: Vector2 in positions:
		var place := (position - manager.origin) / side
		var reach := radius / side
		for y in range(floori(place.y - reach), floori(place.y + reach) + 1):
			for x in range(floori(place.x - reach), floori(place.x + reach) + 1):
				var inside := x >= 0 and y >= 0 and x < size.x and y < size.y
				if inside and terrain[y * size.x + x] != WALL:
					continue
				var nearest := place.clamp(Vector2(x, y), Vector2(x + 1, y + 1))
				deepest = maxf(deepest, radius - place.distance_to(nearest) * side)
	return deepest


func _report_stray_errors() -> void:
	for text: String in errors.take():
		failures.append("unexpected error: %s" % text)
