//! The space that meshes take around their agents.

use flow_swarm::swarm::Extent;
use godot::classes::{ArrayMesh, Mesh, PrimitiveMesh};
use godot::prelude::*;

/// The space that any of some meshes takes; `None` without a mesh.
pub(super) fn of(meshes: impl Iterator<Item = Gd<Mesh>>) -> Option<Extent> {
    let extents = meshes.map(|mesh| extent(bounds(&mesh)));
    extents.reduce(|one, other| Extent {
        radius: one.radius.max(other.radius),
        low: one.low.min(other.low),
        high: one.high.max(other.high),
    })
}

/// The bounds with which the engine culls a mesh. Animated meshes have wider ones than their vertices.
fn bounds(mesh: &Gd<Mesh>) -> Aabb {
    let custom = match mesh.clone().try_cast::<ArrayMesh>() {
        Ok(mesh) => mesh.get_custom_aabb(),
        Err(mesh) => {
            let primitive = mesh.try_cast::<PrimitiveMesh>();
            primitive.map_or(Aabb::default(), |mesh| mesh.get_custom_aabb())
        }
    };
    if custom == Aabb::default() {
        mesh.get_aabb()
    } else {
        custom
    }
}

/// The cylinder around the vertical axis that a box is in.
fn extent(bounds: Aabb) -> Extent {
    let (low, high) = (bounds.position, bounds.end());
    let reach = low.abs().coord_max(high.abs());
    Extent {
        radius: Vector2::new(reach.x, reach.z).length(),
        low: low.y,
        high: high.y,
    }
}
