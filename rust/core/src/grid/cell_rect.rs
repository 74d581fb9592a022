//! Rectangles of cells.

use glam::IVec2;

/// A half-open rectangle of cells: `low` is inside, `high` is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellRect {
    /// The first cell.
    pub low: IVec2,
    /// One past the last cell on both axes.
    pub high: IVec2,
}

impl CellRect {
    /// The rectangle of one cell.
    #[must_use]
    pub fn cell(cell: IVec2) -> Self {
        Self {
            low: cell,
            high: cell + IVec2::ONE,
        }
    }

    /// Whether it holds no cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.high.x <= self.low.x || self.high.y <= self.low.y
    }

    /// Whether it holds a cell.
    #[must_use]
    pub fn contains(&self, cell: IVec2) -> bool {
        cell.cmpge(self.low).all() && cell.cmplt(self.high).all()
    }

    /// How many cells it holds.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        let size = (self.high - self.low).max(IVec2::ZERO);
        size.as_usizevec2().element_product()
    }

    /// Grown by `margin` cells on every side.
    #[must_use]
    pub fn grown(&self, margin: i32) -> Self {
        Self {
            low: self.low - margin,
            high: self.high + margin,
        }
    }

    /// The cells that both rectangles hold.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }

    /// The smallest rectangle that holds both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }
}
