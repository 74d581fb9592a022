class_name SiegeKinds
extends RefCounted
## The kinds of attackers: how they look, move and how much they endure.

const LOOKS: Array[SwarmLook] = [preload("../looks/soldier.res"), preload("../looks/beast.res")]
const RADII: Array[float] = [0.35, 0.45]
const SPEEDS: Array[float] = [3.2, 5.0]
const HEALTH: Array[float] = [10.0, 22.0]
const HEIGHTS: Array[float] = [1.8, 1.5]
const LOD_DISTANCES: PackedFloat32Array = [26.0, 70.0]
const SHADOW_DISTANCE := 60.0


static func types() -> Array[SwarmAgentType]:
	var types: Array[SwarmAgentType] = []
	for kind in LOOKS.size():
		LOOKS[kind].lod_distances = LOD_DISTANCES
		LOOKS[kind].shadow_distance = SHADOW_DISTANCE
		# As large as the model.
		LOOKS[kind].instance_size = 0.5 / RADII[kind]
		var type := SwarmAgentType.new()
		type.radius = RADII[kind]
		type.max_speed = SPEEDS[kind]
		type.acceleration = SPEEDS[kind] * 4.0
		type.speed_variation = 0.2
		type.lateral_bias = 0.35
		type.body_height = HEIGHTS[kind]
		type.mass = 1.0 if kind == 0 else 5.0
		type.movement_type = kind
		type.tilt = 0.0 if kind == 0 else 0.9
		type.max_tilt = 35.0
		type.look = LOOKS[kind]
		types.append(type)
	return types
