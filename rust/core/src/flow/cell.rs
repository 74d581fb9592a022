//! A cell of a field of directions.

use crate::direction::Direction;

/// The data of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FlowCell {
    pub(crate) direction: Direction,
    /// The legal steps to cells of lower cost.
    pub(crate) lower: u8,
}

impl FlowCell {
    pub(crate) const WALL: Self = Self {
        direction: Direction::WALL,
        lower: 0,
    };
}

/// The number of cells that are filled together, or skipped if none of them is reached.
pub(super) const PIECE: usize = 64;
