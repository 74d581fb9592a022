//! Surcharges of a cost field: what crowds and cost overlays add to cells.
//!
//! They are added to all other costs and changed cell by cell: neither terrain nor wall penalties are read again, and
//! no legal step changes.

use super::cell_values::CellValues;
use crate::movement::changes::Collector;
use crate::movement::{BLOCKED, MAX_COST};
use crate::retired::Retired;
use std::ops::Range;

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

/// A cell with a surcharge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Charged {
    /// The cost without the surcharge; 0 in cells without one, whose cost it is.
    plain: u8,
    extra: Surcharge,
}

/// The surcharges of cells, bordered like the costs, and what these cells cost without them. Blocks of cells without
/// surcharges share their memory, so the first surcharge of a map takes no more time than the next ones.
#[derive(Debug, Clone)]
pub(super) struct Surcharged {
    cells: CellValues<Charged>,
}

impl Surcharged {
    /// No surcharges, in `rows` rows of `stride` cells.
    pub(super) fn none_in(stride: usize, rows: usize) -> Self {
        Self {
            cells: CellValues::shared(stride, rows, Charged::default()),
        }
    }

    /// The cost without the surcharge, and the surcharge, of a stored index with this cost.
    #[inline]
    pub(super) fn at(&self, index: usize, cost: u8) -> (u8, Surcharge) {
        let Charged { plain, extra } = self.cells.get(index);
        (if plain == 0 { cost } else { plain }, extra)
    }

    /// Sets what [`Self::at`] returns.
    pub(super) fn put(&mut self, index: usize, (plain, extra): (u8, Surcharge)) {
        let has_extra = extra != Surcharge::default();
        let plain = if has_extra { plain } else { 0 };
        self.cells.replace(index, Charged { plain, extra });
    }

    /// Stores plain costs from stored index `from` on, and adds the surcharges to `costs`. Cells whose plain cost is
    /// another have changed even if all in all they cost the same.
    pub(super) fn lay_over(&mut self, from: usize, costs: &mut [u8], changes: &mut Collector) {
        let mut cells = vec![Charged::default(); costs.len()];
        self.cells.copy_row(from, &mut cells);
        for (index, (cost, cell)) in (from..).zip(costs.iter_mut().zip(&mut cells)) {
            if cell.plain != 0 {
                changes.compare(index, &[cell.plain], &[*cost]);
                cell.plain = *cost;
                *cost = cell.extra.on(*cost);
            }
        }
        self.cells.put_row(from, &cells);
    }

    /// Has blocks share memory that have cells in stored columns and rows.
    pub(super) fn share(&mut self, columns: Range<usize>, rows: Range<usize>) {
        self.cells.share(columns, rows);
    }

    /// The memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.cells.bytes()
    }

    /// Visits the parts of the memory that copies may share, each with its address and bytes.
    pub(super) fn each_part(&self, visit: &mut impl FnMut(usize, usize)) {
        self.cells.each_part(visit);
    }

    /// Has the memory given back in parts.
    pub(super) fn retire(self, retired: &mut Retired) {
        self.cells.retire(retired);
    }
}
