@tool
extends RefCounted
## When a spawner makes agents: at a rate, or wave by wave. It knows no swarm: what makes the agents
## is handed in.
##
## Where agents cannot be made, because of a limit or for want of a free place, time stands still:
## they are not made up for at once later.

signal wave_started(index: int)
signal wave_finished(index: int)
signal agents_spawned(ids: PackedInt64Array)
signal finished

const Checks := preload("../shared/checks.gd")
## What is added to a number of agents before it is rounded down: sums of ticks are not exact.
const ROUNDING := 1.0e-6

## Agents a second, without waves.
var rate := 10.0
## The most agents in all; 0 for no limit.
var limit := 0
var waves: Array[SwarmWave] = []
## Whether the first wave follows the last.
var loops := false

var is_running := false
## The wave that is being made, or was last; -1 before the first.
var wave := -1
## How many agents were made since the start.
var count := 0

## Which start this is: a handler of a signal may start again.
var _run := 0
## The seconds since the next agent, or the delay before the next wave, was due to begin.
var _clock := 0.0
## Whether no time passes in the next tick: the first agents are made in the tick of the start, and
## those that have to wait in the tick in which they can be made.
var _is_held := true
var _is_in_wave := false
var _count_in_wave := 0
var _next_wave := 0
## Whether the agents before the next wave are gone.
var _is_cleared := false


func start() -> void:
	_run += 1
	is_running = true
	wave = -1
	count = 0
	_clock = 0.0
	_is_held = true
	_is_in_wave = false
	_next_wave = 0
	_is_cleared = false


func stop() -> void:
	_run += 1
	is_running = false


## The share that has been made of the wave, or of the limit; 0 without either.
func get_progress() -> float:
	if not waves.is_empty():
		var has_wave := wave >= 0 and wave < waves.size() and waves[wave] != null
		return float(_count_in_wave) / waves[wave].count if has_wave else 0.0
	return float(count) / limit if limit > 0 else 0.0


## Passes time. `spawn` makes a number of agents of a wave (-1 without waves) and returns the ids of
## those that could be made; `is_cleared` tells whether all agents are gone.
func advance(delta: float, spawn: Callable, is_cleared: Callable) -> void:
	_clock += 0.0 if _is_held else delta
	_is_held = false
	if waves.is_empty():
		_advance_rate(spawn)
	else:
		_advance_waves(spawn, is_cleared)


func _advance_rate(spawn: Callable) -> void:
	if rate == 0.0:
		_hold()
		return
	var run := _run
	_make(_get_due(1.0 / rate, Checks.MOST_AGENTS), 1.0 / rate, spawn)
	if run == _run:
		_end_at_limit()


func _advance_waves(spawn: Callable, is_cleared: Callable) -> void:
	var run := _run
	while is_running and run == _run:
		if _end_at_limit():
			return
		if _next_wave >= waves.size():
			_end_round()
			# The first wave again not before the next tick, as all may come at once.
			return
		if not _is_in_wave and not _begin_wave(is_cleared):
			return
		if run != _run:
			return
		if not _advance_wave(spawn, run):
			return


## Begins the next wave if it is time. Returns whether it has begun.
func _begin_wave(is_cleared: Callable) -> bool:
	var next := waves[_next_wave]
	if next.after_cleared and not _is_cleared:
		_is_cleared = is_cleared.call()
		if not _is_cleared:
			_hold()
			return false
	if _clock + ROUNDING < next.delay:
		return false
	_clock = maxf(_clock - next.delay, 0.0)
	_is_in_wave = true
	_count_in_wave = 0
	wave = _next_wave
	wave_started.emit(wave)
	return true


## Makes the agents of the wave that are due. Returns whether the next wave may begin.
func _advance_wave(spawn: Callable, run: int) -> bool:
	var current := waves[wave]
	_make(_get_due(current.interval, current.count - _count_in_wave), current.interval, spawn)
	if run != _run:
		return false
	if _count_in_wave < current.count:
		_end_at_limit()
		return false
	# No agent follows the last one.
	_clock += current.interval
	_is_in_wave = false
	_is_cleared = false
	_next_wave += 1
	wave_finished.emit(wave)
	return run == _run


## Lets time stand still until the next tick.
func _hold() -> void:
	_clock = minf(_clock, 0.0)
	_is_held = true


func _end_round() -> void:
	if loops:
		_next_wave = 0
	else:
		is_running = false
		finished.emit()


func _end_at_limit() -> bool:
	if limit == 0 or count < limit:
		return false
	is_running = false
	finished.emit()
	return true


## How many agents are due, one each `interval`, at most `most`.
func _get_due(interval: float, most: int) -> int:
	if limit > 0:
		most = mini(most, limit - count)
	if interval == 0.0:
		return most
	return clampi(floori(_clock / interval + ROUNDING) + 1, 0, most)


## Makes agents that are due, as far as there is room.
func _make(due: int, interval: float, spawn: Callable) -> void:
	if due == 0:
		return
	var ids: PackedInt64Array = spawn.call(due, wave if _is_in_wave else -1)
	count += ids.size()
	_count_in_wave += ids.size()
	_clock -= ids.size() * interval
	if ids.size() < due:
		_hold()
	if not ids.is_empty():
		agents_spawned.emit(ids)
