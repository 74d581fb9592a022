@icon("../icons/FlowFieldManager.svg")
class_name FlowRollback
extends Node
## Lets a rollback addon save, load and move a manager and its swarms: the hooks of netfox and of
## godot-rollback-netcode, without needing either.
##
## [b]netfox[/b]: add a [code]RollbackSynchronizer[/code] whose root is this node and whose state
## properties have [member state]. It calls [method _rollback_tick].
##
## [b]godot-rollback-netcode[/b]: this node is in the group [code]network_sync[/code], in which the
## addon calls [method _save_state], [method _load_state] and [method _network_process].
##
## Carry out the players' orders in [signal ticking]: it is emitted before the world moves, in every
## tick, also when a tick is repeated. Name agents by slots there, as [FlowAgentSlots] does.

## The world is about to move by a tick. [param tick] is netfox's number of the tick, and for
## godot-rollback-netcode the number of ticks since the start. [param input] is the input of the
## player that this node belongs to; empty with netfox, where nodes with inputs have them.
signal ticking(tick: int, input: Dictionary)

const WorldBytes := preload("world_bytes.gd")
const WorldTick := preload("world_tick.gd")
## The key of the state in the Dictionary of godot-rollback-netcode.
const STATE := "world"
const TICK := "tick"
## The group of nodes that godot-rollback-netcode calls.
const GROUP := &"network_sync"

## The manager of the world. It must have the same properties on all machines.
@export var manager: FlowFieldManager
## The swarms of [member manager], in the same order on all machines.
@export var swarms: Array[EnemySwarm]
## The length of a tick for godot-rollback-netcode, which does not say it. netfox does.
@export_range(0.001, 1.0, 0.001, "suffix:s") var tick_seconds := 1.0 / 60.0

## Manager and swarms as bytes. Setting it loads them. Their size grows with the map and the crowd:
## 73 KB for 1,000 agents on 256×256 cells, so keep the world small where states are sent.
var state: PackedByteArray:
	get:
		return WorldBytes.save(manager, swarms) if _is_sound("state") else PackedByteArray()
	set(value):
		if _is_sound("state"):
			WorldBytes.load_into(manager, swarms, value, "FlowRollback.state")

## The ticks of godot-rollback-netcode.
var _tick := 0


func _ready() -> void:
	add_to_group(GROUP)
	var trouble := WorldTick.find_trouble(manager, swarms)
	if trouble != "":
		push_error("FlowRollback: %s" % trouble)
		return
	# Siblings below this node may not be ready yet, and switch themselves on when they are.
	_take_over.call_deferred()


## For netfox: moves the world by a tick.
func _rollback_tick(delta: float, tick: int, _is_fresh: bool) -> void:
	if _is_sound("_rollback_tick"):
		_move(delta, tick, {})


## For godot-rollback-netcode: everything that a tick depends on.
func _save_state() -> Dictionary:
	return {STATE: state, TICK: _tick}


## For godot-rollback-netcode: goes back to what [method _save_state] returned.
func _load_state(saved: Dictionary) -> void:
	if not saved.get(STATE) is PackedByteArray or not saved.get(TICK) is int:
		push_error("FlowRollback._load_state: no state of _save_state(): %s" % [saved.keys()])
		return
	state = saved[STATE]
	_tick = saved[TICK]


## For godot-rollback-netcode: moves the world by a tick.
func _network_process(input: Dictionary) -> void:
	if _is_sound("_network_process"):
		_move(tick_seconds, _tick, input)
		_tick += 1


func _move(seconds: float, tick: int, input: Dictionary) -> void:
	WorldTick.take_over(manager, swarms)
	ticking.emit(tick, input)
	WorldTick.step(manager, swarms, seconds)


func _take_over() -> void:
	if WorldTick.find_trouble(manager, swarms) == "":
		WorldTick.take_over(manager, swarms)


func _is_sound(what: String) -> bool:
	var trouble := WorldTick.find_trouble(manager, swarms)
	if trouble != "":
		push_error("FlowRollback.%s: %s" % [what, trouble])
	return trouble == ""
