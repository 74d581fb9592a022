//! The version of a field: the inputs from which it was made.

use crate::flow::DirectionRule;
use crate::integrate::{Method, Solver};

/// The inputs from which a field was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) costs: u64,
    pub(super) goal: u64,
    pub(super) solver: Solver,
    pub(super) rule: DirectionRule,
}

impl Version {
    /// Whether both have the same costs, solver and rule.
    pub(super) fn is_made_as(self, other: Self) -> bool {
        self.costs == other.costs && self.is_of_one_kind(other)
    }

    /// Whether both have the same solver and rule.
    pub(super) fn is_of_one_kind(self, other: Self) -> bool {
        (self.solver, self.rule) == (other.solver, other.rule)
    }

    pub(super) fn method(self) -> Method {
        self.rule.method(self.solver)
    }
}
