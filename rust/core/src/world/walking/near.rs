//! The near fields of a goal that walks, and how urgently it needs farther ones.

use crate::world::goal_id::Destination;
use crate::world::version::Version;
use crate::world::walking::middle::TIERS;
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
    /// How many former middle fields of each tier are in use with them.
    pub(super) former: [usize; TIERS],
}

/// How deep the goal cells of farther fields are in the next nearer field: 0 for a goal there, 1 at the bound or
/// beyond.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::world) struct GoalDepths {
    /// For the latest middle fields of each tier, if they are in use.
    pub(super) middle: [Option<f32>; TIERS],
    pub(super) far: f32,
}

impl GoalDepths {
    pub(in crate::world) const LOST: Self = Self {
        middle: [None; TIERS],
        far: 1.0,
    };

    /// Whether middle fields are in use.
    pub(super) fn has_middle(&self) -> bool {
        self.middle.iter().any(Option::is_some)
    }

    /// The depth for the first field in use that is not nearer than the middle fields of a tier.
    pub(super) fn beyond_tier(&self, tier: usize) -> f32 {
        let middle = self.middle[tier..].iter();
        middle.flatten().next().map_or(self.far, |&depth| depth)
    }

    /// The depth for the next field in use after the near field.
    pub(super) fn nearest(&self) -> f32 {
        self.beyond_tier(0)
    }
}

/// The versions of the far field, or of the routes and tiles in its place: one or two.
pub(in crate::world) type FarVersions = [Option<Version>; 2];

/// The versions on which near fields depend, besides the goal's position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::world) struct Key {
    pub(super) now: Version,
    pub(super) far: FarVersions,
    /// For each tier.
    pub(super) middle: [Option<Version>; TIERS],
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
