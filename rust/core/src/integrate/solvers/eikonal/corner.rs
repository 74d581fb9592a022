//! Paths that turn at the corner of a wall, or of ground with a higher cost.

use super::lines::length_by;
use crate::grid::STEPS;
use crate::integrate::root::{PER_CELL, Root};
use glam::IVec2;

/// The costs of turns on ground of one cost.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Turns {
    /// The cost of a straight step that bends the path. No turn costs less.
    pub(super) bend: u32,
    /// The costs of the first and of each later corner of a path, in addition to its length.
    pub(super) first: u32,
    pub(super) later: u32,
}

/// The corner that a diagonal step passes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Corner {
    /// The direction to the open cell beside the step.
    open: IVec2,
    /// The direction to the closed cell beside the step.
    shut: IVec2,
    pub(super) shut_step: usize,
    /// Whether the closed cell is the end of a wall one cell wide, whose other corner can be passed too.
    both: bool,
}

impl Corner {
    /// The corner at `step` from a cell whose neighbours of the same cost are `same`: one of
    /// [`corners_among`](super::lines::corners_among) them.
    #[inline]
    pub(super) fn new(step: usize, same: u8) -> Self {
        let has = |step: usize| same >> (step % 8) & 1 == 1;
        let is_left = has(step + 7);
        let (open, shut) = if is_left {
            (step + 7, step + 1)
        } else {
            (step + 1, step + 7)
        };
        Self {
            open: STEPS[open % 8],
            shut: STEPS[shut % 8],
            shut_step: shut % 8,
            both: has(2 * shut + 8 - step) & has(open + 4),
        }
    }

    /// The difference between the cost of the path around the corner and that of the cell that makes the candidate,
    /// whose path bends at `bend`. It has no branches, so that a loop over many corners becomes vector code.
    #[inline]
    pub(super) fn gain(self, bend: IVec2, unit: f32, turns: Turns) -> u32 {
        const HALF: i32 = PER_CELL / 2;
        let length = |line| length_by(line, unit);
        let beyond = bend - HALF * (self.open + self.shut);
        // A path that turns at this corner comes from the sector between the line of the step and the wall's side.
        let (along, off) = (-beyond.dot(self.open), -beyond.dot(self.shut));
        let last_line = length(IVec2::splat(HALF));
        let before = length(bend);
        let around = length(beyond) + last_line;
        // The path turns at both corners of the side.
        let side = length(IVec2::X * PER_CELL);
        let around_both = length(beyond + PER_CELL * self.open) + side + last_line;
        let detour = before + 2 * last_line;
        let is_between = (0 <= off) & (off <= along);
        let after = if (off < 0) & self.both {
            around_both
        } else {
            detour
        };
        let after = if is_between { around } else { after };
        let turn = if Root::is_middle(bend) {
            turns.first
        } else {
            turns.later
        };
        // The cell beside the step must stay cheaper than its end, which can only be left through it.
        (after.max(before) - before + turn).max(turns.bend + 1)
    }

    /// The corner as the root of the cell that `step` leads to.
    #[inline]
    pub(super) fn root(self, step: usize) -> Root {
        Root::corner_behind(step, self.open - self.shut)
    }
}
