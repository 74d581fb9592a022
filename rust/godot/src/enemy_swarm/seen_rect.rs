//! The part of the agents' plane that a viewport shows in 2D.

use godot::classes::MultiMeshInstance2D;
use godot::prelude::*;

/// The rectangle that the viewport of a node shows, in the node's coordinates; `None` outside of the tree.
pub(super) fn of(node: &Gd<MultiMeshInstance2D>) -> Option<Rect2> {
    if !node.is_inside_tree() {
        return None;
    }
    let to_viewport = node.get_global_transform_with_canvas();
    // With a camera zoom of 0 the rectangle is undefined.
    (to_viewport.determinant() != 0.0)
        .then(|| to_viewport.affine_inverse() * node.get_viewport_rect())
}
