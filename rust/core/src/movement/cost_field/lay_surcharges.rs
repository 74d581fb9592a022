//! Sets the surcharges of a cost field.

use super::CostField;
use super::histogram::extremes;
use super::surcharged::{Surcharge, Surcharged};
use crate::grid::CellRect;
use crate::movement::Changes;
use crate::movement::changes::Collector;
use glam::IVec2;

impl CostField {
    /// Sets the surcharges of cells, and returns the cells whose surcharges changed. Linear in the given cells.
    pub(crate) fn lay_surcharges(&mut self, surcharges: &[(IVec2, Surcharge)]) -> Changes {
        let mut changes = Collector::new(self.width * self.height);
        if !self.is_changed_by(surcharges) {
            return Changes::Cells(Vec::new());
        }
        let known = self.surcharged.take();
        let mut surcharged = known.unwrap_or_else(|| self.without_surcharges());
        for &(cell, surcharge) in surcharges {
            let index = self.index(cell);
            let (plain, known) = surcharged.at(index, self.cost.get(index));
            surcharged.put(index, (plain, surcharge));
            let fresh = surcharge.on(plain);
            let old = self.cost.replace(index, fresh);
            if old != fresh {
                self.histogram[usize::from(old)] -= 1;
                self.histogram[usize::from(fresh)] += 1;
            }
            changes.compare(index, &[(old, known)], &[(fresh, surcharge)]);
        }
        self.surcharged = Some(surcharged);
        self.extremes = extremes(&self.histogram);
        changes.finish(|| {
            let cells = surcharges.iter().map(|&(cell, _)| CellRect::cell(cell));
            let around = cells.reduce(|one, other| one.union(&other));
            around.into_iter().collect()
        })
    }

    pub(super) fn without_surcharges(&self) -> Surcharged {
        Surcharged::none_in(self.stride, self.height + 2)
    }

    /// Whether any of these surcharges differs from what its cell has.
    pub(crate) fn is_changed_by(&self, surcharges: &[(IVec2, Surcharge)]) -> bool {
        let differs = |&(cell, fresh): &(IVec2, Surcharge)| self.surcharge_at(cell) != fresh;
        surcharges.iter().any(differs)
    }

    /// Whether any cell may have a surcharge.
    pub(in crate::movement) fn has_surcharges(&self) -> bool {
        self.surcharged.is_some()
    }

    /// The surcharge of a cell; none outside the grid.
    pub(in crate::movement) fn surcharge_at(&self, cell: IVec2) -> Surcharge {
        match &self.surcharged {
            Some(surcharged) if self.contains(cell) => surcharged.at(self.index(cell), 0).1,
            _ => Surcharge::default(),
        }
    }

    /// The cost of a cell without what crowds and cost overlays add to it; outside the grid it is
    /// [`BLOCKED`](crate::movement::BLOCKED).
    #[must_use]
    #[inline]
    pub fn plain_cost_at(&self, cell: IVec2) -> u8 {
        let cost = self.cost_at(cell);
        match &self.surcharged {
            Some(surcharged) if self.contains(cell) => surcharged.at(self.index(cell), cost).0,
            _ => cost,
        }
    }
}
