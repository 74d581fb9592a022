extends RefCounted
## Moves a manager and its swarms by hand, in the one order that all machines share.


## Why a world could go apart on different machines, or empty.
static func find_trouble(manager: FlowFieldManager, swarms: Array[EnemySwarm]) -> String:
	if not is_instance_valid(manager):
		return "manager is not set"
	if swarms.is_empty():
		return "swarms is empty"
	for i in swarms.size():
		if not is_instance_valid(swarms[i]):
			return "swarms[%d] is not set" % i
		if swarms[i].manager != manager:
			return "swarms[%d] (%s) has another manager" % [i, swarms[i].name]
	if manager.background:
		return "manager.background must be false, or fields come at different times"
	if manager.frame_budget_ms > 0.0:
		return "manager.frame_budget_ms must be 0, not %s" % manager.frame_budget_ms
	return ""


## Has manager and swarms wait for [method step] instead of moving in every physics frame.
static func take_over(manager: FlowFieldManager, swarms: Array[EnemySwarm]) -> void:
	manager.set_physics_process_internal(false)
	for swarm: EnemySwarm in swarms:
		swarm.auto_step = false


## Has manager and swarms move by themselves again.
static func release(manager: FlowFieldManager, swarms: Array[EnemySwarm]) -> void:
	if is_instance_valid(manager):
		manager.set_physics_process_internal(true)
	for swarm: EnemySwarm in swarms:
		if is_instance_valid(swarm):
			swarm.auto_step = true


static func step(manager: FlowFieldManager, swarms: Array[EnemySwarm], seconds: float) -> void:
	manager.fade_cost_overlays(seconds)
	manager.update()
	for swarm: EnemySwarm in swarms:
		swarm.step(seconds)
