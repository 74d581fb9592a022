//! Sets the crowd levels of a cost field.

use super::CostField;
use super::crowded::{Crowded, sum};
use super::histogram::extremes;
use crate::movement::changes::Collector;
use crate::movement::{Changes, CrowdPenalty};
use glam::IVec2;

impl CostField {
    /// Sets the crowd levels of cells, up to [`MOST_CROWDING`](crate::movement::MOST_CROWDING), and returns the cells
    /// whose costs changed. Linear in the given cells; the first time linear in all cells.
    pub(crate) fn lay_crowd(&mut self, penalty: CrowdPenalty, levels: &[(IVec2, u8)]) -> Changes {
        let mut changes = Collector::new(self.width * self.height);
        if levels.is_empty() || self.crowded.is_none() && penalty.is_none() {
            return changes.finish();
        }
        let mut crowded = self.crowded.take().unwrap_or_else(|| Crowded {
            extra: vec![0; self.cost.len()],
            plain: self.cost.clone(),
        });
        for &(cell, level) in levels {
            let index = self.index(cell);
            crowded.extra[index] = penalty.surcharge(level);
            let fresh = sum(crowded.plain[index], crowded.extra[index]);
            let old = std::mem::replace(&mut self.cost[index], fresh);
            if old != fresh {
                self.histogram[usize::from(old)] -= 1;
                self.histogram[usize::from(fresh)] += 1;
                changes.compare(index, &[old], &[fresh]);
            }
        }
        self.crowded = Some(crowded);
        self.extremes = extremes(&self.histogram);
        changes.finish()
    }

    /// The cost of a cell without its crowd penalty; outside the grid it is [`BLOCKED`](crate::movement::BLOCKED).
    #[must_use]
    #[inline]
    pub fn plain_cost_at(&self, cell: IVec2) -> u8 {
        match &self.crowded {
            Some(crowded) if self.contains(cell) => crowded.plain[self.index(cell)],
            _ => self.cost_at(cell),
        }
    }
}
