//! The near fields of a goal that walks, and how urgently it needs farther ones.

use crate::world::goal_id::Destination;
use crate::world::version::Version;
use crate::world::walking::near_field::NearField;
use std::sync::Arc;

/// The near fields of a goal, with the state for which they were found.
#[derive(Debug, Clone)]
pub(in crate::world) struct Near {
    /// Empty if the goal has jumped out of their reach.
    pub(super) fields: Vec<Arc<NearField>>,
    pub(super) destination: Arc<Destination>,
    pub(super) key: Key,
    pub(super) depths: GoalDepths,
    /// How many former middle fields are in use with them.
    pub(super) former: usize,
}

/// How deep the goal cells of the farther fields are in the next nearer field: 0 for a goal there, 1 at the bound or
/// beyond. `next` is for the field after the near field; `far` is for the far field after middle fields, if there are
/// any.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::world) struct GoalDepths {
    pub(super) next: f32,
    pub(super) far: Option<f32>,
}

impl GoalDepths {
    pub(in crate::world) const LOST: Self = Self {
        next: 1.0,
        far: Some(1.0),
    };
}

/// The versions of the far field, or of the routes and tiles in its place: one or two.
pub(in crate::world) type FarVersions = [Option<Version>; 2];

/// The versions on which near fields depend, besides the goal's position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::world) struct Key {
    pub(super) now: Version,
    pub(super) far: FarVersions,
    pub(super) middle: Option<Version>,
}

impl Near {
    /// Whether the goal has jumped out of the near fields' reach.
    pub(in crate::world) fn is_lost(&self) -> bool {
        self.fields.is_empty()
    }

    pub(in crate::world) fn depths(&self) -> GoalDepths {
        self.depths
    }

    /// Moves the targets within their cells.
    pub(in crate::world) fn move_targets(&mut self, destination: &Arc<Destination>) {
        for field in &mut self.fields {
            Arc::make_mut(field).move_targets(destination);
        }
        self.destination = Arc::clone(destination);
    }
}
