class_name Horde
extends Node2D
## A survival game: one hero in a walled arena against waves of up to 50,000 enemies, which follow
## one flow field. This script connects the parts and stores whether the game is running.

signal state_changed

enum State { PLAYING, PAUSED, LOST, WON }

## The distance beyond the screen within which enemies still count as visible.
const SEEN_MARGIN := 120.0

## The hero's level at the start; higher for a game that begins with a large wave.
@export var start_level := 1

var state := State.PLAYING
var kills := 0
## The duration of the game so far, in seconds.
var time := 0.0

@onready var manager: FlowFieldManager = $Manager
@onready var swarm: EnemySwarm = $Swarm
@onready var enemies: HordeEnemies = $Enemies
@onready var waves: HordeWaves = $Waves
@onready var growth: HordeGrowth = $Growth
@onready var ground: HordeGround = $Ground
@onready var player: HordePlayer = $Player
@onready var blades: HordeBlades = $Blades
@onready var bolts: HordeBolts = $Bolts
@onready var nova: HordeNova = $Nova
@onready var camera: HordeCamera = $Camera
@onready var hud: HordeHud = $Interface/Hud


func _ready() -> void:
	RenderingServer.set_default_clear_color(HordePalette.BACKGROUND)
	_set_up_arena()
	_hand_out_parts()
	_connect_parts()
	enemies.set_up()
	hud.set_up(self)
	restart()


func _exit_tree() -> void:
	get_tree().paused = false


func _process(_delta: float) -> void:
	ground.set_light(player.position)


func _physics_process(delta: float) -> void:
	enemies.chase(player.position)
	# Visible enemies steer in every tick, the others only in some.
	swarm.focus_rect = camera.get_view().grow(SEEN_MARGIN)
	if state == State.PLAYING:
		time += delta


## Starts a new game on the same arena.
func restart() -> void:
	kills = 0
	time = 0.0
	enemies.reset()
	($Bursts as HordeBodies).reset()
	($Stains as HordeBodies).reset()
	growth.reset()
	blades.reset()
	bolts.reset()
	nova.reset()
	waves.reset()
	player.reset(HordeArena.get_center())
	camera.reset()
	for i in start_level - 1:
		growth.grow()
	_enter(State.PLAYING)


## Fires the hero's nova if the game is running and the nova is ready.
func strike() -> void:
	if state == State.PLAYING:
		nova.fire()


func is_over() -> bool:
	return state == State.LOST or state == State.WON


func toggle_pause() -> void:
	if state == State.PLAYING:
		_enter(State.PAUSED)
	elif state == State.PAUSED:
		_enter(State.PLAYING)


func _enter(next: State) -> void:
	state = next
	get_tree().paused = state == State.PAUSED
	state_changed.emit()


func _set_up_arena() -> void:
	var cells := HordeArena.build()
	manager.grid_size = HordeArena.SIZE
	manager.cell_size = HordeArena.CELL
	manager.set_terrain_bytes(cells)
	swarm.output = $Crowd
	ground.show_terrain(cells, HordeArena.SIZE, HordeArena.CELL)


func _hand_out_parts() -> void:
	enemies.manager = manager
	enemies.swarm = swarm
	enemies.bursts = $Bursts
	enemies.stains = $Stains
	player.manager = manager
	player.swarm = swarm
	blades.enemies = enemies
	blades.player = player
	bolts.enemies = enemies
	bolts.player = player
	bolts.manager = manager
	nova.enemies = enemies
	nova.player = player
	waves.enemies = enemies
	waves.player = player
	growth.blades = blades
	growth.bolts = bolts
	growth.nova = nova
	growth.player = player
	camera.player = player


func _connect_parts() -> void:
	enemies.slain.connect(_on_slain)
	player.died.connect(_on_died)
	nova.fired.connect(camera.shake.bind(1.0))
	waves.all_ended.connect(_enter.bind(State.WON))


func _on_slain(kinds: PackedInt32Array) -> void:
	kills += kinds.size()
	growth.learn(kinds)


func _on_died() -> void:
	camera.shake(1.6)
	_enter(State.LOST)
