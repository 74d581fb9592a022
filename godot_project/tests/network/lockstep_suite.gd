extends "res://tests/test_suite.gd"
## FlowLockstep between real processes, over loopback addresses with latency, jitter and loss.

const Processes := preload("res://tests/network/lockstep_processes.gd")
const UdpProxy := preload("res://tests/network/udp_proxy.gd")
const TICKS := 3600
## The longest that a machine may take for anything, in seconds.
const PATIENCE := 60.0

var _processes: Processes
var _proxy: UdpProxy
var _proxy_port := 0


## Starts the host, and the bad network before it.
func _open(ticks: int) -> void:
	_processes = Processes.new()
	_proxy = UdpProxy.new()
	_processes.start("host", _arguments("host", "host", ticks))
	_wait_for(func() -> bool: return _processes.last("host", "port") != "", "the host has a port")
	_proxy_port = _proxy.open(_processes.last("host", "port").get_slice(" ", 1).to_int(), ticks)
	check(_proxy_port > 0, "the proxy has a port")


func _arguments(role: String, name: String, ticks: int) -> Dictionary[String, Variant]:
	return {"role": role, "name": name, "port": _proxy_port, "ticks": ticks}


func _start_guest(key: String, name: String, ticks: int) -> void:
	_processes.start(key, _arguments("guest", name, ticks))


func _close() -> void:
	_processes.clear()
	_proxy.close()


## Passes packets on until something is so. Returns whether it came to be.
func _wait_for(condition: Callable, what: String) -> bool:
	var end := Time.get_ticks_msec() + int(PATIENCE * 1000.0)
	var looked := 0
	while Time.get_ticks_msec() < end:
		_proxy.pump()
		OS.delay_usec(300)
		looked += 1
		if looked % 100 == 0 and condition.call():
			return true
	return check(false, "%s within %d s" % [what, int(PATIENCE)])


func _wait_for_tick(key: String, tick: int) -> void:
	var is_there := func() -> bool:
		return _processes.last(key, "hash").get_slice(" ", 1).to_int() >= tick
	_wait_for(is_there, "%s is at tick %d" % [key, tick])


## Waits until all machines have ended by themselves, and checks that nothing went wrong in them.
func _wait_for_ends(keys: Array[String]) -> void:
	var have_ended := func() -> bool:
		return keys.all(func(key: String) -> bool: return not _processes.is_running(key))
	_wait_for(have_ended, "the machines have ended")
	for key: String in keys:
		check(_processes.lines(key).has("done"), "%s ran all ticks" % key)
		check_eq(_processes.exit_code(key), 0, "the exit code of %s" % key)
		check_eq(_processes.errors(key), PackedStringArray(), "errors of %s" % key)
		check_eq(_processes.last(key, "failed"), "", "the failure of %s" % key)
		check_eq(_processes.last(key, "desynced"), "", "the report of %s" % key)


## All hashes of a machine are those of the host, the last one among them. Returns their number.
func _check_hashes(key: String, ticks: int) -> int:
	var expected := _processes.hashes("host")
	var found := _processes.hashes(key)
	check(found.has(ticks) or key.ends_with("killed"), "%s has a hash of the end" % key)
	for tick: int in found:
		check_eq(found[tick], expected.get(tick, ""), "%s after tick %d" % [key, tick])
	return found.size()


func test_two_machines_over_a_bad_network() -> void:
	_open(TICKS)
	_start_guest("guest", "guest", TICKS)
	_wait_for_ends(["host", "guest"])
	check(_check_hashes("guest", TICKS) > 20, "many ticks are compared")
	check(_proxy.lost > 50, "packets were lost: %d" % _proxy.lost)
	print(
		(
			"%d ticks: %d packets passed, %d lost, %d bytes a tick both ways"
			% [TICKS, _proxy.passed, _proxy.lost, _proxy.byte_count / TICKS]
		)
	)
	# The orders of both players are in the hash: without them nothing is tested.
	check(_processes.last("host", "joined").ends_with(" 1"), "the guest took part")
	_close()


func test_three_machines_of_which_one_is_late_and_one_comes_back() -> void:
	_open(TICKS)
	_start_guest("first_killed", "first", TICKS)
	_wait_for_tick("host", 840)
	_start_guest("late", "late", TICKS)
	_wait_for_tick("host", 1560)
	_processes.kill("first_killed")
	# The game waits, goes on without the player, and has the player back.
	_wait_for_tick("host", 1920)
	_start_guest("first_again", "first", TICKS)
	_wait_for_ends(["host", "late", "first_again"])
	for key: String in ["first_killed", "late", "first_again"]:
		check(_check_hashes(key, TICKS) > 4, "ticks of %s are compared" % key)
	check_eq(_processes.last("first_killed", "started").get_slice(" ", 2), "1", "the first player")
	check_eq(_processes.last("late", "started").get_slice(" ", 2), "2", "the second player")
	check_eq(_processes.last("first_again", "started").get_slice(" ", 2), "1", "the same player")
	check(_processes.last("late", "started").get_slice(" ", 1).to_int() > 800, "it was late")
	check_eq(_processes.last("late", "left").get_slice(" ", 2), "1", "the others saw it leave")
	check_eq(_processes.last("late", "left"), _processes.last("host", "left"), "in the same tick")
	_close()


func _check_desync(change: String, pattern: String) -> void:
	_open(480)
	var arguments := _arguments("guest", "guest", 480)
	# The hashes are compared right after this tick's handlers: no step and no order comes between.
	arguments.merge({"desync": 300, "change": change})
	_processes.start("guest", arguments)
	var is_told := func() -> bool:
		return (
			_processes.last("host", "desynced") != "" and _processes.last("guest", "desynced") != ""
		)
	_wait_for(is_told, "both machines have a report")
	var line := _processes.last("host", "desynced")
	var report: Dictionary = JSON.parse_string(line.trim_prefix("desynced "))
	check_eq(int(report["tick"] as float), 300, "the first check after the change")
	check_eq(int(report["last_equal_tick"] as float), 240, "the check before it")
	check_eq(int(report["player"] as float), 1, "the player")
	if pattern.contains("%d"):
		pattern = pattern % _processes.last("guest", "slot").get_slice(" ", 1).to_int()
	var difference: String = report["difference"]
	check(difference.begins_with(pattern), "'%s' begins with '%s'" % [difference, pattern])
	check_eq(_processes.last("guest", "desynced"), line, "the guest has the same report")
	_close()


func test_a_difference_in_the_terrain_is_named() -> void:
	_check_desync("terrain", "manager: the terrain of cell (31, 17) on layer 0 is 9 there and ")


func test_a_difference_in_an_agent_is_named() -> void:
	_check_desync("agent", "swarm 1 (OtherSwarm): the position of the agent in slot %d is ")
