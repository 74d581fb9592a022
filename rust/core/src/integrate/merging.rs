//! Merges of two fields of one map, solved separately for different cells.

use super::field::IntegrationField;
use std::sync::Arc;

impl IntegrationField {
    /// Takes the values of `cells`, given by stored index, from a field of the same map by the same method.
    pub(crate) fn take_values(&mut self, from: &Self, cells: &[usize]) {
        for &cell in cells {
            self.cost[cell] = from.cost[cell];
        }
        if !from.roots.is_empty() {
            let roots = Arc::make_mut(&mut self.roots);
            for &cell in cells {
                roots[cell] = from.roots[cell];
            }
        }
        self.highest = self.highest.max(from.highest);
    }

    /// Sets the cost of a cell, given by stored index, to 0.
    pub(crate) fn set_free(&mut self, cell: usize) {
        self.cost[cell] = 0;
    }
}
