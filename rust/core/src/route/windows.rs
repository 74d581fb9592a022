//! Portal windows: the openings between neighbouring sectors (Emerson, Game AI Pro, 23.3).
//!
//! A window is a run of cells along the border between two sectors that are open on both sides. It starts and ends at
//! walls. A step across a corner of sectors needs no window: no legal diagonal step cuts a corner, so the two cells
//! beside it are open and belong to windows.
//!
//! Each side of a window is a portal. The graph represents it by one cell, its middle. Wide windows are split, as
//! routes along one end of a wide window would otherwise seem longer than they are.

use super::sectors::Side;
use crate::grid::CellRect;
use crate::movement::BLOCKED;
use glam::IVec2;

/// The greatest width of a window, in cells: that of a whole border of the largest sector.
pub const MAX_WINDOW: u32 = 64;

/// One side of a portal window. Positions along the border are relative to the sector's first cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Portal {
    /// The first cell of the window.
    pub(super) first: u8,
    /// The width in cells.
    pub(super) width: u8,
    /// The cell that represents the portal in the graph.
    pub(super) middle: u8,
    /// The cost of the middle cell.
    pub(super) cost: u8,
    /// The cost of the cell across the border from the middle.
    pub(super) cost_across: u8,
}

impl Portal {
    /// All fields, for a saved graph.
    pub(super) fn to_bytes(self) -> [u8; 5] {
        [
            self.first,
            self.width,
            self.middle,
            self.cost,
            self.cost_across,
        ]
    }

    /// The middle cell, relative to the first cell of a sector of `extent` cells.
    #[inline]
    pub(super) fn middle_in(&self, side: Side, extent: IVec2) -> IVec2 {
        side.cell(i32::from(self.middle), extent)
    }

    /// The portal's cells, relative to the first cell of a sector of `extent` cells.
    pub(super) fn cells_in(&self, side: Side, extent: IVec2) -> CellRect {
        let (first, width) = (i32::from(self.first), i32::from(self.width));
        CellRect {
            low: side.cell(first, extent),
            high: side.cell(first + width - 1, extent) + IVec2::ONE,
        }
    }
}

/// Adds the portals along a border of `length` cells to `out`, in order. `costs` returns the costs of the cell at a
/// position and of the one across the border. Both sectors of a border find the same windows.
pub(super) fn find_portals(
    length: usize,
    costs: impl Fn(usize) -> (u8, u8),
    widest: usize,
    out: &mut Vec<Portal>,
) {
    let is_open = |place: usize| {
        let (cost, across) = costs(place);
        cost != BLOCKED && across != BLOCKED
    };
    let mut end = 0;
    while end < length {
        let first = end;
        while end < length && is_open(end) {
            end += 1;
        }
        let width = end - first;
        let parts = width.div_ceil(widest);
        for part in 0..parts {
            let from = first + width * part / parts;
            let to = first + width * (part + 1) / parts;
            let middle = usize::midpoint(from, to);
            let (cost, cost_across) = costs(middle);
            out.push(Portal {
                first: from as u8,
                width: (to - from) as u8,
                middle: middle as u8,
                cost,
                cost_across,
            });
        }
        end += usize::from(width == 0);
    }
}
