//! A piece of clear ground all of whose paths first bend at one point.
//!
//! The root of one cell tells what every other cell has: there is nothing to be
//! solved (Emerson, Game AI Pro, 23.6.4: no work is done for cells in line of
//! sight, nor for clear tiles).

use super::lines::length_by;
use crate::integrate::candidate::Candidate;
use crate::integrate::root::{FARTHEST, PER_CELL, Root};
use crate::integrate::scale::StepScale;
use glam::IVec2;

/// What the cells of such a piece have, from the place of one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sight {
    /// Seen from the cell (0, 0).
    root: Root,
    /// The cost at the root.
    base: u32,
    /// Stored units per eighth of a cell.
    unit: f32,
}

impl Sight {
    /// The sight that a cell of ground of this cost has by what it was offered, if that is straight.
    pub(crate) fn of(offer: Candidate, cost: u8, scale: StepScale) -> Option<Self> {
        if !offer.root.is_straight() {
            return None;
        }
        let unit = unit(cost, scale);
        let length = length_by(offer.root.bend(), unit);
        Some(Self {
            root: offer.root,
            base: offer.cost.checked_sub(length)?,
            unit,
        })
    }

    /// Whether it is one over ground of this cost.
    pub(crate) fn is_on(self, cost: u8, scale: StepScale) -> bool {
        self.unit == unit(cost, scale)
    }

    /// The same, seen from the cell `by` cells away.
    pub(crate) fn moved(self, by: IVec2) -> Option<Self> {
        let root = self.root.moved(by)?;
        Some(Self { root, ..self })
    }

    /// What the cell `by` cells away has. It must be within [`Self::reaches`].
    #[inline]
    pub(crate) fn offer_at(self, by: IVec2) -> Candidate {
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

    /// Whether the root is near enough for all cells of a rectangle of `size` cells from (0, 0) on and those
    /// around it to hand it on.
    pub(crate) fn reaches(self, size: IVec2) -> bool {
        corners(-IVec2::ONE, size).into_iter().all(|by| {
            let root = self.root.moved(by);
            root.is_some_and(|root| root.bend().abs().max_element() <= FARTHEST)
        })
    }

    /// On which sides of a rectangle of `size` cells its root lies, along both axes: -1, 0 or 1. Lines
    /// enter it from there.
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

    /// At most as much as any cell costs.
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

/// The corners of a rectangle: a distance is greatest at one of them.
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
