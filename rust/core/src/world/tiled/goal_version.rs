//! The version of a goal that routes and tiles were made for.

use crate::integrate::Solver;

/// What routes and tiles depend on besides the costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::world) struct GoalVersion {
    /// The number of moves of the goal.
    pub(super) goal: u64,
    pub(super) solver: Solver,
}
