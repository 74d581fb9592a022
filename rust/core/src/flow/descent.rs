//! Which directions lead to lower cost, and why an agent that follows a field arrives.
//!
//! Each cell has the set of its legal steps to cells of strictly lower cost, and
//! one direction of its own. A direction at a point of the cell is only taken if
//!
//! - it makes progress: its cosine with the cell's own direction is at least [`LEAST_PROGRESS`], so that a point cannot
//!   stay in a cell for ever;
//! - within [`LOOKAHEAD`] it leaves the cell only for cells of that set.
//!
//! A point that moves in strides of at most [`LOOKAHEAD`] therefore leaves every cell after a few strides, and always
//! for a cell of lower cost. There are finitely many costs, so it ends at a cell without a lower neighbour, which is
//! the goal.

use crate::grid::STEPS;
use crate::integrate::IntegrationField;
use crate::movement::CostField;
use glam::{BVec2, Vec2};

/// How far ahead, in cells, directions are checked.
pub const LOOKAHEAD: f32 = 0.25;
/// The least cosine between a direction and its cell's own direction.
const LEAST_PROGRESS: f32 = 0.3;

/// Points this close to a cell's edge, in cells, count as outside, because rounding may move them there far from the
/// origin.
const RIM: f32 = 1.0e-3;

/// Writes for the cells from stored index `from` on the legal steps to cells of lower cost.
///
/// This is a loop without branches over whole rows, which the compiler turns into vector code.
pub(super) fn fill_row(
    costs: &CostField,
    integration: &IntegrationField,
    from: usize,
    out: &mut [u8],
) {
    let count = out.len();
    let row = |offset: isize| &integration.stored()[from.wrapping_add_signed(offset)..][..count];
    let here = row(0);
    let around = costs.offsets().map(row);
    let legal = &costs.steps()[from..][..count];
    for x in 0..count {
        let mut lower = 0;
        for (step, around) in around.iter().enumerate() {
            lower |= u32::from(around[x] < here[x]) << step;
        }
        out[x] = lower as u8 & legal[x];
    }
}

/// The direction `wanted`, or the closest one to it that leads to lower cost, from the point at `offset` in a cell.
/// `own` is the cell's own direction, and `lower` the set of its steps to cells of lower cost.
#[inline(never)]
pub(super) fn downhill(lower: u8, offset: Vec2, own: Vec2, wanted: Vec2) -> Vec2 {
    if leads_down(lower, offset, own, wanted) {
        return wanted;
    }
    if leads_down(lower, offset, own, own) {
        return own;
    }
    best_step(lower, offset, own)
}

/// Whether a direction makes progress in its cell and does not leave it within [`LOOKAHEAD`].
#[inline]
pub(super) fn stays(offset: Vec2, own: Vec2, direction: Vec2) -> bool {
    makes_progress(own, direction) && !Exit::of(offset, direction).leaves.any()
}

/// False for a NaN.
#[inline]
fn makes_progress(own: Vec2, direction: Vec2) -> bool {
    direction.dot(own) >= LEAST_PROGRESS
}

#[inline]
pub(super) fn leads_down(lower: u8, offset: Vec2, own: Vec2, direction: Vec2) -> bool {
    makes_progress(own, direction) & Exit::of(offset, direction).is_lower(lower, offset, direction)
}

/// The sides over which a direction leaves its cell within [`LOOKAHEAD`].
#[derive(Debug, Clone, Copy)]
struct Exit {
    leaves: BVec2,
    /// Whether the upper side is crossed, not the lower one.
    over: BVec2,
}

/// The diagonal step over two sides, by whether the first and the second side are upper ones.
const DIAGONALS: [u8; 4] = [5, 7, 3, 1];

impl Exit {
    #[inline]
    fn of(offset: Vec2, direction: Vec2) -> Self {
        let end = offset + direction * LOOKAHEAD;
        let (under, over) = (
            end.cmplt(Vec2::splat(RIM)),
            end.cmpgt(Vec2::splat(1.0 - RIM)),
        );
        let leaves = under | over;
        Self { leaves, over }
    }

    /// Whether the direction leads only to cells of lower cost, or does not leave the cell.
    ///
    /// The crossed sides cannot be predicted, so all cases are computed without a branch.
    #[inline]
    fn is_lower(self, lower: u8, offset: Vec2, direction: Vec2) -> bool {
        let Self { leaves, over } = self;
        let is_lower = |step: u8| lower >> step & 1 == 1;
        let x_is_lower = is_lower(u8::from(!over.x) << 2);
        let y_is_lower = is_lower(2 + (u8::from(!over.y) << 2));
        let diagonal = DIAGONALS[usize::from(over.x) | usize::from(over.y) << 1];
        // The straight neighbour that is crossed before the diagonal one.
        let left = Vec2::select(over, Vec2::ONE - offset, offset) / direction.abs();
        let crosses_x = left.x < left.y;
        let crossed_is_lower = crosses_x & x_is_lower | !crosses_x & y_is_lower;
        let both = is_lower(diagonal) & crossed_is_lower;
        let by_x = leaves.y & both | !leaves.y & x_is_lower;
        let by_y = !leaves.y | y_is_lower;
        leaves.x & by_x | !leaves.x & by_y
    }
}

/// The direction by one of the `lower` steps: by the straight step closest to `own`, as straight steps stay in their
/// row or column; otherwise towards the corner that a diagonal step crosses.
fn best_step(lower: u8, offset: Vec2, own: Vec2) -> Vec2 {
    if let Some(step) = nearest_step(lower & 0b0101_0101, own)
        && STEPS[step].as_vec2().dot(own) > 0.0
    {
        return STEPS[step].as_vec2();
    }
    match nearest_step(lower & 0b1010_1010, own) {
        Some(step) => {
            let corner = STEPS[step].as_vec2().max(Vec2::ZERO);
            (corner - offset).try_normalize().unwrap_or(own)
        }
        None => own,
    }
}

/// [`STEPS`] as unit vectors.
const STEP_DIRECTIONS: [Vec2; 8] = {
    const ASLANT: f32 = std::f32::consts::FRAC_1_SQRT_2;
    [
        Vec2::X,
        Vec2::new(ASLANT, ASLANT),
        Vec2::Y,
        Vec2::new(-ASLANT, ASLANT),
        Vec2::NEG_X,
        Vec2::new(-ASLANT, -ASLANT),
        Vec2::NEG_Y,
        Vec2::new(ASLANT, -ASLANT),
    ]
};

/// The step of a set that is closest to the direction `own`.
pub(crate) fn nearest_step(set: u8, own: Vec2) -> Option<usize> {
    let agreement = |step: usize| own.dot(STEP_DIRECTIONS[step]);
    (0..8)
        .filter(|step| set >> step & 1 == 1)
        .max_by(|&one, &other| agreement(one).total_cmp(&agreement(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EAST: Vec2 = Vec2::X;

    #[test]
    fn step_directions_are_those_of_the_steps() {
        for (step, direction) in STEPS.iter().zip(STEP_DIRECTIONS) {
            assert_eq!(step.as_vec2().normalize(), direction, "{step}");
        }
    }

    #[test]
    fn a_way_may_leave_its_cell_for_lower_ones_only() {
        let middle = Vec2::splat(0.5);
        assert!(leads_down(0, middle, EAST, EAST), "it does not leave yet");
        let rim = Vec2::new(0.9, 0.5);
        assert!(!leads_down(0, rim, EAST, EAST));
        assert!(leads_down(0b1, rim, EAST, EAST));
        assert!(!leads_down(0xFF, rim, EAST, -EAST), "no progress");
        assert!(!leads_down(0xFF, rim, EAST, Vec2::NAN));
    }

    #[test]
    fn a_way_past_a_corner_needs_the_cell_that_it_clips_too() {
        let direction = Vec2::new(0.8, 0.6);
        let clips_east = Vec2::new(0.95, 0.9);
        assert!(leads_down(0b0000_0011, clips_east, direction, direction));
        assert!(!leads_down(0b0000_0010, clips_east, direction, direction));
        assert!(!leads_down(0b0000_0110, clips_east, direction, direction));
        let clips_south = Vec2::new(0.85, 0.98);
        assert!(leads_down(0b0000_0110, clips_south, direction, direction));
    }

    #[test]
    fn without_a_straight_step_the_corner_is_aimed_for() {
        let direction = best_step(0b0000_0010, Vec2::new(0.2, 0.7), Vec2::new(0.6, 0.8));
        assert!((direction - Vec2::new(0.8, 0.3).normalize()).length() < 1.0e-6);
        let direction = best_step(0b0000_0110, Vec2::new(0.2, 0.7), Vec2::new(0.6, 0.8));
        assert_eq!(direction, Vec2::Y);
    }
}
