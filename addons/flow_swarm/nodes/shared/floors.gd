@tool
extends RefCounted
## The layer on which something stands in 3D.

## How far a node may be below the floor on which it stands, in world units: as for nodes that are
## attached to bodies of a swarm.
const SUNK := 0.1


## The layer whose floor is the highest one below a height, or else the lowest floor there. Layers
## without a floor at the position do not count. The swarm says how high layers without heights are;
## it may be null.
static func find_layer(
	manager: FlowFieldManager, swarm: EnemySwarm, position: Vector2, height: float
) -> int:
	if manager.layer_count == 1 or is_nan(height) or not position.is_finite():
		return 0
	var base := swarm.height if swarm != null else 0.0
	var rise := swarm.layer_height if swarm != null else 0.0
	var found := 0
	var highest := -INF
	var lowest := INF
	for layer in manager.layer_count:
		var floor_height := manager.get_height(position, layer)
		if is_nan(floor_height):
			if rise == 0.0:
				continue
			floor_height = layer * rise
		var is_below := floor_height <= height - base + SUNK
		if is_below and floor_height > highest:
			highest = floor_height
			found = layer
		elif highest == -INF and floor_height < lowest:
			lowest = floor_height
			found = layer
	return found
