class_name RtsUnits
extends RefCounted
## The kinds of units: their movement, the costs of ground for them, and the armies at the start.

enum Kind { TANK, HOVERCRAFT, WALKER }

const NAMES: PackedStringArray = ["Tank", "Hovercraft", "Walker"]
const PLURALS: PackedStringArray = ["Tanks", "Hovercraft", "Walkers"]
const RADII: PackedFloat32Array = [8.0, 9.0, 21.0]
const SPEEDS: PackedFloat32Array = [150.0, 190.0, 105.0]
## The number of units of each kind in an army.
const STRENGTH: PackedInt32Array = [400, 234, 33]
const COLORS: PackedColorArray = [Color("4f8dff"), Color("ff7a4d"), Color("b98cff")]
const ARMIES := 3
## The shader distinguishes kinds by the alpha of their colour.
const ALPHA_STEP := 0.25

## The costs of ground for each kind; ground that is not listed costs 1.
const COSTS: Array[Dictionary] = [
	{RtsGround.FOREST: 4, RtsGround.SHALLOWS: 255, RtsGround.WATER: 255, RtsGround.RAMP: 2},
	{RtsGround.FOREST: 12, RtsGround.RAMP: 3},
	{RtsGround.FOREST: 2, RtsGround.SHALLOWS: 3, RtsGround.WATER: 255, RtsGround.RAMP: 2},
]


## The kind of the units of an agent type.
static func kind_of(agent_type: int) -> int:
	return agent_type % NAMES.size()


static func movement_types() -> Array[FlowMovementType]:
	var types: Array[FlowMovementType] = []
	for kind in NAMES.size():
		var type := FlowMovementType.new()
		for id in range(1, 256):
			type.set_cost(id, 255 if id >= RtsGround.BUILDING else 1)
		for id: int in COSTS[kind]:
			type.set_cost(id, COSTS[kind][id] as int)
		type.clearance_radius = RADII[kind]
		types.append(type)
	return types


## One agent type for each kind of each army, army by army. They differ in colour.
static func agent_types() -> Array[SwarmAgentType]:
	var types: Array[SwarmAgentType] = []
	for army in ARMIES:
		for kind in NAMES.size():
			var type := SwarmAgentType.new()
			type.radius = RADII[kind]
			type.max_speed = SPEEDS[kind]
			type.acceleration = SPEEDS[kind] * 3.0
			type.movement_type = kind
			type.speed_variation = 0.12
			type.color = Color(COLORS[army], 1.0 - ALPHA_STEP * kind)
			types.append(type)
	return types


## Places all armies around their bases.
static func muster(swarm: EnemySwarm, manager: FlowFieldManager) -> void:
	for army in ARMIES:
		var base := manager.get_cell_center(RtsMap.BASES[army])
		# Large units stand in front, the others in blocks behind them.
		_line_up(swarm, army, Kind.TANK, base + Vector2(-300.0, -120.0), 25, 21.0)
		_line_up(swarm, army, Kind.HOVERCRAFT, base + Vector2(-300.0, 250.0), 26, 23.0)
		_line_up(swarm, army, Kind.WALKER, base + Vector2(-320.0, -300.0), 11, 60.0)


static func _line_up(
	swarm: EnemySwarm, army: int, kind: Kind, corner: Vector2, columns: int, apart: float
) -> void:
	var places := PackedVector2Array()
	for n in STRENGTH[kind]:
		places.append(corner + apart * Vector2(n % columns, n / columns))
	swarm.spawn_many(places, army * NAMES.size() + kind)
