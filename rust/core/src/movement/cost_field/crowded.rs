//! What crowds add to a cost field.
//!
//! It lies over all other costs and is changed apart from them, cell by cell: neither terrain nor wall
//! penalty has to be looked at again, and no legal step changes.

use crate::movement::{BLOCKED, MAX_COST};

/// Costs without crowds, and what crowds add to each cell; bordered like the costs.
#[derive(Debug, Clone)]
pub(super) struct Crowded {
    pub(super) plain: Vec<u8>,
    pub(super) extra: Vec<u8>,
}

impl Crowded {
    /// Notes plain costs from stored index `from` on, and adds to them what crowds do.
    pub(super) fn lay_over(&mut self, from: usize, costs: &mut [u8]) {
        let extra = &self.extra[from..][..costs.len()];
        self.plain[from..][..costs.len()].copy_from_slice(costs);
        for (cost, &extra) in costs.iter_mut().zip(extra) {
            *cost = sum(*cost, extra);
        }
    }
}

/// What a cell costs with what crowds add.
pub(super) fn sum(plain: u8, extra: u8) -> u8 {
    if plain == BLOCKED {
        BLOCKED
    } else {
        plain.saturating_add(extra).min(MAX_COST)
    }
}
