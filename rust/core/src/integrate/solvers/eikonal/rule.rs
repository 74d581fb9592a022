//! The Eikonal solver's candidates as a rule between neighbours, for repairs.

use super::cell_rule::EikonalRule;
use super::local_solver::LocalSolver;
use super::shadow::Shadow;
use super::visible_cells::MOST_ROWS;
use crate::grid::links::Links;
use crate::integrate::candidate::Candidate;
use crate::integrate::field::{IntegrationField, UNREACHED};
use crate::integrate::goal_cells::open_seeds;
use crate::integrate::moves::steps_of;
use crate::integrate::repair::Sweep;
use crate::integrate::repair::{Change, LocalRule, Repairer, Stored};
use crate::integrate::root::{PER_CELL, Root};
use crate::movement::{BLOCKED, CostField};
use glam::IVec2;
use std::borrow::Cow;

/// The distance, in cells, at which a changed cost matters: a candidate depends on whether the ground around its cell
/// is open.
const REACH: isize = 2;

/// The distance, in cells, up to which the ground around a closed cell must be open for a sweep of its shadow.
const OPEN: i32 = 3;

impl LocalRule for EikonalRule<'_> {
    fn least_step(&self) -> u32 {
        self.least_step
    }

    fn links(&self) -> &Links {
        self.links
    }

    fn value(&self, stored: Stored<'_>, index: usize) -> Candidate {
        self.best_value(stored, index)
    }

    #[inline]
    fn reached<'b>(&self, changed: &'b [u32]) -> Cow<'b, [u32]> {
        Cow::Owned(within_reach(self.costs, changed))
    }

    fn sweep(&self, changed: &[u32], field: Sweep<'_, '_>) -> Option<bool> {
        if !self.local.is_even() || !self.links.is_empty() {
            return None;
        }
        let stored = field.values.stored();
        let closed = closed_cell(self.costs, stored, changed)?;
        let root = stored.roots[closed];
        let shadow = Shadow::new(closed, root, self.costs)?;
        is_in_the_open(self.costs, stored, closed).then_some(())?;
        // Rounding may make a path over another corner as cheap as a line to this one.
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
        if self.local.is_wall(next) {
            return None;
        }
        // All candidates of the cell, old and new, are at least this much.
        let least = old.min(new).saturating_add(self.least_step);
        if new < old {
            (least <= known).then_some(least)
        } else if new > old {
            (known != UNREACHED && least <= known).then_some(known)
        } else {
            (least <= known).then_some(least)
        }
    }

    /// On even ground a candidate depends only on the value of its cell. Curved paths may remain from before the edit,
    /// when the ground was not even.
    #[inline]
    fn affects(
        &self,
        index: usize,
        woken: u8,
        (old, new): (Candidate, Candidate),
        has: impl Fn(usize) -> Candidate,
    ) -> u8 {
        if !self.local.is_even() || !old.root.is_straight() {
            return woken;
        }
        let same = self.local.same(index);
        if same == 0xFF {
            return woken & self.local.affects_on_uniform_ground(index, (old, new), has);
        }
        let [old, new] = [old, new].map(|value| self.local.outgoing(value, index, same));
        steps_of(woken).fold(0, |affected, step| {
            let next = has(step);
            let may_change = !next.root.is_straight()
                || old.by(&self.local, step) == Some(next)
                || (new.by(&self.local, step)).is_some_and(|candidate| candidate < next);
            affected | u8::from(may_change) << step
        })
    }
}

/// Repairs a field that [`super::EikonalSolver`] solved.
pub(in crate::integrate) fn repair(
    repairer: &mut Repairer,
    change: &Change<'_>,
    field: &mut IntegrationField,
) -> bool {
    let costs = change.costs;
    let seeds = open_seeds(costs, change.goals, field.scale);
    let local = LocalSolver::new(costs, field.scale);
    let (least_step, _) = local.gains(costs.cheapest(), costs.dearest());
    let rule = EikonalRule {
        costs,
        local,
        least_step,
        seeds: &seeds,
        links: costs.links(),
        scale: field.scale,
    };
    repairer.repair(&rule, &seeds, change, field)
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

/// The cells of the grid whose candidates depend on a changed cell, ascending.
fn within_reach(costs: &CostField, changed: &[u32]) -> Vec<u32> {
    let size = IVec2::new(costs.width() as i32, costs.height() as i32);
    let stored = |x: i32, y: i32| costs.index(IVec2::new(x, y)) as u32;
    let mut runs = Vec::new();
    // Cells side by side have one run for all of them in each row within reach.
    for side_by_side in changed.chunk_by(|&one, &next| next == one + 1) {
        let first = costs.cell(side_by_side[0] as usize);
        let last = first + IVec2::new(side_by_side.len() as i32 - 1, 0);
        let low = (first - REACH as i32).max(IVec2::ZERO);
        let high = (last + REACH as i32).min(size - 1);
        runs.extend((low.y..=high.y).map(|y| (stored(low.x, y), stored(high.x, y))));
    }
    runs.sort_unstable();
    let mut cells = Vec::new();
    let mut next = 0;
    for (low, high) in runs {
        cells.extend(low.max(next)..=high);
        next = next.max(high + 1);
    }
    cells
}
