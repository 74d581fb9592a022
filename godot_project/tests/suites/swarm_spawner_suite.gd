extends "spawner_base.gd"
## SwarmSpawner2D and SwarmWave: how many agents, and when.


func test_a_rate_is_exact() -> void:
	_set_up()
	var spawner := _new_spawner()
	spawner.rate = 10.0
	spawner.limit = 25
	await _run(spawner, 3 * TICKS)
	check_eq(counts[0], 1, "the first at once")
	check_eq(counts[5], 1, "before a tenth of a second")
	check_eq(counts[6], 2, "after it")
	check_eq(counts[TICKS - 1], 10, "just before a second")
	check_eq(counts[TICKS], 11, "after a second")
	check_eq(counts[144], 25, "the last")
	check_eq(counts[143], 24, "and not before")
	check_eq(swarm.get_agent_count(), 25, "up to the limit")
	check_eq(events, ["finished"] as Array[String], "signals")
	check(not spawner.is_running(), "it has stopped")
	check_eq(spawner.get_spawned_count(), 25, "spawned")
	check_eq(spawner.get_wave(), -1, "no wave")


func test_a_rate_above_one_a_tick() -> void:
	_set_up()
	var spawner := _new_spawner()
	spawner.rate = 150.0
	await _run(spawner, TICKS + 1)
	check_eq(counts[0], 1, "at once")
	check_eq(counts[1], 3, "two and a half in a tick")
	check_eq(counts[2], 6, "five in two")
	check_eq(counts[TICKS], 151, "150 in a second")


func test_waves_are_exact() -> void:
	_set_up()
	var spawner := _new_spawner()
	spawner.waves = [_wave(4, 0.5, 0.25), _wave(5, 1.0, 0.0), _wave(1, 0.0, 3.0)]
	var spawned: Array[int] = []
	spawner.agents_spawned.connect(func(ids: PackedInt64Array) -> void: spawned.append(ids.size()))
	await _run(spawner, 3 * TICKS)
	# Agents at 0.5, 0.75, 1.0 and 1.25 s, five and one at 2.25 s.
	check_eq(counts[29], 0, "the delay")
	check_eq([counts[30], counts[44], counts[45]], [1, 1, 2], "the first two")
	check_eq([counts[59], counts[60], counts[74], counts[75]], [2, 3, 3, 4], "the other two")
	check_eq([counts[134], counts[135]], [4, 10], "the next two waves together")
	check_eq(counts[-1], 10, "no more")
	var wanted: Array[String] = [
		"start 0", "end 0", "start 1", "end 1", "start 2", "end 2", "finished"
	]
	check_eq(events, wanted, "signals")
	check_eq(spawned, [1, 1, 1, 1, 5, 1] as Array[int], "agents_spawned")
	check_eq(spawner.get_wave(), 2, "the last wave")


func test_a_wave_waits_until_all_are_gone() -> void:
	_set_up()
	var spawner := _new_spawner()
	spawner.waves = [_wave(3, 0.0, 0.0), _wave(2, 0.5, 0.0)]
	spawner.waves[1].after_cleared = true
	await _run(spawner, TICKS)
	check_eq(swarm.get_agent_count(), 3, "the second waits")
	var ids := swarm.get_ids()
	swarm.despawn(ids.slice(0, 2))
	await _run(spawner, TICKS)
	check_eq(swarm.get_agent_count(), 1, "for the last one")
	check_eq(spawner.get_alive_count(), 1, "alive")
	swarm.set_agent_state(ids.slice(2), EnemySwarm.AGENT_CORPSE)
	await _run(spawner, 32)
	check_eq([counts[29], counts[30]], [1, 3], "a corpse does not count, and then comes the delay")
	check_eq(spawner.get_alive_count(), 2, "alive")


func test_waves_loop_and_the_limit_ends_them() -> void:
	_set_up()
	var spawner := _new_spawner()
	spawner.waves = [_wave(2, 0.0, 0.0)]
	spawner.loop = true
	spawner.limit = 7
	await _run(spawner, 10)
	check_eq(counts.slice(0, 5), PackedInt32Array([2, 4, 6, 7, 7]), "a round in each tick")
	check_eq(events[-1], "finished", "the limit ends it")
	check_eq(events.count("start 0"), 4, "the last wave has begun")
	check_eq(events.count("end 0"), 3, "and not ended")
	check_eq(events.count("finished"), 1, "once")


func test_alive_limit_makes_up_for_nothing() -> void:
	_set_up()
	var spawner := _new_spawner()
	spawner.rate = 30.0
	spawner.alive_limit = 5
	await _run(spawner, 2 * TICKS)
	check_eq(swarm.get_agent_count(), 5, "never more")
	swarm.despawn(swarm.get_ids().slice(0, 4))
	await _run(spawner, 12)
	check_eq(counts[0], 2, "one at once")
	check_eq([counts[1], counts[2], counts[4]], [2, 3, 4], "the others at the rate")
	check_eq(counts[-1], 5, "up to the limit")


func test_many_deaths_are_noticed() -> void:
	_set_up()
	var spawner := _new_spawner()
	spawner.waves = [_wave(1500, 0.0, 0.0)]
	spawner.shape = SwarmSpawner2D.Shape.RECTANGLE
	spawner.waves.append(_wave(1, 0.0, 0.0))
	spawner.waves[1].after_cleared = true
	await _run(spawner, 2)
	check_eq(swarm.get_agent_count(), 1500, "agents")
	swarm.clear()
	await _run(spawner, 16)
	check_eq(counts[5], 0, "not at once")
	check_eq(counts[-1], 1, "some ticks later")


func test_start_and_stop() -> void:
	_set_up()
	var spawner := _new_spawner()
	spawner.autostart = false
	spawner.rate = 60.0
	await _run(spawner, 5)
	check_eq(swarm.get_agent_count(), 0, "not by itself")
	check(not spawner.is_running(), "not running")
	spawner.start()
	await _run(spawner, 5)
	check_eq(swarm.get_agent_count(), 5, "one in each tick")
	spawner.stop()
	await _run(spawner, 5)
	check_eq(swarm.get_agent_count(), 5, "stopped")
	spawner.start()
	check_eq(spawner.get_spawned_count(), 0, "from the beginning")
	await _run(spawner, 2)
	check_eq(swarm.get_agent_count(), 7, "again")
	check_eq(events, [] as Array[String], "a stop is no end")


func test_a_handler_may_start_stop_and_free() -> void:
	_set_up()
	var spawner := _new_spawner()
	spawner.waves = [_wave(2, 0.0, 0.0), _wave(3, 0.0, 0.0)]
	var restarts := [0]
	spawner.wave_finished.connect(
		func(wave: int) -> void:
			if wave == 1 and restarts[0] == 0:
				restarts[0] += 1
				spawner.start()
	)
	await _run(spawner, 4)
	check_eq(swarm.get_agent_count(), 10, "twice")
	check_eq(events.count("finished"), 1, "one end")
	spawner.wave_started.connect(func(_wave: int) -> void: spawner.stop())
	spawner.start()
	await _run(spawner, 4)
	check_eq(swarm.get_agent_count(), 10, "stopped before the first agent")
	var other := _new_spawner()
	other.agents_spawned.connect(func(_ids: PackedInt64Array) -> void: other.start())
	other.limit = 3
	await _run(other, 4)
	check_eq(swarm.get_agent_count(), 14, "a start in each tick")
	other.agents_spawned.connect(func(_ids: PackedInt64Array) -> void: other.queue_free())
	await _run(swarm, 4)
	check(not is_instance_valid(other), "freed")
