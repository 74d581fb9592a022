//! The cells and targets of goals as bytes.

use crate::bytes::{Saved, Source as _, Unpacker, saved};
use crate::error::Result;
use crate::world::goal_id::Destination;
use std::sync::Arc;

saved!(Destination { cells, targets });

impl Destination {
    /// Reads the cells and targets of a goal.
    pub(in crate::world) fn read_checked(input: &mut Unpacker<'_>) -> Result<Arc<Self>> {
        let found = Self::read(input)?;
        let is_sound = found.cells.len() == found.targets.len()
            && found.cells.iter().all(|goal| is_initial_cost(goal.cost));
        if is_sound {
            Ok(Arc::new(found))
        } else {
            Err(input.bad("it has a goal that makes no sense"))
        }
    }
}

pub(super) fn is_initial_cost(cost: f32) -> bool {
    (0.0..=crate::integrate::MAX_INITIAL_COST).contains(&cost)
}
