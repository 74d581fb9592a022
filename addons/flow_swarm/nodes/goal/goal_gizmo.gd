@tool
extends RefCounted
## The gizmo of a goal: its area, and the distances of FLEE and RANGE. Grey without a goal.

const PlacedGoal := preload("placed_goal.gd")
const Strokes := preload("../shared/strokes.gd")
const COLORS: Dictionary[int, Color] = {
	FlowFieldManager.GOAL_KIND_SEEK: Color("8da5f3"),
	FlowFieldManager.GOAL_KIND_FLEE: Color("fc7f7f"),
	FlowFieldManager.GOAL_KIND_RANGE: Color("ffd684"),
}
const OFF := Color(0.6, 0.6, 0.6, 0.8)


## Adds the lines of a goal in a frame. The unit is the radius of its mark.
static func draw(
	strokes: Strokes, goal: PlacedGoal, frame: Transform2D, is_on: bool, unit: float
) -> void:
	if not frame.is_finite():
		return
	var color := COLORS[goal.kind] if is_on else OFF
	strokes.add_line(frame * goal.shape.get_outline(), color)
	strokes.add_cross(frame.origin, 0.5 * unit, color)
	strokes.add_circle(frame.origin, unit, color)
	match goal.kind:
		FlowFieldManager.GOAL_KIND_FLEE:
			strokes.add_circle(frame.origin, goal.reach, Color(color, 0.5))
		FlowFieldManager.GOAL_KIND_RANGE:
			strokes.add_circle(frame.origin, goal.least, Color(color, 0.5))
			strokes.add_circle(frame.origin, goal.most, Color(color, 0.5))
