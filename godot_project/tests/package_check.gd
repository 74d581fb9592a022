extends SceneTree
## Runs the README's example in a project that holds nothing but the packed addon.
##
## `cargo xtask test` copies this script beside the example, which keeps its EnemySwarm in a
## variable `swarm`.

const AGENTS := 1000
const FRAMES := 180

var _failures := 0


func _initialize() -> void:
	await _check_example()
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
