extends "res://tests/test_suite.gd"
## The attackers of the siege demo: they stand on all floors, cross the bridge and pass below it,
## climb ladders, come through the gate and fall.

const STEP := 1.0 / 60.0
## The numbers of an instance: its transform, colour and custom data.
const INSTANCE := 20
const MIDDLE := (SiegeOutworks.BRIDGE_FROM + SiegeOutworks.BRIDGE_TO) * 0.5

var game: Siege
var crowd: SiegeCrowd


## The game with no enemy in it, which goes on only in _run().
func _open() -> void:
	game = (load("res://demos/siege/siege.tscn") as PackedScene).instantiate() as Siege
	scene.add_child(game)
	await physics_frames(4)
	crowd = game.crowd
	crowd.swarm.auto_step = false
	game.process_mode = Node.PROCESS_MODE_DISABLED


func _run(ticks: int) -> void:
	for tick in ticks:
		crowd._physics_process(STEP)
		crowd.swarm.step(STEP)


func _run_until(condition: Callable, limit: int) -> bool:
	for tick in limit / 10:
		if condition.call():
			return true
		_run(10)
	return condition.call()


func _ground(x: float, z: float) -> Vector3:
	return Vector3(x, SiegeGround.surface_at(x, z), z)


## How many attackers are where a test of their place says so.
func _count(test: Callable) -> int:
	var count := 0
	for id in crowd.swarm.get_ids():
		count += int(test.call(crowd.get_place(id)) as bool)
	return count


## The places of all drawn attackers.
func _drawn() -> PackedVector3Array:
	var places := PackedVector3Array()
	for part: Dictionary in crowd.swarm.get_drawn_counts():
		var buffer := (part["node"] as MultiMeshInstance3D).multimesh.buffer
		for i: int in part["count"]:
			var at := i * INSTANCE
			places.append(Vector3(buffer[at + 3], buffer[at + 7], buffer[at + 11]))
	return places


func test_attackers_stand_on_the_ground() -> void:
	await _open()
	crowd.spawn(SiegeCrowd.Kind.SOLDIER, 60, _ground(2.0, 62.0))
	crowd.spawn(SiegeCrowd.Kind.SOLDIER, 60, _ground(-62.0, 78.0))
	crowd.spawn(SiegeCrowd.Kind.BEAST, 20, _ground(60.0, 60.0))
	var farthest := 0.0
	var seen := 0
	for look in 8:
		_run(60)
		for place in _drawn():
			var at := Vector2(place.x, place.z)
			var ends := absf(absf(at.y - MIDDLE) - 9.5)
			# The ends of the bridge join two floors.
			if absf(at.x) < SiegeOutworks.BRIDGE_WIDTH * 0.5 + 0.6 and ends < 1.5:
				continue
			var off := absf(place.y - SiegeGround.surface_at(at.x, at.y))
			if SiegeOutworks.is_on_bridge(at):
				off = minf(off, absf(place.y - SiegeOutworks.BRIDGE_TOP))
			farthest = maxf(farthest, off)
			seen += 1
	check(seen > 1000, "%d places" % seen)
	check(farthest < 0.05, "%.3f m from the ground" % farthest)


func test_attackers_pass_over_and_below_the_bridge() -> void:
	await _open()
	crowd.spawn(SiegeCrowd.Kind.SOLDIER, 60, _ground(3.0, 60.0), SiegeCrowd.Party.GATE)
	var below := crowd.spawn(
		SiegeCrowd.Kind.SOLDIER, 20, _ground(-24.0, 40.0), SiegeCrowd.Party.DITCH_EAST
	)
	var on_bridge := func(place: Vector3) -> bool:
		return SiegeOutworks.is_on_bridge(Vector2(place.x, place.z))
	var over := func(place: Vector3) -> bool: return on_bridge.call(place) and place.y > 5.4
	var under := func(place: Vector3) -> bool: return on_bridge.call(place) and place.y < 3.0
	var both := func() -> bool: return _count(over) > 3 and _count(under) > 3
	check(_run_until(both, 900), "%d over %d" % [_count(over), _count(under)])
	var deck := Vector3(0.0, SiegeOutworks.BRIDGE_TOP, MIDDLE)
	var fell := crowd.damage_sphere(deck, 2.5, 100.0)
	check(fell > 0, "a blast on the deck")
	for id in below:
		check(crowd.swarm.get_agent_state(id) != EnemySwarm.AGENT_CORPSE, "hurts none below")
	var beyond := func() -> bool:
		return _count(func(place: Vector3) -> bool: return place.x > 8.0 and place.y < 4.0) > 5
	check(_run_until(beyond, 900), "they come out on the other side")


func test_a_party_raises_a_ladder_and_climbs_it() -> void:
	await _open()
	var ladder := crowd.ladders[0]
	var foot := _ground(ladder.foot.x, ladder.foot.y + 3.0)
	crowd.spawn(SiegeCrowd.Kind.BEAST, 4, foot, SiegeCrowd.Party.LADDERS)
	crowd.spawn(SiegeCrowd.Kind.SOLDIER, 24, foot, SiegeCrowd.Party.LADDERS)
	_run(120)
	check_eq(ladder.link, 0, "not at once")
	check(_run_until(func() -> bool: return ladder.link != 0, 900), "raised")
	var climbs := func() -> bool: return not crowd.swarm.get_travelling_agents().is_empty()
	check(_run_until(climbs, 600), "one climbs")
	for id in crowd.swarm.get_travelling_agents():
		check_eq(crowd.swarm.get_agent_clip(id), "climb", "hand over hand")
	_run(60)
	var between := func(place: Vector3) -> bool: return place.y > 7.0 and place.y < 11.0
	check(_count(between) > 0, "on the rungs")
	var up := func(place: Vector3) -> bool: return absf(place.y - SiegeWall.TOP) < 0.05
	check(_run_until(func() -> bool: return _count(up) > 5, 900), "on the walk: %d" % _count(up))
	var in_town := func(place: Vector3) -> bool:
		var at := Vector2(place.x, place.z)
		return SiegeGround.distance_to_town(at) < -4.5 and place.y < 7.0
	check(_run_until(func() -> bool: return _count(in_town) > 3, 1500), "down the stairs")
	for id in crowd.swarm.get_ids():
		var place := crowd.get_place(id)
		var is_beast := crowd.swarm.get_agent_type(id) == SiegeCrowd.Kind.BEAST
		check(not is_beast or place.y < 7.0, "beasts stay below: %s" % place)
		check(is_beast or crowd.swarm.get_agent_clip(id) != "climb" or place.y < 12.6, "off it")
	crowd.reset()
	check_eq(ladder.link, 0, "no ladder in a new game")


func test_the_way_is_open_when_the_gate_breaks() -> void:
	await _open()
	crowd.spawn(SiegeCrowd.Kind.SOLDIER, 30, _ground(0.0, 28.0), SiegeCrowd.Party.GATE)
	crowd.spawn(SiegeCrowd.Kind.BEAST, 6, _ground(0.0, 29.0), SiegeCrowd.Party.GATE)
	_run(400)
	var inside := func(place: Vector3) -> bool:
		return SiegeGround.distance_to_town(Vector2(place.x, place.z)) < -3.0
	check_eq(_count(inside), 0, "shut")
	var before := game.level.gate.health
	var front := game.level.gate.global_position + Vector3(0.0, 0.0, 1.5)
	check(crowd.count_near(front, Siege.GATE_REACH) > 8, "a crowd before it")
	var attack := func(id: int) -> bool: return crowd.swarm.get_agent_clip(id) == "attack"
	var strikers := Array(crowd.swarm.get_ids()).filter(attack)
	check(not strikers.is_empty(), "they strike it")
	game._physics_process(STEP)
	check(game.level.gate.health < before, "it is damaged")
	game.level.gate.take_damage(SiegeGate.FULL_HEALTH)
	await physics_frames(4)
	check(_run_until(func() -> bool: return _count(inside) > 25, 1200), "in: %d" % _count(inside))
	var beasts := 0
	for id in crowd.swarm.get_ids():
		if crowd.swarm.get_agent_type(id) == SiegeCrowd.Kind.BEAST:
			beasts += int(inside.call(crowd.get_place(id)) as bool)
	check(beasts > 3, "%d beasts too" % beasts)
	game.level.gate.reset()
	crowd.reset()
	await physics_frames(4)
	crowd.spawn(SiegeCrowd.Kind.SOLDIER, 30, _ground(0.0, 28.0), SiegeCrowd.Party.GATE)
	_run(400)
	check_eq(_count(inside), 0, "shut again")


func test_damage_fells_and_corpses_lie_where_they_fell() -> void:
	await _open()
	var middle := _ground(30.0, 70.0)
	var ids := crowd.spawn(SiegeCrowd.Kind.SOLDIER, 40, middle)
	_run(2)
	var told: Array[int] = [0]
	crowd.slain.connect(func(count: int) -> void: told[0] += count)
	check_eq(crowd.damage_sphere(middle, 20.0, 1.0), 0, "a scratch")
	check_eq(crowd.swarm.get_agent_clip(ids[0]), "hit", "they reel")
	check_eq(crowd.damage_sphere(middle + Vector3.UP * 30.0, 20.0, 100.0), 0, "high above")
	var place := crowd.get_place(ids[0])
	var from := place + Vector3(-6.0, 4.0, -6.0)
	var chest := place + Vector3.UP
	check(crowd.damage_ray(from, chest, 100.0) > 0, "a ray to the chest")
	check_eq(crowd.swarm.get_agent_state(ids[0]), EnemySwarm.AGENT_CORPSE, "a corpse")
	check_eq(crowd.swarm.get_agent_clip(ids[0]), "death", "it falls")
	var left := crowd.count_alive()
	var over := Vector3.UP * 5.0
	check_eq(crowd.damage_ray(from + over, chest + over, 100.0), 0, "over all heads")
	check_eq(crowd.damage_sphere(middle, 30.0, 100.0), left, "all others")
	check_eq(crowd.count_alive(), 0, "no enemy is alive")
	check_eq(told[0], 40, "each is told once")
	check_eq(crowd.swarm.get_corpses().size(), 40, "they lie there")
	check_eq(crowd.get_place(ids[0]).y, place.y, "where they fell")
	crowd.spawn(SiegeCrowd.Kind.SOLDIER, SiegeWounds.MOST_CORPSES, middle)
	crowd.damage_sphere(middle, 40.0, 100.0)
	check_eq(crowd.swarm.get_corpses().size(), SiegeWounds.MOST_CORPSES, "up to a limit")
	check(not crowd.swarm.has_agent(ids[0]), "the oldest is gone")


func test_attackers_on_the_wall_walk_seek_and_hurt_the_player() -> void:
	await _open()
	var ladder := crowd.ladders[0]
	ladder.raise()
	crowd.spawn(
		SiegeCrowd.Kind.SOLDIER,
		24,
		_ground(ladder.foot.x, ladder.foot.y + 3.0),
		SiegeCrowd.Party.LADDERS
	)
	var struck := func() -> bool:
		for tick in 10:
			game._physics_process(STEP)
		return game.player.health < SiegePlayer.FULL_HEALTH
	check(_run_until(struck, 2400), "struck")
	game.player.take_damage(1000.0)
	check_eq(game.state, Siege.State.LOST, "the game is lost")
	game.restart()
	check_eq(game.player.health, SiegePlayer.FULL_HEALTH, "unhurt in a new game")


func test_a_horde_is_on_all_of_the_land() -> void:
	await _open()
	crowd.spawn_over_land(3000)
	check_eq(crowd.count_alive(), 3000, "all of them")
	check_eq(crowd.swarm.get_types().count(SiegeCrowd.Kind.BEAST), 300, "one of ten is a beast")
	_run(60)
	check_eq(crowd.swarm.get_lost().size(), 0, "all know a way")
	check_eq(_drawn().size(), 3000, "all are drawn, in one level of detail or another")
	crowd.reset()
	check_eq(crowd.count_alive(), 0, "no enemy in a new game")
