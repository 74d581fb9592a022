extends "res://tests/test_suite.gd"
## The promise of the field: from every connected cell, walking along it reaches the goal.

const RULES: Array[int] = [
	FlowFieldManager.DIRECTION_BEST_NEIGHBOUR,
	FlowFieldManager.DIRECTION_NEGATIVE_GRADIENT,
	FlowFieldManager.DIRECTION_PREDECESSOR,
	FlowFieldManager.DIRECTION_CHARACTERISTIC,
]
const RULE_NAMES: PackedStringArray = [
	"BEST_NEIGHBOUR", "NEGATIVE_GRADIENT", "PREDECESSOR", "CHARACTERISTIC"
]


## Follows the cell directions from every reachable cell; returns how many do not reach the goal.
func _count_lost_cells(manager: FlowFieldManager, goal: int) -> int:
	var size := manager.grid_size
	var costs := manager.get_integration(goal)
	var directions := manager.get_directions(goal)
	var lost := 0
	for start in costs.size():
		if costs[start] == INF:
			continue
		var cell := Vector2i(start % size.x, start / size.x)
		for hop in size.x * size.y + 1:
			if costs[cell.y * size.x + cell.x] == 0.0:
				break
			cell = _next_cell(manager, cell, directions[cell.y * size.x + cell.x])
			if not manager.is_in_grid(cell) or hop == size.x * size.y:
				lost += 1
				break
	return lost


## The cell that a walker enters from a cell's centre, or (-1, -1) where that is a wall.
func _next_cell(manager: FlowFieldManager, cell: Vector2i, direction: Vector2) -> Vector2i:
	var octant := Vector2i(Vector2.from_angle(snappedf(direction.angle(), PI / 4.0)).round())
	var next := cell + octant
	if direction == Vector2.ZERO or manager.get_terrain_at(next) in [WALL, -1]:
		return -Vector2i.ONE
	if octant.x != 0 and octant.y != 0:
		var corner_x := manager.get_terrain_at(cell + Vector2i(octant.x, 0))
		var corner_y := manager.get_terrain_at(cell + Vector2i(0, octant.y))
		if corner_x == WALL or corner_y == WALL:
			return -Vector2i.ONE
	return next


func test_every_connected_cell_leads_to_the_goal_by_best_neighbour() -> void:
	for size: Vector2i in [Vector2i(1, 1), Vector2i(1, 13), Vector2i(37, 91), Vector2i(60, 20)]:
		for share: float in [0.0, 0.15, 0.35]:
			var manager := new_manager(size)
			manager.direction_rule = FlowFieldManager.DIRECTION_BEST_NEIGHBOUR
			walls_at_random(manager, share, size.x * 31 + int(share * 100.0))
			manager.set_terrain(Vector2i(0, 0), 1)
			var goal := new_goal(manager, Vector2i(0, 0))
			check_eq(_count_lost_cells(manager, goal), 0, "%s with %f walls" % [size, share])
			manager.free()


func test_walking_the_blended_field_reaches_the_goal_with_every_rule() -> void:
	for rule: int in RULES:
		for penalty: int in [0, 20]:
			var manager := new_manager(Vector2i(37, 29))
			walls_at_random(manager, 0.25, 11)
			manager.set_terrain(Vector2i(18, 14), 1)
			var type := FlowMovementType.new()
			type.wall_penalty = penalty
			manager.movement_types = [type]
			manager.direction_rule = rule
			var goal := new_goal(manager, Vector2i(18, 14))
			var what := "%s, penalty %d" % [RULE_NAMES[rule], penalty]
			check_eq(_count_stranded_walkers(manager, goal), 0, what)
			manager.free()


## Sends a small agent from every reachable cell and counts those that do not arrive.
func _count_stranded_walkers(manager: FlowFieldManager, goal: int) -> int:
	var swarm := new_swarm(manager, goal)
	swarm.arrival_action = 1
	swarm.separation = false
	var type := SwarmAgentType.new()
	type.radius = 2.0
	type.max_speed = 120.0
	type.acceleration = 2000.0
	swarm.agent_types = [type]
	var costs := manager.get_integration(goal)
	var places := PackedVector2Array()
	for i in costs.size():
		if costs[i] < INF:
			var cell := Vector2i(i % manager.grid_size.x, i / manager.grid_size.x)
			places.append(manager.get_cell_center(cell))
	swarm.spawn_many(places)
	for i in 3600:
		swarm.step(1.0 / 60.0)
		if swarm.get_agent_count() == 0:
			break
	var left := swarm.get_agent_count()
	swarm.free()
	return left


func test_costs_equal_a_plain_search() -> void:
	for size: Vector2i in [Vector2i(1, 9), Vector2i(17, 23), Vector2i(24, 11)]:
		var manager := new_manager(size)
		manager.solver = FlowFieldManager.SOLVER_OCTILE
		var random := RandomNumberGenerator.new()
		random.seed = size.x
		var bytes := PackedByteArray()
		for i in size.x * size.y:
			bytes.append(WALL if random.randf() < 0.2 else random.randi_range(1, 9))
		bytes[0] = 1
		manager.set_terrain_bytes(bytes)
		var goal := new_goal(manager, Vector2i.ZERO)
		var expected := _search(bytes, size)
		var actual := manager.get_integration(goal)
		for i in expected.size():
			var same := (
				expected[i] == actual[i] or absf(expected[i] - actual[i]) < 0.002 * expected[i]
			)
			check(same, "%s cell %d: expected %f, got %f" % [size, i, expected[i], actual[i]])


## Cost to cell 0 by relaxing until nothing changes. Entering a cell costs what it holds; a step
## towards the goal therefore pays for the cell it leaves.
func _search(bytes: PackedByteArray, size: Vector2i) -> PackedFloat32Array:
	var costs := PackedFloat32Array()
	costs.resize(bytes.size())
	costs.fill(INF)
	costs[0] = 0.0
	var changed := true
	while changed:
		changed = false
		for y in size.y:
			for x in size.x:
				var i := y * size.x + x
				if costs[i] == INF:
					continue
				for dy in range(maxi(-1, -y), mini(1, size.y - 1 - y) + 1):
					for dx in range(maxi(-1, -x), mini(1, size.x - 1 - x) + 1):
						var j := i + dy * size.x + dx
						if bytes[j] == WALL or i == j:
							continue
						if bytes[i + dx] == WALL or bytes[i + dy * size.x] == WALL:
							continue
						var length := sqrt(2.0) if dx != 0 and dy != 0 else 1.0
						var cost := costs[i] + length * bytes[j]
						if cost < costs[j] - 1e-4:
							costs[j] = cost
							changed = true
	return costs


func test_wall_penalty_leaves_narrow_winding_corridors_passable() -> void:
	for rule: int in RULES:
		var manager := new_manager(Vector2i(21, 9))
		draw_map(
			manager,
			[
				".....................",
				"####################.",
				".....................",
				".####################",
				".....................",
				"####################.",
				".....................",
				".####################",
				".....................",
			]
		)
		var type := FlowMovementType.new()
		type.wall_penalty = 253
		type.wall_penalty_radius = 2
		manager.movement_types = [type]
		manager.direction_rule = rule
		var goal := new_goal(manager, Vector2i(20, 8))
		check_eq(_count_stranded_walkers(manager, goal), 0, RULE_NAMES[rule])
		manager.free()


func test_dear_ground_is_walked_around() -> void:
	var manager := new_manager(Vector2i(15, 9))
	manager.set_terrain_rect(Rect2i(5, 1, 5, 7), 50)
	var goal := new_goal(manager, Vector2i(14, 4))
	for place: Vector2 in manager.get_path_from(goal, manager.get_cell_center(Vector2i(0, 4))):
		check_eq(manager.get_terrain_at(manager.get_cell(place)), 1, "on clear ground")


func test_corners_are_never_cut() -> void:
	var manager := new_manager(Vector2i(2, 2))
	manager.solver = FlowFieldManager.SOLVER_OCTILE
	draw_map(manager, [".#", "#."])
	var goal := new_goal(manager, Vector2i(0, 0))
	check_eq(manager.get_integration(goal)[3], INF, "no way between two walls that touch")
	manager.set_terrain(Vector2i(1, 0), 1)
	manager.update()
	check_near(manager.get_integration(goal)[3], 2.0, 1e-3, "around the one that is left")


func test_the_direction_rule_can_be_changed_at_any_time() -> void:
	var manager := new_manager(Vector2i(30, 20))
	draw_map(manager, ["", "", "", "", "......########"])
	var goal := new_goal(manager, Vector2i(29, 0))
	var seen: Array[PackedVector2Array] = []
	for rule: int in RULES:
		manager.direction_rule = rule
		manager.update()
		var directions := manager.get_directions(goal)
		check(not seen.has(directions), "%s differs from those before" % RULE_NAMES[rule])
		seen.append(directions)
	manager.direction_rule = FlowFieldManager.DIRECTION_BEST_NEIGHBOUR
	manager.update()
	check(manager.get_directions(goal) == seen[0], "and back")


func test_predecessor_charges_for_diagonals_and_steps_to_neighbours() -> void:
	var manager := new_manager(Vector2i(9, 9))
	draw_map(manager, ["", "", "...##", ""])
	manager.set_terrain(Vector2i(8, 0), 5)
	manager.direction_rule = FlowFieldManager.DIRECTION_PREDECESSOR
	var goal := new_goal(manager, Vector2i(0, 0))
	var costs := manager.get_integration(goal)
	check_near(costs[4], 4.0, 1e-4, "straight steps count 1")
	check_near(costs[10], 4.0 / 3.0, 1e-4, "a diagonal one 4/3")
	check_near(costs[8], 7.0 + 11.0 / 3.0, 1e-4, "slow ground is left at (2 * 5 + 1) / 3")
	check_eq(_count_lost_cells(manager, goal), 0, "every cell leads to the goal")
	var directions := manager.get_directions(goal)
	for i in directions.size():
		var angle := directions[i].angle()
		check_near(angle, snappedf(angle, PI / 4.0), 1e-4, "one of eight, in cell %d" % i)
	manager.solver = FlowFieldManager.SOLVER_OCTILE
	manager.direction_rule = FlowFieldManager.DIRECTION_BEST_NEIGHBOUR
	manager.update()
	check_near(manager.get_integration(goal)[10], sqrt(2.0), 1e-3, "octile costs again")


func test_threads_do_not_change_the_field() -> void:
	var fields: Array[PackedFloat32Array] = []
	for threads: int in [1, 2, 3]:
		var manager := new_manager(Vector2i(301, 157))
		manager.worker_threads = threads
		walls_at_random(manager, 0.2, 5)
		manager.set_terrain(Vector2i(150, 80), 1)
		var goal := new_goal(manager, Vector2i(150, 80))
		fields.append(manager.get_integration(goal))
	check(fields[0] == fields[1] and fields[1] == fields[2], "bit-identical")


func test_the_solver_can_be_changed_at_any_time() -> void:
	var manager := new_manager(Vector2i(30, 20))
	var goal := new_goal(manager, Vector2i(4, 4))
	var place := manager.get_cell_center(Vector2i(4 + 12, 4 + 5))
	check_near(manager.get_cost_to_goal(goal, place), 13.0, 0.13, "EIKONAL: as the crow flies")
	manager.solver = FlowFieldManager.SOLVER_OCTILE
	var octile := 7.0 + 5.0 * sqrt(2.0)
	check_near(manager.get_cost_to_goal(goal, place), octile, 0.01, "OCTILE: over neighbours")
	manager.solver = FlowFieldManager.SOLVER_EIKONAL
	check_near(manager.get_cost_to_goal(goal, place), 13.0, 0.13, "and back")
	expect_error(["FlowFieldManager.solver", "2"], func() -> void: manager.solver = 2)
	check_eq(manager.solver, FlowFieldManager.SOLVER_EIKONAL, "unchanged")


func test_characteristics_lead_straight_across_open_ground() -> void:
	var manager := new_manager(Vector2i(60, 40))
	check_eq(manager.direction_rule, FlowFieldManager.DIRECTION_CHARACTERISTIC, "the default")
	var goal := new_goal(manager, Vector2i(50, 30))
	var target := manager.get_cell_center(Vector2i(50, 30))
	for cell: Vector2i in [Vector2i(0, 0), Vector2i(3, 39), Vector2i(49, 1), Vector2i(10, 22)]:
		var place := manager.get_cell_center(cell) + Vector2(3.0, -5.0)
		var straight := place.direction_to(target)
		check_near_vector(manager.get_flow_vector(goal, place), straight, 1e-3, "from %s" % cell)
