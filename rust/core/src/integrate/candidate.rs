//! What one cell offers another: a cost, and the root of the path.

use super::field::UNREACHED;
use super::root::Root;

/// What a cell has and hands on: the cost to the goal and the root of the path. Of equal costs the
/// lesser root counts, so that the solution does not depend on the order of the offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    pub(crate) cost: u32,
    pub(crate) root: Root,
}

impl Candidate {
    /// No offer.
    pub(crate) const NONE: Self = Self {
        cost: UNREACHED,
        root: Root::HERE,
    };

    /// An offer of paths of grid steps, which have no roots.
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
    /// What it has.
    pub(crate) offer: Candidate,
}
