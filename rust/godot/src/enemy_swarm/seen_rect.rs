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

/// The bounds, in the plane, of the part of the space over `bounds` between two heights that the viewport's camera
/// shows; `None` without a camera.
pub(super) fn in_3d(
    node: &Gd<MultiMeshInstance3D>,
    bounds: Rect2,
    heights: (f32, f32),
) -> Option<Rect2> {
    if !node.is_inside_tree() {
        return None;
    }
    let camera = node.get_viewport()?.get_camera_3d()?;
    let frustum: Vec<Plane> = camera.get_frustum().iter_shared().collect();
    let seen = faces(bounds, heights).into_iter().flat_map(|face| {
        let cut = |seen: Vec<Vector3>, plane: &Plane| behind(plane, &seen);
        frustum.iter().fold(face, cut)
    });
    // The rest of the corners of what is seen are corners of the frustum inside.
    let inside = frustum_corners(&frustum).into_iter().filter(|corner| {
        let flat = Vector2::new(corner.x, corner.z);
        (heights.0..=heights.1).contains(&corner.y) && bounds.contains_point(flat)
    });
    let points = seen.chain(inside);
    let mut points = points.map(|point| Vector2::new(point.x, point.z));
    let Some(first) = points.next() else {
        return Some(Rect2::new(NOWHERE, Vector2::ZERO));
    };
    let (low, high) = points.fold((first, first), |(low, high), point| {
        (low.coord_min(point), high.coord_max(point))
    });
    Some(Rect2::from_position_end(low, high))
}

/// The faces of the box over a rectangle between two heights; one face if the heights are equal.
fn faces(bounds: Rect2, (bottom, top): (f32, f32)) -> Vec<Vec<Vector3>> {
    let (low, high) = (bounds.position, bounds.end());
    let around = [
        (low.x, low.y),
        (high.x, low.y),
        (high.x, high.y),
        (low.x, high.y),
    ];
    let at = |(x, z): (f32, f32), height: f32| vector3(Vec3::new(x, height, z));
    let level = |height: f32| around.iter().map(|&corner| at(corner, height)).collect();
    let mut faces: Vec<Vec<Vector3>> = vec![level(bottom)];
    if top > bottom {
        faces.push(level(top));
        for (index, &one) in around.iter().enumerate() {
            let other = around[(index + 1) % around.len()];
            faces.push(vec![
                at(one, bottom),
                at(other, bottom),
                at(other, top),
                at(one, top),
            ]);
        }
    }
    faces
}

/// The corners of a frustum whose planes are near, far, left, top, right and bottom.
fn frustum_corners(planes: &[Plane]) -> Vec<Vector3> {
    let &[near, far, left, top, right, bottom] = planes else {
        return Vec::new();
    };
    let mut corners = Vec::new();
    for depth in [near, far] {
        for side in [left, right] {
            for end in [top, bottom] {
                corners.extend(depth.intersect_3(side, end));
            }
        }
    }
    corners
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
