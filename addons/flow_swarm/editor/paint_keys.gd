@tool
extends RefCounted
## Keys of the painter, as in the editor of TileMapLayers.

const Painter := preload("paint/terrain_painter.gd")
const TOOLS: Dictionary[Key, Painter.Tool] = {
	KEY_D: Painter.Tool.PAINT,
	KEY_L: Painter.Tool.LINE,
	KEY_R: Painter.Tool.RECT,
	KEY_B: Painter.Tool.FILL,
	KEY_P: Painter.Tool.PICK,
	KEY_S: Painter.Tool.STAMP,
	KEY_K: Painter.Tool.LINK,
}
const ERASER := KEY_E
const SMALLER := KEY_BRACKETLEFT
const LARGER := KEY_BRACKETRIGHT
const TURNS: Dictionary[Key, int] = {KEY_Z: -1, KEY_X: 1}
const LAYERS: Dictionary[Key, int] = {KEY_PAGEUP: 1, KEY_PAGEDOWN: -1}


## The tool of a press of the mouse: the one that is chosen, unless keys are held that stand for
## another one.
static func tool_of(chosen: Painter.Tool, mouse: InputEventWithModifiers) -> Painter.Tool:
	var control := mouse.is_command_or_control_pressed()
	if chosen == Painter.Tool.PAINT and mouse.shift_pressed:
		return Painter.Tool.RECT if control else Painter.Tool.LINE
	return Painter.Tool.PICK if control and not draws_layout(chosen) else chosen


## Whether a tool draws stamps or links, and not terrain.
static func draws_layout(tool: Painter.Tool) -> bool:
	return tool == Painter.Tool.STAMP or tool == Painter.Tool.LINK


## Whether a key is pressed without others, as keys of tools must be.
static func is_plain(key: InputEventKey) -> bool:
	return key.pressed and key.get_modifiers_mask() == 0
