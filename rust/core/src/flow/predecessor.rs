//! System C's rule: the direction to the cell from which the wavefront came.

use super::Direction;
use crate::integrate::{IntegrationField, Predecessors, predecessor_step};
use crate::movement::{BLOCKED, CostField};

/// Writes the directions of the cells from stored index `from` on, computed from the costs.
pub(super) fn fill_row(
    costs: &CostField,
    integration: &IntegrationField,
    from: usize,
    out: &mut [Direction],
) {
    for (x, direction) in out.iter_mut().enumerate() {
        let step = predecessor_step(costs, integration, from + x);
        *direction = direction_of(step, costs.costs()[from + x]);
    }
}

/// Writes the recorded directions of the cells from stored index `from` on.
pub(super) fn copy_record(
    costs: &CostField,
    predecessors: &Predecessors,
    from: usize,
    out: &mut [Direction],
) {
    for (x, direction) in out.iter_mut().enumerate() {
        *direction = direction_of(predecessors.step(from + x), costs.costs()[from + x]);
    }
}

fn direction_of(step: Option<usize>, cost: u8) -> Direction {
    match step {
        Some(step) => Direction::from_step(step),
        None if cost == BLOCKED => Direction::WALL,
        None => Direction::NO_ROUTE,
    }
}
