class_name HordeBodies
extends MultiMeshInstance2D
## The remains of killed enemies: bursts that fly apart, or stains on the floor. The instances are
## used in turns: one is written when an enemy is killed, and from then on only the shader animates
## it.

const CAPACITY := 2048
## The time of unused instances, before all other times.
const NEVER := -1000.0

## The time in seconds for which an instance is visible.
@export var life := 0.5

var _next := 0
var _now := 0.0
var _random := RandomNumberGenerator.new()


func _ready() -> void:
	var mesh := QuadMesh.new()
	multimesh = MultiMesh.new()
	multimesh.use_colors = true
	multimesh.use_custom_data = true
	multimesh.mesh = mesh
	multimesh.instance_count = CAPACITY
	# Otherwise it would be culled by the first positions of its instances.
	var bounds := Rect2(Vector2.ZERO, Vector2(HordeArena.SIZE) * HordeArena.CELL)
	multimesh.custom_aabb = AABB(
		Vector3(bounds.position.x, bounds.position.y, -1.0),
		Vector3(bounds.size.x, bounds.size.y, 2.0)
	)
	RenderingServer.canvas_item_set_custom_rect(get_canvas_item(), true, bounds)
	(material as ShaderMaterial).set_shader_parameter(&"life", life)
	reset()


func _process(delta: float) -> void:
	_now += delta
	(material as ShaderMaterial).set_shader_parameter(&"now", _now)


func reset() -> void:
	for i in CAPACITY:
		multimesh.set_instance_custom_data(i, Color(NEVER, 0.0, 0.0, 0.0))


## Adds an enemy that was killed at a position, with a burst as wide as `size`, hit in the direction
## `away`.
func add(place: Vector2, size: float, color: Color, away: Vector2) -> void:
	var turn := Transform2D(away.angle(), Vector2(size, size), 0.0, place)
	multimesh.set_instance_transform_2d(_next, turn)
	multimesh.set_instance_color(_next, color)
	multimesh.set_instance_custom_data(_next, Color(_now, _random.randf(), 0.0, 0.0))
	_next = (_next + 1) % CAPACITY
