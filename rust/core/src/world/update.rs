//! The report of an update: the changes since the last one.

use crate::error::Error;
use crate::grid::CellRect;
use crate::world::goal_id::GoalId;

/// The changes since the last update.
#[derive(Debug, Clone, Default)]
pub struct Update {
    /// The smallest rectangle around all terrain edits.
    pub terrain: Option<CellRect>,
    /// Whether crowds, cost overlays, a new grid, or costs that were written in slices may have changed costs.
    pub surcharges: bool,
    /// Whether heights of the ground may have changed.
    pub heights: bool,
    /// Goals with a new or repaired field, in the order of creation, each once.
    pub ready: Vec<GoalId>,
    /// Fields that could not be built: goal, movement type, reason.
    pub failed: Vec<(GoalId, usize, Error)>,
}
