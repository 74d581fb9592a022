//! What is known of the near field of a goal that walks, and how its agents are to hurry.

use crate::world::goal_id::Ends;
use crate::world::version::Version;
use crate::world::walking::near_field::NearField;
use std::sync::Arc;

/// The near fields of a goal, and what they have been found for.
#[derive(Debug)]
pub(in crate::world) struct Near {
    /// Empty if the goal has jumped out of their reach.
    pub(super) fields: Vec<Arc<NearField>>,
    pub(super) ends: Arc<Ends>,
    pub(super) key: Key,
    pub(super) haste: Haste,
}

/// How near to the bounds of the fields that are to hold them the ends of farther fields lie, of the one that comes after
/// the near field and of the far one after a middle one, if there is one: 0 for none, 1 at the bound or beyond.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::world) struct Haste {
    pub(super) next: f32,
    pub(super) far: Option<f32>,
}

impl Haste {
    pub(in crate::world) const LOST: Self = Self {
        next: 1.0,
        far: Some(1.0),
    };
}

/// What leads on from afar was made from: one or two things.
pub(in crate::world) type FarVersions = [Option<Version>; 2];

/// What near fields depend on beside the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::world) struct Key {
    pub(super) now: Version,
    pub(super) far: FarVersions,
    pub(super) middle: Option<Version>,
}

impl Near {
    /// Whether the goal has jumped away.
    pub(in crate::world) fn is_lost(&self) -> bool {
        self.fields.is_empty()
    }

    pub(in crate::world) fn haste(&self) -> Haste {
        self.haste
    }

    /// Tells the fields that the targets have moved within their cells.
    pub(in crate::world) fn move_targets(&mut self, ends: &Arc<Ends>) {
        for field in &mut self.fields {
            Arc::make_mut(field).move_targets(ends);
        }
        self.ends = Arc::clone(ends);
    }
}
