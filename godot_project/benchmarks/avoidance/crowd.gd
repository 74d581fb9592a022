extends RefCounted
## Where agents start and want to go: the same for all contestants.
##
## Lengths are metres. Agents start at random in the squares of a lattice, one in each, so that
## no agent touches another, and go to the place of another: a quarter of an agent per square metre,
## and all cross the ways of others.

const RADIUS := 0.5
const SPACING := 2.0
const MAX_SPEED := 1.5
const NEIGHBOUR_RADIUS := 5.0
const MAX_NEIGHBOURS := 10
const TIME_HORIZON := 2.0
const DELTA := 1.0 / 60.0

var starts := PackedVector2Array()
var targets := PackedVector2Array()
## Edge length of the square that they are in.
var side := 0.0


func _init(count: int, random_seed: int) -> void:
	var random := RandomNumberGenerator.new()
	random.seed = random_seed
	var columns := ceili(sqrt(count))
	side = columns * SPACING
	starts = _lattice(random, columns, count)
	targets = _lattice(random, columns, count)


## How much nearer to their targets agents at `positions` are than at the start, per agent in
## metres.
func progress(positions: PackedVector2Array) -> float:
	var sum := 0.0
	for index in positions.size():
		sum += starts[index].distance_to(targets[index])
		sum -= positions[index].distance_to(targets[index])
	return sum / positions.size()


func _lattice(random: RandomNumberGenerator, columns: int, count: int) -> PackedVector2Array:
	var squares := PackedInt32Array(range(columns * columns))
	for last in range(squares.size() - 1, 0, -1):
		var other := random.randi_range(0, last)
		var kept := squares[last]
		squares[last] = squares[other]
		squares[other] = kept
	var places := PackedVector2Array()
	var most := SPACING - RADIUS - 0.01
	for index in count:
		var corner := Vector2(squares[index] % columns, squares[index] / columns) * SPACING
		var inside := Vector2(
			random.randf_range(RADIUS + 0.01, most), random.randf_range(RADIUS + 0.01, most)
		)
		places.append(corner + inside)
	return places
