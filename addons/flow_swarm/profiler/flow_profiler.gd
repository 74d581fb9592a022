@tool
@icon("../icons/FlowProfiler.svg")
class_name FlowProfiler
extends CanvasLayer
## Shows in the running game what managers and swarms take: times, fields, tiles, agents, memory.
##
## Add one to a scene. Each row has a custom monitor of the engine, its value now and a graph of the
## last two seconds. The editor shows the same monitors under [i]Debugger > Monitors[/i] while the
## game runs; for that, no node is needed.

const Rows := preload("profiler_rows.gd")

## The key that shows and hides the overlay. KEY_NONE stands for none.
@export var toggle_key := KEY_F3
## The size of the text, in pixels.
@export_range(8, 48) var font_size := 14:
	set(value):
		if value < 4 or value > 256:
			push_error("FlowProfiler.font_size: must be in 4..256, not %d" % value)
			return
		font_size = value
		if _rows != null:
			_rows.font_size = value

var _rows: Rows


func _init() -> void:
	layer = 100


func _ready() -> void:
	if Engine.is_editor_hint():
		return
	_rows = Rows.new()
	_rows.font_size = font_size
	add_child(_rows)


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if key != null and key.pressed and not key.echo and toggle_key != KEY_NONE:
		if key.keycode == toggle_key:
			visible = not visible
			get_viewport().set_input_as_handled()
