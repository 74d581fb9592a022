@tool
extends "editor_hand.gd"
## What a user does in the dock of the addon, and sees there. The base of its checks.


func _root() -> Node:
	return EditorInterface.get_edited_scene_root()


func _manager() -> FlowFieldManager:
	return _root().get_node("Manager") as FlowFieldManager


## What the dock says beside a button.
func _state(title: String) -> String:
	var button := _control(&"Button", title)
	return button.get_parent().get_child(1).get(&"text") if button != null else "no button"


## Waits, but not for ever, until the dock has looked at the sources again and says something.
func _await_state(title: String, state: String) -> void:
	for i in 50:
		if _state(title) == state:
			return
		await _tree.create_timer(0.1).timeout


func _press(title: String) -> void:
	await _click_in_dock(_control(&"Button", title))
	await _frames()


func _click_in_dock(control: Control) -> void:
	(_find_named(&"Flow Swarm") as ScrollContainer).ensure_control_visible(control)
	await _frames()
	await _click(control)


## Clicks the tab of the dock.
func _show_dock() -> void:
	var node := _find_named(&"Flow Swarm")
	while node != null and not node.get_parent() is TabContainer:
		node = node.get_parent()
	if node == null:
		return
	var bar := (node.get_parent() as TabContainer).get_tab_bar()
	var index := (node.get_parent() as TabContainer).get_tab_idx_from_control(node as Control)
	var place := bar.get_global_rect().position + bar.get_tab_rect(index).get_center()
	await _mouse(place)
	await _mouse(place, MOUSE_BUTTON_LEFT, true)
	await _mouse(place, MOUSE_BUTTON_LEFT, false)
	await _frames()


func _find_named(name: StringName, from: Node = null) -> Node:
	var node := from if from != null else _tree.root as Node
	if node.name == name:
		return node
	for child in node.get_children(true):
		var found := _find_named(name, child)
		if found != null:
			return found
	return null


## Whether a label of the dock has a text.
func _says(text: String) -> bool:
	var dock := _find_named(&"Flow Swarm")
	for found: Node in dock.find_children("*", "Label", true, false):
		if (found as Label).is_visible_in_tree() and (found as Label).text.contains(text):
			return true
	return false


## Chooses an entry of the preview by keys.
func _choose(index: int) -> void:
	var list := _control(&"OptionButton", "", _find_named(&"Flow Swarm")) as OptionButton
	var steps := index - list.selected
	# The first key after a dialog has closed may be that dialog's.
	for i in 5:
		if not list.get_popup().visible:
			list.grab_focus()
			await _key(KEY_ENTER)
			await _frames(5)
	if not list.get_popup().visible:
		_check.call(false, "the list opens")
		return
	for i in absi(steps):
		await _key(KEY_DOWN if steps > 0 else KEY_UP)
	await _key(KEY_ENTER)
	await _frames(4)
	_check.call(list.selected == index, "entry %d is chosen" % index)


func _crowd() -> Node:
	for child in _root().get_children(true):
		if child.has_method(&"find_trouble"):
			return child
	return null
