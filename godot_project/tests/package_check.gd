extends SceneTree
## Runs the README's example and the recipe hills_3d in a project that holds nothing but the packed
## addon.
##
## `cargo xtask test` copies this script beside them. Both keep their EnemySwarm in a variable
## `swarm`.

const AGENTS := 1000
const FRAMES := 180
const HILLS := "res://from_recipes/hills_3d.tscn"
const CHARACTERS := 5000

var _failures := 0


func _initialize() -> void:
	await _check_example()
	await _check_hills()
	print("%d passed, %d failed" % [0 if _failures else 1, 1 if _failures else 0])
	quit(1 if _failures else 0)


func _check_example() -> void:
	var script: Script = load("res://example.gd")
	if script == null or not script.can_instantiate():
		_expect(false, "the example does not compile")
		return
	var example: Node = script.new()
	root.add_child(example)
	await physics_frame
	await physics_frame
	var swarm: Object = example.get("swarm")
	_expect(swarm != null, "the example has no variable swarm")
	if swarm != null:
		_expect(
			swarm.get_agent_count() == AGENTS,
			"%d agents instead of %d" % [swarm.get_agent_count(), AGENTS]
		)
		var before := _mean_cost_to_goal(swarm)
		for frame in FRAMES:
			await physics_frame
		# All may have arrived and left by now, which is as good as it gets.
		var after := _mean_cost_to_goal(swarm)
		print("mean cost to the goal: %.2f, after %d ticks: %.2f" % [before, FRAMES, after])
		_expect(before > 0.0 and is_finite(before), "the agents do not start on the way to a goal")
		_expect(after < before, "the agents came no closer to the goal")
	example.queue_free()
	await process_frame


func _check_hills() -> void:
	var packed := load(HILLS) as PackedScene
	if packed == null:
		_expect(false, "%s does not load" % HILLS)
		return
	var recipe := packed.instantiate()
	root.add_child(recipe)
	for frame in 2 * FRAMES:
		await physics_frame
	var swarm: Object = recipe.get("swarm")
	var manager: Object = recipe.get("manager")
	var positions: PackedVector2Array = swarm.get_positions()
	var layers: PackedByteArray = swarm.get_layers()
	var drawn := _get_drawn_places(swarm)
	_expect(drawn.size() == CHARACTERS, "%d characters are drawn" % drawn.size())
	_expect(layers.count(1) > 50, "only %d characters are on the bridge" % layers.count(1))
	var below := 0
	var farthest := 0.0
	for i in drawn.size():
		var ground: float = manager.get_height(manager.on_layer(positions[i], layers[i]))
		farthest = maxf(farthest, absf(drawn[i].y - ground))
		below += int(layers[i] == 0 and absf(drawn[i].x) < 15.0 and absf(drawn[i].z) < 3.2)
	print("on the bridge: %d, below: %d, off by %f m" % [layers.count(1), below, farthest])
	_expect(below > 50, "only %d characters are below the bridge" % below)
	_expect(farthest < 0.01, "a character is %f m above or below the ground" % farthest)
	recipe.queue_free()
	await process_frame


## The origins at which the characters are drawn, in the order of get_ids().
func _get_drawn_places(swarm: Object) -> PackedVector3Array:
	var places := PackedVector3Array()
	for drawn: Dictionary in swarm.get_drawn_counts():
		var multimesh := (drawn["node"] as MultiMeshInstance3D).multimesh
		var buffer := multimesh.buffer
		var stride := buffer.size() / multimesh.instance_count
		for i: int in drawn["count"]:
			var at := i * stride
			places.append(Vector3(buffer[at + 3], buffer[at + 7], buffer[at + 11]))
	return places


func _mean_cost_to_goal(swarm: Object) -> float:
	var goal: int = swarm.get_group_goal(0)
	var positions: PackedVector2Array = swarm.get_positions()
	var sum := 0.0
	for position in positions:
		sum += swarm.manager.get_cost_to_goal(goal, position)
	return sum / maxi(positions.size(), 1)


func _expect(condition: bool, message: String) -> void:
	if not condition:
		_failures += 1
		print("FAILED: ", message)
