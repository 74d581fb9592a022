//! Writes rows of directions, for any rule.

use super::cell::{FlowCell, PIECE};
use super::leave;
use crate::direction::Direction;
use crate::integrate::IntegrationField;
use crate::movement::{BLOCKED, CostField};

/// Writes whole rows including the border. The first row begins at stored index `first`. Pieces without a reached cell
/// are skipped.
pub(super) fn fill_rows(
    costs: &CostField,
    integration: &IntegrationField,
    first: usize,
    out: &mut [FlowCell],
    fill: &impl Fn(usize, &mut [Direction], &mut [u8]),
) {
    let stride = costs.stride();
    for (from, out) in (first + 1..).step_by(stride).zip(out.chunks_mut(stride)) {
        let out = &mut out[1..=costs.width()];
        for (from, out) in (from..).step_by(PIECE).zip(out.chunks_mut(PIECE)) {
            if integration.reaches_any(from..from + out.len()) {
                fill_piece(costs, integration, from, out, fill);
            } else {
                fill_unreached(costs, integration, from, out);
            }
        }
    }
}

/// Writes at most [`PIECE`] cells of one row, from stored index `from` on, as `fill` finds them.
#[inline]
pub(super) fn fill_piece(
    costs: &CostField,
    integration: &IntegrationField,
    from: usize,
    out: &mut [FlowCell],
    fill: impl Fn(usize, &mut [Direction], &mut [u8]),
) {
    let (mut directions, mut lower) = ([Direction::WALL; PIECE], [0; PIECE]);
    let (directions, lower) = (&mut directions[..out.len()], &mut lower[..out.len()]);
    fill(from, directions, lower);
    leave::fill_row(costs, integration, from, directions);
    for ((out, &direction), &lower) in out.iter_mut().zip(&*directions).zip(&*lower) {
        *out = FlowCell { direction, lower };
    }
}

/// [`fill_piece`] for cells of which none is reached.
fn fill_unreached(
    costs: &CostField,
    integration: &IntegrationField,
    from: usize,
    out: &mut [FlowCell],
) {
    if costs.has_clearance() {
        return fill_piece(costs, integration, from, out, |from, out, _| {
            for (out, &entry) in out.iter_mut().zip(&costs.costs()[from..]) {
                *out = unreached(entry).direction;
            }
        });
    }
    for (out, &entry) in out.iter_mut().zip(&costs.costs()[from..]) {
        *out = unreached(entry);
    }
}

fn unreached(entry: u8) -> FlowCell {
    let direction = if entry == BLOCKED {
        Direction::WALL
    } else {
        Direction::NO_ROUTE
    };
    FlowCell {
        direction,
        lower: 0,
    }
}
