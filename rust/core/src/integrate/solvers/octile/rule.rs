//! The octile solver's costs as a rule between neighbours, for repairs.

use crate::grid::links::Links;
use crate::integrate::candidate::Candidate;
use crate::integrate::field::{IntegrationField, UNREACHED};
use crate::integrate::goal_cells::{Seed, initial_cost, open_seeds};
use crate::integrate::repair::{Change, LocalRule, Repairer, Stored, link_candidate};
use crate::integrate::scale::StepScale;
use crate::integrate::solvers::octile::lengths;
use crate::movement::BLOCKED;

/// The rule that a cell costs as much as its best neighbour plus the step there.
struct OctileRule<'a> {
    cost: &'a [u8],
    legal: &'a [u8],
    offsets: [isize; 8],
    lengths: [u32; 8],
    least_step: u32,
    seeds: &'a [Seed],
    links: &'a Links,
    scale: StepScale,
}

impl LocalRule for OctileRule<'_> {
    fn least_step(&self) -> u32 {
        self.least_step
    }

    fn links(&self) -> &Links {
        self.links
    }

    #[inline]
    fn value(&self, stored: Stored<'_>, index: usize) -> Candidate {
        let initial = initial_cost(self.seeds, index).unwrap_or(UNREACHED);
        let legal = self.legal[index];
        // The least straight and the least diagonal neighbour.
        let mut least = [UNREACHED; 2];
        for step in 0..8 {
            let next = stored.cost[index.wrapping_add_signed(self.offsets[step])];
            // All bits set, which is unreached, where the step is not legal.
            let hidden = u32::from(legal >> step & 1).wrapping_sub(1);
            least[step & 1] = least[step & 1].min(next | hidden);
        }
        let linked = if self.cost[index] == BLOCKED {
            UNREACHED
        } else {
            link_candidate(self.links, self.scale, stored.cost, index)
        };
        let cost = u32::from(self.cost[index]);
        let straight = least[0].saturating_add(self.lengths[0] * cost);
        let diagonal = least[1].saturating_add(self.lengths[1] * cost);
        Candidate::of_steps(straight.min(diagonal).min(initial).min(linked))
    }

    #[inline]
    fn neighbours(&self, index: usize) -> u8 {
        self.legal[index]
    }

    #[inline]
    fn wake(&self, step: usize, next: usize, known: u32, old: u32, new: u32) -> Option<u32> {
        let length = self.lengths[step & 7] * u32::from(self.cost[next]);
        if new < old {
            let candidate = new + length;
            (candidate < known).then_some(candidate)
        } else {
            (old + length == known).then_some(known)
        }
    }
}

/// Repairs a field that [`super::OctileSolver`] solved.
pub(in crate::integrate) fn repair(
    repairer: &mut Repairer,
    change: &Change<'_>,
    field: &mut IntegrationField,
) -> bool {
    let costs = change.costs;
    let seeds = open_seeds(costs, change.goals, field.scale);
    let lengths = lengths(field.scale);
    let rule = OctileRule {
        cost: costs.costs(),
        legal: costs.steps(),
        offsets: costs.offsets(),
        lengths,
        least_step: lengths[0] * u32::from(costs.cheapest()),
        seeds: &seeds,
        links: costs.links(),
        scale: field.scale,
    };
    repairer.repair(&rule, &seeds, change, field)
}
