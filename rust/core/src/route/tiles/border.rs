//! The numbering of the cells along a sector's border.
//!
//! A side is named by the straight step that leads out over it. Cells in the sector's corners belong to two sides.

use glam::IVec2;

/// The number of entries of all sides of a sector of `size` cells.
pub(super) fn entries(size: IVec2) -> usize {
    2 * (size.x + size.y) as usize
}

/// The number of cells of the side that the straight `step` leads over.
#[inline]
pub(super) fn length(size: IVec2, step: usize) -> i32 {
    if step & 3 == 0 { size.y } else { size.x }
}

/// The entry of the cell with the number `at` along a side.
#[inline]
pub(super) fn entry(size: IVec2, step: usize, at: i32) -> usize {
    let before = [0, size.y, size.x + size.y, size.x + 2 * size.y][step / 2];
    (before + at) as usize
}

/// The cell with the number `at` along a side.
#[inline]
pub(super) fn cell(size: IVec2, step: usize, at: i32) -> IVec2 {
    match step {
        0 => IVec2::new(size.x - 1, at),
        2 => IVec2::new(at, size.y - 1),
        4 => IVec2::new(0, at),
        _ => IVec2::new(at, 0),
    }
}

/// The cells from which a `step`, straight or diagonal, leads into the neighbour in that direction: a side, and the
/// numbers along it.
#[inline]
pub(super) fn strip(size: IVec2, step: usize) -> (usize, std::ops::Range<i32>) {
    match step {
        1 => (2, size.x - 1..size.x),
        3 => (2, 0..1),
        5 => (6, 0..1),
        7 => (6, size.x - 1..size.x),
        step => (step, 0..length(size, step)),
    }
}

/// A side and the number along it of a cell that lies along the border; `None` for a cell inside.
#[inline]
pub(super) fn entry_of(size: IVec2, cell: IVec2) -> Option<(usize, i32)> {
    if cell.y == 0 {
        Some((6, cell.x))
    } else if cell.y == size.y - 1 {
        Some((2, cell.x))
    } else if cell.x == 0 {
        Some((4, cell.y))
    } else if cell.x == size.x - 1 {
        Some((0, cell.y))
    } else {
        None
    }
}

/// The set of steps that lead out of the sector from one of its cells.
#[inline]
pub(super) fn steps_out(size: IVec2, cell: IVec2) -> u8 {
    let mut steps = 0;
    if cell.x == 0 {
        steps |= 0b0011_1000;
    }
    if cell.x == size.x - 1 {
        steps |= 0b1000_0011;
    }
    if cell.y == 0 {
        steps |= 0b1110_0000;
    }
    if cell.y == size.y - 1 {
        steps |= 0b0000_1110;
    }
    steps
}
