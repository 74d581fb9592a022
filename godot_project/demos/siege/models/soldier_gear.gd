class_name SiegeSoldierGear
extends RefCounted
## What the foot soldier carries: an axe and a shield.


## Adds the axe, which lies forward from the grip at rest.
static func add_axe(mesh: SiegeModelMesh, grip: Vector3) -> void:
	var shaft: Array[SiegeModelMesh.Ring] = []
	for z: float in [-0.22, 0.58]:
		var place := grip + Vector3(0.0, 0.0, z)
		shaft.append(SiegeModelMesh.Ring.new(place, Vector2(0.017, 0.017), &"weapon"))
	mesh.loft(&"leather", shaft, 4, SiegeModelMesh.LENGTHWISE)
	# The blade points down at rest, and forward when the forearm is raised.
	var at := Vector2(grip.x, grip.z + 0.49)
	(
		mesh
		. loft(
			&"steel",
			(
				SiegeSoldierModel
				. rings(
					[
						SiegeSoldierModel.ring(grip.y + 0.10, 0.006, 0.022, &"weapon", at),
						SiegeSoldierModel.ring(grip.y + 0.02, 0.026, 0.034, &"weapon", at),
						SiegeSoldierModel.ring(grip.y - 0.07, 0.016, 0.055, &"weapon", at),
						SiegeSoldierModel.ring(grip.y - 0.17, 0.003, 0.135, &"weapon", at),
						SiegeSoldierModel.ring(grip.y - 0.20, 0.0, 0.10, &"weapon", at),
					]
				)
			),
			4
		)
	)


static func add_shield(mesh: SiegeModelMesh) -> void:
	_add_disc(mesh, &"steel", [[0.290, 0.285, 0.365], [0.312, 0.285, 0.365]])
	_add_disc(mesh, &"cloth", [[0.306, 0.255, 0.335], [0.328, 0.245, 0.322], [0.352, 0.11, 0.14]])
	_add_disc(mesh, &"steel", [[0.340, 0.085, 0.095], [0.368, 0.07, 0.078], [0.395, 0.02, 0.02]])


## Rings across X, each given by its place on X and its half width and half height.
static func _add_disc(mesh: SiegeModelMesh, material: StringName, parts: Array) -> void:
	var disc: Array[SiegeModelMesh.Ring] = []
	for part: Array in parts:
		var place := Vector3(part[0], 1.02, 0.0)
		disc.append(SiegeModelMesh.Ring.new(place, Vector2(part[1], part[2]), &"shield"))
	mesh.loft(material, disc, 8, SiegeModelMesh.SIDEWAYS)
