//! The space that the camera of a viewport shows in 3D.

use flow_swarm::Vec3;
use flow_swarm::swarm::{Extent, Frustum};
use godot::classes::{MultiMeshInstance3D, XrCamera3D};
use godot::prelude::*;

/// What the camera of a node's viewport shows of instances of an extent; `None` if it is not known: without a camera, and
/// with that of a headset, which has a frustum for each eye and turns until the frame is shown.
pub(super) fn of(node: &Gd<MultiMeshInstance3D>, extent: Extent) -> Option<Frustum> {
    if !node.is_inside_tree() {
        return None;
    }
    let camera = node.get_viewport()?.get_camera_3d()?;
    if camera.clone().try_cast::<XrCamera3D>().is_ok() {
        return None;
    }
    let planes = camera.get_frustum();
    let planes = planes.iter_shared().map(|plane| {
        let Vector3 { x, y, z } = plane.normal;
        (Vec3::new(x, y, z), plane.d)
    });
    let planes: Vec<(Vec3, f32)> = planes.collect();
    // A camera in a viewport without a size has planes that are not finite.
    Frustum::new(&planes, extent).ok()
}
