//! The part of the agents' plane that a viewport shows.

use crate::convert::vector3;
use flow_swarm::Vec3;
use godot::classes::{MultiMeshInstance2D, MultiMeshInstance3D};
use godot::prelude::*;

/// A position where there is no agent.
const NOWHERE: Vector2 = Vector2::new(-1.0e9, -1.0e9);

/// The rectangle that the viewport of a node shows, in the node's coordinates; `None` outside of the tree.
pub(super) fn in_2d(node: &Gd<MultiMeshInstance2D>) -> Option<Rect2> {
    if !node.is_inside_tree() {
        return None;
    }
    let to_viewport = node.get_global_transform_with_canvas();
    // With a camera zoom of 0 the rectangle is undefined.
    (to_viewport.determinant() != 0.0)
        .then(|| to_viewport.affine_inverse() * node.get_viewport_rect())
}

/// The bounds of the part of the plane at a height that the viewport's camera shows, within `bounds`; `None` without a
/// camera.
pub(super) fn in_3d(node: &Gd<MultiMeshInstance3D>, bounds: Rect2, height: f32) -> Option<Rect2> {
    if !node.is_inside_tree() {
        return None;
    }
    let camera = node.get_viewport()?.get_camera_3d()?;
    let (low, high) = (bounds.position, bounds.end());
    let corners = [
        (low.x, low.y),
        (high.x, low.y),
        (high.x, high.y),
        (low.x, high.y),
    ];
    let mut seen: Vec<Vector3> = corners
        .iter()
        .map(|&(x, z)| vector3(Vec3::new(x, height, z)))
        .collect();
    for plane in camera.get_frustum().iter_shared() {
        seen = behind(&plane, &seen);
    }
    let mut points = seen.iter().map(|point| Vector2::new(point.x, point.z));
    let Some(first) = points.next() else {
        return Some(Rect2::new(NOWHERE, Vector2::ZERO));
    };
    let (low, high) = points.fold((first, first), |(low, high), point| {
        (low.coord_min(point), high.coord_max(point))
    });
    Some(Rect2::from_position_end(low, high))
}

/// The part of a convex polygon that a plane's normal points away from (Sutherland and Hodgman, Reentrant
/// polygon clipping, CACM 17(1), 1974).
fn behind(plane: &Plane, polygon: &[Vector3]) -> Vec<Vector3> {
    let mut rest = Vec::with_capacity(polygon.len() + 1);
    for (index, &to) in polygon.iter().enumerate() {
        let from = polygon[(index + polygon.len() - 1) % polygon.len()];
        let (before, after) = (plane.distance_to(from), plane.distance_to(to));
        if (before > 0.0) != (after > 0.0) {
            rest.push(from.lerp(to, before / (before - after)));
        }
        if after <= 0.0 {
            rest.push(to);
        }
    }
    rest
}
