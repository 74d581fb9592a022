//! A cell of a field of directions.

use crate::direction::Direction;

/// What a cell has of its own.
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

/// Cells that are filled together, or passed over where none of them is reached.
pub(super) const PIECE: usize = 64;
