//! System B's rule: towards the best of the eight neighbours.
//!
//! System B takes the neighbour of lowest cost, which is not always on a
//! cheapest path. Here the cost of the step counts too, so that following the
//! field costs exactly what the integration says. Among equally good steps the
//! diagonal wins, which is where system B's rule goes on clear ground.

use super::Direction;
use crate::integrate::{IntegrationField, UNREACHED};
use crate::movement::{BLOCKED, CostField};

/// Writes the directions of the cells from stored index `from` on.
///
/// One loop without branches over whole rows, which the compiler turns into vector code.
pub(super) fn fill_row(
    costs: &CostField,
    integration: &IntegrationField,
    from: usize,
    out: &mut [Direction],
) {
    let count = out.len();
    let stride = costs.stride();
    let stored = integration.stored();
    let scale = integration.scale();
    let row = |offset: isize| &stored[from.wrapping_add_signed(offset)..][..count];
    let stride_step = stride.cast_signed();
    let here = row(0);
    let (east, west) = (row(1), row(-1));
    let (south, north) = (row(stride_step), row(-stride_step));
    let (south_east, south_west) = (row(stride_step + 1), row(stride_step - 1));
    let (north_west, north_east) = (row(-stride_step - 1), row(-stride_step + 1));
    let legal = &costs.steps()[from..][..count];
    let entry = &costs.costs()[from..][..count];
    for x in 0..count {
        let cost = u32::from(entry[x]);
        let steps = u32::from(legal[x]);
        let (straight, diagonal) = (scale.straight * cost, scale.diagonal * cost);
        let mut best = UNREACHED;
        let mut code = Direction::NO_ROUTE.code();
        let mut consider = |step: u32, neighbour: u32, length: u32| {
            let forbidden = ((steps >> step) & 1).wrapping_sub(1);
            let through = neighbour.saturating_add(length) | forbidden;
            let better = through < best;
            best = if better { through } else { best };
            code = if better {
                Direction::from_step(step as usize).code()
            } else {
                code
            };
        };
        consider(1, south_east[x], diagonal);
        consider(3, south_west[x], diagonal);
        consider(5, north_west[x], diagonal);
        consider(7, north_east[x], diagonal);
        consider(0, east[x], straight);
        consider(2, south[x], straight);
        consider(4, west[x], straight);
        consider(6, north[x], straight);
        let code = if here[x] == 0 {
            Direction::GOAL.code()
        } else {
            code
        };
        out[x] = if entry[x] == BLOCKED {
            Direction::WALL
        } else {
            Direction::from_code(code)
        };
    }
}
