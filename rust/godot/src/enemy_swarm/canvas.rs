//! Nodes that can draw a crowd.

use flow_swarm::swarm::Plane;
use godot::classes::{Material, Mesh, MultiMesh, MultiMeshInstance2D, MultiMeshInstance3D, Node};
use godot::prelude::*;

/// A node that can draw a crowd.
#[derive(Clone)]
pub(super) enum Canvas {
    /// In 2D.
    Flat(Gd<MultiMeshInstance2D>),
    /// In 3D.
    Solid(Gd<MultiMeshInstance3D>),
}

impl Canvas {
    /// The node by its kind; `None` if it does not draw a MultiMesh.
    pub(super) fn of(node: &Gd<Node>) -> Option<Self> {
        match node.clone().try_cast::<MultiMeshInstance2D>() {
            Ok(flat) => Some(Self::Flat(flat)),
            Err(node) => node.try_cast::<MultiMeshInstance3D>().ok().map(Self::Solid),
        }
    }

    pub(super) fn plane(&self) -> Plane {
        match self {
            Self::Flat(_) => Plane::Xy,
            Self::Solid(_) => Plane::Xz,
        }
    }

    pub(super) fn node(&self) -> Gd<Node> {
        match self {
            Self::Flat(node) => node.clone().upcast(),
            Self::Solid(node) => node.clone().upcast(),
        }
    }

    pub(super) fn multimesh(&self) -> Option<Gd<MultiMesh>> {
        match self {
            Self::Flat(node) => node.get_multimesh(),
            Self::Solid(node) => node.get_multimesh(),
        }
    }

    pub(super) fn set_multimesh(&mut self, multimesh: &Gd<MultiMesh>) {
        match self {
            Self::Flat(node) => node.set_multimesh(multimesh),
            Self::Solid(node) => node.set_multimesh(multimesh),
        }
    }

    /// The mesh of the instances.
    pub(super) fn mesh(&self) -> Option<Gd<Mesh>> {
        self.multimesh()?.get_mesh()
    }

    /// The materials that instances are drawn with: those of the node and of its mesh.
    pub(super) fn materials(&self) -> impl Iterator<Item = Gd<Material>> {
        let own = match self {
            Self::Flat(node) => node.get_material(),
            Self::Solid(node) => node.get_material_override(),
        };
        let mesh = self.mesh();
        let surfaces = mesh.iter().flat_map(|mesh| {
            (0..mesh.get_surface_count()).filter_map(|surface| mesh.surface_get_material(surface))
        });
        let all: Vec<_> = own.into_iter().chain(surfaces).collect();
        all.into_iter()
    }

    pub(super) fn is_valid(&self) -> bool {
        match self {
            Self::Flat(node) => node.is_instance_valid(),
            Self::Solid(node) => node.is_instance_valid(),
        }
    }

    /// Whether the node's transform is the identity, so that agents, which are placed in world units, are drawn at
    /// their positions.
    pub(super) fn is_in_place(&self) -> bool {
        match self {
            Self::Flat(node) => {
                !node.is_inside_tree() || node.get_global_transform() == Transform2D::IDENTITY
            }
            Self::Solid(node) => {
                !node.is_inside_tree() || node.get_global_transform() == Transform3D::IDENTITY
            }
        }
    }
}
