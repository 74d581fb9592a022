//! What crowds add to a cost field.
//!
//! It lies over all other costs and is changed apart from them, cell by cell: neither terrain nor wall
//! penalty has to be looked at again, and no legal step changes.

use super::CostField;
use super::histogram::extremes;
use crate::movement::changes::Collector;
use crate::movement::{BLOCKED, Changes, CrowdPenalty, MAX_COST};
use glam::IVec2;

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

fn sum(plain: u8, extra: u8) -> u8 {
    if plain == BLOCKED {
        BLOCKED
    } else {
        plain.saturating_add(extra).min(MAX_COST)
    }
}

impl CostField {
    /// Takes over how crowded cells of the grid have become, as levels up to
    /// [`MOST_CROWDING`](crate::movement::MOST_CROWDING), and says which costs have changed. Linear in the
    /// cells given; the first time in all.
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

    /// The cost of a cell without what crowds add; outside the grid it is [`BLOCKED`].
    #[must_use]
    #[inline]
    pub fn plain_cost_at(&self, cell: IVec2) -> u8 {
        match &self.crowded {
            Some(crowded) if self.contains(cell) => crowded.plain[self.index(cell)],
            _ => self.cost_at(cell),
        }
    }
}
