class_name RtsTickClock
extends Node
## Measures the time of physics ticks, with all the work in them.

## The number of ticks that the figures include.
const WINDOW := 300

var last_ms := 0.0

var _begin := 0
var _times := PackedFloat32Array()
var _at := 0


func _ready() -> void:
	process_physics_priority = 1000
	get_tree().physics_frame.connect(func() -> void: _begin = Time.get_ticks_usec())


func _physics_process(_delta: float) -> void:
	# The manager and the swarm work in deferred calls, which are before this one.
	_end_tick.call_deferred()


func _end_tick() -> void:
	last_ms = (Time.get_ticks_usec() - _begin) / 1000.0
	if _times.size() < WINDOW:
		_times.append(last_ms)
	else:
		_times[_at] = last_ms
		_at = (_at + 1) % WINDOW


func get_median() -> float:
	var sorted := _times.duplicate()
	sorted.sort()
	return sorted[sorted.size() / 2] if not sorted.is_empty() else 0.0


func get_worst() -> float:
	var worst := 0.0
	for time: float in _times:
		worst = maxf(worst, time)
	return worst
