class_name RtsTool
extends Node2D
## What the left mouse button does at the moment. Places are world units.


## The button goes down.
func press(_place: Vector2, _shift: bool) -> void:
	pass


## The button goes down for the second time in quick succession.
func press_again(place: Vector2, shift: bool) -> void:
	press(place, shift)


## The pointer moves, with the button down or not.
func point_at(_place: Vector2) -> void:
	pass


## The button goes up.
func release(_place: Vector2, _shift: bool) -> void:
	pass


## The right button is pressed. Returns whether the tool has taken care of it.
func use_right(_place: Vector2) -> bool:
	return false


## The tool is taken in hand or laid down.
func start() -> void:
	pass


func stop() -> void:
	pass
