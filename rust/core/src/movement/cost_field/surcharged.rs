//! Surcharges of a cost field: what crowds and cost overlays add to cells.
//!
//! They are added to all other costs and changed cell by cell: neither terrain nor wall penalties are read again, and
//! no legal step changes.

use super::cell_values::CellValues;
use crate::movement::{BLOCKED, MAX_COST};

/// What is added to the cost of a cell, by source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Surcharge {
    pub(crate) crowd: u8,
    /// The sum of all cost overlays, or 255 if it is greater.
    pub(crate) overlays: u8,
}

impl Surcharge {
    /// A cost with this surcharge. Closed cells stay closed, and open ones open.
    pub(super) fn on(self, plain: u8) -> u8 {
        if plain == BLOCKED {
            return BLOCKED;
        }
        let extra = self.crowd.saturating_add(self.overlays);
        plain.saturating_add(extra).min(MAX_COST)
    }
}

/// The costs without surcharges, and the surcharge of each cell; bordered like the costs.
#[derive(Debug, Clone)]
pub(super) struct Surcharged {
    pub(super) plain: CellValues<u8>,
    pub(super) extra: CellValues<Surcharge>,
}

impl Surcharged {
    /// Costs without surcharges so far, in `rows` rows of `stride` cells.
    pub(super) fn none_on(costs: &CellValues<u8>, (stride, rows): (usize, usize)) -> Self {
        Self {
            plain: costs.clone(),
            extra: CellValues::shared(stride, rows, Surcharge::default()),
        }
    }

    /// Stores plain costs from stored index `from` on, and adds the surcharges to `costs`.
    pub(super) fn lay_over(&mut self, from: usize, costs: &mut [u8]) {
        self.plain.put_row(from, costs);
        let mut extra = vec![Surcharge::default(); costs.len()];
        self.extra.copy_row(from, &mut extra);
        for (cost, extra) in costs.iter_mut().zip(extra) {
            *cost = extra.on(*cost);
        }
    }
}
