//! System B's rule: towards the best of the eight neighbours.
//!
//! System B takes the neighbour of lowest cost, which is not always on a
//! cheapest path. Here the cost of the step counts too, so that following the
//! field costs exactly what the integration says. Among equally good steps the
//! diagonal wins, which is where system B's rule goes on clear ground.
//!
//! Costs are exact whole numbers, so the best neighbours need no search for a
//! minimum: they are those whose cost and step add up to the cell's own.

use super::Direction;
use crate::integrate::{IntegrationField, StepScale};
use crate::movement::{BLOCKED, CostField};

/// Cells per piece: what one piece needs stays in the first-level cache.
const PIECE: usize = 256;

/// All steps from the least wanted to the most wanted.
const PREFERENCE: [usize; 8] = [6, 4, 2, 0, 7, 5, 3, 1];

/// Writes the directions of the cells from stored index `from` on. Goals get
/// [`Direction::NO_ROUTE`], as nothing is better than they are.
pub(super) fn fill_row(
    costs: &CostField,
    integration: &IntegrationField,
    from: usize,
    out: &mut [Direction],
) {
    if !integration.roots().is_empty() {
        return search_row(costs, integration, from, out);
    }
    let mut best = [0; PIECE];
    for (piece, out) in out.chunks_mut(PIECE).enumerate() {
        let from = from + piece * PIECE;
        let best = &mut best[..out.len()];
        find_best(costs, integration, from, best);
        choose(
            best,
            &costs.steps()[from..][..out.len()],
            &costs.costs()[from..][..out.len()],
            out,
        );
    }
}

/// The same where paths are not made of grid steps: the step after which the least is left.
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

/// Writes for each cell the set of steps, legal or not, that its cost can have come from.
///
/// A loop without branches over whole rows, which the compiler turns into vector code; so is
/// [`choose`].
fn find_best(costs: &CostField, integration: &IntegrationField, from: usize, best: &mut [u8]) {
    let count = best.len();
    let row = |offset: isize| &integration.stored()[from.wrapping_add_signed(offset)..][..count];
    let here = row(0);
    let [
        east,
        south_east,
        south,
        south_west,
        west,
        north_west,
        north,
        north_east,
    ] = costs.offsets().map(row);
    let entry = &costs.costs()[from..][..count];
    let StepScale { straight, diagonal } = integration.scale();
    // Products of 16-bit numbers are the only ones that every x86-64 has vector code for.
    let (straight, diagonal) = (straight as u16, diagonal as u16);
    for x in 0..count {
        let cost = u32::from(entry[x]);
        let straight = here[x].wrapping_sub(u32::from(straight) * cost);
        let diagonal = here[x].wrapping_sub(u32::from(diagonal) * cost);
        let step = |bit: u32, neighbour: u32, wanted: u32| u32::from(neighbour == wanted) << bit;
        best[x] = (step(0, east[x], straight)
            | step(1, south_east[x], diagonal)
            | step(2, south[x], straight)
            | step(3, south_west[x], diagonal)
            | step(4, west[x], straight)
            | step(5, north_west[x], diagonal)
            | step(6, north[x], straight)
            | step(7, north_east[x], diagonal)) as u8;
    }
}

/// Takes the most wanted legal one of the best steps.
fn choose(best: &[u8], legal: &[u8], entry: &[u8], out: &mut [Direction]) {
    for (((out, &best), &legal), &entry) in out.iter_mut().zip(best).zip(legal).zip(entry) {
        let steps = best & legal;
        let mut code = Direction::NO_ROUTE.code();
        for step in PREFERENCE {
            let direction = Direction::from_step(step).code();
            code = if steps & (1 << step) == 0 {
                code
            } else {
                direction
            };
        }
        *out = if entry == BLOCKED {
            Direction::WALL
        } else {
            Direction::from_code(code)
        };
    }
}
