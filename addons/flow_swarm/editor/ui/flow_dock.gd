@tool
extends ScrollContainer
## The dock of the addon: bakes and previews of the selected manager.

const Baking := preload("../bake/baking.gd")
const BakePanel := preload("bake_panel.gd")
const Preview := preload("../preview/preview.gd")
const PreviewPanel := preload("preview_panel.gd")

var baking: Baking
var preview: Preview

var _bake_panel: BakePanel
var _preview_panel: PreviewPanel
var _title := Label.new()
var _content := VBoxContainer.new()


func _init(
	of_baking: Baking, of_preview: Preview, menu: BakePanel.CharacterButton.MakeCrowdMenu
) -> void:
	name = "Flow Swarm"
	baking = of_baking
	preview = of_preview
	horizontal_scroll_mode = SCROLL_MODE_DISABLED
	_bake_panel = BakePanel.new(baking, menu)
	_preview_panel = PreviewPanel.new(preview)
	var column := VBoxContainer.new()
	column.size_flags_horizontal = SIZE_EXPAND_FILL
	_title.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_title.custom_minimum_size.x = 100.0
	column.add_child(_title)
	_add_section("Bake", _bake_panel)
	_add_section("Preview", _preview_panel)
	column.add_child(_content)
	add_child(column)
	show_manager(null)


func _process(_delta: float) -> void:
	var manager: Variant = baking.manager
	if manager != null and (not is_instance_valid(manager) or not manager.is_inside_tree()):
		show_manager(null)


## Works on another manager; null for none.
func show_manager(manager: FlowFieldManager) -> void:
	_content.visible = manager != null
	_title.text = String(manager.name) if manager != null else "Select a FlowFieldManager."
	baking.manager = manager
	preview.manager = manager


func _add_section(title: String, panel: Control) -> void:
	var section := FoldableContainer.new()
	section.title = title
	section.add_child(panel)
	_content.add_child(section)
