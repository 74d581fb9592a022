@tool
@icon("../icons/SwarmWave.svg")
class_name SwarmWave
extends Resource
## A wave of agents of a [SwarmSpawner2D] or [SwarmSpawner3D]: how many, when, and of which type.
##
## Spawners may share a wave.

const Checks := preload("shared/checks.gd")

## How many agents the wave has.
@export_range(1, 1000, 1, "or_greater") var count := 10:
	set(value):
		if Checks.is_count("SwarmWave.count", value, 1, Checks.MOST_AGENTS):
			count = value
			emit_changed()
## The seconds from the last agent of the wave before, or from the start of the spawner, until the
## first agent of this one. With [member after_cleared] they begin when no agent is left.
@export_range(0.0, 60.0, 0.1, "or_greater", "suffix:s") var delay := 0.0:
	set(value):
		if Checks.is_number("SwarmWave.delay", value, 0.0, Checks.FARTHEST):
			delay = value
			emit_changed()
## The seconds from one agent of the wave to the next. With 0 all come at once.
@export_range(0.0, 10.0, 0.01, "or_greater", "suffix:s") var interval := 0.5:
	set(value):
		if Checks.is_number("SwarmWave.interval", value, 0.0, Checks.FARTHEST):
			interval = value
			emit_changed()
## If [code]true[/code], the wave waits until no agent of the spawner is left. Corpses do not count.
@export var after_cleared := false:
	set(value):
		after_cleared = value
		emit_changed()
## The type of the agents, as an index of [member EnemySwarm.agent_types]; -1 for that of the
## spawner.
@export_range(-1, 255) var agent_type := -1:
	set(value):
		if Checks.is_count("SwarmWave.agent_type", value, -1, 255):
			agent_type = value
			emit_changed()
## The type of the agents as a resource, which comes before [member agent_type]: see
## [member SwarmSpawner2D.type].
@export var type: SwarmAgentType:
	set(value):
		type = value
		emit_changed()
