//! Surcharges of a cost field: what crowds and cost overlays add to cells.
//!
//! They are added to all other costs and changed cell by cell: neither terrain nor wall penalties are read again, and
//! no legal step changes.

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
    pub(super) plain: Vec<u8>,
    pub(super) extra: Vec<Surcharge>,
}

impl Surcharged {
    /// Costs without surcharges so far.
    pub(super) fn none_on(costs: &[u8]) -> Self {
        Self {
            plain: costs.to_vec(),
            extra: vec![Surcharge::default(); costs.len()],
        }
    }

    /// Room for costs without surcharges that are not written yet.
    pub(super) fn with_capacity(cells: usize) -> Self {
        Self {
            plain: Vec::with_capacity(cells),
            extra: Vec::with_capacity(cells),
        }
    }

    /// Makes room for more cells. Those of unwritten rows are closed.
    pub(super) fn grow(&mut self, cells: usize) {
        self.plain.resize(cells, BLOCKED);
        self.extra.resize(cells, Surcharge::default());
    }

    /// Stores plain costs from stored index `from` on, and adds the surcharges to `costs`.
    pub(super) fn lay_over(&mut self, from: usize, costs: &mut [u8]) {
        let extra = &self.extra[from..][..costs.len()];
        self.plain[from..][..costs.len()].copy_from_slice(costs);
        for (cost, extra) in costs.iter_mut().zip(extra) {
            *cost = extra.on(*cost);
        }
    }
}
