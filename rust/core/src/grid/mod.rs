//! The grid of cells, and the conversion between world and cell coordinates.
//!
//! Read this file, then `cell_rect` and `cell_set` (rectangles and sets of cells), `blocks` (values of cells), `steps`
//! (the eight neighbours), `layers` (several maps of one size in one grid), `links` (edges between any two cells), and
//! `travel` with `link_travels` (how agents get over them), then `seams` (links over which floors continue).
//!
//! Invariants: nothing here depends on terrain or costs. Only [`crate::import`], which computes in double precision,
//! uses the origin itself. Lengths are divided by the cell size where they are used.

pub(crate) mod blocks;
mod cell_rect;
pub(crate) mod cell_set;
pub mod layers;
pub(crate) mod link_travels;
pub mod links;
pub(crate) mod seams;
mod steps;
pub mod travel;

pub use cell_rect::CellRect;
pub use steps::{STEPS, offsets};

use crate::error::{Error, Result, finite, in_range};
use crate::grid::layers::Layers;
use glam::{IVec2, Vec2};

/// The greatest number of cells of a grid (8192 × 8192).
pub const MAX_CELLS: u64 = 1 << 26;

/// The greatest distance of a grid from the world's origin, in cells. Beyond it neighbouring `f32` positions are more
/// than a thousandth of a cell apart, which is too coarse for contact with walls.
pub const MAX_DISTANCE: f32 = 16_384.0;

/// The smallest cell size, in world units; [`MAX_CELL_SIZE`] is the largest.
///
/// Between the two, everything that steering, walls and queries square is a finite, normal `f32`. A grid lies within
/// [`MAX_DISTANCE`] cells of the world's origin on both axes, so neither side has more than 2 * 16,384 cells. With at
/// most [`MAX_CELLS`] cells, two points are at most sqrt((2^15)^2 + (2^11)^2) = 32,832 cells apart, which is 3.3e9
/// units at the largest cell size. Its square is 1.1e19, and a product of two squared lengths is 1.2e38, below
/// `f32::MAX` (3.4e38). Walls ignore lengths below a thousandth of a cell, which is 1e-7 units at the smallest cell
/// size. Its square is 1e-14, and a product of two is 1e-28, above the least normal number (1.2e-38).
pub const MIN_CELL_SIZE: f32 = 1.0e-4;
/// The largest cell size, in world units: see [`MIN_CELL_SIZE`].
pub const MAX_CELL_SIZE: f32 = 1.0e5;

/// The placement of a rectangular grid of cells in the world.
///
/// Cell `(x, y)` covers `origin + [x, x+1) × [y, y+1) * cell_size`. Cell indices are row-major, `y * width + x`. (The
/// published C# code from which this project started uses `x * width + y`, under which cells of a grid that is not
/// square share indices.)
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    width: u32,
    height: u32,
    cell_size: f32,
    inverse_cell_size: f32,
    origin: Vec2,
    layers: Layers,
}

impl Grid {
    /// Creates a grid of `size` cells of `cell_size` world units, with the lower corner of cell (0, 0) at `origin`.
    ///
    /// [`Error::GridSize`] for a size below 1×1 or above [`MAX_CELLS`]; [`Error::OutOfRange`] for a cell size outside
    /// [`MIN_CELL_SIZE`]..=[`MAX_CELL_SIZE`], or a corner more than [`MAX_DISTANCE`] cells from the world's origin;
    /// [`Error::NotFinite`] for an origin that is not finite.
    /// the world's origin.
    pub fn new(size: IVec2, cell_size: f32, origin: Vec2) -> Result<Self> {
        Self::layered(size, cell_size, origin, 1)
    }

    /// Creates a grid of `layers` layers of `size` cells each, one below the other: see [`Layers`].
    ///
    /// # Errors
    /// Those of [`Self::new`], for all layers together, and a number of layers outside
    /// 1..=[`crate::grid::layers::MAX_LAYERS`].
    pub fn layered(size: IVec2, cell_size: f32, origin: Vec2, layers: u32) -> Result<Self> {
        let refused = Error::GridSize {
            size,
            most: MAX_CELLS,
        };
        let (Ok(width), Ok(height)) = (u32::try_from(size.x), u32::try_from(size.y)) else {
            return Err(refused);
        };
        let layers = Layers::new(layers, height, origin.y, cell_size)?;
        if width == 0 || height == 0 || u64::from(width) * layers.all_rows() > MAX_CELLS {
            return Err(refused);
        }
        let height = layers.all_rows() as u32;
        in_range("cell_size", cell_size, MIN_CELL_SIZE, MAX_CELL_SIZE)?;
        finite("origin", origin)?;
        let grid = Self {
            width,
            height,
            cell_size,
            inverse_cell_size: 1.0 / cell_size,
            origin,
            layers,
        };
        let (low, high) = grid.bounds();
        finite("origin + grid_size * cell_size", high)?;
        let farthest = low.abs().max(high.abs()).max_element();
        if farthest / cell_size > MAX_DISTANCE {
            return Err(Error::OutOfRange {
                name: "distance of the grid from the world's origin, in cells",
                value: (farthest / cell_size).into(),
                min: 0.into(),
                max: MAX_DISTANCE.into(),
            });
        }
        Ok(grid)
    }

    /// Returns the width in cells.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the layout of the layers. Sizes and bounds of the grid are those of all layers together.
    #[must_use]
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// Returns the size of one layer in cells.
    #[must_use]
    pub fn layer_size(&self) -> IVec2 {
        IVec2::new(self.width.cast_signed(), self.layers.rows().cast_signed())
    }

    /// Returns the grid of the lowest layer alone. Imports use it, because world positions and cells are the same for
    /// every layer there.
    #[must_use]
    pub fn one_layer(&self) -> Self {
        Self {
            height: self.layers.rows(),
            layers: self.layers.lowest(),
            ..*self
        }
    }

    /// Returns the place of a layer's cell: see [`Layers`].
    ///
    /// # Errors
    /// A layer that does not exist, or [`Error::CellOutside`] for a cell outside the layer.
    pub fn place_of(&self, cell: IVec2, layer: i64) -> Result<IVec2> {
        let layer = self.layers.check(layer)?;
        let size = self.layer_size();
        if cell.cmplt(IVec2::ZERO).any() || cell.cmpge(size).any() {
            return Err(Error::CellOutside {
                cell,
                width: self.width,
                height: self.layers.rows(),
            });
        }
        Ok(cell + self.layers.cells(layer, self.width).low)
    }

    /// Returns the height in cells, including the rows between layers.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the size in cells, including the rows between layers.
    #[must_use]
    pub fn size(&self) -> IVec2 {
        IVec2::new(self.width.cast_signed(), self.height.cast_signed())
    }

    /// Returns the rectangle of all cells.
    #[must_use]
    pub fn cells(&self) -> CellRect {
        CellRect {
            low: IVec2::ZERO,
            high: self.size(),
        }
    }

    /// Returns the number of cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Returns the edge length of a cell in world units.
    #[must_use]
    pub fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// Returns the world position of the lower corner of cell (0, 0).
    #[must_use]
    pub fn origin(&self) -> Vec2 {
        self.origin
    }

    /// Returns the lower and the upper corner of the grid in world units.
    #[must_use]
    pub fn bounds(&self) -> (Vec2, Vec2) {
        (
            self.origin,
            self.origin + self.size().as_vec2() * self.cell_size,
        )
    }

    /// Converts a world position to cell space, where cell (0, 0) spans 0..1 on both axes.
    #[must_use]
    #[inline]
    pub fn to_cell_space(&self, position: Vec2) -> Vec2 {
        (position - self.origin) * self.inverse_cell_size
    }

    /// Converts a point in cell space to a world position.
    #[must_use]
    #[inline]
    pub fn to_world(&self, point: Vec2) -> Vec2 {
        self.origin + point * self.cell_size
    }

    /// Returns the cell that contains `position`. Outside the grid this is the cell that a larger grid would have
    /// there.
    #[must_use]
    #[inline]
    pub fn cell_at(&self, position: Vec2) -> IVec2 {
        floor_to_cell(self.to_cell_space(position))
    }

    /// Converts many world positions to cell space.
    pub(crate) fn points_at(&self, positions: &[Vec2]) -> Vec<Vec2> {
        positions.iter().map(|&at| self.to_cell_space(at)).collect()
    }

    /// Returns the cell of the grid that is nearest to `position`.
    #[must_use]
    #[inline]
    pub fn clamped_cell_at(&self, position: Vec2) -> IVec2 {
        self.cell_at(position)
            .clamp(IVec2::ZERO, self.size() - IVec2::ONE)
    }

    /// Returns the world position of the centre of `cell`.
    #[must_use]
    #[inline]
    pub fn center_of(&self, cell: IVec2) -> Vec2 {
        self.origin + (cell.as_vec2() + 0.5) * self.cell_size
    }

    /// Returns the lower and the upper corner, in world units, of the square that `cell` covers.
    #[must_use]
    #[inline]
    pub fn rect_of(&self, cell: IVec2) -> (Vec2, Vec2) {
        let low = cell.as_vec2();
        (
            self.origin + low * self.cell_size,
            self.origin + (low + 1.0) * self.cell_size,
        )
    }

    /// Returns `true` if `cell` is in the grid.
    #[must_use]
    #[inline]
    pub fn contains(&self, cell: IVec2) -> bool {
        cell.x >= 0
            && cell.y >= 0
            && cell.x.cast_unsigned() < self.width
            && cell.y.cast_unsigned() < self.height
    }

    /// Returns `true` if `cell` is in the grid and not between two layers.
    #[must_use]
    #[inline]
    pub fn is_on_layer(&self, cell: IVec2) -> bool {
        self.contains(cell) && self.layers.of_row(cell.y.cast_unsigned()).is_some()
    }

    /// Returns the row-major index of a cell of the grid.
    #[must_use]
    #[inline]
    pub fn index(&self, cell: IVec2) -> usize {
        debug_assert!(self.contains(cell), "cell {cell} is outside the grid");
        cell.y as usize * self.width as usize + cell.x as usize
    }

    /// Returns the cell of a row-major index.
    #[must_use]
    #[inline]
    pub fn cell(&self, index: usize) -> IVec2 {
        let width = self.width as usize;
        IVec2::new((index % width) as i32, (index / width) as i32)
    }

    /// Returns `cell` if it is in the grid.
    ///
    /// # Errors
    /// [`Error::CellOutside`] if it is not.
    pub fn check_cell(&self, cell: IVec2) -> Result<IVec2> {
        if self.contains(cell) {
            Ok(cell)
        } else {
            Err(Error::CellOutside {
                cell,
                width: self.width,
                height: self.height,
            })
        }
    }

    /// Returns the cell of a finite world position inside the grid.
    ///
    /// # Errors
    /// [`Error::NotFinite`] or [`Error::PositionOutside`], naming the argument `name`.
    pub fn check_position(&self, name: &'static str, position: Vec2) -> Result<IVec2> {
        finite(name, position)?;
        let cell = self.cell_at(position);
        if self.is_on_layer(cell) {
            return Ok(cell);
        }
        let layer = (self.layers.count() > 1).then(|| self.layers.at(position));
        Err(self.outside(name, self.layers.flat(position), layer))
    }

    /// Returns the place of a position on a layer: see [`Layers`].
    ///
    /// # Errors
    /// A layer that does not exist, or the errors of [`Self::check_position`] for a position outside the layer.
    pub fn place_at(&self, name: &'static str, position: Vec2, layer: i64) -> Result<Vec2> {
        let number = self.layers.check(layer)?;
        finite(name, position)?;
        let place = self.layers.place(position, number);
        if self.is_on_layer(self.cell_at(place)) {
            return Ok(place);
        }
        let layer = (self.layers.count() > 1).then_some(number);
        Err(self.outside(name, position, layer))
    }

    /// The error for a position outside the grid or, with several layers, outside a layer; all layers span the same
    /// rectangle.
    fn outside(&self, name: &'static str, position: Vec2, layer: Option<u32>) -> Error {
        let (min, max) = self.one_layer().bounds();
        Error::PositionOutside {
            name,
            position,
            layer,
            min,
            max,
        }
    }
}

/// Returns the cell of a point in cell space. Saturates at the limits of `i32`, as `as` does.
#[must_use]
#[inline]
pub fn floor_to_cell(point: Vec2) -> IVec2 {
    // Some x86-64 processors have no instruction that rounds down, and a library call takes ten times as long.
    let toward_zero = point.as_ivec2();
    let past = point.cmplt(toward_zero.as_vec2());
    toward_zero.saturating_sub(IVec2::new(i32::from(past.x), i32::from(past.y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_unique_on_grids_that_are_not_square() {
        for (width, height) in [(1, 1), (1, 9), (9, 1), (37, 91), (91, 37)] {
            let grid = Grid::new(IVec2::new(width, height), 1.0, Vec2::ZERO).expect("valid");
            let mut seen = vec![false; grid.cell_count()];
            for y in 0..height {
                for x in 0..width {
                    let index = grid.index(IVec2::new(x, y));
                    assert!(!seen[index], "{width}x{height}: ({x}, {y}) collides");
                    seen[index] = true;
                    assert_eq!(grid.cell(index), IVec2::new(x, y));
                }
            }
        }
    }

    #[test]
    fn the_centre_of_a_cell_lies_in_the_cell() {
        let grid = Grid::new(IVec2::new(37, 91), 0.7, Vec2::new(-13.3, 5.1)).expect("valid");
        for index in 0..grid.cell_count() {
            let cell = grid.cell(index);
            assert_eq!(grid.cell_at(grid.center_of(cell)), cell);
        }
    }

    #[test]
    fn points_are_rounded_down_to_their_cell() {
        let below_one = 1.0_f32.next_down();
        for x in [
            0.0,
            -0.0,
            0.5,
            -0.5,
            below_one,
            1.0,
            -1.0,
            -1.5,
            1.0e9,
            -1.0e9,
            3.0e9,
            -3.0e9,
            -1.0e-30,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ] {
            assert_eq!(
                floor_to_cell(Vec2::splat(x)),
                IVec2::splat(x.floor() as i32),
                "{x}"
            );
        }
    }

    #[test]
    fn bad_grids_are_refused() {
        let grid = |x, y, size, origin| Grid::new(IVec2::new(x, y), size, origin);
        assert!(grid(0, 4, 1.0, Vec2::ZERO).is_err());
        assert!(grid(4, -1, 1.0, Vec2::ZERO).is_err());
        assert!(grid(i32::MAX, i32::MAX, 1.0, Vec2::ZERO).is_err());
        assert!(grid(4, 4, 0.0, Vec2::ZERO).is_err());
        assert!(grid(4, 4, f32::NAN, Vec2::ZERO).is_err());
        assert!(grid(4, 4, f32::MIN_POSITIVE / 4.0, Vec2::ZERO).is_err());
        assert!(grid(4, 4, 1.0e20, Vec2::ZERO).is_err());
        assert!(grid(4, 4, MAX_CELL_SIZE.next_up(), Vec2::ZERO).is_err());
        assert!(grid(4, 4, MIN_CELL_SIZE.next_down(), Vec2::ZERO).is_err());
        assert!(grid(4, 4, 1.0, Vec2::new(0.0, f32::INFINITY)).is_err());
        assert!(grid(4, 4, 0.001, Vec2::splat(1.0e6)).is_err());
    }

    #[test]
    fn squares_of_squares_of_lengths_are_normal_numbers() {
        // The longest diagonal: 32,768 cells wide, and as high as [`MAX_CELLS`] allows.
        let size = IVec2::new(1 << 15, 1 << 11);
        let low = Vec2::new(-0.5, -0.5) * size.as_vec2() * MAX_CELL_SIZE;
        let grid = Grid::new(size, MAX_CELL_SIZE, low).expect("as large as can be");
        assert!(Grid::new(size + IVec2::X, MAX_CELL_SIZE, low).is_err());
        let (low, high) = grid.bounds();
        let squared = high.distance_squared(low);
        assert!((squared * squared).is_finite());
        let least = Vec2::splat(1.0e-3 * MIN_CELL_SIZE).length_squared();
        assert!((least * least).is_normal());
    }
}
