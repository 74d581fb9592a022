//! The value of a cell as a function of its neighbours' values.

use super::local_solver::{Known, LocalSolver};
use super::uniform_ground::EvenGround;
use crate::grid::links::Links;
use crate::integrate::candidate::Candidate;
use crate::integrate::field::UNREACHED;
use crate::integrate::goal_cells::{Seed, initial_cost};
use crate::integrate::repair::{Stored, link_candidate};
use crate::integrate::root::Root;
use crate::integrate::scale::StepScale;
use crate::movement::{BLOCKED, CostField};

/// The rule that a cell has the best candidate of its neighbours.
pub(super) struct EikonalRule<'a> {
    pub(super) costs: &'a CostField,
    pub(super) local: LocalSolver<'a>,
    pub(super) least_step: u32,
    pub(super) seeds: &'a [Seed],
    pub(super) links: &'a Links,
    pub(super) scale: StepScale,
}

impl EikonalRule<'_> {
    /// The value of a cell by its neighbours, its links and the goals.
    pub(super) fn best_value(&self, stored: Stored<'_>, index: usize) -> Candidate {
        let initial = Candidate {
            cost: initial_cost(self.seeds, index).unwrap_or(UNREACHED),
            root: Root::HERE,
        };
        // No candidate is cheaper. Most goals are of this kind.
        if initial.cost == 0 {
            return initial;
        }
        if self.local.is_wall(index) {
            return Candidate::NONE;
        }
        let known = Known {
            cost: stored.cost,
            roots: stored.roots,
            below: UNREACHED,
        };
        let best = self.local.best_candidate(known, index);
        let linked = Candidate {
            cost: link_candidate(self.links, self.scale, stored.cost, index),
            root: Root::HERE,
        };
        let best = best.unwrap_or(Candidate::NONE).min(initial);
        if linked.cost == UNREACHED {
            best
        } else {
            best.min(linked)
        }
    }

    /// The costs of lengths where all open ground has one cost.
    pub(super) fn even_ground(&self) -> EvenGround {
        self.local.even_ground(self.costs.cheapest())
    }

    #[inline]
    pub(super) fn neighbour(&self, index: usize, step: usize) -> usize {
        self.local.neighbour(index, step)
    }

    /// Whether there is no open cell at a stored index.
    #[inline]
    pub(super) fn is_wall(&self, index: usize) -> bool {
        self.costs
            .costs()
            .get(index)
            .is_none_or(|&cost| cost == BLOCKED)
    }

    /// Whether all these steps are legal from the cell at a stored index, if there is one.
    #[inline]
    pub(super) fn has_steps(&self, index: usize, steps: u8) -> bool {
        let legal = self.costs.steps().get(index).copied().unwrap_or(0);
        legal & steps == steps
    }

    /// The legal steps of all cells.
    #[inline]
    pub(super) fn steps(&self) -> &[u8] {
        self.costs.steps()
    }
}
