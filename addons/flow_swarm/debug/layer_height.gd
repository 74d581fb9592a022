@tool
extends RefCounted
## Where a layer without heights of its own lies in 3D: where swarms draw its agents.

## The height between layers, in world units, where no swarm says so.
const RISE := 3.0


## The height of a layer of a manager in the tree. `rise` is the height between layers; 0 stands for
## that of the first swarm of the manager.
static func of(manager: FlowFieldManager, layer: int, rise := 0.0) -> float:
	var base := 0.0
	for node: Node in manager.get_tree().root.find_children("*", "EnemySwarm", true, false):
		var swarm := node as EnemySwarm
		if swarm.manager == manager:
			base = swarm.height
			rise = swarm.layer_height if rise == 0.0 else rise
			break
	return base + layer * (rise if rise != 0.0 else RISE)
