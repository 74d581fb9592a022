//! The characteristics of the Eikonal equation, which are the directions of shortest paths.
//!
//! The solver has found them already: straight to the cell's root, or across a triangle at the cheapest angle (the
//! stencil that determines a cell's cost also determines its direction).

use super::Direction;
use crate::integrate::{IntegrationField, Root, UNREACHED};
use crate::movement::{BLOCKED, CostField};

/// Writes the directions of the cells from stored index `from` on.
pub(super) fn fill_row(
    costs: &CostField,
    integration: &IntegrationField,
    from: usize,
    out: &mut [Direction],
) {
    let to = from + out.len();
    let reached = &integration.stored()[from..to];
    let roots = &integration.roots()[from..to];
    let direction = |root: Root| {
        if root.is_straight() {
            Direction::STRAIGHT
        } else {
            root.direction()
        }
    };
    // The common case, which does not read the costs of entering cells.
    if reached
        .iter()
        .fold(true, |all, &cost| all & (cost != UNREACHED))
    {
        for (out, &root) in out.iter_mut().zip(roots) {
            *out = direction(root);
        }
        return;
    }
    let entry = &costs.costs()[from..to];
    for (((out, &reached), &entry), &root) in out.iter_mut().zip(reached).zip(entry).zip(roots) {
        let found = if reached == UNREACHED {
            Direction::NO_ROUTE
        } else {
            direction(root)
        };
        *out = if entry == BLOCKED {
            Direction::WALL
        } else {
            found
        };
    }
}
