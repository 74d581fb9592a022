//! System C's costs as a rule between neighbours, for repairs.

use crate::grid::links::Links;
use crate::integrate::candidate::Candidate;
use crate::integrate::field::{IntegrationField, UNREACHED};
use crate::integrate::goal_cells::{Seed, initial_cost, open_seeds};
use crate::integrate::repair::{Change, LocalRule, Repairer, Stored, link_candidate};
use crate::integrate::scale::StepScale;
use crate::integrate::solvers::predecessor::step_cost;
use crate::movement::BLOCKED;

/// The rule that a cell costs as much as its best neighbour plus the step there with its penalty.
struct PredecessorRule<'a> {
    cost: &'a [u8],
    legal: &'a [u8],
    offsets: [isize; 8],
    least_step: u32,
    seeds: &'a [Seed],
    links: &'a Links,
    scale: StepScale,
}

impl LocalRule for PredecessorRule<'_> {
    fn least_step(&self) -> u32 {
        self.least_step
    }

    fn links(&self) -> &Links {
        self.links
    }

    #[inline]
    fn value(&self, stored: Stored<'_>, index: usize) -> Candidate {
        let initial = initial_cost(self.seeds, index).unwrap_or(UNREACHED);
        let (legal, cost) = (self.legal[index], self.cost[index]);
        let least = (0..8)
            .filter(|step| legal >> step & 1 == 1)
            .map(|step| {
                let next = stored.cost[index.wrapping_add_signed(self.offsets[step])];
                next.saturating_add(step_cost(cost, step))
            })
            .min();
        let linked = if cost == BLOCKED {
            UNREACHED
        } else {
            link_candidate(self.links, self.scale, stored.cost, index)
        };
        Candidate::of_steps(least.unwrap_or(UNREACHED).min(initial).min(linked))
    }

    #[inline]
    fn neighbours(&self, index: usize) -> u8 {
        self.legal[index]
    }
}

/// Repairs a field that [`super::PredecessorSolver`] solved; its directions are those of
/// [`super::predecessor_step`].
pub(in crate::integrate) fn repair(
    repairer: &mut Repairer,
    change: &Change<'_>,
    field: &mut IntegrationField,
) -> bool {
    let costs = change.costs;
    let seeds = open_seeds(costs, change.goals, field.scale);
    let rule = PredecessorRule {
        cost: costs.costs(),
        legal: costs.steps(),
        offsets: costs.offsets(),
        least_step: step_cost(costs.cheapest(), 0),
        seeds: &seeds,
        links: costs.links(),
        scale: field.scale,
    };
    repairer.repair(&rule, &seeds, change, field)
}
