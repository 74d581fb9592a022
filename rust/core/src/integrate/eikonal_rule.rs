//! The Eikonal solver's offers as a rule between neighbours, for their repair.

use super::moves::steps_of;
use super::offer::{Ground, Known, Offer};
use super::repair::{LocalRule, Repairer, Stored, link_offer};
use super::root::Root;
use super::seeds::{GoalCell, Seed, initial_cost, open_seeds};
use super::{IntegrationField, StepScale, UNREACHED};
use crate::links::Links;
use crate::movement::CostField;
use glam::IVec2;

/// How far, in cells, a changed cost reaches: an offer depends on whether the ground around the cell that
/// makes it is open.
const REACH: isize = 2;

/// A cell has the best of what its neighbours offer it.
struct EikonalRule<'a> {
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

    fn value(&self, stored: Stored<'_>, index: usize) -> Offer {
        let initial = Offer {
            cost: initial_cost(self.seeds, index).unwrap_or(UNREACHED),
            root: Root::HERE,
        };
        // Nothing is cheaper; most goals are such.
        if initial.cost == 0 {
            return initial;
        }
        if self.ground.is_wall(index) {
            return Offer::NONE;
        }
        let known = Known {
            cost: stored.cost,
            roots: stored.roots,
            below: UNREACHED,
        };
        let best = self.ground.best_offer(known, index);
        let linked = Offer {
            cost: link_offer(self.links, self.scale, stored.cost, index),
            root: Root::HERE,
        };
        let best = best.unwrap_or(Offer::NONE).min(initial);
        if linked.cost == UNREACHED {
            best
        } else {
            best.min(linked)
        }
    }

    #[inline]
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
        (old, new): (Offer, Offer),
        has: impl Fn(usize) -> Offer,
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
            ground,
            least_step,
            seeds: &seeds,
            links: costs.links(),
            scale: field.scale,
        };
        let reached = within_reach(costs, changed);
        let repaired = self.repair(&rule, &reached, field, limit);
        if repaired {
            field.settle_goals(&seeds);
        }
        repaired
    }
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
