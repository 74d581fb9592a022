extends "res://tests/test_suite.gd"
## The parts of the horde demo that need no window.


## The arena with enemies on it and no game around them.
func _new_enemies() -> HordeEnemies:
	var manager := new_manager(HordeArena.SIZE, HordeArena.CELL)
	manager.set_terrain_bytes(HordeArena.build())
	var enemies := HordeEnemies.new()
	enemies.manager = manager
	enemies.swarm = new_swarm(manager)
	enemies.bursts = _new_bodies()
	enemies.stains = _new_bodies()
	scene.add_child(enemies)
	enemies.set_up()
	return enemies


func _new_bodies() -> HordeBodies:
	var bodies := HordeBodies.new()
	bodies.material = ShaderMaterial.new()
	scene.add_child(bodies)
	return bodies


func test_the_arena_is_walled_and_the_same_in_all_quarters() -> void:
	var cells := HordeArena.build()
	var size := HordeArena.SIZE
	check_eq(cells.size(), size.x * size.y, "cells")
	for i in size.x:
		check(cells[i] == WALL and cells[i * size.x] == WALL, "the edge is a wall at %d" % i)
	for index in cells.size():
		var mirrored := cells.size() - 1 - index
		if cells[index] != cells[mirrored]:
			check(false, "cell %d differs from the one opposite" % index)
	check_eq(cells.count(WALL) + cells.count(HordeArena.CLEAR), cells.size(), "no other terrain")


func test_every_kind_reaches_the_hero_from_wherever_it_appears() -> void:
	var enemies := _new_enemies()
	var center := HordeArena.get_center()
	enemies.chase(center)
	for kind: int in HordeEnemies.Kind.values():
		enemies.spawn(kind, 200, center, 800.0, 1500.0)
	check_eq(enemies.count(), 600, "all have appeared")
	for place in enemies.swarm.get_positions():
		check(enemies.manager.is_reachable(place, center), "a way from %s" % place)
	steps(enemies.swarm, 3)
	check_eq(enemies.swarm.get_stats()["lost"], 0, "brutes have a way, too")


func test_brutes_take_more_than_one_hit_and_the_fallen_go_at_once() -> void:
	var enemies := _new_enemies()
	var center := HordeArena.get_center()
	enemies.spawn(HordeEnemies.Kind.BRUTE, 1, center, 0.0, 9000.0)
	enemies.spawn(HordeEnemies.Kind.WALKER, 1, center, 0.0, 9000.0)
	var fallen: Array[int] = []
	enemies.slain.connect(func(kinds: PackedInt32Array) -> void: fallen.append_array(kinds))
	check_eq(enemies.strike(center, 9000.0, 1), 2, "both are hit")
	enemies._physics_process(0.0)
	check_eq(fallen, [HordeEnemies.Kind.WALKER] as Array[int], "the walker falls")
	check_eq(enemies.strike(center, 9000.0, HordeEnemies.HITS[HordeEnemies.Kind.BRUTE]), 1, "brute")
	check_eq(enemies.strike(center, 9000.0, 1), 0, "a fallen enemy is not hit again")
	enemies._physics_process(0.0)
	check_eq(fallen.size(), 2, "and the brute")
	check_eq(enemies.count(), 0, "no enemy is left")


func test_numbers_are_grouped_by_thousands() -> void:
	check_eq(HordeHud.grouped(7), "7", "one digit")
	check_eq(HordeHud.grouped(999), "999", "three")
	check_eq(HordeHud.grouped(50000), "50,000", "five")
	check_eq(HordeHud.grouped(1234567), "1,234,567", "seven")
