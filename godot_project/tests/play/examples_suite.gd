extends "res://tests/play/play_base.gd"
## Runs every recipe in a window and saves its picture. The environment variable RECIPE names one
## recipe if the others should be left out.

const FOLDER := "res://examples"
const SIZE := Vector2i(640, 360)
## How many times as fast as usual the recipes run until their picture is taken.
const PACE := 8
## The game's time in seconds at which the picture of a recipe is taken; of the others SECONDS.
const SECONDS := 6.0
const MOMENTS: Dictionary[String, float] = {
	"archers": 13.3,
	"armies": 11.0,
	"boss_to_node": 14.4,
	"breakable_walls": 22.0,
	"first_steps_2d": 9.0,
	"first_steps_3d": 8.5,
	"flee": 5.0,
	"flyers": 20.0,
	"health_bars": 18.0,
	"hills_3d": 5.5,
	"mazing": 30.0,
	"orders": 11.0,
	"save_and_load": 5.5,
	"stealth": 15.0,
	"survivors": 16.5,
	"tower_defence": 40.0,
	"without_script_2d": 13.0,
}


func test_every_recipe_runs_and_has_its_picture() -> void:
	for name in ResourceLoader.list_directory(FOLDER):
		name = name.trim_suffix("/")
		if OS.get_environment("RECIPE") in ["", name]:
			await _take_picture(name)


func _take_picture(name: String) -> void:
	seed(1)
	var path := FOLDER.path_join(name).path_join(name + ".tscn")
	var recipe := (load(path) as PackedScene).instantiate()
	scene.add_child(recipe)
	RenderingServer.render_loop_enabled = false
	Engine.time_scale = PACE
	Engine.physics_ticks_per_second = 60 * PACE
	Engine.max_physics_steps_per_frame = 60
	await ticks(roundi(60.0 * (MOMENTS.get(name, SECONDS) as float)))
	Engine.time_scale = 1.0
	Engine.physics_ticks_per_second = 60
	Engine.max_physics_steps_per_frame = 8
	RenderingServer.render_loop_enabled = true
	var image := await shown_image()
	await save_small(name, image)
	recipe.free()


func save_small(name: String, image: Image) -> void:
	image.resize(SIZE.x, SIZE.y, Image.INTERPOLATE_LANCZOS)
	image.convert(Image.FORMAT_RGB8)
	# Fewer colours make smaller files.
	var bytes := image.get_data()
	for i in bytes.size():
		bytes[i] = mini(bytes[i] + 4, 255) & 0xf8
	image.set_data(SIZE.x, SIZE.y, false, Image.FORMAT_RGB8, bytes)
	var folder := _artifacts().path_join("recipes")
	DirAccess.make_dir_recursive_absolute(folder)
	check_eq(image.save_png(folder.path_join(name + ".png")), OK, "saving %s" % name)
