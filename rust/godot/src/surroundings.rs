//! The surroundings of a node: its scene and its thread.

use crate::report::refuse;
use godot::classes::node::ProcessThreadGroup;
use godot::classes::{CanvasItem, Node, Node3D};
use godot::init::is_main_thread;
use godot::obj::Inherits;
use godot::prelude::*;

/// Whether this thread may emit signals of a node and draw with its children; reports it if not.
///
/// The engine allows it on the main thread, on the thread that processes the node's thread group, and for nodes outside
/// of the tree on any thread. Which thread processes a group is not known here, so for nodes of a group that runs in a
/// sub-thread any thread passes. The engine's own thread guards still apply.
pub fn may_act(method: &str, node: &Gd<Node>) -> bool {
    if is_main_thread() || !node.is_inside_tree() || is_in_thread_group(node) {
        return true;
    }
    let name = node.get_name();
    let reason = format_args!(
        "{name} is in the scene tree, where other threads may not step or draw: use call_deferred"
    );
    refuse(method, reason);
    false
}

/// Whether a node is processed in a sub-thread.
fn is_in_thread_group(node: &Gd<Node>) -> bool {
    let mut node = Some(node.clone());
    while let Some(current) = node {
        match current.get_process_thread_group() {
            ProcessThreadGroup::INHERIT => node = current.get_parent(),
            group => return group == ProcessThreadGroup::SUB_THREAD,
        }
    }
    false
}

/// Whether the nearest ancestor that is a Node3D or a CanvasItem is a Node3D; `None` without such an ancestor.
pub fn space(node: &Gd<Node>) -> Option<bool> {
    let mut ancestor = node.get_parent();
    while let Some(node) = ancestor {
        if node.clone().try_cast::<Node3D>().is_ok() {
            return Some(true);
        }
        if node.clone().try_cast::<CanvasItem>().is_ok() {
            return Some(false);
        }
        ancestor = node.get_parent();
    }
    None
}

/// The other nodes of the same class in the scene tree; empty if the node is outside of it.
pub fn others<T>(node: &Gd<T>) -> Vec<Gd<T>>
where
    T: GodotClass + Inherits<Node>,
{
    let this: Gd<Node> = node.clone().upcast();
    if !this.is_inside_tree() {
        return Vec::new();
    }
    let Some(root) = this.get_tree().get_root() else {
        return Vec::new();
    };
    let class = T::class_id().to_string();
    let search = root.find_children_ex("*").type_(&class);
    let found = search.recursive(true).owned(false).done();
    let others = found.iter_shared().filter(|other| *other != this);
    others.filter_map(|other| other.try_cast().ok()).collect()
}
