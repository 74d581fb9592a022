//! Cells that are closed for lack of clearance, but are not walls.
//!
//! An agent that keeps clear of walls may be in a cell whose centre is too close to a wall. Such a cell has no path of
//! its own, so its direction leads to the neighbour with the cheapest remaining path. (Emerson, Game AI Pro, 23.11,
//! moves walls outwards; here an agent may be between the old wall and the moved one.)

use super::Direction;
use crate::integrate::{IntegrationField, UNREACHED};
use crate::movement::{BLOCKED, CostField};

/// Writes the directions of such cells, from stored index `from` on.
pub(super) fn fill_row(
    costs: &CostField,
    integration: &IntegrationField,
    from: usize,
    out: &mut [Direction],
) {
    if !costs.has_clearance() {
        return;
    }
    for (x, out) in out.iter_mut().enumerate() {
        let index = from + x;
        if costs.costs()[index] == BLOCKED
            && !costs.is_wall_at(index)
            && let Some(step) = best_step(costs, integration, index)
        {
            *out = Direction::leave(step);
        }
    }
}

fn best_step(costs: &CostField, integration: &IntegrationField, index: usize) -> Option<usize> {
    let scale = integration.scale();
    (0..8)
        .filter_map(|step| {
            let next = index.wrapping_add_signed(costs.offsets()[step]);
            let rest = integration.stored()[next];
            let length = [scale.straight, scale.diagonal][step & 1];
            (rest != UNREACHED).then(|| (rest.saturating_add(length), step))
        })
        .min()
        .map(|(_, step)| step)
}
