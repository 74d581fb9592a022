//! System C's costs as a rule between neighbours, for their repair.

use super::offer::Offer;
use super::predecessor::step_cost;
use super::repair::{LocalRule, Repairer, Stored};
use super::{IntegrationField, UNREACHED, open_goals};
use crate::movement::CostField;
use glam::IVec2;

/// A cell costs what a neighbour does, plus the step there with its penalty.
struct PredecessorRule<'a> {
    cost: &'a [u8],
    legal: &'a [u8],
    offsets: [isize; 8],
    least_step: u32,
    goals: &'a [usize],
}

impl LocalRule for PredecessorRule<'_> {
    fn least_step(&self) -> u32 {
        self.least_step
    }

    #[inline]
    fn value(&self, stored: Stored<'_>, index: usize) -> Offer {
        if self.goals.binary_search(&index).is_ok() {
            return Offer::of_steps(0);
        }
        let (legal, cost) = (self.legal[index], self.cost[index]);
        let least = (0..8)
            .filter(|step| legal >> step & 1 == 1)
            .map(|step| {
                let next = stored.cost[index.wrapping_add_signed(self.offsets[step])];
                next.saturating_add(step_cost(cost, step))
            })
            .min();
        Offer::of_steps(least.unwrap_or(UNREACHED))
    }

    #[inline]
    fn neighbours(&self, index: usize) -> u8 {
        self.legal[index]
    }
}

impl Repairer {
    /// Makes `field`, which [`super::PredecessorSolver`] solved for the same targets before the
    /// cells `changed` of `costs` did, what the solver would make of it now, bit for bit; its
    /// directions are those of [`super::predecessor_step`].
    ///
    /// False, and nothing is changed, if that means to look at more than `limit` cells, or if costs
    /// come near the end of the number range.
    pub fn repair_predecessor(
        &mut self,
        costs: &CostField,
        targets: &[IVec2],
        changed: &[u32],
        field: &mut IntegrationField,
        limit: usize,
    ) -> bool {
        let goals = open_goals(costs, targets);
        let rule = PredecessorRule {
            cost: costs.costs(),
            legal: costs.steps(),
            offsets: costs.offsets(),
            least_step: step_cost(costs.cheapest(), 0),
            goals: &goals,
        };
        let repaired = self.repair(&rule, changed, field, limit);
        if repaired {
            field.goals = goals;
        }
        repaired
    }
}
