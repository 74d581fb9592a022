//! Crowd penalties of a cost field.
//!
//! They are added to all other costs and changed cell by cell: neither terrain nor wall penalties are read again, and
//! no legal step changes.

use crate::movement::{BLOCKED, MAX_COST};

/// The costs without crowds, and the crowd penalty of each cell; bordered like the costs.
#[derive(Debug, Clone)]
pub(super) struct Crowded {
    pub(super) plain: Vec<u8>,
    pub(super) extra: Vec<u8>,
}

impl Crowded {
    /// Stores plain costs from stored index `from` on, and adds the crowd penalties to `costs`.
    pub(super) fn lay_over(&mut self, from: usize, costs: &mut [u8]) {
        let extra = &self.extra[from..][..costs.len()];
        self.plain[from..][..costs.len()].copy_from_slice(costs);
        for (cost, &extra) in costs.iter_mut().zip(extra) {
            *cost = sum(*cost, extra);
        }
    }
}

/// The cost of a cell with its crowd penalty.
pub(super) fn sum(plain: u8, extra: u8) -> u8 {
    if plain == BLOCKED {
        BLOCKED
    } else {
        plain.saturating_add(extra).min(MAX_COST)
    }
}
