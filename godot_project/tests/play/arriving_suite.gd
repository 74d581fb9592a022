extends "res://tests/play/play_base.gd"
## In the lab itself: everyone arrives, and at no tick does anyone overlap a wall.

## What single precision leaves open, in pixels.
const TOLERANCE := 0.001
const AGENTS := 400
const LIMIT := 9000


## Pauses the lab, so that every tick is seen, and steps until all have arrived.
func _watch_all_arrive(preset: int) -> void:
	await open_lab()
	await key(KEY_SPACE)
	await click_on(StringName("preset_%d" % preset))
	await ticks(2)
	var swarm := lab.swarm
	swarm.despawn(swarm.get_ids().slice(0, swarm.get_agent_count() - AGENTS))
	var arrived_before: int = swarm.get_stats()["arrived"]
	var deepest := 0.0
	for i in LIMIT:
		swarm.step(1.0 / 60.0)
		deepest = maxf(
			deepest, deepest_overlap(lab.manager, swarm.get_positions(), Lab.AGENT_RADIUS)
		)
		if i % 200 == 0:
			await frames(1)
		if swarm.get_agent_count() == 0:
			break
	var what := LabPresets.NAMES[preset]
	check(deepest <= TOLERANCE, "%s: wall overlap %f" % [what, deepest])
	check_eq(swarm.get_agent_count(), 0, "%s: all arrive" % what)
	check_eq(swarm.get_stats()["arrived"] as int - arrived_before, AGENTS, "%s: counted" % what)


func test_in_the_rooms() -> void:
	await _watch_all_arrive(0)


func test_in_the_corridor_with_wall_penalty() -> void:
	await _watch_all_arrive(2)


func test_in_the_caves() -> void:
	await _watch_all_arrive(3)
