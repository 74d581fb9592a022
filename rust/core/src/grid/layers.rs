//! Layers: several maps of one size in one grid, each below the other (Emerson, Game AI Pro, 23.16).
//!
//! Rows of wall separate them, as many as the largest reach of any computation. So everything that works on one map
//! works on several. The rest of the crate handles layers only where points come in and go out, where cells between
//! layers stay walls, where lines or answers must stay on a layer, and where links join cells of different layers.

use super::cell_rect::CellRect;
use crate::error::{Error, Result, in_range};
use glam::{IVec2, Vec2};

/// The most layers of a grid.
pub const MAX_LAYERS: u32 = 64;

/// Rows of wall between two layers. Wall penalties reach this far, and agents must not perceive each other from farther
/// away.
pub const LAYER_GAP: u32 = 32;

/// Half of it.
const MARGIN: f32 = 0.5 * LAYER_GAP as f32;

/// The layout of a grid's layers.
///
/// A point or cell of the grid is a *place*. On the lowest layer, 0, it is the point or cell itself; on another layer
/// it is a fixed number of rows further down for each layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layers {
    count: u32,
    /// The rows of each layer.
    rows: u32,
    /// World y of the grid's first row.
    low: f32,
    row_size: f32,
}

impl Default for Layers {
    /// A single layer of any size.
    fn default() -> Self {
        Self {
            count: 1,
            rows: 0,
            low: 0.0,
            row_size: 0.0,
        }
    }
}

impl Layers {
    /// `count` layers of `rows` rows, `row_size` world units each, from `low` on.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless there are 1..=[`MAX_LAYERS`].
    pub(crate) fn new(count: u32, rows: u32, low: f32, row_size: f32) -> Result<Self> {
        in_range("layer_count", count, 1, MAX_LAYERS)?;
        Ok(Self {
            count,
            rows,
            low,
            row_size,
        })
    }

    /// The lowest layer alone.
    pub(crate) fn lowest(&self) -> Self {
        Self { count: 1, ..*self }
    }

    /// The number of layers.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Rows of each layer.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// World y of the first row, and the size of a row.
    pub(crate) fn scale(&self) -> (f32, f32) {
        (self.low, self.row_size)
    }

    /// Rows from the first of a layer to the first of the next.
    #[must_use]
    pub fn pitch(&self) -> u32 {
        self.rows + LAYER_GAP
    }

    /// The rows of all layers and of the gaps between them.
    pub(crate) fn all_rows(&self) -> u64 {
        u64::from(self.count - 1) * u64::from(self.pitch()) + u64::from(self.rows)
    }

    /// Checks the number of a layer.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn check(&self, layer: i64) -> Result<u32> {
        match u32::try_from(layer) {
            Ok(layer) if layer < self.count => Ok(layer),
            _ => Err(Error::OutOfRange {
                name: "layer",
                value: layer.into(),
                min: 0.into(),
                max: (self.count - 1).into(),
            }),
        }
    }

    /// The layer of a row of cells; `None` between layers.
    #[must_use]
    #[inline]
    pub fn of_row(&self, row: u32) -> Option<u32> {
        if self.count == 1 {
            return Some(0);
        }
        (row % self.pitch() < self.rows).then_some(row / self.pitch())
    }

    /// The layer of a row of cells; for a row between layers or outside, the nearest layer.
    #[must_use]
    #[inline]
    pub(crate) fn nearest_of_row(&self, row: i32) -> u32 {
        let row = row.saturating_add(LAYER_GAP.cast_signed() / 2);
        (row.max(0).cast_unsigned() / self.pitch()).min(self.count - 1)
    }

    /// The layer of a place; for a place between layers or outside, the nearest layer.
    #[must_use]
    #[inline]
    pub fn at(&self, place: Vec2) -> u32 {
        if self.count == 1 {
            return 0;
        }
        // The gap between two layers belongs half to each.
        let rows = (place.y - self.low) / self.row_size + MARGIN;
        ((rows / self.pitch() as f32) as u32).min(self.count - 1)
    }

    fn offset(&self, layer: u32) -> f32 {
        (layer * self.pitch()) as f32 * self.row_size
    }

    /// The place of a world position on a layer. A position outside the layer is between layers or outside the grid, at
    /// most half a gap away.
    #[must_use]
    pub fn place(&self, position: Vec2, layer: u32) -> Vec2 {
        if self.count == 1 {
            return position;
        }
        let margin = 0.99 * MARGIN * self.row_size;
        let end = self.low + self.rows as f32 * self.row_size;
        let y = position.y.clamp(self.low - margin, end + margin);
        Vec2::new(position.x, y + self.offset(layer))
    }

    /// The world position of a place, whatever its layer.
    #[must_use]
    #[inline]
    pub fn flat(&self, place: Vec2) -> Vec2 {
        if self.count == 1 {
            return place;
        }
        Vec2::new(place.x, place.y - self.offset(self.at(place)))
    }

    /// The cells of a layer.
    #[must_use]
    pub fn cells(&self, layer: u32, width: u32) -> CellRect {
        let low = IVec2::new(0, (layer * self.pitch()).cast_signed());
        CellRect {
            low,
            high: low + IVec2::new(width.cast_signed(), self.rows.cast_signed()),
        }
    }

    /// The place in these layers of a place in `old` ones; not finite if its layer is gone.
    #[must_use]
    pub(crate) fn kept(&self, old: &Self, place: Vec2) -> Vec2 {
        if old.at(place) < self.count {
            self.moved(old, place)
        } else {
            Vec2::INFINITY
        }
    }

    /// The place in these layers of a place in `old` ones; on the last layer if its own is gone.
    #[must_use]
    pub(crate) fn moved(&self, old: &Self, place: Vec2) -> Vec2 {
        self.place(old.flat(place), old.at(place).min(self.count - 1))
    }
}
