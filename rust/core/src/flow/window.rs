//! Fills the directions of a window of a map, for tiles.

use super::cell::{FlowCell, PIECE};
use super::rows::fill_piece;
use super::{best_neighbour, characteristic, descent};
use crate::integrate::IntegrationField;
use crate::movement::CostField;

/// Writes the cells of a window, without its border, row by row, by [`super::DirectionRule::Characteristic`]. Goals are
/// not marked. The steps to lower cells are unspecified in the window's outermost cells.
pub(crate) fn fill_window(
    costs: &CostField,
    integration: &IntegrationField,
    out: &mut Vec<FlowCell>,
) {
    out.clear();
    out.resize(costs.width() * costs.height(), FlowCell::WALL);
    let rows = (costs.stride() + 1..).step_by(costs.stride());
    for (from, row) in rows.zip(out.chunks_mut(costs.width())) {
        for (from, out) in (from..).step_by(PIECE).zip(row.chunks_mut(PIECE)) {
            fill_piece(costs, integration, from, out, |from, out, lower| {
                if integration.roots().is_empty() {
                    // Steps may lead to cells that are not reached, so costs are compared whole.
                    return best_neighbour::fill_whole(costs, integration, from, out, lower);
                }
                characteristic::fill_row(costs, integration, from, out);
                descent::fill_row(costs, integration, from, lower);
            });
        }
    }
}
