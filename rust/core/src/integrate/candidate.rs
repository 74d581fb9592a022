//! Candidates that one cell hands to another: a cost, and the root of the path.

use super::field::UNREACHED;
use super::root::Root;

/// The value of a cell, or a candidate for it: the cost to the goal and the root of the path. Of equal costs the lesser
/// root counts, so that the solution does not depend on the order of candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    pub(crate) cost: u32,
    pub(crate) root: Root,
}

impl Candidate {
    /// No candidate.
    pub(crate) const NONE: Self = Self {
        cost: UNREACHED,
        root: Root::HERE,
    };

    /// A candidate for paths of grid steps, which have no roots.
    pub(super) fn of_steps(cost: u32) -> Self {
        Self {
            cost,
            root: Root::HERE,
        }
    }
}

/// A cell whose value is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Start {
    /// Stored index in the window.
    pub(crate) index: usize,
    /// The cell's value.
    pub(crate) value: Candidate,
}
