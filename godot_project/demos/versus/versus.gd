class_name Versus
extends Node2D
## Two players' battle over the network: each machine simulates the whole battle, and only orders
## are sent. This script connects the parts, and opens and leaves games.
##
## After `--`: `--host`, `--join=ADDRESS` and `--bot` do what the buttons do; `--port=N` is another
## port than 4433.

const BATTLE := preload("res://demos/versus/versus_battle.tscn")

var battle: VersusBattle
var port := VersusBattle.PORT
## The battle of the bot's machine, which is in this process too.
var mirror: VersusBattle

var _other: Node

@onready var ground: VersusGround = $Ground
@onready var hand: VersusHand = $Hand
@onready var sparks: VersusSparks = $Sparks
@onready var camera: Camera2D = $Camera
@onready var hud: VersusHud = $Interface/Hud
@onready var lobby: VersusLobby = $Interface/Lobby


func _ready() -> void:
	RenderingServer.set_default_clear_color(LabTheme.BACKGROUND)
	# A multiplayer interface of its own, so that the second machine of a bot can have another.
	get_tree().set_multiplayer(SceneMultiplayer.new(), get_path())
	lobby.host_chosen.connect(host)
	lobby.join_chosen.connect(join)
	lobby.bot_chosen.connect(play_against_bot)
	_read_arguments()


func _exit_tree() -> void:
	multiplayer.multiplayer_peer = null
	# At the end of the program the other machine is gone before this one.
	if is_instance_valid(_other) and _other.is_inside_tree():
		mirror.lockstep.stop()
		get_tree().set_multiplayer(null, _other.get_path())
		_other.queue_free()
	get_tree().set_multiplayer(null, get_path())


func _process(_delta: float) -> void:
	var size := get_viewport_rect().size
	var field := Vector2(VersusMap.SIZE) * VersusMap.CELL
	camera.zoom = Vector2.ONE * minf(size.x / field.x, size.y / field.y)


func host() -> void:
	_new_battle()
	if battle.lockstep.host(port) == OK:
		lobby.hide()
	else:
		lobby.show_status("Port %d cannot be opened." % port, LabTheme.BAD)


func join(address: String) -> void:
	_new_battle()
	battle.lockstep.player_name = "guest"
	lobby.show_status("Asking %s ..." % address)
	if battle.lockstep.join(address, port) != OK:
		lobby.show_status("%s cannot be reached." % address, LabTheme.BAD)


## Hosts a game, and has a bot join it from this process, as a machine of its own.
func play_against_bot() -> void:
	host()
	if not battle.lockstep.is_running():
		return
	# Its soldiers are drawn in a viewport that is not shown.
	_other = SubViewport.new()
	_other.name = "VersusBot"
	get_tree().root.add_child.call_deferred(_other)
	await get_tree().process_frame
	get_tree().set_multiplayer(SceneMultiplayer.new(), _other.get_path())
	mirror = BATTLE.instantiate() as VersusBattle
	_other.add_child(mirror)
	_add_bot(mirror)
	var peer := multiplayer.multiplayer_peer as ENetMultiplayerPeer
	mirror.lockstep.join("127.0.0.1", peer.host.get_local_port())


## Has a bot play this machine's side.
func add_bot() -> void:
	_add_bot(battle)


func _add_bot(side: VersusBattle) -> void:
	var bot := VersusBot.new()
	bot.battle = side
	side.add_child(bot)


func _new_battle() -> void:
	if battle != null:
		battle.free()
	battle = BATTLE.instantiate() as VersusBattle
	battle.name = "Battle"
	add_child(battle)
	# Between the ground and what is drawn over soldiers.
	move_child(battle, ground.get_index() + 1)
	battle.lockstep.player_name = "host"
	battle.lockstep.started.connect(lobby.hide)
	battle.lockstep.ended.connect(_on_ended)
	battle.lockstep.desynced.connect(_on_desynced)
	battle.struck.connect(sparks.show_blows)
	ground.battle = battle
	hand.battle = battle
	hud.battle = battle


func _on_ended(reason: String) -> void:
	lobby.show()
	lobby.show_status("The game is over: %s." % reason, LabTheme.WARM)


func _on_desynced(report: Dictionary) -> void:
	push_warning("versus: apart at tick %d: %s" % [report["tick"], report["difference"]])
	if battle.lockstep.is_host():
		battle.lockstep.resend_world(report["player"])


func _read_arguments() -> void:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--port="):
			port = argument.get_slice("=", 1).to_int()
	for argument: String in OS.get_cmdline_user_args():
		if argument == "--host":
			host()
		elif argument == "--bot":
			play_against_bot()
		elif argument.begins_with("--join="):
			join(argument.get_slice("=", 1))
