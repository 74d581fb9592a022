@tool
extends RefCounted
## A kind of bake: what it reads, and how. It works on a copy of the manager. The base of the kinds.

const Result := preload("../bake_result.gd")
const SceneNodes := preload("../scene_nodes.gd")
const Settings := preload("../bake_settings.gd")

## What it is called in the scene.
var name := &""
## What the button says.
var title := ""
var tip := ""
## What the dock says where there is nothing to bake.
var nothing := ""
## Whether it fills the terrain of one layer, or of all of them. The bake before is then void.
var fills_layer := false
var fills_all := false


## The nodes that are read.
func find_sources(_root: Node, _settings: Settings) -> Array[Node]:
	return []


## Everything apart from grid and nodes that the result depends on.
func inputs(_manager: FlowFieldManager, _settings: Settings) -> Array:
	return []


## Begins, and mostly ends at once.
func begin(_copy: FlowFieldManager, _root: Node, _settings: Settings) -> Error:
	return OK


## Goes on for a frame.
func advance(_copy: FlowFieldManager) -> Error:
	return OK


## How much is done, 0 to 1.
func progress(_copy: FlowFieldManager) -> float:
	return 1.0


## What was found, once all is done.
func result(copy: FlowFieldManager, settings: Settings) -> Result:
	var found := Result.new()
	found.take_layer(copy, settings.layer, false)
	return found
