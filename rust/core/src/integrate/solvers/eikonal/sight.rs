//! Clear ground on which all paths have the same root.
//!
//! The root of one cell gives the values of all others, so no solve is needed (Emerson, Game AI Pro, 23.6.4: no work is
//! done for cells in line of sight, nor for clear tiles).

use super::lines::length_by;
use crate::bytes::{Saved, Source as _, Unpacker, Writer};
use crate::error::Result;
use crate::integrate::candidate::Candidate;
use crate::integrate::field::UNREACHED;
use crate::integrate::root::{FARTHEST, PER_CELL, Root};
use crate::integrate::scale::StepScale;
use glam::IVec2;

/// The greatest number of stored units per eighth of a cell, on the finest scale.
const MOST_UNIT: f32 = 1.0e6;

/// The values of such ground, relative to one of its cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sight {
    /// The root relative to the cell (0, 0).
    root: Root,
    /// The cost at the root.
    base: u32,
    /// Stored units per eighth of a cell.
    unit: f32,
}

impl Sight {
    pub(crate) fn write(self, out: &mut Writer) {
        out.u32(self.root.code());
        out.u32(self.base);
        out.u32(self.unit.to_bits());
    }

    /// Reads the sight of a rectangle of `size` cells.
    pub(crate) fn read(input: &mut Unpacker<'_>, size: IVec2) -> Result<Self> {
        let root = Root::from_code(input.u32()?);
        let base = input.u32()?;
        let unit = f32::read(input)?;
        let sight = root.map(|root| Self { root, base, unit });
        let is_sound = |sight: &Self| {
            let highest = sight.highest(size);
            sight.root.is_straight()
                && (0.0..=MOST_UNIT).contains(&unit)
                && sight.reaches(size)
                && highest.is_some_and(|highest| highest < UNREACHED)
        };
        let sight = sight.filter(is_sound);
        sight.ok_or_else(|| input.bad("it has a clear sector that makes no sense"))
    }

    /// The sight from a cell on ground of this cost with this value, if its path is straight.
    pub(crate) fn of(candidate: Candidate, cost: u8, scale: StepScale) -> Option<Self> {
        if !candidate.root.is_straight() {
            return None;
        }
        let unit = unit(cost, scale);
        let length = length_by(candidate.root.bend(), unit);
        Some(Self {
            root: candidate.root,
            base: candidate.cost.checked_sub(length)?,
            unit,
        })
    }

    /// Whether it belongs to ground of this cost.
    pub(crate) fn is_on(self, cost: u8, scale: StepScale) -> bool {
        self.unit == unit(cost, scale)
    }

    /// The same sight relative to the cell `by` cells away.
    pub(crate) fn moved(self, by: IVec2) -> Option<Self> {
        let root = self.root.moved(by)?;
        Some(Self { root, ..self })
    }

    /// The value of the cell `by` cells away. It must be within [`Self::reaches`].
    #[inline]
    pub(crate) fn candidate_at(self, by: IVec2) -> Candidate {
        let root = self.root_at(by);
        Candidate {
            cost: self.base + length_by(root.bend(), self.unit),
            root,
        }
    }

    /// The root of the cell `by` cells away.
    #[inline]
    pub(crate) fn root_at(self, by: IVec2) -> Root {
        self.root.moved(by).unwrap_or(self.root)
    }

    /// Whether the root is near enough that all cells of a rectangle of `size` cells from (0, 0) on, and the cells
    /// around it, can hand it on.
    pub(crate) fn reaches(self, size: IVec2) -> bool {
        corners(-IVec2::ONE, size).into_iter().all(|by| {
            let root = self.root.moved(by);
            root.is_some_and(|root| root.bend().abs().max_element() <= FARTHEST)
        })
    }

    /// The side of a rectangle of `size` cells on which the root is, along both axes: -1, 0 or 1. Lines enter the
    /// rectangle from there.
    pub(crate) fn sides(self, size: IVec2) -> IVec2 {
        let first = self.root.bend();
        let last = first - (size - 1) * PER_CELL;
        let side = |first: i32, last: i32| i32::from(last > 0) - i32::from(first < 0);
        IVec2::new(side(first.x, last.x), side(first.y, last.y))
    }

    /// The cell of the root, if it is a cell's middle.
    pub(crate) fn cell(self) -> Option<IVec2> {
        self.root.cell()
    }

    /// A lower bound of all costs.
    pub(crate) fn base(self) -> u32 {
        self.base
    }

    /// The greatest cost of the cells of a rectangle of `size` cells from (0, 0) on; `None` if it is too
    /// great for the number range.
    pub(crate) fn highest(self, size: IVec2) -> Option<u32> {
        corners(IVec2::ZERO, size - 1)
            .into_iter()
            .map(|by| {
                let length = length_by(self.root_at(by).bend(), self.unit);
                self.base.checked_add(length)
            })
            .reduce(|one, other| Some(one?.max(other?)))?
    }
}

/// The corners of a rectangle. The greatest distance from a point is at one of them.
fn corners(low: IVec2, high: IVec2) -> [IVec2; 4] {
    [
        low,
        high,
        IVec2::new(low.x, high.y),
        IVec2::new(high.x, low.y),
    ]
}

fn unit(cost: u8, scale: StepScale) -> f32 {
    scale.straight as f32 / PER_CELL as f32 * f32::from(cost)
}
