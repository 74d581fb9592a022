//! Clearance: cells from which a large agent would reach into a wall (the wall buffer of Emerson,
//! Game AI Pro, 23.11), by exact Euclidean distance.
//!
//! A cell is open for a disc if the disc, at the cell's centre, touches no wall square. That keeps
//! the disc out of walls all along its way, not only at centres. A path moves within squares
//! spanned by four neighbouring centres: along an edge, or along a diagonal of one whose four
//! corners are open. Such a square spans half a cell to either side of a grid line on both axes, so
//! on each axis a wall square lies to one side of all of it, or covers that half of it which is
//! nearest. The distance to the wall is then least at the corner nearest to it: one of the centres
//! that were measured.

use super::BLOCKED;
use crate::error::{Result, in_range};

/// The greatest clearance, in cells.
pub const MAX_CLEARANCE: f32 = 16.0;

/// How much deeper than a wall's surface a disc may reach and still fit, in cells. Radii come from a
/// division by the cell size; a gap as wide as the disc must not close by its rounding. It is half of
/// what the swarm lets a disc overlap before it counts as inside a wall.
pub const CLEARANCE_TOLERANCE: f32 = 1.0e-3;

/// The greatest number of cells that a wall reaches.
const MOST: usize = MAX_CLEARANCE as usize;

/// The radius of the largest agent that must fit. The default is none.
///
/// Up to half a cell it changes nothing: a disc that small fits wherever its centre may be. Agents
/// are led from centre to centre, so a gap an even number of cells wide counts as one cell less.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Clearance {
    radius: f32,
}

impl Clearance {
    /// Room for discs of `radius` cells.
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

    /// How far from a wall it closes cells, in cells along an axis; 0 when it changes nothing.
    #[must_use]
    pub fn reach(self) -> usize {
        (1..=MOST)
            .take_while(|&away| self.touches(away, 0))
            .last()
            .unwrap_or(0)
    }

    /// Whether a disc at a cell's centre touches the wall square so many columns and rows away.
    fn touches(self, columns: usize, rows: usize) -> bool {
        // In half cells, where the distance's square is a whole number.
        let gap = |cells: usize| (2 * cells).saturating_sub(1) as f32;
        let radius = 2.0 * (self.radius - CLEARANCE_TOLERANCE).max(0.0);
        gap(columns) * gap(columns) + gap(rows) * gap(rows) < radius * radius
    }

    /// For each number of columns away, how many rows away a wall may be and still be touched,
    /// plus one: 0 is none.
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

/// Memory for closing rows of cells, to be used again.
#[derive(Debug, Default)]
pub(super) struct WallBuffer {
    /// Rows to the nearest wall in the same column.
    column: Vec<u8>,
    closed: Vec<bool>,
}

impl WallBuffer {
    /// Blocks in `costs`, a part of row `row` of a bordered field from column `left` on, the cells
    /// that are too close to a wall. `walls` is the whole field, `stride` cells to a row.
    ///
    /// O(cells · reach): down the columns first, then along the row, each as loops over whole rows,
    /// which the compiler turns into vector code.
    pub(super) fn close_row(
        &mut self,
        clearance: Clearance,
        (walls, stride): (&[bool], usize),
        (left, row): (usize, usize),
        costs: &mut [u8],
    ) {
        let reach = clearance.reach();
        let Self { column, closed } = self;
        // What lies beyond the border is hidden behind the border.
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
