//! What a repair overwrites in a field.

use crate::integrate::candidate::Candidate;
use crate::integrate::field::IntegrationField;
use std::sync::Arc;

/// What a repair has overwritten in a field, to go back.
#[derive(Debug, Clone, Default)]
pub(crate) struct OverwrittenCosts {
    /// The written cells with their previous values, in order.
    pub(super) cells: Vec<(u32, Candidate)>,
    goals: Vec<usize>,
    highest: u32,
}

impl OverwrittenCosts {
    /// Nothing of a field.
    pub(super) fn begin(&mut self, field: &IntegrationField) {
        self.cells.clear();
        self.goals.clone_from(&field.goals);
        self.highest = field.highest;
    }

    /// The memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.cells.as_slice()) + size_of_val(self.goals.as_slice())
    }
}

impl IntegrationField {
    /// Takes back what a repair has done.
    pub(crate) fn put_back(&mut self, overwritten: &OverwrittenCosts) {
        for &(index, before) in overwritten.cells.iter().rev() {
            self.cost[index as usize] = before.cost;
        }
        if !self.roots.is_empty() {
            let roots = Arc::make_mut(&mut self.roots);
            for &(index, before) in overwritten.cells.iter().rev() {
                roots[index as usize] = before.root;
            }
        }
        self.goals.clone_from(&overwritten.goals);
        self.highest = overwritten.highest;
    }
}
