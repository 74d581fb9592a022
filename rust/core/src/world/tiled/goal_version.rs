//! What ways to a goal are made from.

use crate::integrate::Solver;

/// What ways to a goal are made from, besides the costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::world) struct GoalVersion {
    /// How often the goal had been moved.
    pub(super) goal: u64,
    pub(super) solver: Solver,
}
