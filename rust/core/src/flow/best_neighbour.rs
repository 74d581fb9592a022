//! System B's rule: the direction to the best of the eight neighbours.
//!
//! System B takes the neighbour of lowest cost, which is not always on a cheapest path. Here the cost of the step
//! counts too, so that following the field costs exactly the integrated cost. Among equally good steps a diagonal one
//! wins, as with system B's rule on clear ground.
//!
//! Costs are exact integers, so the best neighbours need no search for a minimum: their cost plus the cost of the step
//! equals the cell's own cost.

use super::cell::PIECE;
use super::preference::choose;
use super::{Direction, descent, narrow};
use crate::integrate::{IntegrationField, StepScale};
use crate::movement::{BLOCKED, CostField};

/// All steps from the least to the most preferred.
const PREFERENCE: [usize; 8] = [6, 4, 2, 0, 7, 5, 3, 1];

/// Writes the directions of the cells from stored index `from` on, and the legal steps to cells of lower cost. Goals
/// get [`Direction::NO_ROUTE`], as they have no better neighbour.
pub(super) fn fill_row(
    costs: &CostField,
    integration: &IntegrationField,
    from: usize,
    out: &mut [Direction],
    lower: &mut [u8],
) {
    if !integration.roots().is_empty() {
        descent::fill_row(costs, integration, from, lower);
        return search_row(costs, integration, from, out);
    }
    if narrow::fits(costs, integration, out.len()) {
        return narrow::fill_row(costs, integration, from, out, lower);
    }
    fill_whole(costs, integration, from, out, lower);
}

/// [`fill_row`] for costs whose paths are grid steps, also where legal steps lead to cells that are not reached.
pub(super) fn fill_whole(
    costs: &CostField,
    integration: &IntegrationField,
    from: usize,
    out: &mut [Direction],
    lower: &mut [u8],
) {
    let mut best = [0; PIECE];
    let best = &mut best[..out.len()];
    find_best(costs, integration, from, best, lower);
    choose(best, &costs.costs()[from..][..best.len()], out);
}

/// [`fill_row`] for costs whose paths are not grid steps: takes the step with the least sum of its own cost and the
/// cost from its end.
fn search_row(
    costs: &CostField,
    integration: &IntegrationField,
    from: usize,
    out: &mut [Direction],
) {
    for (x, out) in out.iter_mut().enumerate() {
        let index = from + x;
        *out = if costs.costs()[index] == BLOCKED {
            Direction::WALL
        } else {
            search(costs, integration, index).map_or(Direction::NO_ROUTE, Direction::from_step)
        };
    }
}

fn search(costs: &CostField, integration: &IntegrationField, index: usize) -> Option<usize> {
    let stored = integration.stored();
    let StepScale { straight, diagonal } = integration.scale();
    let cost = u32::from(costs.costs()[index]);
    PREFERENCE
        .into_iter()
        .rev()
        .filter_map(|step| {
            let next = stored[index.wrapping_add_signed(costs.offsets()[step])];
            let legal = costs.steps()[index] >> step & 1 == 1;
            let length = [straight, diagonal][step & 1];
            (legal && next < stored[index]).then(|| (next + length * cost, step))
        })
        .min_by_key(|&(whole, _)| whole)
        .map(|(_, step)| step)
}

/// Writes for each cell the set of legal steps from which its cost may result, and the set of legal steps to lower
/// cost.
///
/// This is a loop without branches over whole rows, which the compiler turns into vector code, like [`choose`].
pub(super) fn find_best(
    costs: &CostField,
    integration: &IntegrationField,
    from: usize,
    best: &mut [u8],
    lower: &mut [u8],
) {
    let count = best.len();
    let lower = &mut lower[..count];
    let legal = &costs.steps()[from..][..count];
    let row = |offset: isize| &integration.stored()[from.wrapping_add_signed(offset)..][..count];
    let here = row(0);
    let around = costs.offsets().map(row);
    let entry = &costs.costs()[from..][..count];
    let StepScale { straight, diagonal } = integration.scale();
    // Products of 16-bit numbers are the only ones that every x86-64 has vector code for.
    let (straight, diagonal) = (straight as u16, diagonal as u16);
    for x in 0..count {
        let cost = u32::from(entry[x]);
        let straight = here[x].wrapping_sub(u32::from(straight) * cost);
        let diagonal = here[x].wrapping_sub(u32::from(diagonal) * cost);
        let (mut from_set, mut lower_set) = (0, 0);
        for (step, around) in around.iter().enumerate() {
            let wanted = if step & 1 == 0 { straight } else { diagonal };
            from_set |= u32::from(around[x] == wanted) << step;
            lower_set |= u32::from(around[x] < here[x]) << step;
        }
        lower[x] = lower_set as u8 & legal[x];
        // The difference from a cell that is not reached may be that of a step.
        best[x] = from_set as u8 & lower[x];
    }
}
