//! Cells that are closed to agents of a certain size, though no walls.
//!
//! An agent keeps its distance from walls, but its middle may well be in a cell
//! whose middle is too close to one. Such a cell has no path of its own: it is
//! left for the neighbour from which the rest is cheapest (Emerson, Game AI Pro,
//! 23.11, moves walls outwards; here one can be between the new and the old).

use super::Direction;
use crate::integrate::{IntegrationField, UNREACHED};
use crate::movement::{BLOCKED, CostField};

/// Replaces the directions of such cells, from stored index `from` on.
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
