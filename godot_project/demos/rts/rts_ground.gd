class_name RtsGround
extends RefCounted
## The kinds of ground: their terrain ids, their costs for each kind of unit, and their colours.

const GRASS := 1
const FOREST := 2
const SHALLOWS := 3
const WATER := 4
const ROAD := 5
const PLATEAU := 6
const RAMP := 7
const BUILDING := 253
const CLIFF := 254
const ROCK := 255

const NAMES: Dictionary[int, String] = {
	GRASS: "Grass",
	FOREST: "Forest",
	SHALLOWS: "Shallows",
	WATER: "Water",
	ROAD: "Road",
	PLATEAU: "Plateau",
	RAMP: "Ramp",
	BUILDING: "Building",
	CLIFF: "Cliff",
	ROCK: "Rock",
}

## Colours on the minimap.
const COLORS: Dictionary[int, Color] = {
	GRASS: Color("5c7d45"),
	FOREST: Color("35562f"),
	SHALLOWS: Color("6fa7a3"),
	WATER: Color("2e678c"),
	ROAD: Color("b09a72"),
	PLATEAU: Color("8c8f58"),
	RAMP: Color("a1916a"),
	BUILDING: Color("e2d6b5"),
	CLIFF: Color("55483c"),
	ROCK: Color("6c6a68"),
}

## The kinds of ground on which buildings can stand.
const BUILDABLE: Array[int] = [GRASS, FOREST, ROAD, PLATEAU, RAMP]


static func is_buildable(id: int) -> bool:
	return BUILDABLE.has(id)


## The colour of every terrain id, by id.
static func color_table() -> PackedColorArray:
	var table := PackedColorArray()
	table.resize(256)
	table.fill(COLORS[GRASS])
	for id: int in COLORS:
		table[id] = COLORS[id]
	return table
