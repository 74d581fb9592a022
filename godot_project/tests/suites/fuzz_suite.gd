extends "res://tests/test_suite.gd"
## Whatever is called in whatever order with whatever values, through the engine: no crash, no
## panic, no error that does not name the call, no property that keeps what it should refuse, and
## the invariants hold after each tick. Methods and properties come from ClassDB, so that new ones
## are driven as soon as they are there.

const Arguments := preload("res://tests/fuzz_arguments.gd")
## What leaves files, and what is called in any case.
const LEFT_OUT: Array[StringName] = [&"save_tiles", &"step"]
const SEEDS: Array[int] = [1, 2]
## How many more seeds each run draws from the clock and prints. A failure names its seed: put
## it into SEEDS.
const FRESH_SEEDS := 2
## What nodes of each class are drawn by: swarms and managers most.
const SHARES: Array[int] = [0, 1, 2, 3, 4, 5, 5, 5, 6, 6, 6]
const CALLS := 1500
const MOST_AGENTS := 150

var random := RandomNumberGenerator.new()
var arguments: Arguments
var manager: FlowFieldManager
var swarms: Array[EnemySwarm] = []
## For bodies and areas that follow a node.
var followed: Node2D
var resources: Dictionary[StringName, Resource] = {}
## The last calls, to tell of after a failure.
var trail := PackedStringArray()
## The swarms whose steps have not ended.
var stepping: Array[EnemySwarm] = []
## How many agents have been in steps in which some moved.
var walked := 0
## How often a handler did something in the middle of a step.
var handled := 0


func _begin(random_seed: int) -> void:
	random.seed = random_seed
	# What picks from arrays.
	seed(random_seed)
	arguments = Arguments.new(random)
	swarms.clear()
	trail.clear()
	for type: StringName in CLASSES:
		if ClassDB.is_parent_class(type, &"Resource"):
			resources[type] = ClassDB.instantiate(type) as Resource
	followed = Node2D.new()
	scene.add_child(followed)
	_make_nodes()


## What has been freed is made anew.
func _make_nodes() -> void:
	swarms.assign(swarms.filter(func(swarm: Variant) -> bool: return is_instance_valid(swarm)))
	if not is_instance_valid(manager) or not manager.is_inside_tree():
		manager = new_manager(Vector2i(20, 14))
		walls_at_random(manager, 0.1, random.randi())
	while swarms.size() < 2:
		var swarm := new_swarm(manager)
		swarm.agents_arrived.connect(_on_news.unbind(1))
		swarm.agents_lost.connect(_on_news.unbind(1))
		swarm.agents_stuck.connect(_on_news.unbind(1))
		swarm.agents_contacted.connect(_on_news.unbind(2))
		swarm.agents_entered_area.connect(_on_news.unbind(2))
		swarms.append(swarm)
	for swarm: EnemySwarm in swarms:
		if swarm.get_manager() == null:
			swarm.manager = manager
	arguments.objects = [manager, null, followed]
	arguments.objects.append_array(swarms)
	arguments.objects.append_array(resources.values())


## Now and then something happens to the nodes in the middle of a step.
func _on_news() -> void:
	handled += 1
	match random.randi_range(0, 39):
		0:
			_note("a handler frees the manager")
			# An earlier handler of the same step may have done so.
			if is_instance_valid(manager):
				manager.free()
		1:
			_note("a handler frees a swarm")
			# The engine itself refuses to free what is emitting.
			for swarm: Variant in swarms:
				if is_instance_valid(swarm) and not swarm in stepping:
					(swarm as EnemySwarm).free()
		2:
			for swarm: Variant in swarms:
				if is_instance_valid(swarm):
					(swarm as EnemySwarm).clear()
		3:
			for swarm: Variant in swarms:
				if is_instance_valid(swarm):
					_step(swarm as EnemySwarm, 0.01)


func _step(swarm: EnemySwarm, delta: float) -> void:
	stepping.append(swarm)
	var before := swarm.get_positions()
	swarm.step(delta)
	stepping.pop_back()
	if is_instance_valid(swarm) and swarm.get_positions() != before:
		walked += before.size()


func _note(what: String) -> void:
	trail.append(what)
	if trail.size() > 8:
		trail.remove_at(0)


## Reports errors that name neither the class of what was called nor what it works with.
func _check_errors(called: String) -> int:
	var found := errors.take()
	for text: String in found:
		var is_named := false
		for type: StringName in CLASSES:
			# By the extension, or, for a value of another type than wanted, by what binds it.
			is_named = is_named or text.contains("%s." % type) or text.contains("%s::" % type)
		var is_engine := text.contains("Condition") or text.contains("Parameter")
		var is_panic := text.contains("panic") or text.contains("[Rust]")
		if is_panic or is_engine or not is_named:
			check(false, "%s: %s; after %s" % [called, text, trail])
	return found.size()


func _target(type: StringName) -> Object:
	if type == &"FlowFieldManager":
		return manager
	if type == &"EnemySwarm":
		return swarms.pick_random() as Object
	return resources[type]


func _methods_of(type: StringName) -> Array[Dictionary]:
	var accessors: Array[StringName] = []
	for property: Dictionary in ClassDB.class_get_property_list(type, true):
		accessors.append(ClassDB.class_get_property_setter(type, property["name"] as StringName))
		accessors.append(ClassDB.class_get_property_getter(type, property["name"] as StringName))
	var methods: Array[Dictionary] = []
	for method: Dictionary in ClassDB.class_get_method_list(type, true):
		var name: StringName = method["name"]
		if not (name.begins_with("_") or name in accessors or name in LEFT_OUT):
			methods.append(method)
	return methods


func _call_any(type: StringName, methods: Array[Dictionary]) -> void:
	if methods.is_empty():
		return
	var method: Dictionary = methods[random.randi_range(0, methods.size() - 1)]
	var values: Array = []
	for argument: Dictionary in method["args"]:
		values.append(arguments.of(argument))
	var called := "%s.%s" % [type, method["name"]]
	_note("%s%s" % [called, str(values).left(120)])
	var result: Variant = _target(type).callv(method["name"] as StringName, values)
	var count := _check_errors(called)
	var returns_code: bool = method["return"]["class_name"] == &"Error"
	if returns_code and result != OK:
		check(count > 0, "%s returned %s and said nothing: %s" % [called, result, trail])
	if result is Object and not (result is RefCounted) and result is Node == false:
		(result as Object).free()
	arguments.learn(result)


func _properties_of(type: StringName) -> Array[Dictionary]:
	var properties: Array[Dictionary] = []
	for property: Dictionary in ClassDB.class_get_property_list(type, true):
		if property["usage"] & PROPERTY_USAGE_EDITOR:
			properties.append(property)
	return properties


## A property takes a value, or says why not and stays as it was. No property is ever no number.
func _set_any(type: StringName, properties: Array[Dictionary]) -> void:
	if properties.is_empty():
		return
	var property: Dictionary = properties[random.randi_range(0, properties.size() - 1)]
	var name: StringName = property["name"]
	# Bounded: memory for the largest grids, and threads, are not to be had here.
	var bounds: Dictionary[StringName, Variant] = {
		&"grid_size": Vector2i(random.randi_range(-1, 30), random.randi_range(0, 30)),
		&"worker_threads": random.randi_range(-1, 3),
		&"layer_count": random.randi_range(-1, 3),
		&"size": Vector2i(random.randi_range(-1, 9), random.randi_range(0, 9)),
		&"manager": [manager, manager, manager, null].pick_random(),
	}
	var value: Variant = bounds[name] if bounds.has(name) else arguments.of(property)
	var target := _target(type)
	var before: Variant = target.get(name)
	var called := "%s.%s" % [type, name]
	_note("%s = %s" % [called, str(value).left(120)])
	target.set(name, value)
	var count := _check_errors(called)
	var after: Variant = target.get(name)
	check(not Arguments.is_no_number(after), "%s is %s" % [called, after])
	if count > 0:
		check(str(before) == str(after), "%s: refused, and %s" % [called, after])
	elif property["type"] in [TYPE_INT, TYPE_FLOAT, TYPE_BOOL, TYPE_VECTOR2, TYPE_RECT2]:
		var is_taken: bool = str(after) == str(value) or after == value
		check(is_taken, "%s took %s for %s and said nothing" % [called, after, value])


func _tick() -> void:
	var swarm := swarms.pick_random() as EnemySwarm
	var delta: float = [0.0, 1e-30, 1e-6, 0.016, 0.016, 0.1, 1.0, arguments.number()].pick_random()
	_note("step %s" % delta)
	if random.randf() < 0.3:
		manager.update()
	_step(swarm, delta)
	if is_instance_valid(manager) and random.randf() < 0.1:
		manager.grid_size = Vector2i(20, 14)
		manager.cell_size = 16.0
		manager.origin = Vector2.ZERO
		manager.layer_count = 1
		manager.terrain = null
		swarm.agent_types = []
		manager.worker_threads = random.randi_range(1, 2)
	_check_errors("EnemySwarm.step")
	_make_nodes()
	for each: EnemySwarm in swarms:
		_check_swarm(each)


func _check_swarm(swarm: EnemySwarm) -> void:
	var ids := swarm.get_ids()
	var positions := swarm.get_positions()
	var count := swarm.get_agent_count()
	for size: int in [ids.size(), positions.size(), swarm.get_velocities().size()]:
		check_eq(size, count, "one for each agent")
	check_eq(swarm.get_states().size(), count, "states")
	var once: Dictionary[int, bool] = {}
	for id: int in ids:
		once[id] = true
	check_eq(once.size(), count, "no id twice")
	for velocity: Vector2 in swarm.get_velocities():
		check(velocity.is_finite(), "velocity %s: %s" % [velocity, trail])
	for position: Vector2 in positions:
		check(position.is_finite(), "position %s: %s" % [position, trail])
	var stats := swarm.get_stats()
	check_eq(stats["agents"], count, "agents in the statistics")
	_check_queries(swarm, ids, positions)
	if count > MOST_AGENTS:
		swarm.despawn(ids.slice(MOST_AGENTS / 2))
	_check_errors("EnemySwarm.get_stats")


## Buckets against looking at all agents.
func _check_queries(
	swarm: EnemySwarm, ids: PackedInt64Array, positions: PackedVector2Array
) -> void:
	if manager.layer_count != 1 or swarm.get_manager() != manager:
		return
	var bounds := manager.get_bounds()
	var at := bounds.position + bounds.size * Vector2(random.randf(), random.randf())
	var radius := 0.3 * random.randf() * maxf(bounds.size.x, bounds.size.y)
	var found := swarm.query_circle(at, radius)
	if _check_errors("EnemySwarm.query_circle") > 0:
		return
	var layers := swarm.get_layers()
	for i in ids.size():
		var gap := positions[i].distance_to(at) - radius
		if absf(gap) > 1e-3 * maxf(radius, 1.0) and layers[i] == 0:
			var is_found := found.has(ids[i])
			check_eq(is_found, gap < 0.0, "%f from a circle: %s" % [gap, trail])


func _spawn_some() -> void:
	var swarm := swarms.pick_random() as EnemySwarm
	if swarm.get_agent_count() > MOST_AGENTS:
		return
	var bounds := manager.get_bounds()
	var places := PackedVector2Array()
	for i in 8:
		places.append(bounds.position + bounds.size * Vector2(random.randf(), random.randf()))
	swarm.spawn_many(places, 0, random.randi_range(0, 3))
	var goal := manager.create_goal(places.slice(0, 1), random.randi() % 2)
	swarm.set_group_goal(random.randi_range(0, 3), goal)
	arguments.learn(goal)
	_check_errors("EnemySwarm.spawn_many")


func test_any_calls() -> void:
	print("EXPECT_ERROR_BEGIN")
	var seeds := SEEDS.duplicate()
	for i in FRESH_SEEDS:
		seeds.append(int(Time.get_unix_time_from_system() * 1000.0) % 1000000000 + i)
	for random_seed: int in seeds:
		print("seed ", random_seed)
		_begin(random_seed)
		var failed := failures.size()
		for i in CALLS:
			var type: StringName = CLASSES[SHARES[random.randi() % SHARES.size()]]
			match random.randi_range(0, 9):
				0, 1, 2, 3:
					_call_any(type, _methods_of(type))
				4, 5:
					_set_any(type, _properties_of(type))
				6:
					_spawn_some()
				_:
					_tick()
			_make_nodes()
			if failures.size() > failed:
				failures.append("seed %d, call %d" % [random_seed, i])
				break
		manager.free()
		for swarm: EnemySwarm in swarms:
			swarm.free()
	_check_errors("free")
	print("EXPECT_ERROR_END")
	check(handled > 50, "%d handlers have run" % handled)
	check(walked > 20000, "%d agents have walked" % walked)
