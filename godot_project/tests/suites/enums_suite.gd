extends "res://tests/test_suite.gd"
## The enums of the classes: their values and old names in ClassDB, and their types on arguments,
## results and properties.

## The enums of each class: their values in order, after numbers that they count on from.
const ENUMS: Dictionary[StringName, Dictionary] = {
	&"EnemySwarm":
	{
		&"AgentState":
		[
			0,
			"AGENT_FOLLOWING",
			"AGENT_IDLE",
			"AGENT_SCRIPTED",
			"AGENT_CORPSE",
			8,
			"AGENT_TRAVELLING",
		],
		&"AgentStatus": [4, "AGENT_ARRIVED", "AGENT_LOST", "AGENT_STUCK", "AGENT_QUARANTINED"],
		&"FallenAction": [0, "FALLEN_STAY", "FALLEN_DESPAWN", "FALLEN_CORPSE"],
		&"ArrivalAction": [0, "ARRIVAL_STOP", "ARRIVAL_DESPAWN", "ARRIVAL_KEEP_GOING"],
		&"ForceKind": [0, "FORCE_PULL", "FORCE_PUSH", "FORCE_VORTEX"],
		&"AttachMode": [0, "ATTACH_NODE_FOLLOWS_AGENT", "ATTACH_AGENT_FOLLOWS_NODE"],
		&"Formation": [0, "FORMATION_BLOCK", "FORMATION_WEDGE", "FORMATION_DISC"],
		&"CustomData":
		[
			0,
			"CUSTOM_NONE",
			"CUSTOM_MOTION",
			"CUSTOM_SPRITE",
			"CUSTOM_VERTICES",
			"CUSTOM_USER",
			"CUSTOM_CHARACTER",
		],
	},
	&"FlowFieldManager":
	{
		&"Solver": [0, "SOLVER_OCTILE", "SOLVER_EIKONAL"],
		&"TileVariant": [0, "TILES_SEAMLESS", "TILES_PLAIN"],
		&"DirectionRule":
		[
			0,
			"DIRECTION_BEST_NEIGHBOUR",
			"DIRECTION_NEGATIVE_GRADIENT",
			"DIRECTION_PREDECESSOR",
			"DIRECTION_CHARACTERISTIC",
		],
		&"LinkTravel": [0, "LINK_AT_ONCE", "LINK_WALK", "LINK_TIMED"],
		&"GoalMode": [0, "GOAL_MODE_FULL", "GOAL_MODE_TILED"],
		&"GoalKind": [0, "GOAL_KIND_SEEK", "GOAL_KIND_FLEE", "GOAL_KIND_RANGE"],
		&"DebugView":
		[
			0,
			"DEBUG_OFF",
			"DEBUG_COST",
			"DEBUG_INTEGRATION",
			"DEBUG_FLOW",
			"DEBUG_ISLANDS",
			"DEBUG_CLEARANCE",
			"DEBUG_LINE_OF_SIGHT",
			"DEBUG_SECTORS",
			"DEBUG_TILES",
			"DEBUG_FIELD_AGE",
			"DEBUG_HEIGHTS",
		],
		&"Channel":
		[0, "CHANNEL_RED", "CHANNEL_GREEN", "CHANNEL_BLUE", "CHANNEL_ALPHA", "CHANNEL_LUMINANCE"],
		&"QueryStatus":
		[
			0,
			"QUERY_OK",
			"QUERY_START_BLOCKED",
			"QUERY_GOAL_BLOCKED",
			"QUERY_DISCONNECTED",
			"QUERY_TOO_NARROW",
			"QUERY_OUT_OF_BOUNDS",
			"QUERY_PENDING",
			"QUERY_QUEUED",
		],
	},
	&"SwarmAgentType":
	{
		&"Avoidance":
		[0, "AVOIDANCE_NONE", "AVOIDANCE_SEPARATION", "AVOIDANCE_ORCA", "AVOIDANCE_CONTACT"],
	},
	&"SwarmQuery":
	{
		&"Order":
		[0, "ORDER_NATURAL", "ORDER_DISTANCE", "ORDER_COST_TO_GOAL", "ORDER_INTS", "ORDER_FLOATS"],
	},
	&"FlowSourceGeometry":
	{
		&"SourceGeometryMode":
		[
			0,
			"SOURCE_GEOMETRY_ROOT_NODE_CHILDREN",
			"SOURCE_GEOMETRY_GROUPS_WITH_CHILDREN",
			"SOURCE_GEOMETRY_GROUPS_EXPLICIT",
		],
		&"ParsedGeometryType":
		[
			0,
			"PARSED_GEOMETRY_MESH_INSTANCES",
			"PARSED_GEOMETRY_STATIC_COLLIDERS",
			"PARSED_GEOMETRY_BOTH",
		],
	},
}
## Deprecated names, which belong to no enum, and the names that replace them.
const OLD_NAMES: Dictionary[StringName, Dictionary] = {
	&"EnemySwarm":
	{
		"FOLLOWING": "AGENT_FOLLOWING",
		"IDLE": "AGENT_IDLE",
		"SCRIPTED": "AGENT_SCRIPTED",
		"CORPSE": "AGENT_CORPSE",
		"ARRIVED": "AGENT_ARRIVED",
		"LOST": "AGENT_LOST",
		"STUCK": "AGENT_STUCK",
		"QUARANTINED": "AGENT_QUARANTINED",
		"STOP": "ARRIVAL_STOP",
		"DESPAWN": "ARRIVAL_DESPAWN",
		"KEEP_GOING": "ARRIVAL_KEEP_GOING",
		"PULL": "FORCE_PULL",
		"PUSH": "FORCE_PUSH",
		"VORTEX": "FORCE_VORTEX",
		"NODE_FOLLOWS_AGENT": "ATTACH_NODE_FOLLOWS_AGENT",
		"AGENT_FOLLOWS_NODE": "ATTACH_AGENT_FOLLOWS_NODE",
	},
	&"FlowFieldManager":
	{
		"OCTILE": "SOLVER_OCTILE",
		"EIKONAL": "SOLVER_EIKONAL",
		"BEST_NEIGHBOUR": "DIRECTION_BEST_NEIGHBOUR",
		"NEGATIVE_GRADIENT": "DIRECTION_NEGATIVE_GRADIENT",
		"PREDECESSOR": "DIRECTION_PREDECESSOR",
		"CHARACTERISTIC": "DIRECTION_CHARACTERISTIC",
		"FULL": "GOAL_MODE_FULL",
		"TILED": "GOAL_MODE_TILED",
		"SEEK": "GOAL_KIND_SEEK",
		"FLEE": "GOAL_KIND_FLEE",
		"RANGE": "GOAL_KIND_RANGE",
		"OK": "QUERY_OK",
		"START_BLOCKED": "QUERY_START_BLOCKED",
		"GOAL_BLOCKED": "QUERY_GOAL_BLOCKED",
		"DISCONNECTED": "QUERY_DISCONNECTED",
		"TOO_NARROW": "QUERY_TOO_NARROW",
		"OUT_OF_BOUNDS": "QUERY_OUT_OF_BOUNDS",
		"PENDING": "QUERY_PENDING",
		"QUEUED": "QUERY_QUEUED",
	},
	&"SwarmAgentType":
	{
		"NONE": "AVOIDANCE_NONE",
		"SEPARATION": "AVOIDANCE_SEPARATION",
		"ORCA": "AVOIDANCE_ORCA",
		"CONTACT": "AVOIDANCE_CONTACT",
	},
	&"SwarmQuery":
	{
		"NATURAL": "ORDER_NATURAL",
		"DISTANCE": "ORDER_DISTANCE",
		"COST_TO_GOAL": "ORDER_COST_TO_GOAL",
		"INTS": "ORDER_INTS",
		"FLOATS": "ORDER_FLOATS",
	},
}
## The arguments and results that have the type of an enum.
const ARGUMENTS: Dictionary[String, String] = {
	"EnemySwarm.set_agent_state.state": "EnemySwarm.AgentState",
	"EnemySwarm.set_state.state": "EnemySwarm.AgentState",
	"EnemySwarm.add_user_ints.fallen_action": "EnemySwarm.FallenAction",
	"EnemySwarm.damage_circle.fallen_action": "EnemySwarm.FallenAction",
	"EnemySwarm.damage_ray.fallen_action": "EnemySwarm.FallenAction",
	"EnemySwarm.damage_segment.fallen_action": "EnemySwarm.FallenAction",
	"EnemySwarm.damage_sphere.fallen_action": "EnemySwarm.FallenAction",
	"EnemySwarm.add_force_field.kind": "EnemySwarm.ForceKind",
	"EnemySwarm.attach_node.mode": "EnemySwarm.AttachMode",
	"EnemySwarm.form_up.shape": "EnemySwarm.Formation",
	"EnemySwarm.send_in_formation.shape": "EnemySwarm.Formation",
	"EnemySwarm.send_in_formation.mode": "FlowFieldManager.GoalMode",
	"EnemySwarm.send_agents.mode": "FlowFieldManager.GoalMode",
	"EnemySwarm.get_agent_status.": "EnemySwarm.AgentStatus",
	"EnemySwarm.get_agent_state.": "EnemySwarm.AgentState",
	"FlowFieldManager.add_link.travel": "FlowFieldManager.LinkTravel",
	"FlowFieldManager.add_links.travel": "FlowFieldManager.LinkTravel",
	"FlowFieldManager.get_link_travel.": "FlowFieldManager.LinkTravel",
	"FlowFieldManager.create_goal.mode": "FlowFieldManager.GoalMode",
	"FlowFieldManager.get_goal_mode.": "FlowFieldManager.GoalMode",
	"FlowFieldManager.get_goal_kind.": "FlowFieldManager.GoalKind",
	"FlowFieldManager.get_query_status.": "FlowFieldManager.QueryStatus",
	"FlowFieldManager.load_image.channel": "FlowFieldManager.Channel",
}
## The properties that have the type of an enum, with the names that the inspector shows.
const PROPERTIES: Dictionary[String, Array] = {
	"EnemySwarm.arrival_action": ["EnemySwarm.ArrivalAction", "Stop:0,Despawn:1,Keep Going:2"],
	"EnemySwarm.custom_data_preset":
	["EnemySwarm.CustomData", "None:0,Motion:1,Sprite:2,Vertices:3,User:4,Character:5"],
	"FlowFieldManager.solver": ["FlowFieldManager.Solver", "Octile:0,Eikonal:1"],
	"FlowFieldManager.direction_rule":
	[
		"FlowFieldManager.DirectionRule",
		"Best Neighbour:0,Negative Gradient:1,Predecessor:2,Characteristic:3",
	],
	"FlowFieldManager.tile_variant": ["FlowFieldManager.TileVariant", "Seamless:0,Plain:1"],
	"FlowFieldManager.debug_view":
	[
		"FlowFieldManager.DebugView",
		(
			"Off:0,Cost:1,Integration:2,Flow:3,Islands:4,Clearance:5,Line Of Sight:6,Sectors:7"
			+ ",Tiles:8,Field Age:9,Heights:10"
		),
	],
	"SwarmAgentType.avoidance":
	["SwarmAgentType.Avoidance", "None:0,Separation:1,Orca:2,Contact:3"],
	"SwarmQuery.order": ["SwarmQuery.Order", "Natural:0,Distance:1,Cost To Goal:2,Ints:3,Floats:4"],
	"FlowSourceGeometry.source_geometry_mode":
	[
		"FlowSourceGeometry.SourceGeometryMode",
		"Root Node Children:0,Groups With Children:1,Groups Explicit:2",
	],
	"FlowSourceGeometry.parsed_geometry_type":
	["FlowSourceGeometry.ParsedGeometryType", "Mesh Instances:0,Static Colliders:1,Both:2"],
}


## The numbers of the values of an entry of ENUMS.
func _numbers(entry: Array) -> Dictionary[String, int]:
	var numbers: Dictionary[String, int] = {}
	var next := 0
	for item: Variant in entry:
		if item is int:
			next = item
		else:
			numbers[item] = next
			next += 1
	return numbers


func test_enums_are_listed_with_their_values() -> void:
	for type: StringName in CLASSES:
		var enums: Dictionary = ENUMS.get(type, {})
		var names := ClassDB.class_get_enum_list(type, true)
		names.sort()
		var wanted := PackedStringArray(enums.keys())
		wanted.sort()
		check_eq(names, wanted, "enums of %s" % type)
		for name: StringName in enums:
			var numbers := _numbers(enums[name] as Array)
			var values := PackedStringArray(numbers.keys())
			var found := ClassDB.class_get_enum_constants(type, name, true)
			check_eq(found, values, "values of %s.%s" % [type, name])
			check(not ClassDB.is_class_enum_bitfield(type, name), "%s.%s" % [type, name])
			for value in values:
				var number := ClassDB.class_get_integer_constant(type, value)
				check_eq(number, numbers[value], "%s.%s" % [type, value])


func test_old_names_have_the_same_numbers_and_belong_to_no_enum() -> void:
	for type: StringName in OLD_NAMES:
		var known := ClassDB.class_get_integer_constant_list(type, true)
		for old: String in OLD_NAMES[type]:
			var now: String = OLD_NAMES[type][old]
			if not check(known.has(old) and known.has(now), "%s has %s" % [type, old]):
				continue
			var number := ClassDB.class_get_integer_constant(type, now)
			check_eq(ClassDB.class_get_integer_constant(type, old), number, "%s.%s" % [type, old])
			var of := ClassDB.class_get_integer_constant_enum(type, old, true)
			check_eq(of, &"", "the enum of %s.%s" % [type, old])


func test_every_constant_is_a_value_of_an_enum_or_an_old_name() -> void:
	for type: StringName in CLASSES:
		for name: String in ClassDB.class_get_integer_constant_list(type, true):
			var is_value := ClassDB.class_get_integer_constant_enum(type, name, true) != &""
			var is_old: bool = OLD_NAMES.get(type, {}).has(name)
			check(is_value != is_old, "%s.%s" % [type, name])


func _check_is_enum(info: Dictionary, wanted: String, what: String) -> void:
	check_eq(info["type"], TYPE_INT, "type of %s" % what)
	check_eq(str(info["class_name"]), wanted, "enum of %s" % what)
	var usage: int = info["usage"]
	check(usage & PROPERTY_USAGE_CLASS_IS_ENUM != 0, "usage of %s: %d" % [what, usage])


func test_arguments_and_results_have_the_type_of_their_enum() -> void:
	var found: Array[String] = []
	for type: StringName in CLASSES:
		var accessors: Array[StringName] = []
		for property: Dictionary in ClassDB.class_get_property_list(type, true):
			var name: StringName = property["name"]
			accessors.append(ClassDB.class_get_property_setter(type, name))
			accessors.append(ClassDB.class_get_property_getter(type, name))
		for method: Dictionary in ClassDB.class_get_method_list(type, true):
			if method["name"] in accessors:
				continue
			var infos: Array = (method["args"] as Array) + [method["return"]]
			for info: Dictionary in infos:
				var name := "%s.%s.%s" % [type, method["name"], info["name"]]
				var of: String = info["class_name"]
				if ARGUMENTS.has(name):
					found.append(name)
					_check_is_enum(info, ARGUMENTS[name], name)
				elif "." in of:
					check(false, "%s has the type %s: add it to this suite" % [name, of])
	for name: String in ARGUMENTS:
		check(name in found, "%s is there" % name)


func test_properties_have_the_type_of_their_enum_and_names_in_the_inspector() -> void:
	for key: String in PROPERTIES:
		var type := StringName(key.get_slice(".", 0))
		var name := StringName(key.get_slice(".", 1))
		var wanted: String = PROPERTIES[key][0]
		var properties := ClassDB.class_get_property_list(type, true)
		for info: Dictionary in properties:
			if info["name"] != name:
				continue
			_check_is_enum(info, wanted, key)
			check_eq(info["hint"], PROPERTY_HINT_ENUM, "hint of %s" % key)
			check_eq(info["hint_string"], PROPERTIES[key][1], "names of %s" % key)
			check(info["usage"] & PROPERTY_USAGE_DEFAULT == PROPERTY_USAGE_DEFAULT, key)
		var setter := ClassDB.class_get_property_setter(type, name)
		var getter := ClassDB.class_get_property_getter(type, name)
		for method: Dictionary in ClassDB.class_get_method_list(type, true):
			if method["name"] == setter:
				_check_is_enum(method["args"][0] as Dictionary, wanted, setter)
			elif method["name"] == getter:
				_check_is_enum(method["return"] as Dictionary, wanted, getter)


func test_scripts_use_enums_as_types_and_by_both_names() -> void:
	var manager := new_manager()
	var swarm := new_swarm(manager, new_goal(manager, Vector2i(12, 6)))
	var action: EnemySwarm.ArrivalAction = EnemySwarm.ArrivalAction.ARRIVAL_DESPAWN
	check_eq(action, EnemySwarm.ARRIVAL_DESPAWN, "by the enum and by the class")
	swarm.arrival_action = action
	var kept: EnemySwarm.ArrivalAction = swarm.arrival_action
	check_eq(kept, EnemySwarm.ArrivalAction.ARRIVAL_DESPAWN, "kept by a property")
	var id := swarm.spawn(Vector2(40, 40))
	var state: EnemySwarm.AgentState = EnemySwarm.AGENT_IDLE
	check_eq(swarm.set_agent_state([id], state), OK, "set_agent_state")
	var status: EnemySwarm.AgentStatus = swarm.get_agent_status(id)
	check_eq(status, EnemySwarm.AgentState.AGENT_IDLE, "status")
	var mode: FlowFieldManager.GoalMode = FlowFieldManager.GoalMode.GOAL_MODE_TILED
	var goal := manager.create_goal([Vector2(40, 40)], mode)
	check_eq(manager.get_goal_mode(goal), FlowFieldManager.GOAL_MODE_TILED, "mode")


func test_integers_are_accepted_for_enums() -> void:
	var manager := new_manager()
	var swarm := new_swarm(manager)
	var id := swarm.spawn(Vector2(40, 40))
	var two: int = 2
	check_eq(swarm.set_agent_state([id], two), OK, "set_agent_state")
	check_eq(swarm.get_states()[0], 2, "state")
	swarm.arrival_action = two
	check_eq(swarm.arrival_action, EnemySwarm.ARRIVAL_KEEP_GOING, "a property")
	swarm.set("arrival_action", 1)
	check_eq(swarm.get("arrival_action"), 1, "a property by name")
	var goal: int = manager.call("create_goal", PackedVector2Array([Vector2(40, 40)]), 1)
	check_eq(manager.get_goal_mode(goal), FlowFieldManager.GOAL_MODE_TILED, "by name")
	check_eq(swarm.add_user_ints([id], 1), PackedInt64Array(), "a default")


func test_other_integers_are_refused_by_name() -> void:
	var manager := new_manager()
	var swarm := new_swarm(manager)
	var id := swarm.spawn(Vector2(40, 40))
	swarm.set_user_ints([id], [5])
	var bad := 7
	var set_action := func() -> void: swarm.arrival_action = bad
	var values := "ARRIVAL_STOP (0), ARRIVAL_DESPAWN (1) or ARRIVAL_KEEP_GOING (2), not 7"
	expect_error(["EnemySwarm.arrival_action: must be " + values], set_action)
	check_eq(swarm.arrival_action, EnemySwarm.ARRIVAL_STOP, "kept")
	var damage := func() -> Variant: return swarm.add_user_ints([id], -9, 0, bad)
	var fallen: Variant = expect_error(
		["EnemySwarm.add_user_ints", "fallen_action", "FALLEN_CORPSE (2)", "not 7"], damage
	)
	check_eq(fallen, PackedInt64Array(), "none has fallen")
	check_eq(swarm.get_user_ints(), PackedInt32Array([5]), "the number is the same")
	var set_bad_state := func() -> Variant: return swarm.set_agent_state([id], -1)
	var code: Variant = expect_error(["EnemySwarm.set_agent_state", "state", "-1"], set_bad_state)
	check_eq(code, ERR_INVALID_PARAMETER, "set_agent_state")
	var set_view := func() -> void: manager.debug_view = 11 as FlowFieldManager.DebugView
	expect_error(["FlowFieldManager.debug_view", "DEBUG_HEIGHTS (10)", "not 11"], set_view)
	check_eq(manager.debug_view, FlowFieldManager.DEBUG_OFF, "no view")
	var set_order := func() -> void: SwarmQuery.new().order = -1 as SwarmQuery.Order
	expect_error(["SwarmQuery.order", "ORDER_NATURAL (0)", "not -1"], set_order)
	var create := func() -> Variant: return manager.create_goal([Vector2(40, 40)], bad)
	var goal: Variant = expect_error(["create_goal", "mode", "GOAL_MODE_TILED (1)"], create)
	check_eq(goal, 0, "no goal")


func test_a_missing_goal_has_no_mode_kind_or_status() -> void:
	var manager := new_manager()
	var asks: Array[Callable] = [
		manager.get_goal_mode.bind(9),
		manager.get_goal_kind.bind(9),
		manager.get_query_status.bind(9, Vector2(40, 40)),
	]
	for ask: Callable in asks:
		check_eq(expect_error([ask.get_method(), "9"], ask), -1, ask.get_method())
