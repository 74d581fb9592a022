//! Leaning to one side of the way, so that those who share a field need not walk in single file.
//!
//! A direction that leans is only taken where it leads downhill as [`super::descent`] has it, which does
//! not ask where directions come from: an agent that leans arrives, too, as often as it changes sides.

use super::map::{FlowMap, MARGIN};
use super::{Direction, FlowField, descent};
use crate::grid::floor_to_cell;
use glam::{IVec2, Vec2};

/// The tangent of the widest angle: 31 degrees.
const WIDEST: f32 = 0.6;

/// `direction`, as it was sampled at `point` for a body of some radius in cells, turned to the left (from
/// +x towards +y) by up to 31 degrees as `side` goes to 1, or to the other side as it goes to -1; as it was
/// where that would not lead downhill.
#[inline(never)]
pub(crate) fn lean<F: FlowMap>(
    flow: &F,
    point: Vec2,
    radius: f32,
    direction: Vec2,
    side: f32,
) -> Vec2 {
    let cell = floor_to_cell(point).clamp(IVec2::ZERO, flow.size() - IVec2::ONE);
    let index = flow.stored_index(cell);
    let own = match flow.own(index) {
        Direction::STRAIGHT => {
            let margin = radius.clamp(MARGIN.0, MARGIN.1);
            flow.root(index).aim(margin).normalize_or_zero()
        }
        angle if angle.is_angle() => angle.vector(),
        _ => return direction,
    };
    let aside = direction.perp() * (side.clamp(-1.0, 1.0) * WIDEST);
    let leaning = (direction + aside).normalize_or_zero();
    let offset = point - cell.as_vec2();
    if descent::leads_down(flow.lower(index), offset, own, leaning) {
        leaning
    } else {
        direction
    }
}

impl FlowField {
    /// `direction`, as [`Self::sample_for`] has found it at a point for a body of this radius, turned to a
    /// side by up to 31 degrees as `side` goes to 1 (from +x towards +y) or to -1; as it was where that would
    /// not lead downhill.
    #[must_use]
    pub fn lean(&self, point: Vec2, radius: f32, direction: Vec2, side: f32) -> Vec2 {
        lean(self, point, radius, direction, side)
    }
}
