@tool
@icon("../icons/SwarmSpawner3D.svg")
class_name SwarmSpawner3D
extends Marker3D
## Spawns agents of an [EnemySwarm]: at a rate or in waves, at points, in areas or along a path.
##
## Without [member waves] it spawns [member rate] agents a second until there were
## [member limit]; with them it spawns wave after wave. It does what scripts do with
## [method EnemySwarm.spawn_many], and begins by itself in the first physics frame, or with
## [method start].
## [br][br]
## The places are the Marker3D children, in turn, or without any the node itself; [member shape]
## says what is around each of them. With [constant PATH] they are on the first Path3D child.
## Agents are spawned where no wall is for their type; where no such place is found, the spawner
## waits. Where it has to wait, for a place or because of [member alive_limit], agents are not
## made up for at once later.
## [br][br]
## The same scene with the same [member random_seed] spawns the same agents in the same frames. On
## ground with several layers agents are on the floor that is the next below the node, the marker or
## the path. In 2D scenes use [SwarmSpawner2D].

## Emitted when a wave begins, before its first agent is spawned.
signal wave_started(index: int)
## Emitted when the last agent of a wave has been spawned.
signal wave_finished(index: int)
## Emitted after agents were spawned, at most once for each wave and physics frame.
signal agents_spawned(ids: PackedInt64Array)
## Emitted when all agents have been spawned: those of all waves, or as many as [member limit]. With
## [member loop], or a rate without a limit, it is never emitted.
signal finished

## Where agents are spawned: with [constant POINT] at each place itself, with [constant CIRCLE] and
## [constant RECTANGLE] anywhere in an area around it in the plane of x and z, and
## with [constant PATH] anywhere on the first Path3D child.
enum Shape { POINT, CIRCLE, RECTANGLE, PATH }

const Checks := preload("shared/checks.gd")
const NodeView := preload("shared/node_view.gd")
const SpawnGizmo := preload("spawning/spawn_gizmo.gd")
const SpawnPlaces := preload("spawning/spawn_places_3d.gd")
const SpawnProperties := preload("spawning/spawn_properties.gd")
const Spawning := preload("spawning/spawning.gd")
const Strokes := preload("shared/strokes.gd")

## The swarm that gets the agents. If empty, the nearest one in the scene tree: a sibling, or a
## sibling of the nearest ancestor.
@export var swarm: EnemySwarm:
	set(value):
		_spawning.swarm = value
	get:
		return _spawning.swarm
## The type of the agents, as an index of [member EnemySwarm.agent_types].
@export_range(0, 255) var agent_type := 0:
	set(value):
		if Checks.is_count("SwarmSpawner3D.agent_type", value, 0, 255):
			_spawning.agent_type = value
	get:
		return _spawning.agent_type
## The type of the agents as a resource, which comes before [member agent_type]. If it is not in
## [member EnemySwarm.agent_types], it is added there with the first agent.
@export var type: SwarmAgentType:
	set(value):
		_spawning.type = value
		notify_property_list_changed()
	get:
		return _spawning.type
## The group of the agents. They go to the goal of their group: see [member FlowGoal3D.groups].
@export_range(0, 255) var group := 0:
	set(value):
		if Checks.is_count("SwarmSpawner3D.group", value, 0, 255):
			_spawning.group = value
	get:
		return _spawning.group

@export_group("Time")
## If [code]true[/code], the spawner starts when it first enters the scene tree. Otherwise call
## [method start].
@export var autostart := true
## How many agents are spawned in a second, without [member waves]. The first one comes at once.
@export_range(0.0, 1000.0, 0.1, "or_greater", "suffix:/s") var rate := 10.0:
	set(value):
		if Checks.is_number("SwarmSpawner3D.rate", value, 0.0, Checks.FARTHEST):
			_spawning.schedule.rate = value
	get:
		return _spawning.schedule.rate
## The waves, one after the other.
@export var waves: Array[SwarmWave] = []:
	set(value):
		_spawning.schedule.waves = value
		notify_property_list_changed()
	get:
		return _spawning.schedule.waves
## If [code]true[/code], the first wave follows the last.
@export var loop := false:
	set(value):
		_spawning.schedule.loops = value
	get:
		return _spawning.schedule.loops
## The most agents that are spawned in all, by waves too. 0 is no limit.
@export_range(0, 100000, 1, "or_greater") var limit := 0:
	set(value):
		if Checks.is_count("SwarmSpawner3D.limit", value, 0, Checks.MOST_AGENTS):
			_spawning.schedule.limit = value
	get:
		return _spawning.schedule.limit
## The most agents of this spawner that are alive at the same time. 0 is no limit. Corpses do not
## count. Above 128, deaths count some frames late.
@export_range(0, 100000, 1, "or_greater") var alive_limit := 0:
	set(value):
		if Checks.is_count("SwarmSpawner3D.alive_limit", value, 0, Checks.MOST_AGENTS):
			_spawning.alive_limit = value
	get:
		return _spawning.alive_limit

@export_group("Place")
## Where agents are spawned.
@export var shape := Shape.POINT:
	set(value):
		_spawning.places.is_on_path = value == Shape.PATH
		_spawning.places.shape.kind = value
		notify_property_list_changed()
	get:
		return _spawning.places.shape.kind as Shape
## The radius of a circle, in world units if the node is not scaled.
@export_range(0.0, 128.0, 0.01, "or_greater", "suffix:m") var radius := 4.0:
	set(value):
		if Checks.is_number("SwarmSpawner3D.radius", value, 0.0, Checks.FARTHEST):
			_spawning.places.shape.radius = value
	get:
		return _spawning.places.shape.radius
## The extents of a rectangle along x and z, in world units if the node is not scaled.
@export var size := Vector2(8.0, 8.0):
	set(value):
		if Checks.is_size("SwarmSpawner3D.size", value):
			_spawning.places.shape.size = value
	get:
		return _spawning.places.shape.size
## The seed of the random places. Spawners with the same seed and the same shape spawn at the same
## places of their areas.
@export var random_seed := 0:
	set(value):
		_spawning.random_seed = value
	get:
		return _spawning.random_seed

var _spawning := Spawning.new()
var _view := NodeView.new()


func _init() -> void:
	_spawning.title = "SwarmSpawner3D"
	_spawning.places = SpawnPlaces.new()
	_spawning.places.shape.radius = 4.0
	_spawning.places.shape.size = Vector2(8.0, 8.0)
	_spawning.schedule.wave_started.connect(wave_started.emit)
	_spawning.schedule.wave_finished.connect(wave_finished.emit)
	_spawning.schedule.agents_spawned.connect(agents_spawned.emit)
	_spawning.schedule.finished.connect(finished.emit)


func _notification(what: int) -> void:
	match what:
		NOTIFICATION_ENTER_TREE:
			set_physics_process_internal(not Engine.is_editor_hint())
			_view.start(self)
		NOTIFICATION_READY:
			if autostart and not Engine.is_editor_hint():
				start()
		NOTIFICATION_INTERNAL_PHYSICS_PROCESS:
			_spawning.update(self, get_physics_process_delta_time())
		NOTIFICATION_INTERNAL_PROCESS:
			if _view.is_due(get_process_delta_time()):
				_view.show_warnings(self, get_setup_warnings())
				_view.show_in_3d(self, _get_gizmo())


func _validate_property(property: Dictionary) -> void:
	SpawnProperties.validate(property, shape, not waves.is_empty(), type != null)


func _get_configuration_warnings() -> PackedStringArray:
	return get_setup_warnings()


## Starts from the beginning, with the first wave and the first random numbers. Agents that were
## spawned before stay, and count for [member alive_limit].
func start() -> void:
	_spawning.start()


## Stops spawning. [method start] begins anew.
func stop() -> void:
	_spawning.schedule.stop()


## Returns [code]true[/code] from the start until the spawner is stopped or has finished.
func is_running() -> bool:
	return _spawning.schedule.is_running


## Returns the index of the wave that is being spawned, or was last; -1 before the first.
func get_wave() -> int:
	return _spawning.schedule.wave


## Returns how many agents were spawned since the start.
func get_spawned_count() -> int:
	return _spawning.schedule.count


## Returns how many agents of this spawner are alive. Corpses do not count. The time depends on
## their number.
func get_alive_count() -> int:
	return _spawning.count_alive()


## Returns what is wrong with the properties, as the editor shows it beside the node. Empty if
## nothing is wrong, or if the node is not in the scene tree.
func get_setup_warnings() -> PackedStringArray:
	if not is_inside_tree():
		return []
	return _spawning.find_trouble(self)


func _get_gizmo() -> Strokes:
	var is_on := is_running() or (Engine.is_editor_hint() and _view.warnings.is_empty())
	return SpawnGizmo.draw(_spawning, self, is_on, 0.5)
