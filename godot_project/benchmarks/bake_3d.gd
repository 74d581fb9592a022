extends SceneTree
## What bake_terrain_3d() costs, headless: a scene of 200 x 200 m with 2,000 static bodies at cells
## of half a metre, and rebake_terrain_3d() of boxes of 10 x 10 m. The last line is JSON, in
## milliseconds. After `--`: `--bodies=N`, `--threads=N`, `--rebakes=N`.

const SIZE := 200.0
const CELL := 0.5

var _manager: FlowFieldManager
var _root: Node3D


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	_manager = FlowFieldManager.new()
	_manager.grid_size = Vector2i.ONE * int(SIZE / CELL)
	_manager.cell_size = CELL
	_manager.worker_threads = _option("threads", 0)
	root.add_child(_manager)
	_root = Node3D.new()
	root.add_child(_root)
	_block(Vector3(SIZE / 2.0, -0.5, SIZE / 2.0), Vector3(SIZE, 1.0, SIZE), Basis.IDENTITY)
	_build(_option("bodies", 2000) - 1)
	_manager.update()
	var bakes: Array[float] = []
	for run in 3:
		bakes.append(_time(func() -> void: _manager.bake_terrain_3d(_root, null)))
	var rebakes: Array[float] = []
	var updates: Array[float] = []
	var goal := _manager.create_goal([Vector2(5.0, 5.0)])
	_manager.get_flow_vector(goal, Vector2(50.0, 50.0))
	_manager.update()
	for run in _option("rebakes", 15):
		var step := float(run % 15)
		var at := Vector3(10.0 + 11.0 * step, 0.0, 20.0 + 9.0 * step)
		var bounds := AABB(at, Vector3(10.0, 20.0, 10.0))
		if run < 15:
			_block(at + Vector3.ONE * 3.0, Vector3(3.0, 1.0, 1.0), Basis.IDENTITY)
		rebakes.append(_time(func() -> void: _manager.rebake_terrain_3d(bounds)))
		updates.append(_time(_manager.update))
	for times: Array[float] in [bakes, rebakes, updates]:
		times.sort()
	var report := {
		"benchmark": "bake_3d",
		"bodies": _root.get_child_count(),
		"layers": _manager.layer_count,
		"links": _manager.get_links().size(),
		"bake": snappedf(bakes[1], 0.1),
		"rebake": snappedf(rebakes[rebakes.size() / 2], 0.01),
		"rebake_fastest": snappedf(rebakes[0], 0.01),
		"rebake_longest": snappedf(rebakes[-1], 0.01),
		"update_after": snappedf(updates[updates.size() / 2], 0.01),
	}
	print(JSON.stringify(report))
	quit()


## Crates, ramps, pillars, domes and platforms, a third of them turned.
func _build(count: int) -> void:
	var random := RandomNumberGenerator.new()
	random.seed = 7
	for number in count:
		var at := (
			Vector3(random.randf(), 0.0, random.randf()) * (SIZE - 8.0) + Vector3(4.0, 0.0, 4.0)
		)
		var turn := Basis(Vector3.UP, random.randf() * TAU if number % 3 == 0 else 0.0)
		match number % 5:
			0:
				_block(at + Vector3.UP * 3.0, Vector3(5.0, 0.3, 4.0), turn)
			1:
				var slope := turn * Basis(Vector3.RIGHT, -0.4)
				_block(at + Vector3.UP, Vector3(2.5, 0.3, 6.0), slope)
			2:
				var pillar := CylinderShape3D.new()
				pillar.height = 6.0
				_add(at, pillar, turn)
			3:
				_add(at, SphereShape3D.new(), turn)
			_:
				_block(at, Vector3(2.0, 2.0, 2.0), turn)


func _block(center: Vector3, size: Vector3, turn: Basis) -> void:
	var box := BoxShape3D.new()
	box.size = size
	_add(center, box, turn)


func _add(at: Vector3, shape: Shape3D, turn: Basis) -> void:
	var body := StaticBody3D.new()
	var child := CollisionShape3D.new()
	child.shape = shape
	body.add_child(child)
	body.transform = Transform3D(turn, at)
	_root.add_child(body)


func _time(task: Callable) -> float:
	var begin := Time.get_ticks_usec()
	task.call()
	return (Time.get_ticks_usec() - begin) / 1000.0


func _option(name: String, default: int) -> int:
	for argument in OS.get_cmdline_user_args():
		if argument.begins_with("--%s=" % name):
			return argument.get_slice("=", 1).to_int()
	return default
