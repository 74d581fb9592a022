//! Rasterisation of polygons and lines: the cells that they cover.
//!
//! A shape covers each cell that it overlaps by more than [`TOLERANCE`], because visible walls must be walls of the
//! grid. A shape whose edges are on lines of the grid does not cover the cells on the other side of these lines.
//!
//! A cell that no edge of a polygon crosses is either inside or outside the polygon, as its centre is. So a polygon of
//! any form covers exactly the cells that its edges cross and the cells whose centre is inside.

use crate::error::{Result, finite};
use crate::grid::{CellRect, Grid};
use glam::{DVec2, IVec2, Vec2};

/// A shape covers a cell if it reaches farther than this into the cell, in cells.
///
/// Positions on lines of the grid may be off by rounding errors after an engine has scaled and rotated them.
pub const TOLERANCE: f64 = 0.002;

/// One terrain id for each cell of a part of a grid, from the shapes that have been drawn.
///
/// Where shapes overlap, the greatest id is used.
#[derive(Debug, Clone)]
pub struct Coverage {
    grid: Grid,
    part: CellRect,
    columns: usize,
    ids: Vec<u8>,
    /// The points at which edges cross the centre line of a row of cells: row, and x in cells.
    crossings: Vec<(i32, f64)>,
}

impl Coverage {
    /// A coverage of the cells of `part` without shapes.
    ///
    /// # Errors
    /// [`crate::Error::CellOutside`] if `part` is neither empty nor inside the grid.
    pub fn new(grid: &Grid, part: CellRect) -> Result<Self> {
        let mut part = part;
        if part.is_empty() {
            part.high = part.low;
        } else {
            grid.check_cell(part.low)?;
            grid.check_cell(part.high - IVec2::ONE)?;
        }
        let size = (part.high - part.low).as_usizevec2();
        Ok(Self {
            grid: *grid,
            part,
            columns: size.x,
            ids: vec![0; size.x * size.y],
            crossings: Vec::new(),
        })
    }

    /// One id for each cell of the part, row by row: 0 in cells without a shape.
    #[must_use]
    pub fn ids(&self) -> &[u8] {
        &self.ids
    }

    /// [`Self::ids`] without a copy.
    #[must_use]
    pub fn into_ids(self) -> Vec<u8> {
        self.ids
    }

    /// Draws a filled polygon from its corners in world units, in either order. It may be concave. Polygons that cross
    /// themselves are filled by the even-odd rule.
    ///
    /// # Errors
    /// [`crate::Error::NotFinite`]; then nothing is drawn.
    pub fn polygon(&mut self, corners: &[Vec2], id: u8) -> Result<()> {
        let points = self.cell_space(corners)?;
        self.crossings.clear();
        for (index, &from) in points.iter().enumerate() {
            let to = points[(index + 1) % points.len()];
            self.edge(from, to, id);
            self.note_crossings(from, to);
        }
        self.fill_between_crossings(id);
        Ok(())
    }

    /// Draws a chain of line segments without width between points in world units.
    ///
    /// # Errors
    /// [`crate::Error::NotFinite`]; then nothing is drawn.
    pub fn line(&mut self, points: &[Vec2], id: u8) -> Result<()> {
        let points = self.cell_space(points)?;
        for pair in points.windows(2) {
            self.edge(pair[0], pair[1], id);
        }
        Ok(())
    }

    /// Draws the half-plane behind the line through `point`, in world units: the side to which `normal` does not point.
    ///
    /// # Errors
    /// [`crate::Error::NotFinite`]; then nothing is drawn.
    pub fn half_plane(&mut self, point: Vec2, normal: Vec2, id: u8) -> Result<()> {
        finite("point", point)?;
        finite("normal", normal)?;
        let (low, high) = self.grid.bounds();
        let corners = [
            low,
            Vec2::new(high.x, low.y),
            high,
            Vec2::new(low.x, high.y),
        ];
        let above = |corner: Vec2| (corner - point).as_dvec2().dot(normal.as_dvec2());
        let mut kept = Vec::with_capacity(5);
        for (index, &from) in corners.iter().enumerate() {
            let to = corners[(index + 1) % corners.len()];
            let (start, end) = (above(from), above(to));
            if start <= 0.0 {
                kept.push(from);
            }
            if (start <= 0.0) != (end <= 0.0) {
                kept.push(from.lerp(to, (start / (start - end)) as f32));
            }
        }
        self.polygon(&kept, id)
    }

    /// Converts points from world units to units of cells.
    fn cell_space(&self, points: &[Vec2]) -> Result<Vec<DVec2>> {
        let origin = self.grid.origin().as_dvec2();
        let size = f64::from(self.grid.cell_size());
        points
            .iter()
            .map(|&point| Ok((finite("point", point)?.as_dvec2() - origin) / size))
            .collect()
    }

    /// Covers the cells that a line segment crosses.
    fn edge(&mut self, from: DVec2, to: DVec2, id: u8) {
        let (low, high) = if from.y <= to.y {
            (from, to)
        } else {
            (to, from)
        };
        for y in self.rows(low.y, high.y) {
            let top = f64::from(y) + TOLERANCE;
            let bottom = f64::from(y + 1) - TOLERANCE;
            let (a, b) = (x_at(low, high, top), x_at(low, high, bottom));
            self.cover(y, a.min(b), a.max(b), id);
        }
    }

    /// The rows of the part that the interval from `low` to `high` enters by more than the tolerance.
    fn rows(&self, low: f64, high: f64) -> std::ops::Range<i32> {
        cells_entered(low, high, self.part.low.y, self.part.high.y)
    }

    fn cover(&mut self, y: i32, low: f64, high: f64, id: u8) {
        let entered = cells_entered(low, high, self.part.low.x, self.part.high.x);
        self.paint(y, entered, id);
    }

    fn paint(&mut self, y: i32, cells: std::ops::Range<i32>, id: u8) {
        if cells.is_empty() {
            return;
        }
        let row = (y - self.part.low.y) as usize * self.columns;
        let first = (cells.start - self.part.low.x) as usize;
        for cell in &mut self.ids[row + first..][..cells.len()] {
            *cell = (*cell).max(id);
        }
    }

    fn note_crossings(&mut self, from: DVec2, to: DVec2) {
        let (low, high) = if from.y <= to.y {
            (from, to)
        } else {
            (to, from)
        };
        // The interval is half-open, so a corner on a centre line counts for one of its two edges.
        let first = centers_below(low.y).max(self.part.low.y);
        let end = centers_below(high.y).min(self.part.high.y);
        for y in first..end {
            self.crossings
                .push((y, x_at(low, high, f64::from(y) + 0.5)));
        }
    }

    fn fill_between_crossings(&mut self, id: u8) {
        let mut crossings = std::mem::take(&mut self.crossings);
        crossings.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        // A closed outline crosses each centre line an even number of times.
        for pair in crossings.chunks_exact(2) {
            let first = centers_below(pair[0].1).max(self.part.low.x);
            let end = centers_below(pair[1].1).min(self.part.high.x);
            self.paint(pair[0].0, first..end, id);
        }
        self.crossings = crossings;
    }
}

/// The x of the segment from `low` to `high` at `y`; that of the nearer end if `y` is outside the segment.
fn x_at(low: DVec2, high: DVec2, y: f64) -> f64 {
    if y <= low.y {
        low.x
    } else if y >= high.y {
        high.x
    } else {
        low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y))
    }
}

/// The cells on one axis, within `first..end`, that the interval from `low` to `high` enters by more than the
/// tolerance.
fn cells_entered(low: f64, high: f64, first: i32, end: i32) -> std::ops::Range<i32> {
    // The casts saturate.
    let from = (low + TOLERANCE).floor() as i32;
    let to = (high - TOLERANCE).ceil() as i32;
    from.max(first)..to.min(end)
}

/// The number of cells on one axis, from cell 0 on, whose centre is below a coordinate.
fn centers_below(coordinate: f64) -> i32 {
    (coordinate - 0.5).ceil() as i32
}
