//! The point from which the distances of agents are measured, for levels of detail.

use super::canvas::Canvas;
use super::seen_rect;
use crate::convert::vec2;
use flow_swarm::swarm::Eye;
use godot::classes::camera_3d::{KeepAspect, ProjectionType};
use godot::classes::{Camera3D, MultiMeshInstance3D, XrCamera3D};
use godot::prelude::*;

/// The height of what a camera with a field of view of 75 degrees, Godot's default, sees at a distance of 1.
const SEEN_HEIGHT: f32 = 1.534_653_9;

/// The eye of the viewport that a node is shown in; `None` if it has no camera in 3D.
pub(super) fn of(canvas: &Canvas) -> Option<Eye> {
    let eye = match canvas {
        Canvas::Flat(node) => parallel(seen_rect::of(node)?.size.y),
        Canvas::Solid(node) => in_3d(node)?,
    };
    let is_finite = match eye {
        Eye::At { position, height } => position.is_finite() && height.is_finite(),
        Eye::Parallel { distance } => distance.is_finite(),
    };
    is_finite.then_some(eye)
}

fn in_3d(node: &Gd<MultiMeshInstance3D>) -> Option<Eye> {
    if !node.is_inside_tree() {
        return None;
    }
    let camera = node.get_viewport()?.get_camera_3d()?;
    // A headset has a projection of its own.
    let is_parallel = camera.get_projection() == ProjectionType::ORTHOGONAL
        && camera.clone().try_cast::<XrCamera3D>().is_err();
    if is_parallel {
        return Some(parallel(height_of_view(&camera)));
    }
    let origin = camera.get_camera_transform().origin;
    Some(Eye::At {
        position: vec2(Vector2::new(origin.x, origin.z)),
        height: origin.y,
    })
}

/// The distance at which agents would be as large as in a parallel projection that is `height` world units high.
fn parallel(height: f32) -> Eye {
    let distance = height.abs() / SEEN_HEIGHT;
    Eye::Parallel { distance }
}

/// The height of what an orthographic camera shows, in world units.
fn height_of_view(camera: &Gd<Camera3D>) -> f32 {
    let size = camera.get_size();
    if camera.get_keep_aspect_mode() == KeepAspect::HEIGHT {
        return size;
    }
    let shown = camera
        .get_viewport()
        .map(|view| view.get_visible_rect().size);
    shown.map_or(size, |shown| size * shown.y / shown.x.max(1.0))
}
