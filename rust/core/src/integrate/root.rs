//! Roots: the points where shortest paths first bend.
//!
//! On ground of one cost a shortest path is a chain of straight lines, and from most cells its first line ends far
//! away: at the target, or at a corner of a wall. That point is the cell's root (the term is from Anya: Harabor and
//! Grastien, ICAPS 2013; continuous Dijkstra calls it a pseudo-source). The root of a cell gives its exact distance and
//! its exact direction.

use crate::direction::{ANGLES, Direction};
use crate::grid::STEPS;
use glam::{IVec2, Vec2};

/// The units per cell in which roots are stored.
pub(crate) const PER_CELL: i32 = 8;
/// Half a cell: roots are centres and corners of cells.
const HALF: i32 = PER_CELL / 2;
/// The largest distance of a bend, in units, at which every neighbour can store it too.
pub(crate) const FARTHEST: i32 = i16::MAX as i32 - 2 * PER_CELL;
/// Added to offsets so that they are never negative.
const BIAS: u32 = 1 << 15;

/// The first bend of a cell's shortest path, relative to the cell's centre. Where costs change from cell to cell and
/// every path is curved, it is the path's direction instead.
///
/// Four bytes: x and y in units, biased. A corner of a wall is stored one unit away from the wall, which gives the side
/// on which to pass it. A root too far away for 16 bits is stored as a direction: x is 0, and y holds the direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Root(u32);

impl Root {
    /// The centre of the cell itself.
    pub(crate) const HERE: Self = Self::at(IVec2::ZERO);

    /// The point at `offset` from the cell's centre, in units.
    pub(super) const fn at(offset: IVec2) -> Self {
        let (x, y) = (offset.x as u32, offset.y as u32);
        Self(x.wrapping_add(BIAS) << 16 | y.wrapping_add(BIAS) & 0xFFFF)
    }

    /// The centre of the cell that `step` came from.
    pub(super) fn behind(step: usize) -> Self {
        Self::HERE.after(step)
    }

    /// The corner that the diagonal `step` has passed, with open ground towards `outward`.
    pub(super) fn corner_behind(step: usize, outward: IVec2) -> Self {
        Self::at(-HALF * STEPS[step] + outward)
    }

    /// No root: the path leaves in this direction and is curved.
    pub(crate) fn turning(direction: Direction) -> Self {
        Self(u32::from(direction.code()))
    }

    /// Whether the path is straight up to a root.
    #[must_use]
    #[inline]
    pub fn is_straight(self) -> bool {
        self.0 > 0xFFFF
    }

    /// The four bytes.
    pub(crate) fn code(self) -> u32 {
        self.0
    }

    /// The root with these four bytes; `None` if there is none: for a code of no direction, and for a point that is too
    /// far away, or is neither a cell's centre, nor a corner, nor one unit beside a corner.
    pub(crate) fn from_code(code: u32) -> Option<Self> {
        let root = Self(code);
        if !root.is_straight() {
            return (code < u32::from(ANGLES)).then_some(root);
        }
        let offset = root.offset();
        let is_near = offset.abs().max_element() <= FARTHEST + PER_CELL;
        let is_kept = |at: i32| at & (HALF - 1) != HALF / 2;
        (is_near && is_kept(offset.x) && is_kept(offset.y)).then_some(root)
    }

    /// The direction of a path that is not straight.
    pub(crate) fn direction(self) -> Direction {
        Direction::from_code(self.0 as u8)
    }

    fn offset(self) -> IVec2 {
        let (x, y) = (self.0 >> 16, self.0 & 0xFFFF);
        IVec2::new(x as i32, y as i32) - BIAS as i32
    }

    /// The same root relative to the neighbour that `step` leads to. Its bend must be at most [`FARTHEST`] away.
    #[inline]
    pub(super) fn after(self, step: usize) -> Self {
        Self(self.0.wrapping_add(SHIFTS[step]))
    }

    /// [`Self::after`] for the same step `times` times, backwards if that is negative.
    #[inline]
    pub(super) fn after_many(self, step: usize, times: i32) -> Self {
        let shift = SHIFTS[step].wrapping_mul(times as u32);
        Self(self.0.wrapping_add(shift))
    }

    /// The same root relative to the cell that is `by` cells away; `None` if it would be too far away.
    #[inline]
    pub(crate) fn moved(self, by: IVec2) -> Option<Self> {
        if !self.is_straight() {
            return Some(self);
        }
        let offset = self.offset() - PER_CELL * by;
        let is_near = offset.abs().max_element() <= FARTHEST + PER_CELL;
        is_near.then(|| Self::at(offset))
    }

    /// The bend relative to the cell's centre, in eighths of a cell: multiples of four.
    #[inline]
    pub(crate) fn bend(self) -> IVec2 {
        let nearest = |value: i32| (value + PER_CELL / 4) & !(HALF - 1);
        let offset = self.offset();
        IVec2::new(nearest(offset.x), nearest(offset.y))
    }

    /// The point to steer to, relative to the cell's centre, in cells: the bend, or at a corner a point at a distance
    /// of `margin` from the walls on both axes.
    #[inline]
    pub(crate) fn aim(self, margin: f32) -> Vec2 {
        let bend = self.bend();
        bend.as_vec2() * (1.0 / PER_CELL as f32) + (self.offset() - bend).as_vec2() * margin
    }

    /// The cell whose centre is the root, relative to the cell that has it; `None` for corners.
    pub(crate) fn cell(self) -> Option<IVec2> {
        let bend = self.bend();
        Self::is_middle(bend).then(|| bend / PER_CELL)
    }

    /// Whether a bend is a cell's centre and not a corner.
    #[inline]
    pub(super) fn is_middle(bend: IVec2) -> bool {
        (bend.x | bend.y) & (PER_CELL - 1) == 0
    }
}

/// The amount by which each step changes the code of a root. Neither half overflows into the other.
static SHIFTS: [u32; 8] = shifts();

const fn shifts() -> [u32; 8] {
    let mut shifts = [0; 8];
    let mut step = 0;
    while step < 8 {
        let by = STEPS[step];
        shifts[step] = (-PER_CELL * by.x * 65_536 - PER_CELL * by.y) as u32;
        step += 1;
    }
    shifts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_stays_where_it_is_when_seen_from_elsewhere() {
        let mut root = Root::corner_behind(1, IVec2::new(1, -1));
        assert_eq!(root.bend(), IVec2::new(-4, -4));
        assert_eq!(root.aim(0.125), Vec2::new(-0.375, -0.625));
        for _ in 0..4000 {
            root = root.after(0);
        }
        assert_eq!(root.bend(), IVec2::new(-32_004, -4));
        assert_eq!(root.aim(0.5), Vec2::new(-4000.0, -1.0));
        assert!(root.is_straight());
        assert_eq!(root.cell(), None);
        for step in 0..8 {
            root = root.after(step);
        }
        assert_eq!(root.bend(), IVec2::new(-32_004, -4), "round in a circle");
        while root.bend().x.abs() <= FARTHEST {
            root = root.after(0);
        }
        assert!(root.is_straight());
        assert_eq!(root.bend(), IVec2::new(-32_756, -4));
    }

    #[test]
    fn a_turning_path_has_a_direction_and_no_root() {
        let direction = Direction::from_step(3);
        let root = Root::turning(direction);
        assert!(!root.is_straight());
        assert_eq!(root.direction(), direction);
        assert_eq!(Root::behind(3).cell(), Some(IVec2::new(1, -1)));
    }
}
