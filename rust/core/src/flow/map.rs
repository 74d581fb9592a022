//! The maps of directions that can be sampled, whole fields and tiles, as one trait.

use super::descent;
use crate::direction::Direction;
use crate::integrate::Root;
use glam::{IVec2, Vec2};

/// The distance, in cells on both axes, at which a wall's corner is passed: for points, and at most, which is through
/// the centre of the cell at the corner.
pub(super) const MARGIN: (f32, f32) = (0.1, 0.5);

/// A map of directions that can be sampled: a whole field, or a tile.
///
/// Stored indices are those of a map with a border of one cell. Cells of the border have a direction too, or are walls.
pub(crate) trait FlowMap {
    /// The cells without the border.
    fn size(&self) -> IVec2;

    /// Cells per stored row.
    fn stride(&self) -> usize {
        self.size().x as usize + 2
    }

    /// A cell's own direction or mark; [`Direction::STRAIGHT`] if it leads to a root.
    fn own(&self, index: usize) -> Direction;

    /// The root of a cell that leads to one.
    fn root(&self, index: usize) -> Root;

    /// The legal steps to cells of lower cost, of a cell that is not in the border.
    fn lower(&self, index: usize) -> u8;

    /// See [`super::descent`]'s function of this name. It reads the steps to lower cells only if they are needed.
    #[inline]
    fn downhill(&self, index: usize, offset: Vec2, own: Vec2, wanted: Vec2) -> Vec2 {
        if descent::stays(offset, own, wanted) {
            return wanted;
        }
        descent::downhill(self.lower(index), offset, own, wanted)
    }

    /// The exact target in a cell, which may be outside a tile, if the cell is a goal.
    fn exact_target(&self, cell: IVec2) -> Option<Vec2>;

    /// The stored index of a cell.
    #[inline]
    fn stored_index(&self, cell: IVec2) -> usize {
        (cell.y + 1) as usize * self.stride() + (cell.x + 1) as usize
    }

    /// The direction from a cell's centre as a unit vector; zero if there is none.
    #[inline]
    fn own_vector(&self, index: usize) -> Vec2 {
        match self.own(index) {
            Direction::STRAIGHT => self.root(index).aim(MARGIN.0).normalize_or_zero(),
            direction => direction.vector(),
        }
    }
}
