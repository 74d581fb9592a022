class_name SiegeLevel
extends Node3D
## The town and the land around it. Everything that agents can stand on or that stops them is a
## static body below this node, so that a bake of it finds floors and walls by itself.

const STONE: Shader = preload("stone.gdshader")
const GROUND: Shader = preload("ground.gdshader")

var gate := SiegeGate.new()


func _ready() -> void:
	var stone := ShaderMaterial.new()
	stone.shader = STONE
	var ground := ShaderMaterial.new()
	ground.shader = GROUND
	var terrain := SiegeTerrain.new()
	terrain.name = "Terrain"
	terrain.material = ground
	add_child(terrain)
	for part: Array in [
		["Wall", SiegeWall.build], ["Houses", SiegeHouses.build], ["Outworks", SiegeOutworks.build]
	]:
		var masonry := SiegeMasonry.new()
		(part[1] as Callable).call(masonry)
		masonry.commit(self, part[0] as String, stone)
	var plants := SiegePlants.new()
	plants.name = "Plants"
	plants.material = stone
	add_child(plants)
	gate.name = "Gate"
	gate.material = stone
	add_child(gate)
	var sky := SiegeSky.new()
	sky.name = "Sky"
	add_child(sky)


## Where attackers gather.
func get_camps() -> Array[Vector3]:
	var camps: Array[Vector3] = []
	for camp in SiegeOutworks.CAMPS:
		camps.append(Vector3(camp.x, SiegeGround.height_at(camp.x, camp.y), camp.y))
	return camps


## Where attackers go: before the door of the keep.
func get_goal() -> Vector3:
	var front := SiegeHouses.KEEP + Vector2(0.0, SiegeHouses.KEEP_SIDE * 0.5 + 2.0)
	return Vector3(front.x, SiegeGround.TOWN_HEIGHT, front.y)


## Where the player begins: on the wall, over the gate.
func get_post() -> Vector3:
	return Vector3(0.0, SiegeWall.TOP + 0.05, SiegeGround.OUTLINE[0].y)
