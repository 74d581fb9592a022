//! What stands around a node in its scene, for warnings.

use godot::classes::{CanvasItem, Node, Node3D};
use godot::obj::Inherits;
use godot::prelude::*;

/// Whether the nearest ancestor with a place in space has it in 3D.
pub fn is_in_3d(node: &Gd<Node>) -> bool {
    let mut ancestor = node.get_parent();
    while let Some(node) = ancestor {
        if node.clone().try_cast::<Node3D>().is_ok() {
            return true;
        }
        if node.clone().try_cast::<CanvasItem>().is_ok() {
            return false;
        }
        ancestor = node.get_parent();
    }
    false
}

/// The other nodes of the same class in the tree; none if the node is outside of it.
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
