class_name Siege
extends Node3D
## A walled town under siege: the player on the wall holds the gate with grenades and a beam. This
## script connects the parts and stores whether the game is running.

signal state_changed

enum State { PLAYING, PAUSED, LOST, WON }

## The damage of the beam to each attacker it touches, a second.
const BEAM_DAMAGE := 40.0
## Damage a second by each attacker at the gate or the keep, and how near it must be.
const BLOW_DAMAGE := 1.2
const GATE_REACH := 4.5
const KEEP_REACH := 7.0
## Damage a second by each attacker beside the player, and how near it must be.
const STRIKE_DAMAGE := 4.0
const PLAYER_REACH := 1.7

var state := State.PLAYING
var kills := 0
## The duration of the game so far, in seconds.
var time := 0.0

@onready var level: SiegeLevel = $Level
@onready var crowd: SiegeCrowd = $Crowd
@onready var waves: SiegeWaves = $Waves
@onready var keep: SiegeKeep = $Keep
@onready var player: SiegePlayer = $Player
@onready var grenades: SiegeGrenades = $Grenades
@onready var beam: SiegeBeam = $Beam
@onready var explosions: SiegeExplosions = $Explosions
@onready var hud: SiegeHud = $Interface/Hud


func _ready() -> void:
	waves.crowd = crowd
	waves.level = level
	grenades.player = player
	beam.player = player
	crowd.set_up(level, player)
	crowd.slain.connect(_on_slain)
	waves.all_ended.connect(_enter.bind(State.WON))
	keep.fallen.connect(_enter.bind(State.LOST))
	player.died.connect(_enter.bind(State.LOST))
	level.gate.broken.connect(crowd.open_gate)
	grenades.exploded.connect(_on_exploded)
	beam.beam_hit.connect(_on_beam_hit)
	hud.set_up(self)
	restart()


func _exit_tree() -> void:
	get_tree().paused = false
	Input.mouse_mode = Input.MOUSE_MODE_VISIBLE


func _physics_process(delta: float) -> void:
	if state != State.PLAYING:
		return
	time += delta
	var gate := level.gate
	if not gate.is_open():
		var front := gate.global_position + Vector3(0.0, 0.0, 1.5)
		gate.take_damage(crowd.count_near(front, GATE_REACH) * BLOW_DAMAGE * delta)
	keep.take_damage(crowd.count_near(level.get_goal(), KEEP_REACH) * BLOW_DAMAGE * delta)
	var foes := crowd.count_near(player.global_position, PLAYER_REACH)
	player.take_damage(foes * STRIKE_DAMAGE * delta)


func restart() -> void:
	kills = 0
	time = 0.0
	level.gate.reset()
	keep.reset()
	crowd.reset()
	waves.reset()
	grenades.reset()
	beam.reset()
	player.reset(level.get_post(), PI)
	_enter(State.PLAYING)


func is_over() -> bool:
	return state == State.LOST or state == State.WON


func toggle_pause() -> void:
	if state == State.PLAYING:
		_enter(State.PAUSED)
	elif state == State.PAUSED:
		_enter(State.PLAYING)


func _enter(next: State) -> void:
	state = next
	var playing := state == State.PLAYING
	player.active = playing
	get_tree().paused = state == State.PAUSED
	Input.mouse_mode = Input.MOUSE_MODE_CAPTURED if playing else Input.MOUSE_MODE_VISIBLE
	state_changed.emit()


## What falls to a grenade in the air after the end is not in the result that is shown.
func _on_slain(count: int) -> void:
	if not is_over():
		kills += count


func _on_exploded(place: Vector3, radius: float, damage: float) -> void:
	explosions.show_at(place, radius)
	crowd.damage_sphere(place, radius, damage)


func _on_beam_hit(from: Vector3, to: Vector3) -> void:
	crowd.damage_ray(from, to, BEAM_DAMAGE * get_physics_process_delta_time())
