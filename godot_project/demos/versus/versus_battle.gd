class_name VersusBattle
extends Node2D
## The world of the game, kept in step on both machines by [FlowLockstep]. Nothing in here depends
## on the mouse, the window or the time: only orders come from outside, by [method send].

## A battle has begun.
signal begun
## A blow was struck.
signal struck(places: PackedVector2Array)

const PORT := 4433

var rules: VersusRules

@onready var manager: FlowFieldManager = $Manager
@onready var armies: Array[EnemySwarm] = [$Blue, $Red]
@onready var lockstep: FlowLockstep = $Lockstep


func _ready() -> void:
	manager.grid_size = VersusMap.SIZE
	manager.cell_size = VersusMap.CELL
	for rock: Rect2i in VersusMap.rocks():
		manager.set_terrain_rect(rock, VersusMap.WALL)
	rules = VersusRules.new(armies)
	lockstep.save_game = rules.save
	lockstep.load_game = rules.load_from
	lockstep.ordered.connect(_on_ordered)
	lockstep.ticked.connect(_on_ticked)
	lockstep.player_joined.connect(_on_player_joined)


## This machine's side, or -1 before it has one.
func get_side() -> int:
	return lockstep.get_player()


func is_on() -> bool:
	return lockstep.get_players().size() == VersusRules.SIDES


## Orders soldiers of this machine's army to a place.
func send(ids: PackedInt64Array, place: Vector2) -> void:
	lockstep.give_order([FlowAgentSlots.of(ids), place])


## Orders come from another machine, so they are checked; the side is certain.
func _on_ordered(side: int, order: Variant) -> void:
	var is_sound: bool = (
		order is Array
		and order.size() == 2
		and order[0] is PackedInt32Array
		and order[1] is Vector2
		and order[1].is_finite()
		and manager.is_in_grid(manager.get_cell(order[1]))
	)
	if not is_sound or rules.winner != VersusRules.NOBODY:
		return
	var ids := FlowAgentSlots.find(armies[side], order[0])
	if not ids.is_empty():
		armies[side].send_agents(ids, PackedVector2Array([order[1]]))


func _on_ticked(tick: int) -> void:
	if not is_on():
		return
	rules.run_tick(tick)
	if tick % VersusRules.BLOW == 0:
		struck.emit(rules.sparks)


func _on_player_joined(player: int) -> void:
	# A guest that comes back finds its army as it was.
	if player > 0 and (armies[1].get_agent_count() == 0 or rules.winner != VersusRules.NOBODY):
		rules.begin()
		begun.emit()
