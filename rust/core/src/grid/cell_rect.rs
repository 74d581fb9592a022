//! Half-open rectangles of cells.

use crate::bytes::saved;
use glam::IVec2;

/// A half-open rectangle of cells: `low` is inside, `high` is outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellRect {
    /// The lowest cell on both axes.
    pub low: IVec2,
    /// One past the last cell on both axes.
    pub high: IVec2,
}

impl CellRect {
    /// Returns the rectangle of one cell.
    #[must_use]
    pub fn cell(cell: IVec2) -> Self {
        Self {
            low: cell,
            high: cell + IVec2::ONE,
        }
    }

    /// Returns `true` if the rectangle contains no cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.high.x <= self.low.x || self.high.y <= self.low.y
    }

    /// Returns `true` if the rectangle contains `cell`.
    #[must_use]
    pub fn contains(&self, cell: IVec2) -> bool {
        cell.cmpge(self.low).all() && cell.cmplt(self.high).all()
    }

    /// Returns the number of cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        let size = (self.high - self.low).max(IVec2::ZERO);
        size.as_usizevec2().element_product()
    }

    /// Returns the cells, row by row.
    pub(crate) fn cells(&self) -> impl Iterator<Item = IVec2> + use<> {
        let columns = self.low.x..self.high.x;
        (self.low.y..self.high.y).flat_map(move |y| columns.clone().map(move |x| IVec2::new(x, y)))
    }

    /// Returns the rectangle with `margin` more cells on every side.
    #[must_use]
    pub fn grown(&self, margin: i32) -> Self {
        Self {
            low: self.low - margin,
            high: self.high + margin,
        }
    }

    /// Returns the cells that are in both rectangles.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }

    /// Whether all of these can be parts of `whole` without overlap: none is empty, each lies inside, and together they
    /// have at most as many cells.
    pub(crate) fn are_apart(parts: &[Self], whole: Self) -> bool {
        let is_part = |part: &Self| !part.is_empty() && part.intersection(&whole) == *part;
        parts.iter().all(is_part)
            && parts.iter().map(Self::cell_count).sum::<usize>() <= whole.cell_count()
    }

    /// Returns the smallest rectangle that contains both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }
}

saved!(CellRect { low, high });
