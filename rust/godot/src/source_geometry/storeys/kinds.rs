//! What nodes and shapes are, remembered from one bake to the next.
//!
//! To find the class of a node takes longer than all else that is asked of a body beside the box of a rebake. It never
//! changes, and no other object gets the same id.

use crate::source_geometry::solids::Form;
use godot::classes::{CsgShape3D, GridMap, MeshInstance3D, Node, StaticBody3D};
use godot::obj::InstanceId;
use godot::prelude::*;
use std::collections::HashMap;

/// A node by its class, as far as bakes read it.
pub(super) enum Kind {
    Body(Gd<StaticBody3D>),
    Mesh(Gd<MeshInstance3D>),
    Csg(Gd<CsgShape3D>),
    Cells(Gd<GridMap>),
    Other,
}

impl Kind {
    pub(super) fn of(node: Gd<Node>) -> Self {
        fn cast<T: Inherits<Node>>(
            node: Gd<Node>,
            kind: fn(Gd<T>) -> Kind,
        ) -> Result<Kind, Gd<Node>> {
            node.try_cast().map(kind)
        }
        let kind = cast(node, Self::Body)
            .or_else(|node| cast(node, Self::Mesh))
            .or_else(|node| cast(node, Self::Csg))
            .or_else(|node| cast(node, Self::Cells));
        kind.unwrap_or(Self::Other)
    }
}

/// What was found of objects, by their ids.
pub(super) struct Memory<T> {
    /// With whether the last read asked for it.
    known: HashMap<InstanceId, (T, bool)>,
}

impl<T> Default for Memory<T> {
    fn default() -> Self {
        Self {
            known: HashMap::new(),
        }
    }
}

impl<T> Memory<T> {
    /// What is remembered of an object, or else what `find` returns.
    pub(super) fn of<O: GodotClass>(&mut self, object: &Gd<O>, find: fn(Gd<O>) -> T) -> &T {
        let entry = self.known.entry(object.instance_id_unchecked());
        let (found, is_used) = entry.or_insert_with(|| (find(object.clone()), true));
        *is_used = true;
        found
    }

    /// Forgets what was not asked for since the last call.
    fn forget_unused(&mut self) {
        self.known.retain(|_, (_, is_used)| std::mem::take(is_used));
    }
}

/// What the nodes and shapes of a scene are.
#[derive(Default)]
pub struct Kinds {
    pub(super) nodes: Memory<Kind>,
    pub(super) shapes: Memory<Form>,
}

impl Kinds {
    /// Forgets the nodes and shapes that the last read has not met.
    pub fn end_read(&mut self) {
        self.nodes.forget_unused();
        self.shapes.forget_unused();
    }
}
