extends "res://tests/test_suite.gd"
## FlowImpostor: what it refuses. What it bakes is in the play suite of looks.


func test_what_cannot_be_baked_is_refused() -> void:
	var look := SwarmLook.new()
	await _check_refused(null, 128, 8, "look must have a mesh")
	await _check_refused(look, 128, 8, "look must have a mesh")
	look.mesh = BoxMesh.new()
	await _check_refused(look, 7, 8, "size must be from 8 to 1024, not 7")
	await _check_refused(look, 2000, 8, "not 2000")
	await _check_refused(look, 128, 0, "views must be from 1 to 64, not 0")
	if DisplayServer.get_name() == "headless":
		await _check_refused(look, 128, 8, "no renderer")


func _check_refused(look: SwarmLook, size: int, views: int, reason: String) -> void:
	var baked: Array[Mesh] = []
	var bake := func() -> void: baked.append(await FlowImpostor.bake_impostor(look, size, views))
	var texts: PackedStringArray = await allow_errors([reason], bake)
	check_eq(texts.size(), 1, "one error")
	check_eq(baked.size(), 1, "at once")
	check(baked[0] == null, "nothing is baked")
