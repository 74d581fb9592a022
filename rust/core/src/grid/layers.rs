//! Layers: several maps of one size in one grid, one below the other (Emerson, Game AI Pro, 23.16).
//!
//! Rows of wall separate the layers. There are as many of them as the widest reach of any computation, so code for one
//! map works on several without change. The rest of the crate distinguishes layers in four cases only: points enter or
//! leave the core; cells between layers stay walls; lines and answers stay on one layer; links join cells of different
//! layers.

use super::cell_rect::CellRect;
use crate::error::{Error, Result, in_range};
use glam::{IVec2, Vec2};

/// The greatest number of layers of a grid.
pub const MAX_LAYERS: u32 = 64;

/// Rows of wall between two layers. Wall penalties reach at most this far, and agents must not perceive others from
/// farther away.
pub const LAYER_GAP: u32 = 32;

/// Half of [`LAYER_GAP`], in rows.
const MARGIN: f32 = 0.5 * LAYER_GAP as f32;

/// The layout of a grid's layers.
///
/// A point or cell of the whole grid is a *place*. On layer 0, the lowest, a place equals the point or cell on the
/// layer. On layer n it is n times [`Self::pitch`] rows further down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layers {
    count: u32,
    /// The number of rows of each layer.
    rows: u32,
    /// World y of the first row of the grid.
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
    /// Creates `count` layers of `rows` rows of `row_size` world units each. World y of the first row is `low`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `count` is outside 1..=[`MAX_LAYERS`].
    pub(crate) fn new(count: u32, rows: u32, low: f32, row_size: f32) -> Result<Self> {
        in_range("layer_count", count, 1, MAX_LAYERS)?;
        Ok(Self {
            count,
            rows,
            low,
            row_size,
        })
    }

    /// Returns the layout of the lowest layer alone.
    pub(crate) fn lowest(&self) -> Self {
        Self { count: 1, ..*self }
    }

    /// Returns the number of layers.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the number of rows of each layer.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns world y of the first row, and the size of a row in world units.
    pub(crate) fn scale(&self) -> (f32, f32) {
        (self.low, self.row_size)
    }

    /// Returns the number of rows from the first row of a layer to the first row of the next.
    #[must_use]
    pub fn pitch(&self) -> u32 {
        self.rows + LAYER_GAP
    }

    /// Returns the number of rows of all layers and the gaps between them.
    pub(crate) fn all_rows(&self) -> u64 {
        u64::from(self.count - 1) * u64::from(self.pitch()) + u64::from(self.rows)
    }

    /// Returns `layer` if it is the number of a layer.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if it is not.
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

    /// Returns the layer of a row of cells; `None` for a row between layers.
    #[must_use]
    #[inline]
    pub fn of_row(&self, row: u32) -> Option<u32> {
        if self.count == 1 {
            return Some(0);
        }
        (row % self.pitch() < self.rows).then_some(row / self.pitch())
    }

    /// Returns the layer of a row of cells. For a row between layers or outside the grid, this is the nearest layer.
    #[must_use]
    #[inline]
    pub(crate) fn nearest_of_row(&self, row: i32) -> u32 {
        let row = row.saturating_add(LAYER_GAP.cast_signed() / 2);
        (row.max(0).cast_unsigned() / self.pitch()).min(self.count - 1)
    }

    /// Returns the layer of a place. For a place between layers or outside the grid, this is the nearest layer.
    #[must_use]
    #[inline]
    pub fn at(&self, place: Vec2) -> u32 {
        if self.count == 1 {
            return 0;
        }
        // Each half of the gap between two layers belongs to the layer beside it.
        let rows = (place.y - self.low) / self.row_size + MARGIN;
        ((rows / self.pitch() as f32) as u32).min(self.count - 1)
    }

    /// Returns the distance from a position to its place on a layer, along y.
    pub(crate) fn offset(&self, layer: u32) -> f32 {
        (layer * self.pitch()) as f32 * self.row_size
    }

    /// Returns the least and the greatest y of the places that [`Self::at`] counts to a layer, a row more on each side
    /// for rounding.
    pub(crate) fn band(&self, layer: u32) -> (f32, f32) {
        let edge = (MARGIN + 1.0) * self.row_size;
        let first = self.low + self.offset(layer);
        let low = if layer == 0 {
            f32::NEG_INFINITY
        } else {
            first - edge
        };
        let last = first + self.rows as f32 * self.row_size + edge;
        let is_last = layer + 1 == self.count;
        (low, if is_last { f32::INFINITY } else { last })
    }

    /// Returns the place of a world position on a layer. For a position outside the layer, the place is between layers
    /// or outside the grid, at most half a gap away from the layer.
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

    /// Returns the world position of a place on any layer.
    #[must_use]
    #[inline]
    pub fn flat(&self, place: Vec2) -> Vec2 {
        if self.count == 1 {
            return place;
        }
        Vec2::new(place.x, place.y - self.offset(self.at(place)))
    }

    /// Returns the cells of a layer.
    #[must_use]
    pub fn cells(&self, layer: u32, width: u32) -> CellRect {
        let low = IVec2::new(0, (layer * self.pitch()).cast_signed());
        CellRect {
            low,
            high: low + IVec2::new(width.cast_signed(), self.rows.cast_signed()),
        }
    }

    /// Converts a place of the layers `old` to these layers. The result is not finite if the place's layer no longer
    /// exists.
    #[must_use]
    pub(crate) fn kept(&self, old: &Self, place: Vec2) -> Vec2 {
        if old.at(place) < self.count {
            self.moved(old, place)
        } else {
            Vec2::INFINITY
        }
    }

    /// Converts a place of the layers `old` to these layers. If the place's layer no longer exists, the last layer is
    /// used.
    #[must_use]
    pub(crate) fn moved(&self, old: &Self, place: Vec2) -> Vec2 {
        self.place(old.flat(place), old.at(place).min(self.count - 1))
    }
}
