@tool
extends RefCounted
## What has been baked of a manager: for each kind the settings, and the fingerprint of all that was
## read. It is kept with the manager, in the scene.

enum State { NOTHING, NOT_BAKED, CURRENT, STALE }

const Fingerprint := preload("fingerprint.gd")
const Kind := preload("kinds/bake_kind.gd")
const Settings := preload("bake_settings.gd")

## The entry of the manager's metadata; names that begin like this are hidden in the inspector.
const META := &"_flow_bakes"


static func of(manager: FlowFieldManager) -> Dictionary:
	return manager.get_meta(META, {})


## The settings of the last bake of a manager.
static func last_settings(manager: FlowFieldManager) -> Settings:
	var records := of(manager)
	if records.is_empty():
		return Settings.new()
	return Settings.from(records.values()[-1]["settings"])


## Whether something is baked, and whether its sources are still the same. For a kind that is not
## baked, the settings are those of the dock.
static func state(manager: FlowFieldManager, root: Node, kind: Kind, settings: Settings) -> State:
	var record: Dictionary = of(manager).get(kind.name, {})
	if record.is_empty():
		var is_empty := kind.find_sources(root, settings).is_empty()
		return State.NOTHING if is_empty and not kind.nothing.is_empty() else State.NOT_BAKED
	var print := fingerprint(manager, root, kind, Settings.from(record["settings"]))
	return State.CURRENT if record["fingerprint"] == print else State.STALE


static func fingerprint(
	manager: FlowFieldManager, root: Node, kind: Kind, settings: Settings
) -> String:
	var parts := [manager.grid_size, manager.cell_size, manager.origin]
	parts.append_array(kind.inputs(manager, settings))
	parts.append(kind.find_sources(root, settings))
	return Fingerprint.of(parts)


## All records after a bake of a kind. Those of bakes whose terrain it replaces are gone.
static func after(
	manager: FlowFieldManager, kind: Kind, settings: Settings, print: String, kinds: Array[Kind]
) -> Dictionary:
	var records := of(manager).duplicate()
	for other in kinds:
		if records.has(other.name) and _is_replaced(records[other.name], other, kind, settings):
			records.erase(other.name)
	# The last one is that of the last bake.
	records.erase(kind.name)
	records[kind.name] = {"fingerprint": print, "settings": settings.to_dictionary()}
	return records


static func _is_replaced(record: Dictionary, other: Kind, kind: Kind, settings: Settings) -> bool:
	if settings.keeps_terrain or not (other.fills_layer or other.fills_all):
		return false
	var layer: int = record["settings"]["layer"]
	return kind.fills_all or (kind.fills_layer and (other.fills_all or layer == settings.layer))
