class_name LabOverlap
extends Node
## The overlap view: agents as flat discs, coloured by the depth of their deepest overlap.

## Overlaps in radii, with their colours.
const STOPS: PackedFloat32Array = [0.0, 0.05, 0.5, 1.0]
const RAMP: Array[Color] = [Color("8fb8d8"), Color("ffe08a"), Color("ff7a3d"), Color("ff2e63")]
const SHADER := preload("overlap.gdshader")

## The column of the swarm's user floats that the shader reads.
const COLUMN := 0

var swarm: EnemySwarm
var output: MultiMeshInstance2D

var shown := false:
	set(value):
		if shown != value:
			shown = value
			_switch_look()

var _preset := EnemySwarm.CUSTOM_NONE
var _look: Material


func _ready() -> void:
	# After the tick, so that the colours match the positions that are shown.
	process_priority = 100


func _process(_delta: float) -> void:
	if shown:
		swarm.set_user_floats(swarm.get_ids(), swarm.get_overlaps(), COLUMN)
		swarm.draw_agents()


func _switch_look() -> void:
	if shown:
		_preset = swarm.custom_data_preset
		_look = output.material
		swarm.custom_data_preset = EnemySwarm.CUSTOM_USER
		output.material = _new_material()
	else:
		swarm.custom_data_preset = _preset
		output.material = _look
	swarm.draw_agents()


func _new_material() -> ShaderMaterial:
	var material := ShaderMaterial.new()
	material.shader = SHADER
	material.set_shader_parameter(&"ramp", PackedColorArray(RAMP))
	material.set_shader_parameter(&"stops", STOPS)
	return material
