extends "res://tests/test_suite.gd"
## EnemySwarm: units of a crowd are ordered about by putting them into groups.

const LEFT := 7
const RIGHT := 255

var manager: FlowFieldManager
var swarm: EnemySwarm
var ids: PackedInt64Array


## Twenty agents in the middle of an open map, whose groups go to its two ends by tiles.
func _open_field() -> void:
	manager = new_manager(Vector2i(80, 40))
	swarm = new_swarm(manager)
	for end: Array in [[LEFT, 2], [RIGHT, 77]]:
		var target := manager.get_cell_center(Vector2i(end[1] as int, 20))
		var goal := manager.create_goal(
			PackedVector2Array([target]), FlowFieldManager.GOAL_MODE_TILED
		)
		swarm.set_group_goal(end[0] as int, goal)
	var places := PackedVector2Array()
	for i in 20:
		places.append(Vector2(640.0, 30.0 + 29.0 * i))
	ids = swarm.spawn_many(places)


func _run(count: int) -> void:
	for i in count:
		manager.update()
		swarm.step(1.0 / 60.0)


func test_those_that_are_put_into_a_group_go_where_it_goes() -> void:
	_open_field()
	check_eq(swarm.set_agent_group(ids.slice(0, 8), LEFT), OK, "left")
	check_eq(swarm.set_agent_group(ids.slice(8, 12), RIGHT), OK, "right")
	var groups := swarm.get_agent_groups()
	check_eq([groups.count(LEFT), groups.count(RIGHT), groups.count(0)], [8, 4, 8], "groups")
	check_eq(groups[swarm.get_ids().find(ids[0])], LEFT, "in the order of the ids")
	_run(90)
	for i in ids.size():
		var speed := swarm.get_agent_velocity(ids[i]).x
		if i < 8:
			check(speed < -20.0, "agent %d goes left: %f" % [i, speed])
		elif i < 12:
			check(speed > 20.0, "agent %d goes right: %f" % [i, speed])
		else:
			check(absf(speed) < 1.0, "agent %d stands: %f" % [i, speed])
	check_eq(swarm.set_agent_group(ids, 0), OK, "back")
	_run(60)
	check(swarm.get_agent_velocity(ids[0]).length() < 1.0, "and they stop")


func test_bad_groups_and_ids_are_refused() -> void:
	_open_field()
	for group: int in [-1, 256]:
		var result: int = expect_error(
			["EnemySwarm.set_agent_group", "group", str(group)],
			func() -> int: return swarm.set_agent_group(ids, group)
		)
		check_eq(result, ERR_INVALID_PARAMETER, "result")
	swarm.despawn(PackedInt64Array([ids[4]]))
	expect_error(
		["EnemySwarm.set_agent_group", "agent", str(ids[4])],
		func() -> int: return swarm.set_agent_group(ids, LEFT)
	)
	check_eq(swarm.get_agent_groups().count(LEFT), 0, "none has changed")
