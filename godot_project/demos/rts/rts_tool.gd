class_name RtsTool
extends Node2D
## The action of the left mouse button. Positions are in world units.


## The button is pressed.
func press(_place: Vector2, _shift: bool) -> void:
	pass


## The button is pressed for the second time in quick succession.
func press_again(place: Vector2, shift: bool) -> void:
	press(place, shift)


## The pointer moves, with or without the button pressed.
func point_at(_place: Vector2) -> void:
	pass


## The button is released.
func release(_place: Vector2, _shift: bool) -> void:
	pass


## The right button is pressed. Returns whether the tool has handled it.
func use_right(_place: Vector2) -> bool:
	return false


## The tool becomes active or inactive.
func start() -> void:
	pass


func stop() -> void:
	pass
