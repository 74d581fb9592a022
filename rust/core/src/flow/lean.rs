//! Leaning: turns a direction to one side, so that agents of one field need not walk in single file.
//!
//! A turned direction is only taken where it leads to lower cost by the rules of [`super::descent`]. These hold for any
//! direction, so an agent that leans arrives, however often it changes sides.

use super::map::{FlowMap, MARGIN};
use super::{Direction, FlowField, descent};
use crate::grid::floor_to_cell;
use glam::{IVec2, Vec2};

/// The tangent of the widest angle: 31 degrees.
const WIDEST: f32 = 0.6;

/// `direction`, which was sampled at `point` for a body of this radius in cells, turned by up to 31 degrees: from +x
/// towards +y for a `side` up to 1, the other way for a `side` down to -1. It is returned unchanged where the turned
/// direction would not lead to lower cost.
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
    /// `direction`, which [`Self::sample_for`] found at a point for a body of this radius, turned by up to 31 degrees:
    /// from +x towards +y for a `side` up to 1, the other way for a `side` down to -1. It is returned unchanged where
    /// the turned direction would not lead to lower cost.
    #[must_use]
    pub fn lean(&self, point: Vec2, radius: f32, direction: Vec2, side: f32) -> Vec2 {
        lean(self, point, radius, direction, side)
    }
}
