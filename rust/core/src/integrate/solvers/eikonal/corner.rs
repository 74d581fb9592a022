//! Turning at the corner of a wall, or of dearer ground.

use super::lines::length_by;
use crate::integrate::root::{PER_CELL, Root};
use crate::movement::STEPS;
use glam::IVec2;

/// What turns cost on ground of one cost.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Turns {
    /// A straight step that makes the path bend. No turn costs less.
    pub(super) bend: u32,
    /// The first corner of a path, and any later one, beyond the path's length.
    pub(super) first: u32,
    pub(super) later: u32,
}

/// The corner that a diagonal step passes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Corner {
    /// To the open cell beside the step.
    open: IVec2,
    /// To the one that is not.
    shut: IVec2,
    pub(super) shut_step: usize,
    /// Whether the shut cell is the end of a wall one cell wide: then its other corner is passable too.
    both: bool,
}

impl Corner {
    /// The corner at `step` from a cell whose neighbours of the same cost are `same`: one of
    /// [`corners_among`] them.
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

    /// By how much the path around it exceeds that of the cell that offers it, whose path bends at `bend`.
    /// No branches, so that a loop over many corners becomes vector code.
    #[inline]
    pub(super) fn gain(self, bend: IVec2, unit: f32, turns: Turns) -> u32 {
        const HALF: i32 = PER_CELL / 2;
        let length = |line| length_by(line, unit);
        let beyond = bend - HALF * (self.open + self.shut);
        // A path that turns at this corner comes from between the line of the step and the wall's side.
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
