//! Clearance: cells from which a large agent would reach into a wall (the wall buffer of Emerson,
//! Game AI Pro, 23.11), by exact Euclidean distance.
//!
//! A cell is open for a disc if the disc, at the cell's centre, touches no wall square. This keeps the disc out of
//! walls along its whole path, not only at centres. A path moves within squares spanned by four neighbouring centres:
//! along an edge, or along a diagonal of a square whose four corners are open. Such a square extends half a cell to
//! either side of a grid line on both axes. So on each axis a wall square is entirely to one side of it, or covers the
//! nearer half of it. The distance to the wall is then least at the nearest corner, which is one of the measured
//! centres.

use super::BLOCKED;
use crate::error::{Result, in_range};

/// The greatest clearance, in cells.
pub const MAX_CLEARANCE: f32 = 16.0;

/// The depth in a wall, in cells, to which a disc still fits. Radii result from a division by the cell size, and its
/// rounding must not close a gap as wide as the disc. It is half of the depth at which the swarm counts a disc as
/// inside a wall.
pub const CLEARANCE_TOLERANCE: f32 = 1.0e-3;

/// The greatest number of cells around a wall that it closes.
const MOST: usize = MAX_CLEARANCE as usize;

/// The radius of the largest agent that must fit. The default is none.
///
/// Up to half a cell it changes nothing: such a small disc fits in every open cell. Paths lead from centre to centre,
/// so a gap of an even number of cells counts as one cell narrower.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Clearance {
    radius: f32,
}

impl Clearance {
    /// Clearance for discs of `radius` cells.
    ///
    /// # Errors
    /// A radius outside 0..=[`MAX_CLEARANCE`].
    pub fn new(radius: f32) -> Result<Self> {
        let radius = in_range("clearance", radius, 0.0, MAX_CLEARANCE)?;
        Ok(Self { radius })
    }

    /// The radius in cells.
    #[must_use]
    pub fn radius(self) -> f32 {
        self.radius
    }

    /// The distance from a wall up to which cells are closed, in cells along an axis; 0 if it changes nothing.
    #[must_use]
    pub fn reach(self) -> usize {
        (1..=MOST)
            .take_while(|&away| self.touches(away, 0))
            .last()
            .unwrap_or(0)
    }

    /// Whether a disc at a cell's centre touches the wall square at this offset in columns and rows.
    fn touches(self, columns: usize, rows: usize) -> bool {
        // In half cells, in which squared distances are integers.
        let gap = |cells: usize| (2 * cells).saturating_sub(1) as f32;
        let radius = 2.0 * (self.radius - CLEARANCE_TOLERANCE).max(0.0);
        gap(columns) * gap(columns) + gap(rows) * gap(rows) < radius * radius
    }

    /// For each offset in columns, the number of rows within which a wall is touched, plus one; 0 if there is none.
    fn spans(self) -> [u8; MOST + 1] {
        let mut spans = [0; MOST + 1];
        for (columns, span) in spans.iter_mut().enumerate() {
            *span = (0..=MOST)
                .take_while(|&rows| self.touches(columns, rows))
                .count() as u8;
        }
        spans
    }
}

/// Scratch memory for closing rows of cells.
#[derive(Debug, Default)]
pub(super) struct WallBuffer {
    /// Rows to the nearest wall in the same column.
    column: Vec<u8>,
    closed: Vec<bool>,
}

impl WallBuffer {
    /// Blocks the cells that are too close to a wall in `costs`, which is a part of row `row` of a bordered field from
    /// column `left` on. `walls` is the whole field with rows of `stride` cells.
    ///
    /// O(cells · reach): first along the columns, then along the row, both as loops over whole rows, which the compiler
    /// turns into vector code.
    pub(super) fn close_row(
        &mut self,
        clearance: Clearance,
        (walls, stride): (&[bool], usize),
        (left, row): (usize, usize),
        costs: &mut [u8],
    ) {
        let reach = clearance.reach();
        let Self { column, closed } = self;
        // Cells beyond the border do not count, as the border hides them.
        column.clear();
        column.resize(costs.len() + 2 * reach, u8::MAX);
        let from = left.saturating_sub(reach);
        let to = (left + costs.len() + reach).min(stride);
        let inside = &mut column[from + reach - left..to + reach - left];
        for away in (0..=reach).rev() {
            let above = row.checked_sub(away);
            for row in above.into_iter().chain([row + away]) {
                let row = walls.get(row * stride..(row + 1) * stride).unwrap_or(&[]);
                for (distance, &wall) in inside.iter_mut().zip(row.get(from..).unwrap_or(&[])) {
                    *distance = if wall { away as u8 } else { *distance };
                }
            }
        }
        closed.clear();
        closed.resize(costs.len(), false);
        let spans = clearance.spans();
        for shift in 0..=2 * reach {
            let span = spans[shift.abs_diff(reach)];
            for (closed, &rows_away) in closed.iter_mut().zip(&column[shift..]) {
                *closed |= rows_away < span;
            }
        }
        for (cost, &closed) in costs.iter_mut().zip(&*closed) {
            *cost = if closed { BLOCKED } else { *cost };
        }
    }
}
