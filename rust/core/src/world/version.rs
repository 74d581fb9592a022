//! What a field was made from.

use crate::flow::DirectionRule;
use crate::integrate::{Method, Solver};

/// What a field was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) costs: u64,
    pub(super) goal: u64,
    pub(super) solver: Solver,
    pub(super) rule: DirectionRule,
}

impl Version {
    /// Whether it is of the same costs, and of one kind.
    pub(super) fn is_made_as(self, other: Self) -> bool {
        self.costs == other.costs && self.is_of_one_kind(other)
    }

    /// Whether solver and rule are the same.
    pub(super) fn is_of_one_kind(self, other: Self) -> bool {
        (self.solver, self.rule) == (other.solver, other.rule)
    }

    pub(super) fn method(self) -> Method {
        self.rule.method(self.solver)
    }
}
