//! The Eikonal solver's offers as a rule between neighbours, for their repair.

use super::moves::steps_of;
use super::offer::{Candidate, Ground, Known};
use super::repair::{LocalRule, Repairer, Stored, link_offer};
use super::root::{PER_CELL, Root};
use super::seeds::{GoalCell, Seed, initial_cost, open_seeds};
use super::shadow::{Shadow, Sweep};
use super::uniform_ground::EvenGround;
use super::visible_cells::MOST_ROWS;
use super::{IntegrationField, StepScale, UNREACHED};
use crate::links::Links;
use crate::movement::{BLOCKED, CostField};
use glam::IVec2;
use std::borrow::Cow;

/// How far, in cells, a changed cost reaches: an offer depends on whether the ground around the cell that
/// makes it is open.
const REACH: isize = 2;

/// How far a closed cell must lie in the open for its shadow to be swept.
const OPEN: i32 = 3;

/// A cell has the best of what its neighbours offer it.
pub(super) struct EikonalRule<'a> {
    costs: &'a CostField,
    ground: Ground<'a>,
    least_step: u32,
    seeds: &'a [Seed],
    links: &'a Links,
    scale: StepScale,
}

impl LocalRule for EikonalRule<'_> {
    fn least_step(&self) -> u32 {
        self.least_step
    }

    fn links(&self) -> &Links {
        self.links
    }

    fn value(&self, stored: Stored<'_>, index: usize) -> Candidate {
        let initial = Candidate {
            cost: initial_cost(self.seeds, index).unwrap_or(UNREACHED),
            root: Root::HERE,
        };
        // Nothing is cheaper; most goals are such.
        if initial.cost == 0 {
            return initial;
        }
        if self.ground.is_wall(index) {
            return Candidate::NONE;
        }
        let known = Known {
            cost: stored.cost,
            roots: stored.roots,
            below: UNREACHED,
        };
        let best = self.ground.best_offer(known, index);
        let linked = Candidate {
            cost: link_offer(self.links, self.scale, stored.cost, index),
            root: Root::HERE,
        };
        let best = best.unwrap_or(Candidate::NONE).min(initial);
        if linked.cost == UNREACHED {
            best
        } else {
            best.min(linked)
        }
    }

    #[inline]
    fn reached<'b>(&self, changed: &'b [u32]) -> Cow<'b, [u32]> {
        Cow::Owned(within_reach(self.costs, changed))
    }

    fn sweep(&self, changed: &[u32], field: Sweep<'_, '_>) -> Option<bool> {
        if !self.ground.is_even() || !self.links.is_empty() {
            return None;
        }
        let stored = field.values.stored();
        let closed = closed_cell(self.costs, stored, changed)?;
        let root = stored.roots[closed];
        let shadow = Shadow::new(closed, root, self.costs)?;
        is_in_the_open(self.costs, stored, closed).then_some(())?;
        // Rounding may make a way over another corner as cheap as a line to this one.
        let is_least = Root::is_middle(root.bend())
            && root.bend().abs().max_element() < MOST_ROWS as i32 * PER_CELL;
        if !is_least {
            (field.suspects).extend(within_reach(self.costs, &[closed as u32]));
        }
        Some(shadow.sweep(self, is_least, field))
    }

    fn neighbours(&self, _index: usize) -> u8 {
        0xFF
    }

    #[inline]
    fn wake(&self, _step: usize, next: usize, known: u32, old: u32, new: u32) -> Option<u32> {
        if self.ground.is_wall(next) {
            return None;
        }
        // What the cell offered or offers is at least so much.
        let least = old.min(new).saturating_add(self.least_step);
        if new < old {
            (least <= known).then_some(least)
        } else if new > old {
            (known != UNREACHED && least <= known).then_some(known)
        } else {
            (least <= known).then_some(least)
        }
    }

    /// On even ground an offer depends on the value of the cell that makes it alone. Paths that turn are left
    /// from before the edit, when it was not even.
    #[inline]
    fn affects(
        &self,
        index: usize,
        woken: u8,
        (old, new): (Candidate, Candidate),
        has: impl Fn(usize) -> Candidate,
    ) -> u8 {
        if !self.ground.is_even() || !old.root.is_straight() {
            return woken;
        }
        let same = self.ground.same(index);
        if same == 0xFF {
            return woken & self.ground.affects_in_the_open(index, (old, new), has);
        }
        let [old, new] = [old, new].map(|value| self.ground.outgoing(value, index, same));
        steps_of(woken).fold(0, |affected, step| {
            let next = has(step);
            let may_change = !next.root.is_straight()
                || old.by(&self.ground, step) == Some(next)
                || (new.by(&self.ground, step)).is_some_and(|offer| offer < next);
            affected | u8::from(may_change) << step
        })
    }
}

impl EikonalRule<'_> {
    /// What lengths cost where all open ground has one cost.
    pub(super) fn even_ground(&self) -> EvenGround {
        self.ground.even_ground(self.costs.cheapest())
    }

    #[inline]
    pub(super) fn neighbour(&self, index: usize, step: usize) -> usize {
        self.ground.neighbour(index, step)
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

impl Repairer {
    /// Makes `field`, which [`super::EikonalSolver`] solved for the same goals before the cells
    /// `changed` of `costs` did, what the solver would make of it now, bit for bit.
    ///
    /// False, and nothing is changed, if that means to look at more than `limit` cells, or if the
    /// solver might choose another scale.
    pub fn repair_eikonal(
        &mut self,
        costs: &CostField,
        goals: &[GoalCell],
        changed: &[u32],
        field: &mut IntegrationField,
        limit: usize,
    ) -> bool {
        let seeds = open_seeds(costs, goals, field.scale);
        let ground = Ground::new(costs, field.scale);
        let (least_step, _) = ground.gains(costs.cheapest(), costs.dearest());
        let rule = EikonalRule {
            costs,
            ground,
            least_step,
            seeds: &seeds,
            links: costs.links(),
            scale: field.scale,
        };
        let repaired = self.repair(&rule, changed, field, limit);
        if repaired {
            field.settle_goals(&seeds);
        }
        repaired
    }
}

/// The closed cell among the cells `changed`, if the others are its neighbours and only one was closed.
fn closed_cell(costs: &CostField, stored: Stored<'_>, changed: &[u32]) -> Option<usize> {
    if changed.len() > 9 {
        return None;
    }
    let is_closed =
        |&index: &usize| costs.costs()[index] == BLOCKED && stored.cost[index] != UNREACHED;
    let mut cells = changed.iter().map(|&index| index as usize);
    let closed = cells.find(is_closed)?;
    let is_beside = |&index: &u32| {
        let by = costs.cell(index as usize) - costs.cell(closed);
        by.abs().max_element() <= 1
    };
    changed.iter().all(is_beside).then_some(closed)
}

/// Whether the cells around one, three cells far, are open and have its root.
fn is_in_the_open(costs: &CostField, stored: Stored<'_>, closed: usize) -> bool {
    let root = stored.roots[closed];
    let cell = costs.cell(closed);
    let size = IVec2::new(costs.width() as i32, costs.height() as i32);
    let (low, high) = (cell - OPEN, cell + OPEN);
    if low.min_element() < 0 || (size - high).min_element() <= 0 {
        return false;
    }
    (low.y..=high.y).all(|y| {
        (low.x..=high.x).all(|x| {
            let other = IVec2::new(x, y);
            let index = costs.index(other);
            let is_open = costs.costs()[index] != BLOCKED;
            index == closed || is_open && Some(stored.roots[index]) == root.moved(other - cell)
        })
    })
}

/// The cells of the grid whose offers depend on a changed one.
fn within_reach(costs: &CostField, changed: &[u32]) -> Vec<u32> {
    let mut cells = Vec::with_capacity(changed.len() * 9);
    let size = IVec2::new(costs.width() as i32, costs.height() as i32);
    for &index in changed {
        let cell = costs.cell(index as usize);
        let low = (cell - REACH as i32).max(IVec2::ZERO);
        let high = (cell + REACH as i32).min(size - 1);
        for y in low.y..=high.y {
            cells.extend((low.x..=high.x).map(|x| costs.index(IVec2::new(x, y)) as u32));
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}
